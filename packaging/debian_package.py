"""Builds the Debian packages with debhelper from the source archive, without a network.

    debian_package.py OUT

In OUT afterwards: pypto-lint, libsarif-dev and libptosim-dev for this machine's architecture, with their source package;
lintian finds nothing in any of them, or this ends with what it says.
"""
import email.utils
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import compile as compilation
import sdist
import tree

# Where the system allows it, the build runs without a network, so that it fails if it needs one.
OFFLINE = ["unshare", "--net"]


def changelog():
    text = (tree.ROOT / "packaging/debian/control").read_text(encoding="utf-8")
    maintainer = re.search(r"^Maintainer: (.*)$", text, re.M)[1]
    when = email.utils.formatdate(tree.epoch())
    return (f"pypto-lint ({tree.version()}-1) unstable; urgency=medium\n\n  * Version {tree.version()}: CHANGELOG.md says what "
            f"is new.\n\n -- {maintainer}  {when}\n")


def prepare(work):
    """Makes the source package's folder (the unpacked archive with debian/ in it) and returns it."""
    archive = work / sdist.write(work)
    upstream = work / f"pypto-lint_{tree.version()}.orig.tar.gz"
    archive.rename(upstream)
    with tarfile.open(upstream) as opened:
        opened.extractall(work)
    folder = work / f"pypto_lint-{tree.version()}"
    shutil.copytree(tree.ROOT / "packaging/debian", folder / "debian")
    (folder / "debian/changelog").write_text(changelog(), encoding="utf-8")
    return folder


def offline():
    return OFFLINE if subprocess.run([*OFFLINE, "true"], check=False, capture_output=True).returncode == 0 else []


def write(out):
    """Builds the packages into `out` and returns their names."""
    with tempfile.TemporaryDirectory(prefix="pypto-debian-") as work:
        work = pathlib.Path(work)
        folder = prepare(work)
        compilation.run(*offline(), "dpkg-buildpackage", "-us", "-uc", "--build=full", cwd=folder,
                        env=compilation.environment(SOURCE_DATE_EPOCH=str(tree.epoch())))
        changes, = work.glob("*.changes")
        said = compilation.run("lintian", "--fail-on", "error,warning", "--display-info", changes)
        print(said, end="", file=sys.stderr)
        for path in sorted([*work.glob("*.deb"), *work.glob("*.dsc"), *work.glob("*.tar.*")]):
            if "-dbgsym" not in path.name:
                shutil.copy(path, out)
                yield path.name


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    for name in write(out):
        print(name)


if __name__ == "__main__":
    main()

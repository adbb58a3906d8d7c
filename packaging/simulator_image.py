#!/usr/bin/env python3
"""The image with linter, simulator and torch: a layer of Debian by mmdebstrap, and a layer with the program.

    simulator_image.py ARCHIVE OUT             scripts/release --simulator makes it with the other files

ARCHIVE is the plain archive of a release for this machine's architecture; pypto-lint-VERSION-oci-simulator-ARCHITECTURE.tar.gz
is in OUT afterwards. mmdebstrap (apt install mmdebstrap) needs neither root nor a daemon. The bytes are the same each time
while Debian's package lists are.
"""
import pathlib
import platform
import subprocess
import sys
import tarfile
import tempfile

import archive
import compile as compilation
import container
import tree

SUITE = "trixie"
PACKAGES = ["python3", "python3-torch", "python3-numpy"]
PLACE = "opt/pypto-lint"
# An engine makes the nodes of /dev itself. Of the documentation the licences stay.
OPTIONS = ["--variant=minbase", '--aptopt=APT::Install-Recommends "false"', "--skip=output/dev",
           "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/doc/*",
           "--dpkgopt=path-include=/usr/share/doc/*/copyright"]


def base_layer(work):
    """Debian with Python, torch and NumPy, gzipped."""
    compilation.run("mmdebstrap", *OPTIONS, f"--include={','.join(PACKAGES)}", SUITE, work / "base.tar",
                    env=compilation.environment(SOURCE_DATE_EPOCH=str(tree.epoch())))
    return subprocess.run(["gzip", "--no-name", "--stdout", work / "base.tar"], stdout=subprocess.PIPE, check=True).stdout


def unpack(release, folder):
    """Unpacks the archive if it has only files, and all of them below `folder`; Debian 12's Python has no filter for that."""
    with tarfile.open(release) as opened:
        for member in opened.getmembers():
            path = pathlib.PurePosixPath(member.name)
            if not member.isreg() or path.is_absolute() or ".." in path.parts:
                raise SystemExit(f"{release} is not the plain archive of a release: it has {member.name!r}")
        opened.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))


def program_layer(release, work):
    """What the plain archive has, below /opt/pypto-lint, gzipped."""
    unpack(release, work / "program")
    top, = (work / "program").iterdir()
    entries = {f"{PLACE}/{path}": top / path for path in archive.files_below(top)}
    archive.write_tar_gz(work / "program.tar.gz", {**entries, "project/.keep": b""}, tree.epoch())
    return (work / "program.tar.gz").read_bytes()


def write(release, out):
    """Writes the image into `out`; its name."""
    architecture = platform.machine()
    name = f"pypto-lint-{tree.version()}-oci-simulator-{architecture}.tar.gz"
    with tempfile.TemporaryDirectory(prefix="pypto-image-") as work:
        work = pathlib.Path(work)
        layers = [base_layer(work), program_layer(release, work)]
    config = {"Entrypoint": [f"/{PLACE}/bin/pypto-lint"], "Env": [f"PATH=/{PLACE}/bin:/usr/local/bin:/usr/bin:/bin"]}
    container.pack(out, name, architecture, layers, config, title="pypto-lint-simulator")
    return name


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[2]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    print(write(pathlib.Path(sys.argv[1]).resolve(), out))


if __name__ == "__main__":
    main()

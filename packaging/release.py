"""Builds the files of a release into a folder; scripts/release calls this.

    release.py [--arch x86_64[,aarch64]] [--debian] [--simulator] [--trial] OUT
    release.py --installed FOLDER --trial [--simulator] OUT

Builds are made below build/, guided by the profile of one on x86_64, which serves every architecture. With --installed, for
tests, nothing is compiled: FOLDER is what was installed for this machine; and the files are packed less tightly.
"""
import argparse
import pathlib
import platform
import shutil
import tempfile

import archive
import compile as compilation
import container
import debian_package
import licences
import materials
import npm_packages
import sdist
import simulator_image
import symbols
import tree
import wheel

ARCHITECTURES = {"x86_64": "release", "aarch64": "release-aarch64"}
STRIP = {"x86_64": "strip", "aarch64": "aarch64-linux-gnu-strip"}


def build(architectures, work):
    """Builds the presets with the commit's name in them, and installs them: {architecture: folder}."""
    settings = [f"-DPYPTO_LINT_COMMIT={tree.commit() or 'unknown'}", "-DPYPTO_LINT_WERROR=ON"]
    compilation.run("scripts/build-release.sh", "--repeatable", *settings, cwd=tree.ROOT)
    installed = {}
    for name in architectures:
        preset, installed[name] = ARCHITECTURES[name], work / "installed" / name
        compilation.run("cmake", "--preset", preset, *settings, "-DPYPTO_LINT_PGO=use",
                        f"-DPYPTO_LINT_PGO_DIR={tree.ROOT}/build/release/profile", cwd=tree.ROOT)
        compilation.run("cmake", "--build", "--preset", preset, cwd=tree.ROOT)
        compilation.install(tree.ROOT / "build" / preset, installed[name], STRIP[name])
    return installed


def stage(installed, folder):
    """Copies what is packed into `folder`, and checks that it runs on systems older than this one."""
    shutil.copytree(installed, folder)
    found = symbols.problems(folder / "share/pypto-lint/sim/_ptosim.abi3.so")
    if not symbols.is_static(folder / "bin/pypto-lint"):
        found.append("bin/pypto-lint is not static")
    if found:
        raise SystemExit("\n".join(found))


def wheels(out, work, staged, architecture, notices):
    """Wheels for glibc, and for musl without the simulator, whose extension needs glibc; yields their names."""
    plain = work / "wheel"
    shutil.copytree(staged, plain)
    yield wheel.write(out, plain, f"manylinux_2_34_{architecture}", notices)
    shutil.rmtree(plain / "share/pypto-lint/sim")
    yield wheel.write(out, plain, f"musllinux_1_1_{architecture}", notices)


def archive_name(architecture):
    """The plain archive, without its suffix, which is also the folder in it."""
    return f"pypto-lint-{tree.version()}-linux-{architecture}"


def of_architecture(out, work, architecture, installed):
    """Writes all files for one architecture and yields their names."""
    staged = work / "stage"
    stage(installed, staged)
    notices = licences.text()  # those of the grammar are there once it has been built
    yield from wheels(out, work, staged, architecture, notices)
    name = archive_name(architecture)
    entries = {f"{name}/{path}": staged / path for path in archive.files_below(staged)}
    entries |= {f"{name}/LICENSE": tree.ROOT / "LICENSE", f"{name}/THIRD-PARTY-LICENSES.txt": notices}
    archive.write_tar_gz(out / f"{name}.tar.gz", entries, tree.epoch())
    yield f"{name}.tar.gz"
    yield container.write(out, work, architecture, staged)
    yield npm_packages.platform(work / "npm", architecture, staged, notices, out)


def everything(out, work, installed, asked):
    """Writes all files, from {architecture: folder of the installation}, and yields their names. `asked` says which of
    those that need more tools are wanted."""
    for architecture, folder in installed.items():
        yield from of_architecture(out, work / architecture, architecture, folder)
    yield sdist.write(out)
    yield npm_packages.launcher(work / "launcher", list(installed), out)
    yield npm_packages.claude_plugin(work / "claude", out)
    yield npm_packages.opencode_plugin(work / "opencode", out)
    if asked.debian:
        yield from debian_package.write(out)
    if asked.simulator:
        yield simulator_image.write(out / f"{archive_name(platform.machine())}.tar.gz", out)


def write(out, work, installed, asked):
    """Writes all files, their bill of materials and SHA256SUMS, and returns what the last has."""
    files = list(everything(out, work, installed, asked))
    files.append(materials.write(out, files))
    sums = "".join(f"{archive.sha256(out / name)}  {name}\n" for name in sorted(files))
    (out / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return sums


def replace(earlier, made, out):
    """Puts the files of the folder `made` in the place of those of an earlier release."""
    for path in earlier:
        path.unlink()
    out.mkdir(parents=True, exist_ok=True)
    for path in made.iterdir():
        shutil.move(path, out)


def earlier_release(out, parser):
    """Paths of the files of an earlier release in the folder; refuses one with anything else."""
    earlier = list(out.iterdir()) if out.exists() else []
    for path in earlier:
        if not path.is_file() or not path.name.startswith(("pypto-lint", "pypto_lint", "libsarif-dev", "libptosim-dev", "SHA256SUMS")):
            parser.error(f"{out} contains {path.name}, which is not a file of a release: name another folder")
    return earlier


def refuse_changes(parser):
    """A release is what a commit has, so that anybody can build it again."""
    changed = tree.changes()
    if changed:
        parser.error("\n  ".join([f"files differ from the commit, or are not in it ({len(changed)}); --trial packs them, and then "
                                  "--version --verbose has a + behind the commit", *changed[:10]]))
    if not tree.commit():
        parser.error("the commit is not known: run it in a checkout or in an unpacked source archive, or with --trial")


def main():
    parser = argparse.ArgumentParser(description="Builds the files of a release.")
    parser.add_argument("--arch", default="x86_64,aarch64", help="architectures, separated by commas")
    parser.add_argument("--installed", type=pathlib.Path, metavar="FOLDER", help="pack this, which was installed for this machine")
    parser.add_argument("--debian", action="store_true", help="Debian packages, too, for the Debian that this runs on")
    parser.add_argument("--simulator", action="store_true", help="the image with torch, too, for this machine; needs mmdebstrap and "
                        "Debian's package lists")
    parser.add_argument("--trial", action="store_true", help="files may differ from the commit; no release")
    parser.add_argument("out", type=pathlib.Path)
    asked = parser.parse_args()
    architectures = asked.arch.split(",")
    if not set(architectures) <= set(ARCHITECTURES):
        parser.error(f"--arch takes {', '.join(ARCHITECTURES)}")
    if asked.simulator and platform.machine() not in architectures:
        parser.error(f"--simulator makes an image for {platform.machine()} only, which --arch leaves out")
    if asked.simulator and not shutil.which("mmdebstrap"):
        parser.error("--simulator needs mmdebstrap (apt install mmdebstrap)")
    if not asked.trial:
        refuse_changes(parser)
    if asked.installed:
        if not asked.trial:
            parser.error("--installed needs --trial: nobody knows which commit the programs were built from")
        archive.level = 1
        if not (asked.installed / "bin/pypto-lint").is_file():
            parser.error(f"nothing is installed in {asked.installed}")
    out = asked.out.resolve()
    earlier = earlier_release(out, parser)
    with tempfile.TemporaryDirectory(prefix="pypto-lint-release-") as work:
        work = pathlib.Path(work)
        installed = {platform.machine(): asked.installed} if asked.installed else build(architectures, work)
        made = work / "dist"
        made.mkdir()
        print(write(made, work, installed, asked), end="")
        replace(earlier, made, out)


if __name__ == "__main__":
    main()

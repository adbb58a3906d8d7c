"""What `cmake --install` puts into a folder serves another project: libsarif and libptosim are found with
find_package and with pkg-config; programs that use them compile and run.

Usage: check_libraries.py BUILD_FOLDER C_COMPILER
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CONSUMER, ROOT = HERE / "consumer", HERE.parents[1]


def run_program(program, *arguments):
    """What it prints; it must succeed."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (program, done.stderr)
    return done.stdout


def check_programs(folder, prefix):
    """Both programs do what they are for."""
    log = json.loads(run_program(folder / "use_sarif"))
    assert log["version"] == "2.1.0", log
    assert log["runs"][0]["tool"]["driver"]["name"] == "consumer", log
    soc = prefix / "share/pypto-lint/sim/soc/910B1.soc"
    assert run_program(folder / "use_ptosim", soc) == "x + 1.5\n"


def by_cmake(prefix, folder, compiler):
    """find_package."""
    subprocess.run(["cmake", "-S", CONSUMER, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}",
                    f"-DCMAKE_C_COMPILER={compiler}"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder], check=True, stdout=subprocess.DEVNULL)


def by_pkg_config(prefix, folder, compiler):
    """pkg-config; the .pc files also say where they lie when the folder was moved."""
    places = [str(path.parent) for path in prefix.rglob("libsarif.pc")]
    environment = dict(os.environ, PKG_CONFIG_PATH=places[0])
    folder.mkdir()
    for name in ("sarif", "ptosim"):
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", f"lib{name}"], check=True,
                               env=environment, capture_output=True, text=True).stdout.split()
        assert f"-I{prefix}/include" in [os.path.normpath(flag) for flag in flags], flags
        subprocess.run([compiler, CONSUMER / f"use_{name}.c", "-o", folder / f"use_{name}", *flags],
                       check=True)


def check_catalogue(prefix):
    """The page of rules and of the simulator's checks, in both languages."""
    for name, words in (("rules.html", "Warnings of the simulator"), ("rules.zh.html", "模拟器的警告")):
        page = (prefix / "share/doc/pypto-lint" / name).read_text(encoding="utf-8")
        for part in ('id="rule-OL01"', "unwritten-output", words):
            if part not in page:
                sys.exit("%s lacks %s" % (name, part))


def check_packaged(prefix):
    """Debian's lists take every installed file, the catalogue with the program."""
    lists = {}
    for path in (ROOT / "packaging/debian").glob("*.install"):
        lists[path.stem] = [line.replace("usr/lib/*/", "usr/lib/") for line in path.read_text().split()]
    for path in filter(pathlib.Path.is_file, prefix.rglob("*")):
        name = "usr/%s" % path.relative_to(prefix)
        packages = [package for package, names in lists.items()
                    if any(name == one or name.startswith(one + "/") for one in names)]
        if len(packages) != 1 or "/doc/" in name and packages != ["pypto-lint"]:
            sys.exit("%s is in %s" % (name, packages or "no Debian package"))


def main():
    build, compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        subprocess.run(["cmake", "--install", build, "--prefix", folder / "first"], check=True,
                       stdout=subprocess.DEVNULL)
        prefix = (folder / "first").rename(folder / "moved")
        by_cmake(prefix, folder / "cmake", compiler)
        check_programs(folder / "cmake", prefix)
        if shutil.which("pkg-config"):
            by_pkg_config(prefix, folder / "pkg-config", compiler)
            check_programs(folder / "pkg-config", prefix)
        check_catalogue(prefix)
        check_packaged(prefix)
        print("libsarif and libptosim are found and run; the catalogue of rules is there")


if __name__ == "__main__":
    main()

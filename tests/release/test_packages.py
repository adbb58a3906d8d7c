#!/usr/bin/env python3
"""The files of a release: made twice with the same bytes, installed, used and removed with the users' own tools.

Usage: test_packages.py [--dist FOLDER | --kept FOLDER] BUILD [unittest options]

BUILD is a development build, whose Python side and pages are packed; the static program is the one that a test of
pre-commit has left in the folder of --kept, or is built. With --dist the files of a whole release are taken from there. Nothing
comes from a network: pip runs with --no-index, npm with --offline, and a stub makes the Debian below torch.
"""
import csv
import gzip
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import compile as compilation  # noqa: E402
import materials  # noqa: E402
import symbols  # noqa: E402
import tree  # noqa: E402
from release_tree import build, kept_program  # noqa: E402

PYTHON = "/usr/bin/python3"
MACHINE = platform.machine()
CPU = {"x86_64": "x64", "aarch64": "arm64"}[MACHINE]
BUILD = DIST = INSTALLED = KEPT = None
HAS_TORCH = subprocess.run([PYTHON, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"],
                           check=False).returncode == 0


def environment(**more):
    kept = {name: value for name, value in os.environ.items()
            if not name.lower().startswith(("pip_", "npm_config", "pypto_lint", "python", "virtual_env"))}
    return {**kept, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "OMP_NUM_THREADS": "1", **more}


def call(*words, cwd=None, env=None):
    return subprocess.run([str(word) for word in words], capture_output=True, encoding="utf-8", cwd=cwd, check=False,
                          env=environment(**(env or {})), timeout=240)


# The system's torch and NumPy are of the versions that the extra asks for.
SUITS = """
import importlib.metadata as metadata
from pip._vendor.packaging.requirements import Requirement
wanted = [Requirement(text) for text in metadata.requires("pypto-lint")]
assert sorted(one.name for one in wanted) == ["numpy", "torch"]
for one in wanted:
    assert one.specifier.contains(metadata.version(one.name)), f"{one}: {metadata.version(one.name)}"
"""


# A system of one file, with the words that it was called with, aside from the name of the archive to write.
MMDEBSTRAP = """#!/bin/sh -eu
cd "$(mktemp -d)"
printf '%s\\n' "$@" | sed '$d' >words
for target; do :; done
tar --mtime="@$SOURCE_DATE_EPOCH" -cf "$target" words
rm -r "$PWD"
"""


def pack(out):
    with tempfile.TemporaryDirectory(prefix="pypto-stub-") as stub:
        program = pathlib.Path(stub, "mmdebstrap")
        program.write_text(MMDEBSTRAP, encoding="utf-8")
        program.chmod(0o755)
        done = subprocess.run([sys.executable, "-B", ROOT / "packaging/release.py", "--installed", INSTALLED, "--trial",
                               "--simulator", out], capture_output=True, encoding="utf-8", check=False,
                              env={**os.environ, "PATH": f"{stub}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stdout + done.stderr


def setUpModule():  # pylint: disable=invalid-name
    global DIST, INSTALLED
    if DIST:
        return
    work = pathlib.Path(tempfile.mkdtemp(prefix="pypto-dist-"))
    unittest.addModuleCleanup(shutil.rmtree, work)
    DIST, INSTALLED = work / "dist", work / "installed"
    compilation.install(BUILD, INSTALLED)
    program = kept_program(KEPT, "hook") if KEPT else None
    if program is None or not program.is_file():
        program = build(work / "tree", "-DPYPTO_LINT_CCACHE=ON")
    shutil.copy(program, INSTALLED / "bin/pypto-lint")
    compilation.run("strip", INSTALLED / "bin/pypto-lint")
    pack(DIST)


def only(pattern):
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, (pattern, found)
    return found[0]


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pypto-packages-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def must(self, *words, status=0, **how):
        done = call(*words, **how)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def traces(self, below):
        """Files and folders of ours below a folder."""
        return [str(path) for path in below.rglob("*") if "pypto" in str(path.relative_to(below))]

    def use(self, *program, run=HAS_TORCH, **how):
        """check, run and verify do what they are for, and the first of them also fails where it should."""
        shutil.copytree(ROOT / "examples", self.folder / "examples", dirs_exist_ok=True)
        how["cwd"] = self.folder / "examples"
        self.must(*program, "check", "custom", **how)
        self.assertIn("OL48", self.must(*program, "check", "broken/custom/softmax_broken", status=1, **how))
        if run:
            said = self.must(*program, "run", "--stats", "sim/softmax.py", **how)
            self.assertRegex(said, r"softmax: PASS\n(?s:.)*kernels recorded +1\n")
            said = self.must(*program, "verify", "--op-dir", "custom/gated_rmsnorm", "--up-to-module", "2", "--levels",
                             "L1", "--modes", "sim", "--jobs", "1", **how)
            self.assertIn("status=PASS", said)


class Files(FolderTest):
    def test_checksums(self):
        self.must("sha256sum", "--strict", "-c", "SHA256SUMS", cwd=DIST)
        listed = {line.split()[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(listed, {path.name for path in DIST.iterdir()} - {"SHA256SUMS"})

    @unittest.skipIf("--dist" in sys.argv, "test_release.py has built all of it twice")
    def test_packing_again_gives_the_same_bytes(self):
        pack(self.folder / "again")
        self.assertEqual(self.must("diff", "-r", DIST, self.folder / "again"), "")

    def test_bill_of_materials(self):
        path = only("*.cdx.json")
        check = (*materials.writer(), "--check")
        self.must(*check, path)
        bill = json.loads(path.read_text(encoding="utf-8"))
        parts = {part["name"]: part for part in bill["components"]}
        for name in ("glibc", "jansson", "libyaml", "libmd", "utf8proc", "libiberty", "tree-sitter", "tree-sitter-python"):
            self.assertEqual(parts[name]["type"], "library")
            self.assertIn(parts[name]["version"], parts[name]["purl"])
        hashes = {name: part["hashes"][0]["content"] for name, part in parts.items() if part["type"] == "file"}
        lines = (DIST / "SHA256SUMS").read_text().splitlines()
        self.assertEqual(hashes, {line.split()[1]: line.split()[0] for line in lines if path.name not in line})
        bill["components"][0]["type"] = "nonsense"
        broken = self.folder / "broken.json"
        broken.write_text(json.dumps(bill), encoding="utf-8")
        self.must(*check, broken, status=1)

    def test_archives_hold_nothing_of_this_machine(self):
        """Owners, paths of the build; and all files have one time."""
        for path in DIST.glob("*.tar.gz"):
            with tarfile.open(path) as archive:
                members = archive.getmembers()
            self.assertEqual({(member.uid, member.gid, member.uname) for member in members}, {(0, 0, "")})
            self.assertEqual(len({member.mtime for member in members}), 1)
        with zipfile.ZipFile(only(f"*manylinux*{MACHINE}.whl")) as wheel:
            for name in wheel.namelist():
                self.assertNotIn(str(ROOT).encode() + b"/", wheel.read(name), name)


class Symbols(FolderTest):
    def extension(self):
        with zipfile.ZipFile(only(f"*manylinux*{MACHINE}.whl")) as wheel:
            name, = [name for name in wheel.namelist() if name.endswith(".so")]
            self.assertTrue(name.endswith("/data/share/pypto-lint/sim/_ptosim.abi3.so"))
            path = self.folder / "_ptosim.abi3.so"
            path.write_bytes(wheel.read(name))
        return path

    def test_extension_by_objdump(self):
        said = self.must("objdump", "-T", self.extension())
        versions = {tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", said)}
        self.assertIn((2, 34), versions)  # pthread_create: the symbols are seen
        self.assertLessEqual(max(versions), (2, 34))
        self.assertEqual(symbols.problems(self.extension()), [])

    def test_check_notices(self):
        """A library that needs a newer glibc, another library, or what the limited API does not have."""
        source = self.folder / "new.c"
        source.write_text("double hypot(double, double); void zlibVersion(void); void _Py_Mangle(void);\n"
                          "double f(double x) { zlibVersion(); _Py_Mangle(); return hypot(x, x); }\n", encoding="utf-8")
        (self.folder / "z.c").write_text("void zlibVersion(void) {}\n", encoding="utf-8")
        self.must("gcc", "-shared", "-fPIC", "-Wl,-soname,libz.so.1", "-o", self.folder / "libz.so", self.folder / "z.c")
        made = self.folder / "new.so"
        self.must("gcc", "-shared", "-fPIC", source, "-o", made, "-L", self.folder, "-lz", "-lm")
        found = " ".join(symbols.problems(made))
        self.assertIn("libz.so.1", found)
        self.assertIn("_Py_Mangle", found)
        if MACHINE == "x86_64" and os.confstr("CS_GNU_LIBC_VERSION") >= "glibc 2.35":
            self.assertIn("hypot@GLIBC_2.35", found)
        self.assertFalse(symbols.is_static(made))


class Wheels(FolderTest):
    def venv(self):
        folder = self.folder / "venv"
        self.must(PYTHON, "-m", "venv", "--system-site-packages", folder)
        return folder

    def pip(self, folder, *words):
        return self.must(folder / "bin/pip", "--isolated", "--disable-pip-version-check", *words)

    def extra(self, folder):
        """[sim], unless the system lacks what its torch asks for, as Debian 13 does: pip would fetch that."""
        said = call(folder / "bin/pip", "--isolated", "check").stdout
        return "[sim]" if HAS_TORCH and not re.search("^torch ", said, re.M) else ""

    def test_install_use_uninstall(self):
        folder = self.venv()
        before = {path for path in folder.rglob("*") if "__pycache__" not in path.parts}
        self.pip(folder, "install", "--no-index", f"{only(f'*manylinux*{MACHINE}.whl')}{self.extra(folder)}")
        if HAS_TORCH:
            self.must(folder / "bin/python3", "-c", SUITS)
        program = folder / "bin/pypto-lint"
        self.use(program)
        page = self.must(program, "--version", "--verbose")
        self.assertIn(f"Simulator   found: {folder}/share/pypto-lint/sim\n", page)
        self.assertIn(f": {folder}/bin/python3\n", page)
        for name in ("rules.html", "rules.zh.html"):
            self.assertIn('id="rule-OL01"', (folder / "share/doc/pypto-lint" / name).read_text(encoding="utf-8"))
        self.pip(folder, "uninstall", "-y", "pypto-lint")
        self.assertEqual(self.traces(folder), [])
        after = {path for path in folder.rglob("*") if "__pycache__" not in path.parts}
        # pip leaves folders that it made and emptied.
        self.assertLessEqual(after - before, {folder / "share", folder / "share/doc"})

    def test_metadata(self):
        with zipfile.ZipFile(only(f"*manylinux*{MACHINE}.whl")) as wheel:
            self.assertIsNone(wheel.testzip())
            info = f"pypto_lint-{tree.version()}.dist-info"
            text = wheel.read(f"{info}/METADATA").decode()
            rows = list(csv.reader(io.StringIO(wheel.read(f"{info}/RECORD").decode())))
            self.assertEqual([row[0] for row in rows], wheel.namelist())
            licences = wheel.read(f"{info}/THIRD-PARTY-LICENSES.txt").decode()
        for need in ("torch", "numpy"):
            self.assertRegex(text, rf'\nRequires-Dist: {need}>=[\da.]+,<[\d.]+ ; extra == "sim"\n')
        for word in ("jansson", "Tree-sitter", "LibYAML", "utf8proc"):
            self.assertRegex(licences, f"(?i){word}")

    @unittest.skipUnless(os.geteuid() == 0, "chroot needs root")
    def test_musl_wheel_runs_in_an_empty_system(self):
        """Its program needs neither a C library nor a shell; the simulator's extension, which does, is not in it."""
        system = self.folder / "system"
        with zipfile.ZipFile(only(f"*musllinux*{MACHINE}.whl")) as wheel:
            self.assertFalse([name for name in wheel.namelist() if name.endswith(".so")])
            program, = [name for name in wheel.namelist() if name.endswith("scripts/pypto-lint")]
            (system / "bin").mkdir(parents=True)
            (system / "bin/pypto-lint").write_bytes(wheel.read(program))
        (system / "bin/pypto-lint").chmod(0o755)
        shutil.copytree(ROOT / "examples", system / "examples")
        self.must("chroot", system, "/bin/pypto-lint", "check", "/examples/custom")
        said = self.must("chroot", system, "/bin/pypto-lint", "check", "/examples/broken", status=1)
        self.assertIn("OL48", said)
        self.assertEqual(self.must("chroot", system, "/bin/pypto-lint", "--version"), f"pypto-lint {tree.version()}\n")

    def test_source_archive_configures_without_a_network(self):
        """CMake finds all that it needs; scripts/release --test also compiles it."""
        with tarfile.open(only("pypto_lint-*.tar.gz")) as archive:
            archive.extractall(self.folder)
        source = self.folder / f"pypto_lint-{tree.version()}"
        self.assertIn(f"Version: {tree.version()}\n", (source / "PKG-INFO").read_text(encoding="utf-8"))
        self.must("cmake", "-S", source, "-B", self.folder / "build", "-DBUILD_TESTING=OFF",
                  env={"npm_config_offline": "true", "npm_config_cache": str(self.folder / "empty")})
        text = (source / "pyproject.toml").read_text(encoding="utf-8")
        backend, place = (re.search(pattern, text)[1] for pattern in (r'build-backend = "(\w+)"', r'backend-path = \["(\w+)"'))
        said = self.must(PYTHON, "-B", "-c", f"import sys; sys.path.insert(0, {place!r}); import {backend} as b; "
                         f"print(b.build_sdist({str(self.folder)!r} + '/build'))", cwd=source)
        self.assertEqual(said, f"pypto_lint-{tree.version()}.tar.gz\n")
        # What is packed from the archive has the same files as the archive.
        with tarfile.open(only("pypto_lint-*.tar.gz")) as first, tarfile.open(self.folder / "build" / said.strip()) as second:
            self.assertEqual(first.getnames(), second.getnames())


class Container(FolderTest):
    """The image as a container engine reads it: every digest is that of its blob, and its layer runs."""

    def blob(self, described):
        path = self.layout / "blobs" / described["digest"].replace(":", "/")
        content = path.read_bytes()
        self.assertEqual((len(content), "sha256:" + hashlib.sha256(content).hexdigest()),
                         (described["size"], described["digest"]))
        return content

    def unpack(self, pattern):
        """[the image's descriptor, its settings, its unpacked layers]."""
        self.layout = self.folder / "layout"
        with tarfile.open(only(pattern)) as archive:
            archive.extractall(self.layout)
        described, = json.loads((self.layout / "index.json").read_text(encoding="utf-8"))["manifests"]
        manifest = json.loads(self.blob(described))
        config = json.loads(self.blob(manifest["config"]))
        layers = [gzip.decompress(self.blob(layer)) for layer in manifest["layers"]]
        self.assertEqual(config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in layers])
        self.assertEqual(config["architecture"], {"x86_64": "amd64", "aarch64": "arm64"}[MACHINE])
        return described, config, layers

    @unittest.skipIf("--dist" in sys.argv, "scripts/clean-system.sh unpacks and uses the one with the real Debian")
    def test_image_with_the_simulator(self):
        described, config, (base, program) = self.unpack(f"*-oci-simulator-{MACHINE}.tar.gz")
        self.assertEqual(described["annotations"]["org.opencontainers.image.ref.name"], f"pypto-lint-simulator:{tree.version()}")
        with tarfile.open(fileobj=io.BytesIO(base)) as archive:
            words = archive.extractfile("words").read().decode().splitlines()
        self.assertEqual(words[-1], "trixie")
        self.assertIn("--include=python3,python3-torch,python3-numpy", words)
        entry, = config["config"]["Entrypoint"]
        with tarfile.open(fileobj=io.BytesIO(program)) as archive:
            self.assertTrue(archive.getmember(entry[1:]).mode & 0o111)
            self.assertTrue(archive.getmember("opt/pypto-lint/share/pypto-lint/sim/_ptosim.abi3.so").isfile())

    def test_image(self):
        described, config, (unpacked,) = self.unpack(f"*-oci-{MACHINE}.tar.gz")
        system = self.folder / "system"
        with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
            archive.extractall(system)
        self.assertTrue((system / config["config"]["WorkingDir"].lstrip("/")).is_dir())
        if os.geteuid() == 0:
            shutil.copytree(ROOT / "examples", system / "project/examples")
            program, = config["config"]["Entrypoint"]
            self.must("chroot", system, program, "check", "/project/examples/custom")
            self.must("chroot", system, program, "check", "/project/examples/broken", status=1)
        self.assertEqual(described["annotations"]["org.opencontainers.image.ref.name"], f"pypto-lint:{tree.version()}")
        if shutil.which("umoci"):
            self.must("umoci", "unpack", "--rootless", "--image", f"{self.layout}:pypto-lint:{tree.version()}",
                      self.folder / "bundle")
            self.assertTrue((self.folder / "bundle/rootfs/bin/pypto-lint").is_file())


@unittest.skipUnless(shutil.which("npm"), "needs npm")
class Npm(FolderTest):
    installed = {}

    def npm(self, *words, **how):
        how.setdefault("env", {})["npm_config_cache"] = str(self.folder / "cache")
        return self.must("npm", "--offline", "--no-audit", "--no-fund", *words, **how)

    def install(self, *packages):
        """A project with them. npm installs each set once; every test has a copy, as deep below the root as the first."""
        if packages not in self.installed:
            first = pathlib.Path(tempfile.mkdtemp(prefix="pypto-npm-")).resolve()
            self.addClassCleanup(shutil.rmtree, first)
            self.installed[packages] = first / "project"
            self.installed[packages].mkdir()
            (self.installed[packages] / "package.json").write_text('{"private": true}', encoding="utf-8")
            self.npm("install", "--ignore-scripts", *packages, cwd=self.installed[packages])
        return pathlib.Path(shutil.copytree(self.installed[packages], self.folder / "project", symlinks=True))

    def packages(self):
        return [only("pypto-lint-[0-9]*.tgz"), only(f"pypto-lint-linux-{CPU}-*.tgz")]

    def test_install_use_uninstall(self):
        project = self.install(*self.packages())
        self.use("npx", "--offline", "--prefix", project, "pypto-lint")
        launcher = project / "node_modules/.bin/pypto-lint"
        self.assertEqual(self.must(launcher, "--version"), f"pypto-lint {tree.version()}\n")
        self.assertIn("Simulator   found: ", self.must(launcher, "-V", "-v"))
        self.must(launcher, "check", "--nonsense", status=2)
        self.npm("uninstall", "pypto-lint", *[f"@pypto-lint/linux-{cpu}" for cpu in ("x64", "arm64")], cwd=project)
        left = [path.name for path in (project / "node_modules").rglob("*") if not path.is_dir()]
        self.assertEqual(left, [".package-lock.json"])

    def test_launcher_without_the_program(self):
        project = self.install(only("pypto-lint-[0-9]*.tgz"))
        said = self.must(project / "node_modules/.bin/pypto-lint", "--version", status=2)
        self.assertRegex(said, r"the package @pypto-lint/linux-\w+ is not installed")

    def test_signals_pass(self):
        """What ends the program ends the launcher in the same way."""
        project = self.install(*self.packages())
        script = self.folder / "wait.py"
        script.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n", encoding="utf-8")
        python = self.folder / "python"
        python.write_text("#!/bin/sh\nkill -TERM $$\n", encoding="utf-8")
        python.chmod(0o755)
        done = call(project / "node_modules/.bin/pypto-lint", "run", "--python", python, script)
        self.assertEqual(done.returncode, -signal.SIGTERM, done.stderr)

    def test_init_names_the_program_itself(self):
        project = self.install(*self.packages())
        said = self.must(project / "node_modules/.bin/pypto-lint", "init", "--client", "claude", "--yes", cwd=project)
        program, = project.glob("node_modules/@pypto-lint/linux-*/bin/pypto-lint")
        self.assertIn(f"the hooks call {program} directly", said)
        settings = json.loads((project / ".claude/settings.json").read_text(encoding="utf-8"))
        commands = [hook["command"] for entries in settings["hooks"].values() for entry in entries
                    for hook in entry["hooks"]]
        self.assertTrue(commands)
        for command in commands:
            self.assertIn(f" {program} hook ", command)
        self.must(program, "init", "--client", "claude", "--remove", "--yes", cwd=project)
        self.assertFalse((project / ".claude/settings.json").exists())

    def test_plugins(self):
        project = self.install(only("pypto-lint-claude-plugin-*.tgz"), only("pypto-lint-opencode-*.tgz"))
        for name, source in (("claude-plugin", "hooks/claude-plugin"), ("opencode", "hooks/opencode")):
            package = project / "node_modules/@pypto-lint" / name
            for path in (ROOT / source).rglob("*"):
                if path.is_file():
                    copy = package / path.relative_to(ROOT / source)
                    self.assertEqual(copy.read_bytes(), path.read_bytes(), copy)
            described = json.loads((package / "package.json").read_text(encoding="utf-8"))
            self.assertEqual(described["version"], tree.version())
        self.assertTrue((package / described["main"]).is_file())


def main():
    global BUILD, DIST, KEPT
    words = sys.argv[1:]
    if words[:1] == ["--dist"]:
        DIST, words = pathlib.Path(words[1]).resolve(), words[2:]
    if words[:1] == ["--kept"]:
        KEPT, words = pathlib.Path(words[1]), words[2:]
    BUILD = pathlib.Path(words[0]).resolve()
    unittest.main(argv=sys.argv[:1] + words[1:])


if __name__ == "__main__":
    main()

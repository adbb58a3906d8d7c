#!/usr/bin/env python3
"""`pypto-lint --version --verbose` names what was built and what was found. No source opens a connection.

Usage: test_version.py BINARY [unittest options]
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import support
from support import ROOT, CliTest, call

LABELS = ["Commit", "Built", "Libraries", "Program", "Simulator", "Harness", "Python", "torch", "NumPy", "Network"]


class VersionPage(CliTest):
    def page(self, python=sys.executable, binary=None, **how):
        """{label: text} of the page."""
        how["env"] = {"PYPTO_LINT_PYTHON": python, **how.get("env", {})}
        before = support.BINARY
        support.BINARY = binary or before
        try:
            done = call("--version", "--verbose", **how)
        finally:
            support.BINARY = before
        self.assertEqual((done.status, done.err), (0, ""))
        first, *lines = done.out.splitlines()
        self.assertEqual(first + "\n", call("--version").out)
        self.assertEqual([line.split()[0] for line in lines], LABELS)
        return {line.split()[0]: line[12:] for line in lines}

    def package(self, name, version):
        """A package that fails when it is imported; its folder."""
        file = self.write(f"site/{name}/__init__.py", "raise SystemExit('imported')\n")
        if version:
            self.write(f"site/{name}-{version}.dist-info/METADATA",
                       f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        return file

    def test_what_is_built(self):
        page = self.page()
        self.assertRegex(page["Commit"], r"\A([0-9a-f]{40}(, with changes)?|unknown: built from a copy without git)\Z")
        self.assertRegex(page["Built"], r"\ALinux \w+, \w+ \d[\d.]*, glibc 2\.\d+, (static|dynamic)(, [a-z -]+)*\Z")
        self.assertRegex(page["Libraries"], r"\Ajansson 2[\d.]+, libyaml [\d.]+, utf8proc [\d.]+\Z")
        self.assertEqual(page["Network"], "nothing calls home")

    def test_paths(self):
        binary = pathlib.Path(support.BINARY).resolve()
        home = binary.parents[1] / "share/pypto-lint"
        page = self.page()
        self.assertEqual(page["Program"], str(binary))
        built = "found" if (home / "sim/_ptosim.abi3.so").exists() else "not found"
        self.assertEqual(page["Simulator"], f"{built}: {home}/sim")
        self.assertEqual(page["Harness"], f"found: {home}/harness")

    def test_binary_alone(self):
        binary = self.folder.resolve() / "bin/pypto-lint"
        binary.parent.mkdir()
        shutil.copy(support.BINARY, binary)
        page = self.page(binary=str(binary))
        self.assertEqual(page["Program"], str(binary))
        self.assertEqual(page["Simulator"], f"not found: {self.folder.resolve()}/share/pypto-lint/sim")
        self.assertEqual(page["Harness"], f"not found: {self.folder.resolve()}/share/pypto-lint/harness")

    def test_python_beside_the_program(self):
        """As in a virtual environment; what is named comes first."""
        folder = self.folder.resolve() / "venv/bin"
        folder.mkdir(parents=True)
        shutil.copy(support.BINARY, folder / "pypto-lint")
        python = self.write(folder / "python3", f"#!/bin/sh\nexec {sys.executable} \"$@\"\n")
        binary = str(folder / "pypto-lint")
        self.assertNotIn(str(python), self.page(python="", binary=binary)["Python"])  # not executable
        python.chmod(0o755)
        self.assertTrue(self.page(python="", binary=binary)["Python"].endswith(f": {python}"))
        self.assertTrue(self.page(binary=binary)["Python"].endswith(f": {sys.executable}"))

    def test_packages_are_found_and_not_imported(self):
        torch, numpy = self.package("torch", "9.8.7"), self.package("numpy", None)
        page = self.page(env={"PYTHONPATH": f"{self.folder}/site"})
        self.assertEqual(page["Python"], f"{'.'.join(map(str, sys.version_info[:3]))}: {sys.executable}")
        self.assertEqual(page["torch"], f"9.8.7: {torch}")
        self.assertRegex(page["NumPy"], r"\A(\?|\d[\w.+]*): " + re.escape(str(numpy)))

    def test_working_directory_is_not_searched(self):
        """Nothing that lies there is found, and nothing of it runs."""
        mark = self.folder / "ran"
        for name in ("torch/__init__.py", "importlib/metadata.py", "contextlib.py", "zipimport.py", "csv.py", "email.py"):
            self.write(name, f"open({str(mark)!r}, 'w')\n")
        page = self.page(cwd=self.folder, env={"PYTHONPATH": ""})
        self.assertNotIn(str(self.folder), page["torch"])
        self.assertFalse(mark.exists())

    def test_no_interpreter(self):
        page = self.page(python="no-such-python")
        self.assertEqual((page["Python"], page["torch"]), ("not found: no-such-python", "unknown"))
        page = self.page(python="/bin/false")
        self.assertEqual((page["Python"], page["NumPy"]), ("/bin/false (does not run)", "unknown"))
        broken = self.write("python", "#!/bin/sh\nprintf 'a\\033[2J'\n")
        broken.chmod(0o755)
        self.assertNotIn("\x1b", self.page(python=str(broken))["Python"])

    def test_chinese_and_short(self):
        done = call("-V", "-v", env={"PYPTO_LINT_LANG": "zh"})
        self.assertEqual(done.status, 0)
        self.assertIn("\n模拟器      ", done.out)


class Network(unittest.TestCase):
    """Nothing calls home: no source can open a connection, save the client of the scheduler that a user names."""

    CALLS = re.compile(r"(?<![\w.>])(socket|connect|getaddrinfo|gethostbyname|sendto)\s*\(")
    MODULES = re.compile(r"^\s*(?:import|from)\s+(urllib|http|ftplib|smtplib|ssl|socketserver|xmlrpc|webbrowser|asyncio"
                         r"|requests|urllib3|aiohttp|distributed)\b|\bAF_INET6?\b|create_connection|urlopen", re.M)
    ALLOWED = {"harness/pypto_lint_worker/cluster.py": {"distributed"}}

    def texts(self, *folders, suffix):
        paths = [path for folder in folders for path in (ROOT / folder).rglob("*" + suffix)]
        self.assertGreater(len(paths), 20)
        return {path: path.read_text(encoding="utf-8") for path in paths}

    def test_the_program(self):
        self.assertTrue(self.CALLS.search("    int link = socket(AF_INET, SOCK_STREAM, 0);"))
        for path, text in self.texts("src", "rules", suffix=".c").items():
            code = re.sub(r'"(?:\\.|[^"\\\n])*"|/\*(?s:.*?)\*/', "", text)
            self.assertIsNone(self.CALLS.search(code), path)

    def test_its_python(self):
        for path, text in self.texts("runtime", suffix=".py").items():
            found = {match[1] or match[0] for match in self.MODULES.finditer(text)}
            self.assertLessEqual(found, self.ALLOWED.get(str(path.relative_to(ROOT / "runtime")), set()), path)


class Commit(CliTest):
    """cmake/commit.cmake."""

    def git(self, *words):
        return subprocess.run(["git", "-C", self.source, "-c", "user.name=a", "-c", "user.email=a@b", *words],
                              check=True, capture_output=True, text=True).stdout.strip()

    def said(self, source=None, commit=""):
        subprocess.run(["cmake", f"-DSOURCE={source or self.source}", f"-DOUTPUT={self.folder}/commit.h",
                        f"-DCOMMIT={commit}", "-P", ROOT / "cmake/commit.cmake"], check=True)
        return re.fullmatch('#define PYPTO_LINT_COMMIT "(.*)"\n', self.read("commit.h"))[1]

    @unittest.skipUnless(shutil.which("git") and shutil.which("cmake"), "needs git and cmake")
    def test_commit(self):
        self.source = self.folder / "source"
        self.write("source/inner/a.txt", "one\n")
        self.assertEqual(self.said(), "")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "one")
        head = self.git("rev-parse", "HEAD")
        self.assertEqual(self.said(), head)
        before = (self.folder / "commit.h").stat().st_mtime_ns
        self.assertEqual(self.said(), head)
        self.assertEqual((self.folder / "commit.h").stat().st_mtime_ns, before)  # nothing is compiled again
        self.git("tag", "v1")
        self.write("source/inner/a.txt", "two\n")
        self.assertEqual(self.said(), head + "+")
        self.assertEqual(self.said(source=self.source / "inner"), "")  # of another repository
        self.assertEqual(self.said(commit="given"), "given")


if __name__ == "__main__":
    support.main()

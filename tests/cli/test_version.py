#!/usr/bin/env python3
"""`pypto-lint --version --verbose` names what was built and what was found. No source opens a connection.

Usage: test_version.py BINARY [unittest options]
"""
import ast
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
        """Files there are not found, and their code does not run."""
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
    """Nothing calls home: no source opens a connection by what its language has for that, save the client of the
    scheduler that a user names. What ctypes, a started program or a library does is not looked at."""

    CALLS = re.compile(r"(?<![\w.>])(socket|connect|getaddrinfo|gethostbyname\w*|sendto)\s*\(|\bSYS_(socket|connect)\b"
                       r"|\bAF_INET6?\b|#\s*include\s*<(netinet/|arpa/|netdb\.h|curl/|openssl/)")
    C_WORDS = re.compile(r'#\s*include[^\n]*|"(?:\\.|[^"\\\n])*"|/\*(?s:.*?)\*/|//[^\n]*')
    SCRIPTS = re.compile(r"\bfetch\s*\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon"
                         r"|['\"](node:)?(https?|http2|net|tls|dgram|dns)['\"]")
    MODULES = frozenset("""_socket _ssl aiohttp asyncio asynchat asyncore distributed ftplib http httpx imaplib nntplib
        paramiko poplib pycurl requests smtplib socket socketserver ssl telnetlib urllib urllib3 webbrowser websockets
        wsgiref xmlrpc""".split()) | {"multiprocessing.connection", "multiprocessing.managers"}
    # Of `socket`: pairs of one machine, and descriptors that were handed over.
    LOCAL = frozenset("socketpair AF_UNIX SOCK_SEQPACKET SOL_SOCKET SCM_RIGHTS CMSG_SPACE MSG_DONTWAIT".split())
    WORKER = "runtime/harness/pypto_lint_worker/"
    ALLOWED = {
        WORKER + "cluster.py": {"distributed"},  # the scheduler that --scheduler names
        WORKER + "process.py": {"socket"},  # between a worker and what it forks
        WORKER + "judge.py": {"socket"},
        WORKER + "kernel.py": {"socket"},
        WORKER + "rerun_kernel.py": {"socket"},
        WORKER + "template.py": {"socket"},  # to the program that started it
    }

    def texts(self, *folders, suffixes):
        paths = [path for folder in folders for suffix in suffixes for path in (ROOT / folder).rglob("*" + suffix)
                 if "node_modules" not in path.parts]
        for suffix in suffixes:
            self.assertTrue(any(path.name.endswith(suffix) for path in paths), suffix)
        return {path: path.read_text(encoding="utf-8") for path in paths}

    def opens_in_c(self, text):
        """The first call or header for a connection. Strings and comments do not count."""
        if not self.CALLS.search(text):
            return None
        code = self.C_WORDS.sub(lambda match: match[0] if match[0].startswith("#") else "", text)
        return self.CALLS.search(code)

    @classmethod
    def imported(cls, node):
        """The modules that a statement or a call names."""
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom) and not node.level:
            return [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
        named = isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "importlib.import_module",
                                                                         "import_module")
        return [word.value for word in node.args[:1] if isinstance(word, ast.Constant)] if named else []

    @classmethod
    def is_local(cls, tree):
        """Are all uses of `socket` local? Importing it under another name is not."""
        inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        handed_over = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and not node.args
                       and [word.arg for word in node.keywords] == ["fileno"]}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                of_module = isinstance(node.value, ast.Name) and node.value.id == "socket"
                good = node.attr not in ("connect", "connect_ex", "bind", "listen", "sendto") and (
                    not of_module or node.attr in cls.LOCAL or node.attr == "socket" and id(node) in handed_over)
            elif isinstance(node, ast.Name):
                good = node.id != "socket" or id(node) in inner
            elif isinstance(node, ast.Import):
                good = all(alias.name != "socket" or alias.asname is None for alias in node.names)
            else:
                good = not isinstance(node, ast.ImportFrom) or node.module != "socket"
            if not good:
                return False
        return True

    @classmethod
    def network_modules(cls, tree):
        """Those that are imported; `socket` with a mark when more than local things are done with it."""
        found = set()
        for node in ast.walk(tree):
            for name in cls.imported(node):
                found |= cls.MODULES & {name, str(name).partition(".")[0]}
        stray = "socket" in found and not cls.is_local(tree)
        return found - {"socket"} | {"socket, not local"} if stray else found

    def test_finds(self):
        for text in ("int link = socket(AF_INET, SOCK_STREAM, 0);", "static inline int f(void)\n{ return connect(1, a, n); }",
                     "#include <netdb.h>", "syscall(SYS_connect, 1);"):
            self.assertTrue(self.opens_in_c(text), text)
        for text in ('/* socket(1) */ char *a = "connect(";', "server->socket = 1;", "socketpair(AF_UNIX, 1, 0, ends);"):
            self.assertFalse(self.opens_in_c(text), text)
        for text in ("import os, urllib.request", "from http import client", "import multiprocessing.managers",
                     "from multiprocessing import connection", "import importlib\nimportlib.import_module('ssl')",
                     "if x:\n    __import__('requests')"):
            self.assertTrue(self.network_modules(ast.parse(text)), text)
        for text in ("import socket\nsocket.socket().connect(('a', 1))", "import socket\nsocket.create_connection(a)",
                     "import socket as s\ns.socketpair()", "from socket import socketpair", "import socket\nf(socket)",
                     "import socket\nsocket.socket(2, fileno=3)", "import socket\nsocket.socket(fileno=3).connect(a)"):
            self.assertEqual(self.network_modules(ast.parse(text)), {"socket, not local"}, text)
        self.assertEqual(self.network_modules(ast.parse("import socket\nsocket.socket(fileno=3).recvmsg(1)")), {"socket"})
        for text in ("fetch(a)", "require('https')", 'import net from "node:net"', "new WebSocket(a)"):
            self.assertTrue(self.SCRIPTS.search(text), text)

    def test_the_program(self):
        for path, text in self.texts("src", "rules", suffixes=(".c", ".h", ".def")).items():
            self.assertIsNone(self.opens_in_c(text), path)

    def test_its_python(self):
        for path, text in self.texts("runtime", "packaging", "scripts", "examples", suffixes=(".py",)).items():
            place = str(path.relative_to(ROOT))
            self.assertEqual(self.network_modules(ast.parse(text)), self.ALLOWED.get(place, set()), place)

    def test_what_new_writes(self):
        """Templates need not be Python before they are filled in: their lines of imports are."""
        for path, text in self.texts("src/harness/scaffold", suffixes=(".py.in",)).items():
            for line in re.findall(r"^\s*((?:import|from) .*)$", text, re.M):
                self.assertEqual(self.network_modules(ast.parse(line.replace("@", ""))), set(), path)

    def test_pages_and_extensions(self):
        for path, text in self.texts("src/page", "editors", "hooks", "packaging", suffixes=(".js", ".ts")).items():
            self.assertIsNone(self.SCRIPTS.search(text), path)


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

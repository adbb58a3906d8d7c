#!/usr/bin/env python3
"""The program for Windows under Wine: reports byte for byte those of Linux over every fixture, and what is particular to
Windows: backslashes, drives, CRLF, command lines in UTF-16, hooks, and a server without fork.

Usage: test_windows.py PROGRAM.exe REFERENCE [unittest's arguments]

REFERENCE is the program of Linux from the same sources. Status 77: there is no Wine, so nothing was tested. What Wine
cannot show is not tested: the behaviour of antivirus programs, network shares, links (they need rights there), and git's own
program.
"""
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WINE = shutil.which("wine64") or shutil.which("wine")
PROGRAM, REFERENCE = (os.path.abspath(word) for word in (sys.argv[1:3] if len(sys.argv) > 2 else ("", "")))
FORMATS = ["text", "concise", "json", "sarif", "github", "gitlab", "junit", "checkstyle", "rdjson", "agent"]
DURATION = re.compile(rb'(?<="duration_ms": )[\d.]+|(?<= time=")[\d.]+')
PREFIX = os.environ.get("PYPTO_LINT_WINEPREFIX", "/var/tmp/pypto-lint-wine")
ENVIRONMENT = {**os.environ, "WINEDEBUG": "-all", "WINEPREFIX": PREFIX, "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "0",
               "WINEDLLOVERRIDES": "mscoree,mshtml="}
PATIENCE = 240


def windows_path(path):
    """As Windows sees it: Wine shows the root folder as drive Z."""
    return "Z:" + str(path).replace("/", "\\")


def start(words, program=None, **how):
    command = [WINE, PROGRAM] if program is None else [program]
    return subprocess.run([*command, *words], capture_output=True, env=ENVIRONMENT, timeout=PATIENCE, check=False,
                          **{"stdin": subprocess.DEVNULL, **how})


class WindowsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pypto-wine-")))
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        self.examples = self.folder / "examples"

    def both(self, words, cwd):
        """The output of both programs; it must be the same. In Windows' answer paths of Linux have no place."""
        ours, theirs = start(words, cwd=cwd), start(words, REFERENCE, cwd=cwd)
        self.assertEqual((theirs.returncode, DURATION.sub(b"0", theirs.stdout).decode()),
                         (ours.returncode, DURATION.sub(b"0", ours.stdout).replace(b"file:///Z%3A/", b"file:///").decode()),
                         (words, ours.stderr[-500:]))
        return ours


class Reports(WindowsTest):
    def test_every_fixture(self):
        """One run over all of them; it finds thousands, or the test would show nothing."""
        fixtures = self.folder / "fixtures"
        shutil.copytree(ROOT / "tests/fixtures", fixtures, symlinks=False, ignore_dangling_symlinks=True)
        # Names are the same in large and small letters there, so this is no missing README.md.
        for path in fixtures.rglob("readme.md"):
            path.unlink()
        done = self.both(["check", "--no-exec", "--format", "json", "."], fixtures)
        self.assertEqual(done.returncode, 2, "some fixtures have broken state files")
        self.assertGreater(done.stdout.count(b'"rule"'), 500)

    def test_formats_in_both_languages(self):
        for form in FORMATS:
            for lang in ("en", "zh"):
                with self.subTest(format=form, lang=lang):
                    self.both(["check", "--no-exec", "--format", form, "--lang", lang, "broken", "custom"], self.examples)

    def test_lists_and_pages(self):
        for words in (["rules"], ["explain", "OL48"], ["api", "softmax"], ["calls", "custom/softmax"], ["help"],
                      ["tiles", "sim/softmax.py"], ["--stage", "6", "--op-dir", "custom/softmax"]):
            with self.subTest(words=words):
                self.both(words, self.examples)


class Paths(WindowsTest):
    def test_backslashes_and_drives(self):
        kernel = "broken\\custom\\softmax_broken\\softmax_broken_impl.py"
        plain = start(["check", "--no-exec", "--format", "concise", kernel.replace("\\", "/")], cwd=self.examples)
        self.assertIn(b"OL48", plain.stdout)
        self.assertIn(b"broken/custom/softmax_broken/softmax_broken_impl.py:", plain.stdout)
        for word in (kernel, ".\\" + kernel, windows_path(self.examples) + "\\" + kernel,
                     windows_path(self.examples).lower().replace("z:", "z:") + "\\" + kernel):
            with self.subTest(word=word):
                done = start(["check", "--no-exec", "--format", "concise", word], cwd=self.examples)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stdout.count(b"OL48"), plain.stdout.count(b"OL48"))
        shell = "/z" + str(self.examples / kernel.replace("\\", "/"))  # as Git's shell writes it
        self.assertIn(b"OL48", start(["check", "--no-exec", "--format", "concise", shell], cwd=self.folder).stdout)

    def test_names_beyond_ascii(self):
        """The command line is UTF-16, the report UTF-8; 文 is in no code page of Western Europe."""
        folder = self.folder / "custom" / "算子 é"
        folder.mkdir(parents=True)
        shutil.copy(self.examples / "broken/custom/softmax_broken/softmax_broken_impl.py", folder / "文_impl.py")
        done = start(["check", "--no-exec", "--format", "concise", "custom\\算子 é\\文_impl.py"], cwd=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("custom/算子 é/文_impl.py:", done.stdout.decode())

    def test_a_missing_file(self):
        done = start(["check", "nowhere\\x.py"], cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"nowhere/x.py", done.stderr)

    def test_uris_of_sarif(self):
        done = start(["check", "--no-exec", "--format", "sarif", windows_path(self.examples / "broken")], cwd="/")
        uris = set(re.findall(r'"uri": ?"(file:[^"]*)"', done.stdout.decode()))
        for address in uris:
            self.assertRegex(address, r"^file:///[A-Za-z](:|%3A)/")


class Texts(WindowsTest):
    def crlf(self, path):
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))

    def test_crlf_is_read_and_kept(self):
        folder = self.examples / "broken"
        before = start(["check", "--no-exec", "--format", "concise", "broken"], cwd=self.examples)
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".md", ".yaml", ".json"):
                self.crlf(path)
        after = self.both(["check", "--no-exec", "--format", "concise", "broken"], self.examples)
        self.assertEqual(before.stdout, after.stdout)
        start(["check", "--no-exec", "--fix", "broken"], cwd=self.examples)
        changed = [path for path in folder.rglob("*.py") if b"\n" in path.read_bytes().replace(b"\r\n", b"")]
        self.assertEqual(changed, [], "a fix has put in lines that end otherwise")

    def test_fix_writes_what_linux_writes(self):
        twin = self.folder / "twin"
        shutil.copytree(self.examples, twin)
        start(["check", "--no-exec", "--fix", "broken"], cwd=self.examples)
        start(["check", "--no-exec", "--fix", "broken"], REFERENCE, cwd=twin)
        different = 0
        for path in sorted((twin / "broken").rglob("*.py")):
            other = self.examples / path.relative_to(twin)
            self.assertEqual(path.read_bytes(), other.read_bytes(), path)
            different += path.read_bytes() != (ROOT / "examples" / path.relative_to(twin)).read_bytes()
        self.assertGreater(different, 0, "nothing was fixed")


class Elsewhere(WindowsTest):
    def test_commands_that_run_kernels(self):
        for words in (["run", "sim/softmax.py"], ["verify"], ["test", "sim/softmax.py"], ["bisect"]):
            with self.subTest(words=words):
                done = start(words, cwd=self.examples)
                self.assertEqual(done.returncode, 2)
                self.assertIn(b"Linux only", done.stderr)
        done = start(["check", "--watch", "."], cwd=self.examples)
        self.assertEqual((done.returncode, b"Linux only" in done.stderr), (2, True))

    def test_version(self):
        done = start(["--version", "--verbose"], cwd=self.examples)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"Windows", done.stdout)


class Hooks(WindowsTest):
    def hook(self, step, event, cwd=None):
        done = start(["hook", step], cwd=cwd or self.examples, stdin=None, input=json.dumps(event).encode())
        return done.returncode, (done.stdout + done.stderr).decode()

    def test_post_edit(self):
        """As a client on Windows sends it."""
        path = self.examples / "broken/custom/softmax_broken/softmax_broken_impl.py"
        event = {"hook_event_name": "PostToolUse", "tool_name": "Edit", "cwd": windows_path(self.examples),
                 "tool_input": {"file_path": windows_path(path), "old_string": "a", "new_string": "b"}}
        status, said = self.hook("post-edit", event)
        self.assertIn("OL48", said)
        clean = dict(event, tool_input={"file_path": windows_path(self.examples / "custom/softmax/softmax_impl.py")})
        self.assertNotIn("OL48", self.hook("post-edit", clean)[1])
        reference = start(["hook", "post-edit"], REFERENCE, cwd=self.examples, stdin=None, input=json.dumps(
            dict(event, cwd=str(self.examples), tool_input=dict(event["tool_input"], file_path=str(path)))).encode())
        self.assertEqual(status, reference.returncode)

    def test_pre_edit_outside_of_the_project(self):
        event = {"hook_event_name": "PreToolUse", "tool_name": "Write", "cwd": windows_path(self.examples),
                 "tool_input": {"file_path": "C:\\windows\\system.ini", "content": "x"}}
        status, said = self.hook("pre-edit", event)
        linux = start(["hook", "pre-edit"], REFERENCE, cwd=self.examples, stdin=None, input=json.dumps(
            dict(event, cwd=str(self.examples), tool_input={"file_path": "/etc/passwd", "content": "x"})).encode())
        self.assertEqual(status, linux.returncode, said)

    def test_input_that_is_no_event(self):
        status, said = self.hook("post-edit", ["nothing"])
        self.assertNotEqual(said, "")
        self.assertEqual(status, start(["hook", "post-edit"], REFERENCE, cwd=self.examples, stdin=None,
                                       input=b'["nothing"]').returncode)


class Client:
    """A client of the server. On Windows addresses are as VS Code writes them, with a small letter for the drive."""

    def __init__(self, cwd, windows=True):
        self.drive = "z%3A" if windows else ""
        words = [WINE, PROGRAM] if windows else [REFERENCE]
        self.process = subprocess.Popen([*words, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=ENVIRONMENT, cwd=cwd)
        self.messages = queue.Queue()
        self.number = 0
        threading.Thread(target=self.read, daemon=True).start()
        self.ask("initialize", {"processId": None, "rootUri": self.address(cwd), "capabilities": {}})
        self.send("initialized", {})

    def read(self):
        stream = self.process.stdout
        while head := stream.readline():
            length = int(head.split(b":")[1])
            stream.readline()
            self.messages.put(json.loads(stream.read(length)))
        self.messages.put(None)

    def address(self, path):
        return f"file:///{self.drive}{path}" if self.drive else f"file://{path}"

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({} if number is None else {"id": number})}
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def wait(self, wanted):
        while True:
            message = self.messages.get(timeout=PATIENCE)
            if message is None or wanted(message):
                return message

    def ask(self, method, params):
        self.number += 1
        self.send(method, params, self.number)
        return self.wait(lambda message: message.get("id") == self.number)["result"]

    def diagnostics(self, path):
        """The next ones of the file, under the address by which it was opened."""
        address = self.address(path)
        found = self.wait(lambda message: message.get("params", {}).get("uri") == address)
        return found["params"]["diagnostics"]

    def open(self, path, text):
        self.send("textDocument/didOpen", {"textDocument": {"uri": self.address(path), "languageId": "python",
                                                            "version": 1, "text": text}})

    def end(self):
        self.ask("shutdown", None)
        self.send("exit", None)
        return self.process.wait(timeout=PATIENCE)


class Language(WindowsTest):
    def client(self, windows=True):
        client = Client(self.examples, windows)
        self.addCleanup(client.process.wait)
        self.addCleanup(client.process.kill)
        self.addCleanup(client.process.stdout.close)
        self.addCleanup(client.process.stdin.close)
        return client

    def session(self, windows):
        """What a user sees: the findings of an open file, a hover, fixes, the findings after an edit; and the end."""
        path = self.examples / "broken/custom/softmax_broken/softmax_broken_impl.py"
        text = path.read_text(encoding="utf-8")
        client = self.client(windows)
        client.open(path, text)
        seen = [client.diagnostics(path)]
        at = next(item for item in seen[0] if item["code"] == "OL48")["range"]
        document = {"uri": client.address(path)}
        seen.append(client.ask("textDocument/hover", {"textDocument": document, "position": at["start"]}))
        actions = client.ask("textDocument/codeAction", {"textDocument": document, "range": {
            "start": {"line": 0, "character": 0}, "end": {"line": len(text.splitlines()), "character": 0}},
            "context": {"diagnostics": seen[0]}})
        seen.append([action["title"] for action in actions])
        client.send("textDocument/didChange", {"textDocument": {**document, "version": 2}, "contentChanges": [
            {"range": at, "text": "8"}]})
        seen.append(client.diagnostics(path))
        self.assertEqual(client.end(), 0)
        return seen

    def test_a_session_is_that_of_linux(self):
        ours, theirs = self.session(True), self.session(False)
        self.assertEqual(ours, theirs)
        before, hover, actions, after = ours
        count = lambda found: sum(item["code"] == "OL48" for item in found)  # noqa: E731
        self.assertEqual(count(after), count(before) - 1)
        self.assertIn("OL48", json.dumps(hover))
        self.assertTrue(actions)

    def test_many_edits(self):
        """Each check is a job for the same process, whose answers keep coming."""
        path = self.examples / "custom/softmax/softmax_impl.py"
        text = path.read_text(encoding="utf-8")
        client = self.client()
        client.open(path, text)
        self.assertEqual(client.diagnostics(path), [])
        for version, broken in enumerate([True, False] * 3, 2):
            changed = text.replace("tile_shapes(ROW_TILE,", 'tile_shapes("8",') if broken else text
            client.send("textDocument/didChange", {"textDocument": {"uri": client.address(path), "version": version},
                                                   "contentChanges": [{"text": changed}]})
            self.assertEqual("KS08" in [item["code"] for item in client.diagnostics(path)], broken, version)
        self.assertEqual(client.end(), 0)

    def test_a_client_that_is_gone(self):
        client = self.client()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(timeout=PATIENCE), 1)

    def test_a_client_on_windows(self):
        """The client above is a program of Linux, whose pipes Wine does not let the server ask. Those of `cmd` are real."""
        said = b""
        for message in ({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}},
                        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"}):
            body = json.dumps(message).encode()
            said += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        (self.folder / "said").write_bytes(said)
        done = subprocess.run([WINE, "cmd", "/c", f"type said | {windows_path(PROGRAM)} server > heard"], env=ENVIRONMENT,
                              cwd=self.folder, timeout=PATIENCE, check=False, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(b'"id":2', (self.folder / "heard").read_bytes())


if __name__ == "__main__":
    if WINE is None:
        print("no Wine: the program for Windows was not tested")
        sys.exit(77)
    subprocess.run([WINE, "wineboot", "--init"], env=ENVIRONMENT, capture_output=True, timeout=PATIENCE, check=False)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)

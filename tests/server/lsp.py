"""A client of the language server for the tests: messages over pipes, answers by id, what is pushed by file."""
import json
import os
import pathlib
import queue
import subprocess
import tempfile
import threading
import time
import unittest
import sys
from urllib.parse import quote, unquote, urlsplit

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = None
PATIENCE = 30 * float(os.environ.get("PYPTO_LINT_TEST_SCALE", "1"))

FULL = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"workspaceEdit": {"documentChanges": True}, "diagnostics": {"refreshSupport": True},
                  "didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceFolders": True},
    "window": {"workDoneProgress": True},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "codeDescriptionSupport": True, "dataSupport": True,
                               "tagSupport": {"valueSet": [1, 2]}, "versionSupport": True},
        "diagnostic": {"relatedDocumentSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
}


def uri(path):
    return "file://" + quote(str(path))


def path_of(address):
    return unquote(urlsplit(address).path)


class Failure(Exception):
    """The server refused a request."""

    def __init__(self, error):
        super().__init__(error)
        self.code, self.message = error["code"], error["message"]


class Server:
    """A running server and what it has said."""

    def __init__(self, *options, cwd=None, env=None):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYPTO_LINT")}
        environment.update({"LC_ALL": "C.UTF-8", **(env or {})})
        self.process = subprocess.Popen([BINARY, "server", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd, env=environment)
        self.messages = queue.Queue()
        self.answers, self.asked, self.notes = {}, [], []
        self.pushed = []
        self.next_id = 0
        self.versions = {}
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    self.messages.put(None)
                    return
                if line == b"\r\n":
                    break
                name, _, value = line.decode("ascii").partition(":")
                assert name == "Content-Length", line
                length = int(value)
            body = stream.read(length)
            self.messages.put(json.loads(body.decode("utf-8")))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, params=None):
        self.send({"method": method, **({} if params is None else {"params": params})})

    def begin(self, method, params=None):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, **({} if params is None else {"params": params})})
        return self.next_id

    def take(self, until=PATIENCE):
        """The next message, sorted in; False when none comes or the server has ended."""
        try:
            message = self.messages.get(timeout=until)
        except queue.Empty:
            return False
        if message is None:
            self.messages.put(None)
            return False
        assert message["jsonrpc"] == "2.0"
        if "method" not in message:
            self.answers[message["id"]] = message
        elif "id" in message:
            self.asked.append(message)
            self.send({"id": message["id"], "result": None})
        else:
            self.notes.append(message)
            if message["method"] == "textDocument/publishDiagnostics":
                self.pushed.append(message["params"])
        return True

    def answer(self, number):
        end = time.monotonic() + PATIENCE
        while number not in self.answers:
            if time.monotonic() > end or not self.take(max(0.01, end - time.monotonic())):
                raise AssertionError(f"no answer to request {number}")
        message = self.answers.pop(number)
        if "error" in message:
            raise Failure(message["error"])
        return message["result"]

    def ask(self, method, params=None):
        return self.answer(self.begin(method, params))

    def start(self, *folders, capabilities=None, options=None, **more):
        params = {"processId": os.getpid(), "capabilities": FULL if capabilities is None else capabilities,
                  "workspaceFolders": [{"uri": uri(folder), "name": str(folder)} for folder in folders], **more}
        if options is not None:
            params["initializationOptions"] = options
        result = self.ask("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, path, text=None, version=1):
        text = pathlib.Path(path).read_bytes().decode("utf-8") if text is None else text
        self.versions[str(path)] = version
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri(path), "languageId": "python", "version": version, "text": text}})

    def change(self, path, *changes):
        """Changes: whole texts, or (start line, start character, end line, end character, text)."""
        self.versions[str(path)] += 1
        listed = []
        for change in changes:
            if isinstance(change, str):
                listed.append({"text": change})
            else:
                listed.append({"range": {"start": {"line": change[0], "character": change[1]},
                                         "end": {"line": change[2], "character": change[3]}}, "text": change[4]})
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri(path), "version": self.versions[str(path)]}, "contentChanges": listed})

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri(path)}})

    def diagnostics(self, path, version=None, wanted=lambda items: True):
        """What is pushed for the file in the version of its last change, as soon as it fits."""
        version = self.versions.get(str(path)) if version is None else version
        end = time.monotonic() + PATIENCE
        seen = 0
        while True:
            for params in self.pushed[seen:]:
                if params["uri"] == uri(path) and params.get("version") in (None, version) \
                        and wanted(params["diagnostics"]):
                    self.pushed.remove(params)
                    return params["diagnostics"]
            seen = len(self.pushed)
            if time.monotonic() > end or not self.take(max(0.01, end - time.monotonic())):
                raise AssertionError(f"nothing of that kind was pushed for {path}: {self.pushed}")

    def at(self, method, path, line, character, **more):
        return self.ask(method, {"textDocument": {"uri": uri(path)},
                                 "position": {"line": line, "character": character}, **more})

    def stop(self):
        """Ends it as a client does; the exit status."""
        self.ask("shutdown")
        self.notify("exit")
        status = self.process.wait(PATIENCE)
        self.process.stdin.close()
        return status

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


class ServerTest(unittest.TestCase):
    """A test with a folder and servers of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def server(self, *options, **more):
        server = Server(*options, cwd=self.folder, **more)
        self.addCleanup(server.kill)
        return server

    def write(self, path, text):
        full = self.folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return full


def main():
    global BINARY
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()

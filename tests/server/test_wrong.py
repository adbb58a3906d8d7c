#!/usr/bin/env python3
"""A client that sends anything: values of the wrong types, fields that are missing, frames that are not JSON.

Usage: test_wrong.py PYPTO_LINT
"""
import random
import time

import lsp
from kernels import KERNEL, codes

METHODS = [f"textDocument/{name}" for name in (
    "hover", "completion", "signatureHelp", "inlayHint", "definition", "documentLink", "codeAction", "diagnostic", "didOpen",
    "didChange", "didClose", "didSave")] + [f"workspace/{name}" for name in (
        "diagnostic", "executeCommand", "didChangeWatchedFiles", "didChangeConfiguration", "didChangeWorkspaceFolders")] + [
            "$/cancelRequest", "window/workDoneProgress/cancel", "initialize", "initialized", "$/setTrace", "no/such"]
NUMBERS = [0, -1, 1, 2**31, 2**32, 2**53, -2**63, 1e308, 0.5, 10**30]
TEXTS = ["", "file:///", "file://", "untitled:x", "\0", "file:///%00", "file:///tmp/%ff%zz", "é🎉", KERNEL, "file://host/x"]
FRAMES = [b"hello", b"[1,2]", b'{"a"', b"\xff\xfe\x00\x01\x02", b"", b"null", b'{"id":null,"method":"shutdown"}']


class Wrong(lsp.ServerTest):
    def setUp(self):
        super().setUp()
        self.path = self.write("k.py", KERNEL)
        self.choice = random.Random(15)

    def value(self, depth=0):
        kind = self.choice.randrange(8) if depth < 4 else self.choice.randrange(4)
        if kind < 2:
            return self.choice.choice([None, True, False, lsp.uri(self.path)])
        if kind < 4:
            return self.choice.choice(NUMBERS if kind == 2 else TEXTS)
        if kind == 4:
            return [self.value(depth + 1) for _ in range(self.choice.randrange(4))]
        return {self.choice.choice(sorted(self.params())): self.value(depth + 1) for _ in range(self.choice.randrange(5))}

    def spoiled(self, value):
        """The same, but for a field here and there."""
        if self.choice.random() < 0.08:
            return self.value()
        if isinstance(value, dict):
            return {key: self.spoiled(item) for key, item in value.items() if self.choice.random() < 0.95}
        return [self.spoiled(item) for item in value] if isinstance(value, list) else value

    def params(self):
        """What the methods take, all in one; places may lie outside of the text."""
        start = {"line": self.choice.choice([0, 5, 900]), "character": self.choice.choice([0, 8, 10**6])}
        area = {"start": start, "end": {"line": self.choice.choice([0, 9, 1000]), "character": 3}}
        uri = lsp.uri(self.path)
        return {
            "textDocument": {"uri": uri, "version": self.choice.randrange(-5, 100), "text": KERNEL, "languageId": "python"},
            "position": start, "range": area, "context": {"diagnostics": [], "only": ["quickfix"], "triggerKind": 2},
            "contentChanges": [{"range": area, "text": self.choice.choice(["", "x", "\r", "é🎉\r\n", "def f(:"])},
                               {"text": KERNEL}][:self.choice.randrange(3)],
            "previousResultIds": [{"uri": uri, "value": "x"}], "changes": [{"uri": uri, "type": 2}],
            "settings": {"pypto-lint": {"inlayHints": True, "lang": "zh"}}, "command": "pypto-lint.none", "arguments": [uri],
            "event": {"added": [{"uri": lsp.uri(self.folder), "name": "f"}], "removed": []}, "id": 7, "token": 1}

    def test_every_request_is_answered(self):
        server = self.server()
        server.start(self.folder)
        server.open(self.path)
        asked = set()
        for number in range(400):
            message = {"method": self.choice.choice(METHODS),
                       "params": self.value() if self.choice.random() < 0.3 else self.spoiled(self.params())}
            if self.choice.random() < 0.6:
                message["id"] = self.choice.choice([1000 + number, f"number {number}"])
                asked.add(message["id"])
            server.send(message)
            if number % 50 == 0:
                frame = self.choice.choice(FRAMES)
                server.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(frame), frame))
            while server.take(0.0005):
                pass
        end = time.monotonic() + 4 * lsp.PATIENCE
        while asked - set(server.answers) and time.monotonic() < end:
            server.take(1)
        self.assertEqual(asked - set(server.answers), set())
        # It still does its work, and ends as it should.
        other = self.write("other.py", KERNEL)
        server.open(other)
        self.assertEqual(codes(server.diagnostics(other, wanted=bool)), ["OL48"])
        self.assertEqual(server.stop(), 0)

    def test_bytes_that_are_no_frames(self):
        for number in range(12):
            server = self.server()
            server.start(self.folder)
            garbage = self.choice.randbytes(200) + b"\r\n\r\n"
            try:
                server.send_bytes(garbage)
                server.process.stdin.close()
            except BrokenPipeError:
                pass
            self.assertEqual(server.process.wait(lsp.PATIENCE), 2, (number, garbage))
            self.assertIn(b"server: ", server.process.stderr.read())

    def test_versions_in_any_order(self):
        """The text is what the changes make of it, and diagnostics bear the version of the last change."""
        server = self.server()
        server.start(self.folder)
        server.open(self.path, version=9)
        server.diagnostics(self.path)
        for version, tile in ((3, "16"), (3, "rows"), (-4, "16"), (2**31 - 1, "rows")):
            server.notify("textDocument/didChange", {
                "textDocument": {"uri": lsp.uri(self.path), "version": version},
                "contentChanges": [{"text": KERNEL.replace("rows, 128", f"{tile}, 128")}]})
            found = codes(server.diagnostics(self.path, version=version, wanted=lambda items, tile=tile:
                                             ("OL48" in codes(items)) == (tile == "rows")))
            self.assertEqual("OL48" in found, tile == "rows")


if __name__ == "__main__":
    lsp.main()

#!/usr/bin/env python3
"""The life of a server: what is agreed on, in which order, how it ends, and malformed messages.

Usage: test_lifecycle.py PYPTO_LINT
"""
import os
import signal
import subprocess
import time

import lsp
from kernels import KERNEL


class Lifecycle(lsp.ServerTest):
    def test_answers_and_ends(self):
        server = self.server()
        result = server.start(self.folder)
        self.assertEqual(result["serverInfo"]["name"], "pypto-lint")
        self.assertEqual(result["capabilities"]["textDocumentSync"]["change"], 2)
        self.assertEqual(result["capabilities"]["positionEncoding"], "utf-16")
        self.assertEqual(server.stop(), 0)
        self.assertEqual(server.process.stderr.read(), b"")

    def test_initialize_is_answered_before_any_work(self):
        # A workspace that takes long to look through must not delay the answer.
        for i in range(300):
            self.write(f"custom/op{i}/op{i}_impl.py", KERNEL)
        server = self.server()
        begin = time.monotonic()
        server.start(self.folder)
        self.assertLess(time.monotonic() - begin, 2)

    def test_pull_is_offered_to_those_who_can(self):
        with_pull = self.server().start(self.folder)["capabilities"]
        self.assertTrue(with_pull["diagnosticProvider"]["workspaceDiagnostics"])
        without = self.server().start(self.folder, capabilities={})["capabilities"]
        self.assertNotIn("diagnosticProvider", without)
        pushed = self.server().start(self.folder, options={"diagnostics": "push"})["capabilities"]
        self.assertNotIn("diagnosticProvider", pushed)

    def test_order(self):
        server = self.server()
        with self.assertRaises(lsp.Failure) as caught:
            server.ask("textDocument/hover", {})
        self.assertEqual(caught.exception.code, -32002)
        server.start(self.folder)
        with self.assertRaises(lsp.Failure) as caught:
            server.ask("initialize", {"capabilities": {}})
        self.assertEqual(caught.exception.code, -32600)
        with self.assertRaises(lsp.Failure) as caught:
            server.ask("textDocument/unheardOf", {})
        self.assertEqual(caught.exception.code, -32601)
        server.notify("$/unheardOf", {})
        server.ask("shutdown")
        with self.assertRaises(lsp.Failure) as caught:
            server.ask("textDocument/hover", {})
        self.assertEqual(caught.exception.code, -32600)
        server.notify("exit")
        self.assertEqual(server.process.wait(lsp.PATIENCE), 0)

    def test_exit_without_shutdown(self):
        server = self.server()
        server.start(self.folder)
        server.notify("exit")
        self.assertEqual(server.process.wait(lsp.PATIENCE), 1)

    def test_end_of_input(self):
        server = self.server()
        server.start(self.folder)
        server.process.stdin.close()
        self.assertEqual(server.process.wait(lsp.PATIENCE), 1)

    def test_end_of_the_client(self):
        child = subprocess.Popen(["sleep", "1000"])
        server = self.server()
        server.ask("initialize", {"processId": child.pid, "capabilities": {}})
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.assertEqual(server.process.wait(lsp.PATIENCE), 1)

    def test_workers_end_with_the_server(self):
        path = self.write("k.py", KERNEL)
        server = self.server()
        server.start(self.folder)
        server.open(path)
        server.diagnostics(path)
        workers = children(server.process.pid)
        self.assertTrue(workers)
        server.process.kill()
        server.process.wait()
        end = time.monotonic() + lsp.PATIENCE
        while any(os.path.exists(f"/proc/{pid}") and not is_zombie(pid) for pid in workers):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def test_messages_that_are_none(self):
        server = self.server()
        server.start(self.folder)
        for body, code in ((b"{", -32700), (b"[]", -32600), (b'{"jsonrpc":"2.0"}', -32600), (b"\xff\xfe", -32700),
                           (b'{"id":{},"method":"x"}', -32600), (b"[" * 100000, -32700)):
            server.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            while None not in server.answers:
                self.assertTrue(server.take(), body)
            self.assertEqual(server.answers.pop(None)["error"]["code"], code, body)
        self.assertEqual(server.stop(), 0)

    def test_parts_of_a_message(self):
        server = self.server()
        body = b'{"jsonrpc":"2.0","id":"a b","method":"initialize","params":{"capabilities":{}}}'
        for byte in b"content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s" % (
                len(body), body):
            server.send_bytes(bytes([byte]))
        self.assertIn("capabilities", server.answer("a b"))

    def test_broken_headers(self):
        for data, words in ((b"Content-Length: x\r\n\r\n", b"Content-Length"), (b"\r\n\r\n", b"Content-Length"),
                            (b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length"),
                            (b"Content-Length: -1\r\n\r\n", b"Content-Length"),
                            (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", b"twice"),
                            (b"GET / HTTP/1.1\r\n\r\n", b"colon"), (b"x" * 9000, b"headers without an end")):
            done = subprocess.run([lsp.BINARY, "server"], input=data, capture_output=True, timeout=lsp.PATIENCE,
                                  check=False)
            self.assertEqual(done.returncode, 2, data[:40])
            self.assertIn(words, done.stderr, data[:40])
            self.assertEqual(done.stdout, b"")

    def test_options(self):
        for options in (["--check-seconds", "0"], ["--lang", "fr"], ["more"], ["--port", "1"]):
            done = subprocess.run([lsp.BINARY, "server", *options], input=b"", capture_output=True,
                                  timeout=lsp.PATIENCE, check=False)
            self.assertEqual(done.returncode, 2, options)

    def test_many_requests_at_once(self):
        path = self.write("k.py", KERNEL)
        server = self.server()
        server.start(self.folder)
        server.open(path)
        numbers = [server.begin("textDocument/hover", {"textDocument": {"uri": lsp.uri(path)},
                                                       "position": {"line": 0, "character": 0}})
                   for _ in range(300)]
        for number in numbers:
            self.assertIsNone(server.answer(number))


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def is_zombie(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


if __name__ == "__main__":
    lsp.main()

#!/usr/bin/env python3
"""What is found and who is told: pushed, pulled, for the workspace; what goes stale; what cannot be checked.

Usage: test_diagnostics.py PYPTO_LINT
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess

import lsp
from kernels import KERNEL, TILE, codes, place, rule
from test_lifecycle import children

BROKEN = lsp.ROOT / "examples/broken/custom/softmax_broken"
CLEAN = lsp.ROOT / "examples/custom/softmax"


def check(*args):
    """The findings of `check`, by file: (rule, line, severity) sorted."""
    done = subprocess.run([lsp.BINARY, "check", "--format", "gitlab", *map(str, args)], capture_output=True, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=60, cwd="/")
    found = {}
    for finding in json.loads(done.stdout):
        path = pathlib.Path("/", finding["location"]["path"])
        line = finding["location"]["lines"]["begin"] - 1
        found.setdefault(lsp.uri(path), []).append((finding["check_name"], line))
    return {path: sorted(items) for path, items in found.items()}


def told(items):
    return sorted((item["code"], item["range"]["start"]["line"]) for item in items)


class Diagnostics(lsp.ServerTest):
    def operator(self, source=BROKEN):
        shutil.copytree(source, self.folder / "custom" / source.name)
        return self.folder / "custom" / source.name

    def begin(self, **more):
        server = self.server()
        server.start(self.folder, **more)
        return server

    # --- pushed

    def test_the_findings_of_check(self):
        folder = self.operator()
        server = self.begin()
        path = folder / "softmax_broken_impl.py"
        server.open(path)
        server.diagnostics(path)
        expected = check(folder)
        self.assertGreater(len(expected), 5)
        pull = server.ask("textDocument/diagnostic", {"textDocument": {"uri": lsp.uri(path)}})
        found = {lsp.uri(path): told(pull["items"])}
        for params in server.pushed:
            if params["uri"] != lsp.uri(path):
                found[params["uri"]] = told(params["diagnostics"])
        self.assertEqual(found, expected)

    def test_form(self):
        folder = self.operator()
        server = self.begin()
        path = folder / "softmax_broken_impl.py"
        server.open(path)
        items = server.diagnostics(path)
        tile = rule(items, "OL48")
        self.assertEqual(tile["severity"], 1)
        self.assertEqual(tile["source"], "pypto-lint")
        self.assertTrue(tile["message"].startswith("OL48: tile size must be"), tile)
        self.assertIn(" Use integer literals", tile["message"])
        self.assertTrue(tile["codeDescription"]["href"].endswith("/docs/rules/OL48.md"))
        self.assertEqual(tile["data"], {"rule": "OL48", "severity": "S0", "fix": "none"})
        self.assertEqual(tile["relatedInformation"][0]["location"]["uri"], lsp.uri(path))
        self.assertEqual({item["data"]["severity"] for item in items if item["severity"] == 1}, {"S0", "S1"})
        self.assertEqual({item["data"]["severity"] for item in items if item["severity"] == 2}, {"S2"})

    def test_a_client_that_takes_little(self):
        folder = self.operator()
        server = self.begin(capabilities={})
        path = folder / "softmax_broken_impl.py"
        server.open(path)
        for item in server.diagnostics(path):
            self.assertEqual(sorted(item), ["code", "message", "range", "severity", "source"])

    def test_language(self):
        path = self.write("k.py", KERNEL)
        for options, locale in ((["--lang", "zh"], "en"), ([], "zh-cn")):
            server = self.server(*options)
            server.start(self.folder, locale=locale)
            server.open(path)
            self.assertIn("编译期", rule(server.diagnostics(path), "OL48")["message"])

    def test_language_of_settings(self):
        path = self.write("k.py", KERNEL)
        for options, expected in (([], ("编译期", "tile size")), (["--lang", "en"], ("tile size", "tile size"))):
            server = self.server(*options)
            server.start(self.folder, locale="en")
            server.open(path)
            self.assertIn("tile size", rule(server.diagnostics(path), "OL48")["message"])
            for lang, words in zip(("zh", ""), expected):
                server.notify("workspace/didChangeConfiguration", {"settings": {"pypto-lint": {"lang": lang}}})
                self.assertIn(words, rule(server.diagnostics(path), "OL48")["message"])

    def test_a_python_file_without_kernel(self):
        path = self.write("plain.py", "import os\nfrom pypto import add\nprint(os)\n")
        server = self.begin()
        server.open(path)
        self.assertEqual(server.diagnostics(path), [])

    def test_unused_suppression(self):
        path = self.write("k.py", KERNEL.replace("    rows =", "    # pypto-lint: ignore[OL02] nothing is bound twice\n    rows ="))
        server = self.begin()
        server.open(path)
        unused = rule(server.diagnostics(path), "suppression")
        self.assertEqual((unused["severity"], unused["tags"], unused["range"]["start"]["line"]), (4, [1], 5))

    # --- siblings

    def test_unsaved_siblings_count(self):
        folder = self.operator(CLEAN)
        server = self.begin()
        test, impl = folder / "test_softmax.py", folder / "softmax_impl.py"
        server.open(test)
        self.assertEqual(server.diagnostics(test), [])
        server.open(impl)
        server.diagnostics(impl)
        # The wrapper that the test imports gets another name in a buffer that nobody has saved.
        text = impl.read_text("utf-8")
        self.assertIn("softmax_wrapper", text)
        server.change(impl, text.replace("softmax_wrapper", "softmax_host"))
        disk = check(folder)
        self.assertEqual(disk, {})
        self.assertNotEqual(server.diagnostics(impl), [])
        server.change(impl, text)
        self.assertEqual(server.diagnostics(impl), [])
        # Closed without saving, the file counts again.
        server.change(impl, "def broken(:\n")
        self.assertIn("OL00", codes(server.diagnostics(impl)))
        server.close(impl)
        server.diagnostics(impl, wanted=lambda items: not items)

    def test_state_of_an_editor_that_has_not_saved(self):
        folder = self.operator(CLEAN)
        server = self.begin()
        spec = folder / "SPEC.md"
        server.open(spec)
        self.assertEqual(server.diagnostics(spec), [])
        server.change(spec, "# nothing\n")
        self.assertTrue(server.diagnostics(spec))

    # --- stale

    def test_closed(self):
        folder = self.operator()
        server = self.begin()
        path, other = folder / "softmax_broken_impl.py", folder / "DESIGN.md"
        server.open(path)
        server.diagnostics(path)
        server.diagnostics(other, wanted=bool)
        server.close(path)
        self.assertEqual(server.diagnostics(path, wanted=lambda items: not items), [])
        self.assertEqual(server.diagnostics(other, wanted=lambda items: not items), [])

    def test_watched_files(self):
        folder = self.operator()
        server = self.begin()
        path, other = folder / "softmax_broken_impl.py", folder / "DESIGN.md"
        server.open(path)
        server.diagnostics(other, wanted=bool)
        while not any(asked["method"] == "client/registerCapability" for asked in server.asked):
            server.take()
        server.pushed.clear()
        os.unlink(other)
        server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": lsp.uri(other), "type": 3}]})
        server.diagnostics(other, wanted=lambda items: not items)
        # The settings now leave a rule out.
        (self.folder / ".pypto-lint.yaml").write_text("ignore: [OL48]\n")
        server.notify("workspace/didChangeWatchedFiles",
                      {"changes": [{"uri": lsp.uri(self.folder / ".pypto-lint.yaml"), "type": 1}]})
        server.diagnostics(path, wanted=lambda items: "OL48" not in codes(items))
        # Broken settings are reported.
        (self.folder / ".pypto-lint.yaml").write_text("selct: [OL48]\n")
        server.notify("workspace/didChangeWatchedFiles",
                      {"changes": [{"uri": lsp.uri(self.folder / ".pypto-lint.yaml"), "type": 2}]})
        items = server.diagnostics(path, wanted=lambda items: "not-checked" in codes(items))
        self.assertIn("selct", rule(items, "not-checked")["message"])

    def test_saved_without_watchers(self):
        path = self.write("k.py", KERNEL)
        server = self.begin(capabilities={})
        server.open(path)
        self.assertIn("OL48", codes(server.diagnostics(path)))
        self.write(".pypto-lint.yaml", "ignore: [OL48]\n")
        server.notify("textDocument/didSave", {"textDocument": {"uri": lsp.uri(path)}})
        self.assertNotIn("OL48", codes(server.diagnostics(path)))

    # --- pulled

    def test_pull(self):
        folder = self.operator()
        server = self.begin()
        path = folder / "softmax_broken_impl.py"
        server.open(path)
        ask = {"textDocument": {"uri": lsp.uri(path)}}
        first = server.ask("textDocument/diagnostic", ask)
        self.assertEqual(first["kind"], "full")
        self.assertEqual(first["items"], server.diagnostics(path))
        self.assertIn(lsp.uri(folder / "DESIGN.md"), first["relatedDocuments"])
        again = server.ask("textDocument/diagnostic", {**ask, "previousResultId": first["resultId"]})
        self.assertEqual((again["kind"], again["resultId"]), ("unchanged", first["resultId"]))
        self.assertNotIn("items", again)
        server.change(path, (0, 0, 0, 0, "\n"))
        moved = server.ask("textDocument/diagnostic", {**ask, "previousResultId": first["resultId"]})
        self.assertEqual(moved["kind"], "full")
        self.assertEqual([line + 1 for _, line in told(first["items"]) if line],
                         [line for _, line in told(moved["items"]) if line])

    def test_sent_also_to_who_asks(self):
        """Some clients declare that they can ask, and never show what they have asked for."""
        folder = self.operator()
        server = self.begin()
        path = folder / "softmax_broken_impl.py"
        server.open(path)
        sent = server.diagnostics(path)
        ask = {"textDocument": {"uri": lsp.uri(path)}}
        self.assertEqual(server.ask("textDocument/diagnostic", ask)["items"], sent)
        server.change(path, (0, 0, 0, 0, "\n"))
        self.assertEqual(codes(server.diagnostics(path, version=2)), codes(sent))

    def test_sent_until_asked_for(self):
        """Many clients show what they are sent and what they ask for side by side."""
        folder = self.operator()
        server = self.begin(options={"diagnostics": "auto"})
        path, other = folder / "softmax_broken_impl.py", folder / "DESIGN.md"
        server.open(path)
        sent = server.diagnostics(path)
        server.diagnostics(other, wanted=bool)
        ask = {"textDocument": {"uri": lsp.uri(path)}}
        pulled = server.ask("textDocument/diagnostic", ask)
        self.assertEqual(pulled["items"], sent)
        # Both files come with the answer; neither stays twice.
        self.assertIn(lsp.uri(other), pulled["relatedDocuments"])
        self.assertEqual(server.diagnostics(path, version=-1), [])
        self.assertEqual(server.diagnostics(other, wanted=lambda items: not items), [])
        server.pushed.clear()
        server.change(path, (0, 0, 0, 0, "\n"))
        again = server.ask("textDocument/diagnostic", ask)
        self.assertEqual(codes(again["items"]), codes(sent))
        self.assertEqual(server.pushed, [])

    def test_files_that_only_the_workspace_answers_for(self):
        folder = self.operator()
        capabilities = {"textDocument": {"diagnostic": {}}}
        server = self.begin(capabilities=capabilities, options={"diagnostics": "auto"})
        path, other = folder / "softmax_broken_impl.py", folder / "DESIGN.md"
        server.open(path)
        server.diagnostics(other, wanted=bool)
        server.ask("textDocument/diagnostic", {"textDocument": {"uri": lsp.uri(path)}})
        server.diagnostics(path, version=-1, wanted=lambda items: not items)
        self.assertNotIn(lsp.uri(other), [params["uri"] for params in server.pushed])
        found = server.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        self.assertIn(lsp.uri(other), [item["uri"] for item in found])
        server.diagnostics(other, wanted=lambda items: not items)

    def test_refreshed(self):
        """A client that asks is told when it should ask again."""
        capabilities = {**lsp.FULL, "workspace": {**lsp.FULL["workspace"], "inlayHint": {"refreshSupport": True}}}
        server = self.begin(capabilities=capabilities, options={"diagnostics": "pull"})

        def asked_after(method, params, *wanted):
            server.asked.clear()
            server.notify(method, params)
            while not {one["method"] for one in server.asked} >= set(wanted):
                self.assertTrue(server.take(), server.asked)

        asked_after("workspace/didChangeConfiguration", {"settings": {"pypto-lint": {"inlayHints": True}}},
                    "workspace/diagnostic/refresh", "workspace/inlayHint/refresh")
        asked_after("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}},
                    "workspace/diagnostic/refresh")
        asked_after("workspace/didChangeWatchedFiles", {"changes": []}, "workspace/diagnostic/refresh")

    def test_pull_of_a_file_that_is_not_open(self):
        path = self.write("k.py", KERNEL)
        server = self.begin(options={"diagnostics": "pull"})
        items = server.ask("textDocument/diagnostic", {"textDocument": {"uri": lsp.uri(path)}})["items"]
        self.assertEqual(place(rule(items, "OL48")), TILE)
        self.assertEqual(server.pushed, [])

    def test_workspace(self):
        self.operator()
        one, two = self.folder / "one", self.folder / "two"
        for folder in (one, two):
            self.write(folder / "k.py", KERNEL)
        server = self.server()
        server.start(one, two)
        result = server.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
        self.assertEqual({item["uri"] for item in result}, {lsp.uri(one / "k.py"), lsp.uri(two / "k.py")})
        self.assertTrue(all(item["kind"] == "full" and item["version"] is None for item in result))
        self.assertEqual(codes(result[0]["items"]), ["OL48"])
        known = [{"uri": item["uri"], "value": item["resultId"]} for item in result]
        again = server.ask("workspace/diagnostic", {"previousResultIds": known})["items"]
        self.assertEqual([item["kind"] for item in again], ["unchanged", "unchanged"])
        os.unlink(two / "k.py")
        gone = server.ask("workspace/diagnostic", {"previousResultIds": known})["items"]
        self.assertEqual({item["uri"]: item.get("items") for item in gone},
                         {lsp.uri(one / "k.py"): None, lsp.uri(two / "k.py"): []})
        server.notify("workspace/didChangeWorkspaceFolders", {"event": {
            "added": [{"uri": lsp.uri(self.folder / "custom"), "name": "c"}],
            "removed": [{"uri": lsp.uri(one), "name": "one"}]}})
        files = {item["uri"] for item in server.ask("workspace/diagnostic", {"previousResultIds": []})["items"]}
        self.assertEqual(files, set(check(self.folder / "custom")))

    # --- cancelled, crashed, late

    def hang(self, server):
        """Stops all workers that there are."""
        for pid in children(server.process.pid):
            os.kill(pid, signal.SIGSTOP)

    def test_cancel(self):
        path = self.write("k.py", KERNEL)
        server = self.begin()
        server.open(path)
        server.diagnostics(path)
        hover = {"textDocument": {"uri": lsp.uri(path)}, "position": {"line": 0, "character": 0}}
        server.ask("textDocument/hover", hover)
        self.hang(server)
        numbers = [server.begin("textDocument/hover", hover), server.begin("textDocument/hover", hover)]
        numbers.append(server.begin("textDocument/diagnostic", {"textDocument": {"uri": lsp.uri(path)}}))
        for number in reversed(numbers):
            server.notify("$/cancelRequest", {"id": number})
        for number in numbers:
            with self.assertRaises(lsp.Failure) as caught:
                server.answer(number)
            self.assertEqual(caught.exception.code, -32800)
        self.assertEqual(server.answers, {})
        server.notify("$/cancelRequest", {"id": "unheard of"})
        for pid in children(server.process.pid):
            os.kill(pid, signal.SIGCONT)
        self.assertIsNone(server.ask("textDocument/hover", hover))

    def test_crash(self):
        path = self.write("k.py", KERNEL)
        server = self.begin()
        server.open(path)
        server.diagnostics(path)
        checking = children(server.process.pid)
        self.hang(server)
        server.change(path, (0, 0, 0, 0, "\n"))
        # When another worker has answered, the one that checks has its job.
        server.at("textDocument/hover", path, 0, 0)
        for pid in checking:
            os.kill(pid, signal.SIGABRT)
            os.kill(pid, signal.SIGCONT)
        items = server.diagnostics(path)
        self.assertEqual(codes(items), ["not-checked"])
        self.assertEqual(items[0]["severity"], 1)
        self.assertIn("Aborted", items[0]["message"])
        server.change(path, (0, 0, 0, 0, "\n"))
        self.assertIn("OL48", codes(server.diagnostics(path)))

    def test_late(self):
        path = self.write("k.py", KERNEL)
        server = self.server("--check-seconds", "3")
        server.start(self.folder)
        server.open(path)
        server.diagnostics(path)
        self.hang(server)
        server.change(path, (0, 0, 0, 0, "\n"))
        self.assertIn("longer than 3 seconds", rule(server.diagnostics(path), "not-checked")["message"])
        server.change(path, (0, 0, 0, 0, "\n"))
        self.assertIn("OL48", codes(server.diagnostics(path)))
        # A request that takes too long is answered, too.
        hover = {"textDocument": {"uri": lsp.uri(path)}, "position": {"line": 0, "character": 0}}
        server.ask("textDocument/hover", hover)
        self.hang(server)
        with self.assertRaises(lsp.Failure):
            server.ask("textDocument/hover", hover)

    def test_too_large(self):
        path = self.write("k.py", "")
        server = self.begin()
        server.open(path, KERNEL + "#" * (2 << 20))
        items = server.diagnostics(path)
        self.assertIn("larger than", items[0]["message"])

    def test_more_than_is_kept(self):
        path = self.write("k.py", KERNEL)
        server = self.begin()
        server.open(path)
        self.assertNotIn("not-checked", codes(server.diagnostics(path)))
        server.change(path, "#" * (65 << 20))
        lost, = server.diagnostics(path)
        self.assertEqual((lost["code"], lost["severity"]), ("not-checked", 1))
        self.assertIn("too large", lost["message"])
        server.change(path, (0, 0, 0, 0, "x"))
        self.assertEqual(server.diagnostics(path), [lost])
        server.change(path, KERNEL)
        self.assertEqual(codes(server.diagnostics(path)), ["OL48"])

    # --- much

    def test_memory_over_many_edits(self):
        path = self.write("k.py", KERNEL)
        server = self.begin()
        server.open(path)
        server.diagnostics(path)
        edits = int(os.environ.get("PYPTO_LINT_SERVER_EDITS", "20000"))
        for turn in range(edits // 100):
            changes = []
            for _ in range(50):
                changes += [(3, 0, 3, 0, f"# 🎉 {turn}\n"), (3, 0, 4, 0, "")]
            server.change(path, *changes)
            if turn == edits // 200:
                server.diagnostics(path)
                middle = memory(server)
                server.pushed.clear()
        self.assertEqual(place(rule(server.diagnostics(path), "OL48")), TILE)
        # The address sanitizer keeps what is freed for a while.
        slack = 65536 if b"__asan_init" in pathlib.Path(lsp.BINARY).read_bytes() else 8192
        self.assertLess(memory(server), middle + slack, "KiB")

    def test_not_more_than_the_client_takes(self):
        """Many files: nothing is sent that is known already."""
        folder = self.operator()
        server = self.begin()
        path = folder / "softmax_broken_impl.py"
        server.open(path)
        server.diagnostics(path)
        server.ask("textDocument/hover", {"textDocument": {"uri": lsp.uri(path)},
                                          "position": {"line": 0, "character": 0}})
        server.pushed.clear()
        server.change(path, (0, 0, 0, 0, "\n"))
        server.diagnostics(path)
        server.ask("textDocument/hover", {"textDocument": {"uri": lsp.uri(path)},
                                          "position": {"line": 0, "character": 0}})
        self.assertNotIn(lsp.uri(folder / "DESIGN.md"), [params["uri"] for params in server.pushed])


def memory(server):
    """KiB of the server and its workers."""
    total = 0
    for pid in [server.process.pid, *children(server.process.pid)]:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            total += int(next(line for line in file if line.startswith("VmRSS")).split()[1])
    return total


if __name__ == "__main__":
    lsp.main()

#!/usr/bin/env python3
"""What an editor asks for at a place: actions, hovers, completion, signatures, hints, definitions, links, commands.

Usage: test_features.py PYPTO_LINT
"""
import os
import pathlib
import shutil
import signal
import time

import lsp
from kernels import KERNEL, TILE, codes, rule
from test_lifecycle import children

BROKEN = lsp.ROOT / "examples/broken/custom/softmax_broken"
CLEAN = lsp.ROOT / "examples/custom/softmax"
MODULES = lsp.ROOT / "examples/custom/gated_rmsnorm"


def ends(number):
    """Does the process end soon? A zombie has ended, too: it has no command line."""
    path = pathlib.Path("/proc", str(number), "cmdline")
    end = time.monotonic() + lsp.PATIENCE
    while path.exists() and path.read_bytes():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def offset(text, place):
    """The index in the text of a place counted in UTF-16."""
    lines = text.split("\n")
    line = lines[place["line"]].encode("utf-16-le")[:place["character"] * 2].decode("utf-16-le")
    return sum(len(one) + 1 for one in lines[:place["line"]]) + len(line)


def apply(text, edits):
    for edit in sorted(edits, key=lambda one: (one["range"]["start"]["line"], one["range"]["start"]["character"]),
                       reverse=True):
        start, end = (offset(text, edit["range"][key]) for key in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


class Features(lsp.ServerTest):
    def begin(self, text=KERNEL, name="k.py", **more):
        path = self.write(name, text)
        server = self.server()
        server.start(self.folder, **more)
        server.open(path)
        return server, path

    def operator(self, source):
        shutil.copytree(source, self.folder / "custom" / source.name)
        return self.folder / "custom" / source.name

    def place(self, path, words, extra=0):
        text = path.read_text("utf-8")
        at = text.index(words) + extra
        return text[:at].count("\n"), at - (text.rfind("\n", 0, at) + 1)

    def actions(self, server, path, only=None, lines=(0, 100000)):
        context = {"diagnostics": [], **({"only": only} if only else {})}
        return server.ask("textDocument/codeAction", {
            "textDocument": {"uri": lsp.uri(path)}, "context": context,
            "range": {"start": {"line": lines[0], "character": 0}, "end": {"line": lines[1], "character": 0}}})

    # --- actions

    def test_every_ignore_takes_its_finding_out_and_every_fix_too(self):
        folder = self.operator(BROKEN)
        server = self.server()
        server.start(self.folder)
        path = folder / "softmax_broken_impl.py"
        text = path.read_text("utf-8")
        server.open(path)
        before = server.diagnostics(path)
        actions = [action for action in self.actions(server, path) if "edit" in action]
        titles = [action["title"] for action in actions]
        self.assertGreater(len([title for title in titles if title.startswith("Ignore")]), 10)
        self.assertIn("Fix OL16: Import the golden only in the test file; the implementation must compute its result "
                      "itself.", titles)
        severities = {item["code"]: item["data"]["severity"] for item in before}
        for action in actions:
            code = action["diagnostics"][0]["code"]
            edit, = action["edit"]["documentChanges"]
            self.assertEqual(edit["textDocument"], {"uri": lsp.uri(path), "version": 1})
            server.change(path, apply(text, edit["edits"]))
            after = server.diagnostics(path)
            self.assertLess(codes(after).count(code), codes(before).count(code), action["title"])
            self.assertNotIn("OL00", codes(after), action["title"])
            if action["title"].startswith("Ignore"):
                self.assertNotEqual(severities[code], "S0")
                self.assertNotIn("suppression", codes(after), action["title"])
            self.assertEqual(action.get("isPreferred", False), action["title"].startswith("Fix "))

    def test_fix_all(self):
        folder = self.operator(BROKEN)
        server = self.server()
        server.start(self.folder)
        path = folder / "softmax_broken_impl.py"
        disk = path.read_bytes()
        golden = (folder / "softmax_broken_golden.py").read_bytes()
        text = "# 🎉 not saved\n" + disk.decode("utf-8")
        server.open(path, text)
        self.assertEqual(self.actions(server, path, ["quickfix"])[0]["kind"], "quickfix")
        action, = self.actions(server, path, ["source.fixAll"])
        self.assertEqual(action["kind"], "source.fixAll.pypto-lint")
        fixed = apply(text, action["edit"]["documentChanges"][0]["edits"])
        self.assertEqual(path.read_bytes(), disk)
        self.assertEqual((folder / "softmax_broken_golden.py").read_bytes(), golden)
        # The same as --fix on a file with this text, and a second time nothing is left.
        path.write_text(text, "utf-8")
        lsp.subprocess.run([lsp.BINARY, "check", "--fix", str(folder)], check=False, capture_output=True)
        self.assertEqual(fixed, path.read_text("utf-8"))
        path.write_bytes(disk)
        server.change(path, fixed)
        self.assertEqual(self.actions(server, path, ["source.fixAll"]), [])

    def test_menu_and_light_bulb(self):
        """All that there is for a user who opens the menu; what costs much is not made at every move."""
        server = self.server()
        server.start(self.folder)
        path = self.operator(BROKEN) / "softmax_broken_impl.py"
        server.open(path)

        def kinds(trigger):
            actions = server.ask("textDocument/codeAction", {
                "textDocument": {"uri": lsp.uri(path)}, "context": {"diagnostics": [], "triggerKind": trigger},
                "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1000, "character": 0}}})
            return {action["kind"] for action in actions}

        self.assertEqual(kinds(1), {"quickfix", "source.pypto-lint", "source.fixAll.pypto-lint"})
        self.assertEqual(kinds(2), {"quickfix", "source.pypto-lint"})

    def test_line_ends_of_edits(self):
        folder = self.operator(BROKEN)
        path = folder / "softmax_broken_impl.py"
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        server = self.server()
        server.start(self.folder, capabilities={"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}})
        server.open(path)
        texts = [edit["newText"] for action in self.actions(server, path) if "edit" in action
                 for edit in action["edit"]["changes"][lsp.uri(path)]]
        self.assertTrue(any(text.endswith("REASON\r\n") for text in texts))
        self.assertTrue(all(text.count("\n") == text.count("\r\n") for text in texts))

    def test_a_client_without_action_literals(self):
        server, path = self.begin(capabilities={})
        action, = self.actions(server, path)
        self.assertEqual(action["command"], "pypto-lint.run")

    # --- hovers

    def hover(self, server, path, words, extra=0):
        line, character = self.place(path, words, extra)
        result = server.at("textDocument/hover", path, line, character)
        return result and result["contents"]["value"]

    def test_hover(self):
        server, path = self.begin()
        rule_page = self.hover(server, path, "rows, 128")
        for words in ("OL48", "## Why", "## Wrong", "## Right"):
            self.assertIn(words, rule_page)
        self.assertNotIn("<!--", rule_page)
        self.assertNotIn("## How to fix", rule_page)
        chinese = self.hover(*self.begin(locale="zh-cn"), "rows, 128")
        for words in ("OL48", "## 原因", "切分", "## 错例", "## 正例"):
            self.assertIn(words, chinese)
        for words in ("## Why", "## 如何修复"):
            self.assertNotIn(words, chinese)
        name = self.hover(server, path, "pypto.mul(", 7)
        for words in ("pypto.mul(", "data types", "DT_FP32", "Example: `pypto.mul("):
            self.assertIn(words, name)
        self.assertIn("DT_FP32", self.hover(server, path, "pypto.DT_FP32", 8))
        tensor = self.hover(server, path, "part = ")
        for words in ("tensor", "[16, 128]", "DT_FP32"):
            self.assertIn(words, tensor)
        self.assertIn("bytes of one tile in UB", self.hover(
            *self.begin(KERNEL.replace("rows, 128", "16, 128"), "tiles.py"), "pypto.mul(part", 12))
        self.assertIsNone(self.hover(server, path, "import pypto"))

    def test_hover_in_chinese(self):
        server, path = self.begin(KERNEL.replace("rows, 128", "16, 128"), "tiles.py", locale="zh-cn")
        words = self.hover(server, path, "pypto.mul(", 7)
        for part in ("- 数据类型：`DT_", "- 维数：", "示例：`pypto.mul("):
            self.assertIn(part, words)
        self.assertNotIn("data types", words)
        self.assertIn("单个 tile 在 UB 中的字节数：", self.hover(server, path, "pypto.mul(part", 12))
        self.assertIn("- 形状：`[16, 128]`", self.hover(server, path, "part = "))

    # --- typing

    def complete(self, server, path, line):
        """What is offered at the | of a new line in the kernel."""
        at = line.index("|")
        text = KERNEL.replace("    rows =", f"    {line.replace('|', '')}\n    rows =")
        server.change(path, text)
        return [item["label"] for item in server.at("textDocument/completion", path, 5, 4 + at)["items"]]

    def test_completion(self):
        server, path = self.begin()
        names = self.complete(server, path, "pypto.|")
        for name in ("view", "mul", "DT_FP32", "frontend", "Tensor", "loop"):
            self.assertIn(name, names)
        for leaked in ("Dict", "Any", "experimental.nop"):
            self.assertNotIn(leaked, names)
        self.assertIn("view", self.complete(server, path, "x = pypto.vi|"))
        self.assertIn("DT_BF16", self.complete(server, path, "pypto.DataType.|"))
        self.assertIn("gather_in_ub", self.complete(server, path, "pypto.experimental.|"))
        self.assertEqual(self.complete(server, path, "a = pypto.view(x, [1], |"), ["offsets=", "valid_shape=", "dtype="])
        self.assertEqual(self.complete(server, path, "a = pypto.view(x, [1, 2], dtype=pypto.DT_FP32, va|"),
                         ["valid_shape="])
        for nothing in ("# pypto.|", "'pypto.|'", "torch.|", "a = pypto.view(x, shape=|", "print(|", '"""pypto.|"""'):
            self.assertEqual(self.complete(server, path, nothing), [], nothing)

    def test_completion_with_another_name(self):
        server, path = self.begin()
        server.change(path, "import pypto as pt\npt.\npypto.\n")
        self.assertIn("view", [item["label"] for item in server.at("textDocument/completion", path, 1, 3)["items"]])
        self.assertEqual(server.at("textDocument/completion", path, 2, 6)["items"], [])

    def test_signature(self):
        server, path = self.begin()
        for line, active in (("pypto.view(|", 0), ("pypto.view(x, |", 1), ("pypto.view(x, [f(1, 2), 3], |", 2),
                             ("pypto.view(x, dtype=|", 4), ("pypto.view(x, # a, b,\n      [1, 2], |", 2)):
            at = line.rindex("|") - (line.rfind("\n") + 1)
            text = KERNEL.replace("    rows =", f"    {line.replace('|', '')}\n    rows =")
            server.change(path, text)
            number = 5 + line.count("\n")
            result = server.at("textDocument/signatureHelp", path, number, at + (0 if line.count("\n") else 4))
            self.assertEqual(result["activeParameter"], active, line)
            signature, = result["signatures"]
            self.assertTrue(signature["label"].startswith("view(input, shape=None"), signature)
            self.assertEqual(signature["parameters"][1]["label"], "shape=None")
        server.change(path, KERNEL + "print(")
        self.assertIsNone(server.at("textDocument/signatureHelp", path, KERNEL.count("\n"), 6))

    def hints(self, server, path, first=0, last=1000):
        return server.ask("textDocument/inlayHint", {
            "textDocument": {"uri": lsp.uri(path)},
            "range": {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}})

    def test_inlay_hints(self):
        server, path = self.begin()
        self.assertEqual(self.hints(server, path), [])
        server.notify("workspace/didChangeConfiguration", {"settings": {"pypto-lint": {"inlayHints": True}}})
        line, character = self.place(path, "part = ", 4)
        hint, = self.hints(server, path)
        self.assertEqual((hint["position"], hint["label"]),
                         ({"line": line, "character": character}, ": [16, 128] FP32"))
        self.assertEqual(self.hints(server, path, 0, 2), [])
        # A worker that is at something learns of new settings, too.
        for pid in children(server.process.pid):
            os.kill(pid, signal.SIGSTOP)
        number = server.begin("textDocument/inlayHint", {
            "textDocument": {"uri": lsp.uri(path)}, "range": {"start": {"line": 0, "character": 0},
                                                              "end": {"line": 99, "character": 0}}})
        for settings in (None, {"pypto-lint": {"inlayHints": False}}):
            server.notify("workspace/didChangeConfiguration" if settings else "$/setTrace", {"settings": settings})
            with self.assertRaises(lsp.Failure): # what came before has been taken
                server.ask("no/such/method")
            time.sleep(0.1) # the worker has the request before the settings change, as a rule
        for pid in children(server.process.pid):
            os.kill(pid, signal.SIGCONT)
        server.answer(number) # with either settings
        self.assertEqual(self.hints(server, path), [])
        server, path = self.begin(options={"inlayHints": True}, name="other.py")
        self.assertEqual(len(self.hints(server, path)), 1)

    # --- going elsewhere

    def definition(self, server, path, words, extra=0):
        line, character = self.place(path, words, extra)
        return [(pathlib.Path(lsp.path_of(place["uri"])).name, place["range"]["start"]["line"])
                for place in server.at("textDocument/definition", path, line, character)]

    def test_definition(self):
        folder = self.operator(MODULES)
        server = self.server()
        server.start(self.folder)
        contract = next(folder.rglob("module_interfaces.yaml"))
        golden, = folder.glob("*_golden.py")
        test, = folder.glob("test_*.py")
        name = golden.stem
        text = golden.read_text("utf-8")
        line = text[:text.index("def ")].count("\n")
        self.assertIn(f"from {name} import", test.read_text("utf-8"))
        self.assertIn((golden.name, 0), self.definition(server, test, f"from {name}", 6))
        function = text[text.index("def ") + 4:text.index("(", text.index("def "))]
        self.assertIn((golden.name, line), self.definition(server, golden, f"def {function}", 5))
        # From the contract to the code of a module, and back.
        module = sorted(path.name for path in (folder / "modules").iterdir() if "module12" in path.name)
        self.assertEqual(len(module), 3)
        self.assertEqual(sorted(name for name, _ in self.definition(server, contract, "module_2}", 2)), module)
        self.assertEqual(sorted(name for name, _ in self.definition(server, contract, "gate_and_add", 2)), module)
        whole = [f"gated_rmsnorm_{kind}.py" for kind in ("golden", "impl")] + ["test_gated_rmsnorm.py"]
        self.assertEqual(sorted(name for name, _ in self.definition(server, contract, "gated_rmsnorm")), whole)
        impl = folder / "modules/gated_rmsnorm_module12_impl.py"
        entry = contract.read_text("utf-8").split("\n").index("  - id: 2")
        self.assertIn(("module_interfaces.yaml", entry),
                      self.definition(server, impl, "def gated_rmsnorm_module12", 6))

    def test_links(self):
        path = self.write("notes.md", "# 🎉 OL48 and KS04, not OL99, XOL48 or OL480\n")
        server = self.server()
        server.start(self.folder)
        server.open(path)
        links = server.ask("textDocument/documentLink", {"textDocument": {"uri": lsp.uri(path)}})
        self.assertEqual([(link["range"]["start"]["character"], link["target"].rpartition("/")[2]) for link in links],
                         [(5, "OL48.md"), (14, "KS04.md")])

    # --- commands

    def run_command(self, server, name, path):
        return server.begin("workspace/executeCommand", {"command": name, "arguments": [lsp.uri(path)]})

    def fake(self, text):
        """A program that stands for Python, so that no torch is needed."""
        path = self.write("bin/python3", f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return {"PYPTO_LINT_PYTHON": str(path), "PATH": f"{path.parent}:{os.environ['PATH']}"}

    def test_run_with_progress(self):
        path = self.write("k.py", "import sys\nprint('one')\nprint('two')\nsys.exit(3)\n")
        server = self.server()
        server.start(self.folder)
        server.open(path, "# changed\n")
        result = server.answer(self.run_command(server, "pypto-lint.run", path))
        progress = [note["params"]["value"] for note in server.notes if note["method"] == "$/progress"]
        self.assertEqual(progress[0]["kind"], "begin")
        self.assertEqual(progress[-1]["kind"], "end")
        self.assertIn("exit status", progress[-1]["message"])
        self.assertNotEqual(result["exitStatus"], 0)
        created = [asked for asked in server.asked if asked["method"] == "window/workDoneProgress/create"]
        self.assertEqual(len(created), 1)
        self.assertTrue(any("runs the saved file" in note["params"]["message"] for note in server.notes
                            if note["method"] == "window/logMessage"))

    def test_cancelled_run(self):
        path = self.write("k.py", "import time\nprint('begun', flush=True)\ntime.sleep(1000)\n")
        server = self.server(env=self.fake("echo begun; sleep 1000"))
        server.start(self.folder)
        number = self.run_command(server, "pypto-lint.run", path)
        while not any(note["params"].get("value", {}).get("message") == "begun" for note in server.notes):
            self.assertTrue(server.take(), server.notes)
        server.notify("$/cancelRequest", {"id": number})
        with self.assertRaises(lsp.Failure) as caught:
            server.answer(number)
        self.assertEqual(caught.exception.code, -32800)

    def test_cancelled_run_that_leaves_a_process(self):
        """A process that ignores SIGTERM and keeps the output open does not delay the answer."""
        path = self.write("k.py", "")
        server = self.server(env=self.fake("(trap '' TERM; exec sh -c 'echo $$; exec sleep 1000') &\nwait"))
        server.start(self.folder)
        number = self.run_command(server, "pypto-lint.run", path)
        said = []
        while not said:
            self.assertTrue(server.take(), server.notes)
            messages = [note["params"].get("value", {}).get("message", "") for note in server.notes]
            said = [message for message in messages if message.isdigit()]
        server.notify("$/cancelRequest", {"id": number})
        with self.assertRaises(lsp.Failure) as caught:
            server.answer(number)
        self.assertEqual(caught.exception.code, -32800)
        self.assertTrue(ends(int(said[0])))

    def test_commands_that_are_refused(self):
        server, path = self.begin()
        for name, place in (("pypto-lint.run", self.folder), ("pypto-lint.verify", path), ("rm", path),
                            ("pypto-lint.run", self.folder / "missing.py")):
            with self.assertRaises(lsp.Failure) as caught:
                server.answer(self.run_command(server, name, place))
            self.assertEqual(caught.exception.code, -32602)

    def test_nothing_of_the_project_runs_unasked(self):
        """Everything but executeCommand leaves code of the project alone."""
        trap = self.folder / "trap"
        folder = self.operator(CLEAN)
        for path in list(folder.glob("*.py")) + [folder / "conftest.py", folder / "sitecustomize.py"]:
            text = path.read_text("utf-8") if path.exists() else ""
            path.write_text(text + f"\nopen({str(trap)!r}, 'w').close()\n", "utf-8")
        server = self.server(env=self.fake(f"touch {trap}"))
        server.start(self.folder, options={"inlayHints": True})
        path = folder / "softmax_golden.py"
        server.open(path)
        server.diagnostics(path)
        self.actions(server, path)
        self.actions(server, path, ["source.fixAll"])
        self.hints(server, path)
        server.at("textDocument/hover", path, 5, 5)
        server.at("textDocument/definition", path, 5, 5)
        server.ask("workspace/diagnostic", {"previousResultIds": []})
        time.sleep(0.2)
        self.assertFalse(trap.exists())


if __name__ == "__main__":
    assert TILE and rule
    lsp.main()

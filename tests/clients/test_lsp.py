#!/usr/bin/env python3
"""The language server and the protocol's own library, strictly: every message of the server has the type that the
protocol gives it, without a member too many.

Usage: test_lsp.py BINARY [unittest options]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tests/clients/lsp"
TSC = TOOLS / "node_modules/typescript/bin/tsc"
SKIPPED = 77
BINARY = None


def compile_messages(folder, said):
    """The compiler's objections to the messages as constants of their types."""
    names = sorted({word for message in said for word in re.findall(r"[A-Z]\w+", message["type"])})
    lines = [f'import type {{ {", ".join(names)} }} from "vscode-languageserver-protocol"']
    lines += [f'export const m{number}: {message["type"]} = {json.dumps(message["value"])}'
              for number, message in enumerate(said)]
    (folder / "messages.ts").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "tsconfig.json").write_text(json.dumps({
        "compilerOptions": {"strict": True, "noEmit": True, "skipLibCheck": True, "module": "NodeNext",
                            "moduleResolution": "NodeNext", "target": "ES2022", "types": []},
        "files": ["messages.ts"]}), encoding="utf-8")
    os.symlink(TOOLS / "node_modules", folder / "node_modules")
    done = subprocess.run(["node", str(TSC), "-p", str(folder)], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


class Strict(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_conversation(self):
        operator = self.folder / "custom/softmax_broken"
        shutil.copytree(ROOT / "examples/broken/custom/softmax_broken", operator)
        done = subprocess.run(
            ["node", str(TOOLS.parent / "lsp_driver.mjs"), BINARY, str(self.folder), str(operator / "softmax_broken")],
            capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout[-2000:])
        told = json.loads(done.stdout)
        self.assertEqual((told["problems"], told["status"], told["same"]), ([], 0, True))
        counts = {}
        for message in told["said"]:
            counts[message["type"]] = counts.get(message["type"], 0) + 1
            if message["value"] is not None and not message["type"].startswith("Hover"):
                self.assertTrue(message["value"] != [] or "[]" not in message["type"] or "Link" in message["type"], message)
        self.assertGreater(counts["PublishDiagnosticsParams"], 10)
        self.assertEqual(counts["RegistrationParams"], 1)
        self.assertEqual(len(counts), 12, counts)
        (self.folder / "types").mkdir()
        self.assertEqual(compile_messages(self.folder / "types", told["said"]), "")

    def test_the_check_notices(self):
        wrong = [("Hover | null", {"contents": {"kind": "html", "value": ""}}),
                 ("DocumentLink[]", [{"range": {"start": {"line": 0}, "end": {"line": 0, "character": 0}}}]),
                 ("CompletionList", {"isIncomplete": False, "items": [{"label": "x", "unknown": 1}]})]
        objections = compile_messages(self.folder, [{"type": type_, "value": value} for type_, value in wrong])
        self.assertEqual(len([line for line in objections.splitlines() if line.startswith("m")
                              or "messages.ts(" in line]), len(wrong), objections)


def main():
    global BINARY
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if not TSC.exists() or shutil.which("node") is None:
        print("SKIPPED test_lsp.py: the protocol's library is not installed (tests/clients/install.sh lsp)", file=sys.stderr)
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""docs/hooks.md: the settings that users copy work as they stand."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import hook_support
from hook_support import BAD_IMPL, HookTest, edit_event, main

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/hooks.md"
DRIVER = """
import { PyptoLint } from "./plugin.mjs"
const hooks = await PyptoLint({ directory: process.cwd() })
const attempt = async (name, input, output) => {
  try { await hooks[name](input, output); return { output } }
  catch (error) { return { output, error: error.message } }
}
const file = process.argv[2]
const call = { sessionID: "s", callID: "c" }
const args = { filePath: file, content: "x" }
const result = () => ({ title: "t", output: "OUT", metadata: { exit: 1 } })
console.log(JSON.stringify([
  await attempt("tool.execute.after", { tool: "write", args, ...call }, result()),
  await attempt("tool.execute.before", { tool: "bash", ...call }, { args: { command: `rm ${file}` } }),
  await attempt("tool.execute.before", { tool: "bash", ...call }, { args: { command: `cat ${file}` } }),
  await attempt("tool.execute.after",
    { tool: "bash", args: { command: "python3 test_a.py" }, ...call }, result()),
  await attempt("tool.execute.after", { tool: "read", args, ...call }, result()),
]))
"""


class Page(HookTest):
    def blocks(self, language):
        text = PAGE.read_text(encoding="utf-8")
        return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)

    def test_settings(self):
        op = self.operator(impl=BAD_IMPL)
        settings = [json.loads(block) for block in self.blocks("json")]
        settings = [block for block in settings if "hooks" in block]
        self.assertEqual(len(settings), 3)
        commands = [hook["command"] for block in settings for entries in block["hooks"].values()
                    for entry in entries for hook in entry["hooks"]]
        self.assertGreater(len(commands), 9)
        for command in commands:
            words = command.split()
            self.assertEqual(words[0], "pypto-lint")
            event = edit_event(op / "rowscale_impl.py", cwd=str(op))
            answer = self.hook(words[2], event, words[1], words[3:])
            self.assertEqual((answer.status, answer.err), (0, ""), command)
            blocks = words[2] in ("post-edit", "stop")
            self.assertEqual(answer.decision, "block" if blocks else None, command)

    @unittest.skipUnless(shutil.which("node"), "needs node")
    def test_plugin(self):
        op = self.operator(impl=BAD_IMPL)
        self.write("plugin.mjs", self.blocks("js")[0])
        self.write("driver.mjs", DRIVER)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/pypto-lint").symlink_to(hook_support.BINARY)
        env = self.environment({"PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        done = subprocess.run(["node", "driver.mjs", str(op / "rowscale_impl.py")], env=env,
                              cwd=self.folder, capture_output=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        edit, guarded, read, test, other = json.loads(done.stdout)
        self.assertTrue(edit["error"].startswith(hook_support.HEADER))
        self.assertTrue(edit["output"]["output"].startswith("OUT\n\n[pypto-op-lint]"))
        self.assertIn("禁止通过 bash/shell 写入算子产物文件", guarded["error"])
        self.assertNotIn("error", read)
        self.assertIn("[pypto-op-lint parse-result] runtime_error", test["output"]["output"])
        self.assertEqual(other, {"output": {"title": "t", "output": "OUT", "metadata": {"exit": 1}}})


if __name__ == "__main__":
    main()

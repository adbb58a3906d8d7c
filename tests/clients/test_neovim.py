#!/usr/bin/env python3
"""Neovim, headless, with the settings that `init --client neovim` writes.

Usage: test_neovim.py BINARY [unittest options]
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
BINARY = None
# What a user does: opens the implementation, looks at the findings, types, asks, takes a fix.
SCRIPT = """
local told = {}
local file = vim.env.TEST_FILE
local function wait(what, done)
  if not vim.wait(20000, done, 20) then
    told.late = what
  end
end
local function codes()
  local list = {}
  for _, item in ipairs(vim.diagnostic.get(0)) do
    local lsp = item.user_data and item.user_data.lsp or {}
    table.insert(list, { code = item.code or lsp.code, line = item.lnum, column = item.col,
                         severity = item.severity, message = item.message })
  end
  return list
end
local function has(code)
  for _, item in ipairs(codes()) do
    if item.code == code then return true end
  end
  return false
end
vim.cmd("edit " .. vim.fn.fnameescape(file))
vim.cmd("set filetype=python")
wait("diagnostics", function() return has("OL48") end)
told.first = codes()
-- An emoji before the place: Neovim counts bytes, the protocol units of UTF-16.
local row = vim.fn.search("set_vec_tile_shapes(rows") - 1
local line = vim.api.nvim_buf_get_lines(0, row, row + 1, true)[1]
local column = line:find("rows") - 1
vim.api.nvim_buf_set_lines(0, row, row + 1, true, { "    note = '🎉'; " .. vim.trim(line) })
local moved = vim.api.nvim_buf_get_lines(0, row, row + 1, true)[1]:find("rows") - 1
wait("moved", function()
  for _, item in ipairs(codes()) do
    if item.code == "OL48" and item.line == row and item.column == moved then return true end
  end
end)
vim.api.nvim_buf_set_text(0, row, moved, row, moved + 4, { "16" })
wait("gone", function() return not has("OL48") end)
told.second = codes()
local function ask(method, at_row, at_column)
  local params = { textDocument = vim.lsp.util.make_text_document_params(),
                   position = { line = at_row, character = at_column } }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    return answer.result
  end
end
local view = vim.fn.search("pypto.view") - 1
local text = vim.api.nvim_buf_get_lines(0, view, view + 1, true)[1]
told.hover = ask("textDocument/hover", view, text:find("view"))
told.completion = #ask("textDocument/completion", view, text:find("view") - 1).items
vim.cmd("bwipeout!")
local out = io.open(vim.env.TEST_OUT, "w")
out:write(vim.fn.json_encode(told))
out:close()
vim.cmd("qall!")
"""


class Neovim(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.home = self.folder / "home"
        (self.folder / "bin").mkdir()
        (self.home / ".config/nvim").mkdir(parents=True)
        os.symlink(BINARY, self.folder / "bin/pypto-lint")
        self.env = {"HOME": str(self.home), "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                    "TERM": "dumb"}

    def test_a_session(self):
        project = self.folder / "project"
        shutil.copytree(ROOT / "examples/broken/custom", project / "custom")
        done = subprocess.run([BINARY, "init", "--client", "neovim", "--user", "--yes"], env=self.env, cwd=project,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.home / ".config/nvim/plugin/pypto-lint.lua").is_file())
        script, out = self.folder / "script.lua", self.folder / "told.json"
        script.write_text(SCRIPT, encoding="utf-8")
        file = project / "custom/softmax_broken/softmax_broken_impl.py"
        done = subprocess.run(["nvim", "--headless", "-n", "-i", "NONE", "-c", f"luafile {script}"], cwd=project,
                              env={**self.env, "TEST_FILE": str(file), "TEST_OUT": str(out)}, capture_output=True,
                              text=True, check=False, timeout=200)
        self.assertTrue(out.exists(), done.stderr)
        told = json.loads(out.read_text(encoding="utf-8"))
        self.assertNotIn("late", told, (told, done.stderr))
        tile, = [item for item in told["first"] if item["code"] == "OL48"]
        self.assertEqual(tile["severity"], 1)
        self.assertTrue(tile["message"].startswith("OL48: tile size must be a compile-time integer"), tile)
        self.assertEqual(len({(item["code"], item["line"], item["column"], item["message"]) for item in told["first"]}),
                         len(told["first"]), "a finding comes twice")
        self.assertGreater(len(told["second"]), 10)
        self.assertIn("pypto.view(input", told["hover"]["contents"]["value"])
        self.assertGreater(told["completion"], 200)

    def test_the_project_s_file_is_the_same(self):
        done = subprocess.run([BINARY, "init", "--client", "neovim", "--yes"], env=self.env, cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / ".nvim.lua").read_bytes(), (ROOT / "hooks/neovim/pypto-lint.lua").read_bytes())


def main():
    global BINARY
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if shutil.which("nvim") is None:
        print("SKIPPED test_neovim.py: Neovim is not installed", file=sys.stderr)
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()

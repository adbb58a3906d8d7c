#!/usr/bin/env python3
"""Characters that hide or reorder text: none reaches an output, whatever its format.

Usage: test_hidden.py BINARY [unittest options]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unicodedata
import unittest

BINARY = None
FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "agent")
# Overrides, isolates, marks, tags, fillers, joiners, selectors, controls of either set.
PLANTED = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x61C, 0x200B, 0x200C, 0x200D, 0x2060, 0xAD,
           0x34F, 0x115F, 0x1160, 0x180E, 0x3164, 0xFFA0, 0xFEFF, 0xFFF9, 0x2028, 0x2029, 0xE0001, 0xE0041, 0xE007F,
           0xE0100, 0xE01EF, 0xFE00, 0x1B, 0x7, 0x8, 0x7F, 0x85, 0x9B, 0x1D173]
TEXT = "".join(map(chr, PLANTED))
KERNEL = """\
import pypto  # {0}


@pypto.frontend.jit
def soft_kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), y="{0}"):
    a = min(x, "{0}")  # {0}
    b = pypto.nosuch("{0}")
    return "{0}"
"""


def is_hidden(character):
    """By Unicode's own tables: other (control, format), and what has no width by default."""
    code = ord(character)
    return (unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp") and character != "\n"
            or code in (0x34F, 0x115F, 0x1160, 0x3164, 0xFFA0) or 0xFE00 <= code <= 0xFE0E or 0xE0000 <= code <= 0xE0FFF)


class Hidden(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name).resolve()

    def run_tool(self, *args, stdin=""):
        done = subprocess.run([BINARY, *map(str, args)], cwd=self.folder, capture_output=True, check=False, timeout=60,
                              input=stdin.encode())
        return done.stdout.decode() + done.stderr.decode()  # strict: it is UTF-8

    def assertVisible(self, text, what):
        found = {hex(ord(character)) for character in text if is_hidden(character)}
        self.assertEqual(found, set(), what)

    def messages(self, value, key=None):
        """Strings that people read, with JSON's escapes undone."""
        if isinstance(value, dict):
            for name, inner in value.items():
                yield from self.messages(inner, name)
        elif isinstance(value, list):
            for inner in value:
                yield from self.messages(inner, key)
        elif isinstance(value, str) and key in ("message", "hint", "reason", "description"):
            yield value

    def operator(self, name="soft"):
        op = self.folder / name
        (op / "eval").mkdir(parents=True)
        impl = KERNEL.format(TEXT.replace("\r", ""))
        (op / f"{name}_impl.py").write_text(impl, encoding="utf-8")
        (op / f"{name}_golden.py").write_text(f"import {'torch'}\nopen('{TEXT}')\n", encoding="utf-8")
        (op / f"test_{name}.py").write_text(f"# {TEXT}\nfrom x{name}_impl import *\n", encoding="utf-8")
        (op / "SPEC.md").write_text(f"---\nname: '{TEXT}'\n{TEXT}: 1\n---\n\n# {TEXT}\n", encoding="utf-8")
        (op / "DESIGN.md").write_text(f"# {TEXT}\n\n```python\npypto.nosuch('{TEXT}')\nx = ({TEXT}\n```\n",
                                      encoding="utf-8")
        (op / "MEMORY.md").write_text(f"## Golden function inventory\n\n| a |\n|--|\n| {TEXT} TODO |\n",
                                      encoding="utf-8")
        (op / "eval/module_interfaces.yaml").write_text(f"'{TEXT}': 1\n", encoding="utf-8")
        return op

    def check_format(self, form, place, stage, lang):
        out = self.run_tool("check", "--stage", stage, "--lang", lang, "--format", form, place)
        self.assertVisible(out, (form, place, stage))
        if form in ("json", "sarif", "gitlab") and out.startswith(("{", "[")):
            report = json.JSONDecoder().raw_decode(out)[0]
            for message in self.messages(report):
                self.assertVisible(message, (form, place, stage, message))

    def test_every_format(self):
        planted = self.operator()
        named = self.operator("s\u202eoft\u2066\U000e0041\x1b")
        for state in ('{"current_stage": 5}', '{"operator_name": ' + json.dumps(TEXT) + ', "current_stage": 5}',
                      '{"current_stage": ' + json.dumps(TEXT, ensure_ascii=False), None):
            for op in (planted, named):
                path = op / ".orchestrator_state.json"
                path.write_text(state or "", encoding="utf-8")
                if state is None:
                    path.unlink()
            for form in FORMATS:
                for place in (self.folder, named) if state else (planted / "soft_impl.py",):
                    self.check_format(form, place, "5", "en")
            for stage in ("1", "4"):
                self.check_format("json", self.folder, stage, "zh")
                self.check_format("text", self.folder, stage, "zh")
            for command in (["doctor"], ["interfaces"], ["--op-dir"], ["--no-exec", "--stage", "5", "--op-dir"],
                            ["--upstream", "--op-dir"], ["scaffold"], ["compose"]):
                self.assertVisible(self.run_tool(*command, planted), command)
                self.assertVisible(self.run_tool(*command, named), command)

    def test_settings_and_baselines(self):
        op = self.operator()
        for text in (f"{TEXT}: 1\n", f"select: ['{TEXT}']\n", f'lang: "{TEXT}"\n', f"max-file-size: '{TEXT}'\n",
                     f"per-path:\n  '{TEXT}': 1\n", f"[{TEXT}", "a: \x01\n"):
            (op / ".pypto-lint.yaml").write_text(text, encoding="utf-8")
            for form in FORMATS:
                self.assertVisible(self.run_tool("check", "--format", form, op), text)
        (op / ".pypto-lint.yaml").unlink()
        baseline = self.folder / "baseline.json"
        for text in (f'{{"{TEXT}": 1}}', f'{{"version": "{TEXT}"}}', f"[{TEXT}", json.dumps({"version": TEXT})):
            baseline.write_text(text, encoding="utf-8")
            self.assertVisible(self.run_tool("check", "--baseline", baseline, op), text)
            self.assertVisible(self.run_tool("stats", baseline), text)

    def test_arguments(self):
        for args in (["check", TEXT.replace("\0", "")], ["check", "--rules", TEXT], ["check", "--format", TEXT], [TEXT],
                     ["explain", TEXT], ["hook", TEXT], ["verify", TEXT], ["check", "--changed-since", TEXT, "."]):
            self.assertVisible(self.run_tool(*args), args)

    def test_hooks(self):
        op = self.operator()
        (op / ".orchestrator_state.json").write_text('{"current_stage": 5}')
        named = self.operator("s\u202eoft")
        (named / ".orchestrator_state.json").write_text('{"current_stage": 5}')
        for place in (op, named):
            for file in place.iterdir():
                event = {"tool_name": "Write", "tool_input": {"file_path": str(file), "command": TEXT}, "cwd": str(place)}
                for ascii_only in (True, False):
                    for hook in ("post-edit", "pre-edit", "stop"):
                        out = self.run_tool("hook", hook, stdin=json.dumps(event, ensure_ascii=ascii_only))
                        self.assertVisible(out, (hook, file))
                        if out:
                            for text in self.strings(json.loads(out)):
                                self.assertVisible(text, (hook, file))
        for hook in ("post-bash", "pre-edit"):
            event = {"tool_name": "Bash", "tool_input": {"command": f"python3 test_soft.py {TEXT}"}, "cwd": str(op),
                     "tool_response": {"stdout": TEXT + "[PRECISION_FAIL]" + TEXT}}
            out = self.run_tool("hook", hook, stdin=json.dumps(event))
            self.assertVisible(out, hook)

    def strings(self, value):
        if isinstance(value, dict):
            for inner in value.values():
                yield from self.strings(inner)
        elif isinstance(value, str):
            yield value


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()

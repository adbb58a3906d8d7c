"""scripts/compare_product.py on small trees.

Usage: test_compare_product.py
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tree

SCRIPT = tree.ROOT / "scripts/compare_product.py"
API = json.loads((tree.ROOT / "rules/data/pypto-api.json").read_text(encoding="utf-8"))


def signature(entry):
    """Parameters as Python writes them."""
    listed, starred = [], False
    for one in entry["params"]:
        if one.get("kind") == "keyword_only" and not starred:
            listed.append("*")
            starred = True
        listed.append(one["name"] + ("" if one["required"] else "=None"))
    return ", ".join(listed)


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make(self, version, **changes):
        """A tree that has what the list says of a version; `changes` are texts added to modules."""
        lines = ["from ._controller import *", "from .operation import *"]
        modules = {"_controller": ["__all__ = ['loop']"], "operation": []}
        for entry in API["attributes"]:
            name, params = entry["name"], entry.get("params")
            if entry.get("since", "9.1") > version or entry.get("until", "9.2") < version:
                continue
            module = "_controller" if name == "loop" else "operation"
            if params is not None and entry["kind"] == "function":
                shown = {**entry, "params": [one for one in params if one.get("since", "9.1") <= version]}
                modules[module].append("def %s(%s): pass" % (name, signature(shown)))
            else:
                modules["operation"].append("%s = 1" % name)
        modules["_controller"].append("def hidden(): pass")
        package = self.folder / "tree/python/pypto"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("\n".join(lines + [changes.pop("init", "")]), encoding="utf-8")
        for name, text in changes.items():
            modules.setdefault(name, []).append(text)
        for name, text in modules.items():
            (package / (name + ".py")).write_text("\n".join(text), encoding="utf-8")
        # A sub-module that is imported is an attribute; "operation" is one.
        return self.folder / "tree"

    def compare(self, *arguments):
        done = subprocess.run([sys.executable, "-B", str(SCRIPT), *map(str, arguments)], timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode() + done.stderr.decode()

    def test_the_same(self):
        for version in ("9.1", "9.2"):
            with self.subTest(version):
                self.setUp()
                answer = self.compare(self.make(version), "--version", version)
                self.assertEqual(answer, (0, "the tree and the tables agree\n"))

    def test_another_version(self):
        status, text = self.compare(self.make("9.1"), "--version", "9.2")
        self.assertEqual(status, 1)
        self.assertIn("names: pypto.isnan is in the list, not in the tree\n", text)
        self.assertIn("names: pypto.struct is in the tree, not in the list\n", text)
        self.assertIn("parameters: pypto.set_pass_options has (", text)
        self.assertIn("options: pass_options has 'enable_slice' in the simulator, not in the tree\n", text)

    def test_what_is_new(self):
        made = self.make("9.2", operation="def set_host_options(*, brand_new=1, compile_stage=1): pass\n"
                         "def fresh(x): pass\nclass Newer:\n    def __init__(self, a, b=1): pass\n",
                         init="from .extra import moved as renamed\nfor leaked in (): pass\nimport os as _os\n",
                         extra="def moved(): pass\n")
        text = (made / "python/pypto/operation.py").read_text(encoding="utf-8")
        text = text.replace("def abs(a)", "def abs(a, mode, *, fast=True)")
        (made / "python/pypto/operation.py").write_text(text, encoding="utf-8")
        status, text = self.compare(made)
        self.assertEqual(status, 1)
        lines = text.splitlines()
        for name in ("fresh", "Newer", "renamed", "leaked", "extra"):
            self.assertIn("names: pypto.%s is in the tree, not in the list" % name, lines)
        self.assertIn("parameters: pypto.abs has (a, mode, fast=…) in the tree, (a) in the list", lines)
        self.assertNotIn("hidden", text)
        self.assertNotIn("moved", text)

    def test_options_and_members(self):
        made = self.make("9.2")
        path = made / "python/pypto/operation.py"
        text = path.read_text(encoding="utf-8").replace("def set_host_options(*, ", "def set_host_options(*, brand=1, ")
        path.write_text(text, encoding="utf-8")
        (made / "python/pypto/pypto_impl").mkdir()
        (made / "python/pypto/pypto_impl/__init__.pyi").write_text(
            "class SatStatus:\n    SAT: int\n    UNSAT: int\n    MAYBE = 3\n", encoding="utf-8")
        status, text = self.compare(made)
        self.assertEqual(status, 1)
        self.assertIn("options: host_options has 'brand' in the tree, the simulator does not know it\n", text)
        self.assertIn("members: SatStatus.MAYBE is in the tree only\n", text)
        self.assertIn("members: SatStatus.UNKNOWN is in the list only\n", text)

    def test_documentation(self):
        made = self.make("9.2")
        docs = self.folder / "docs/api"
        docs.mkdir(parents=True)
        (docs / "pypto-isnan.md").write_text(
            "# isnan\n| self | data type: DT_FP16, DT_BF16, DT_DOUBLE |\nOther text with DT_INT4.\n", encoding="utf-8")
        status, text = self.compare(made, "--docs", self.folder / "docs")
        self.assertEqual((status, text.splitlines()), (1, [
            "dtypes: isnan takes DT_DOUBLE by pypto-isnan.md, not by ops.def",
            "dtypes: isnan takes DT_FP32 by ops.def, not by pypto-isnan.md"]))

    def test_what_cannot_be_read(self):
        self.assertEqual(self.compare(self.folder)[0], 2)
        made = self.make("9.2", operation="def broken(:\n")
        (made / "python/pypto/_controller.py").unlink()
        (self.folder / "outside.py").write_text("def outside(): pass\n", encoding="utf-8")
        (made / "python/pypto/_controller.py").symlink_to(self.folder / "outside.py")
        status, text = self.compare(made)
        self.assertEqual(status, 1)
        self.assertIn("unread: module 'operation' could not be read\n", text)
        self.assertNotIn("outside", text)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The version of PyPTO that counts, and the names of an installed package, found by reading.

Usage: test_product.py BINARY [unittest options]
"""
import json
import os
import shutil
import stat

import support
from product_support import FILES, OLD, ProductTest, time_of_children
from support import call

NAMES = {"pypto_impl", "frontend", "experimental", "set_vec_tile_shapes", "loop", "cond", "isnan", "add", "torch",
         "cls", "made", "pack", "view", "fixed", "handle", "left", "rest", "squares", "other", "DataType", "DT_FP32", "jit",
         "Tensor", "Element", "tensor", "config", "op", "enum", "pil", "error"}
NOT_NAMES = ("hidden", "inside", "thing", "OnlyForTypes", "typed", "lazy", "n", "attribute", "parser", "math")


class Version(ProductTest):
    def test_nothing_is_known(self):
        self.assertEqual(self.doctor(), {"version": "9.2", "source": "default", "place": None,
                                         "installed": None, "installed_number": None})
        page = call("doctor", "project", cwd=self.folder, env=self.environment).out
        self.assertRegex(page, r"\nPyPTO +9\.2 \(the newest one described: no version is set, no package found\)\n")

    def test_order(self):
        site = self.install(number="9.1.0", files=OLD)
        installed = {"PYTHONPATH": str(site)}
        self.assertEqual(self.doctor(**installed)["version"], "9.1")
        self.assertEqual(self.doctor(**installed)["source"], "installed")
        self.write("project/.pypto-lint.yaml", 'pypto: "9.2"\n')
        answer = self.doctor(**installed)
        self.assertEqual((answer["version"], answer["source"], answer["installed_number"]),
                         ("9.2", "settings", "9.1.0"))
        self.assertTrue(answer["place"].endswith("/project/.pypto-lint.yaml"))
        answer = self.doctor(PTOSIM_PYPTO="9.1", **installed)
        self.assertEqual((answer["version"], answer["source"]), ("9.1", "environment"))
        self.assertEqual(self.lint("isnan", PTOSIM_PYPTO="9.1"), {"isnan": "FAIL"})
        self.assertEqual(self.lint("isnan", more=("--pypto", "9.2"), PTOSIM_PYPTO="9.1"), {})

    def test_setting(self):
        for text in ('pypto: "9.1"\n', "pypto: 9.1\n"):
            self.write("project/.pypto-lint.yaml", text)
            self.assertEqual(self.doctor()["version"], "9.1")
        self.write("project/k_impl.py", "import pypto\n")
        for text in ('pypto: "9.3"\n', "pypto: [9.1]\n", "pypto:\n"):
            self.write("project/.pypto-lint.yaml", text)
            done = call("check", "project/k_impl.py", cwd=self.folder, env=self.environment)
            self.assertEqual(done.status, 2)
            self.assertIn("pypto", done.err)

    def test_numbers(self):
        for number, files, expected in (
                ("9.2.0", {}, "9.2"), ("9.1.0", OLD, "9.1"), ("10.0.0", {}, "9.2"), ("8.5", OLD, "9.1"),
                ("9.1.0", {}, "9.2"),  # a beta of 9.2 calls itself so
                ("", {}, "9.2"), ("", OLD, "9.1"), ("soon", {}, "9.2")):
            with self.subTest(number):
                shutil.rmtree(self.folder / "site", ignore_errors=True)
                site = self.install(number=number, files=files)
                self.assertEqual(self.doctor(PYTHONPATH=str(site))["version"], expected)
        page = call("doctor", "project", cwd=self.folder, env={
            **self.environment, "PYTHONPATH": str(self.install(site="new", number="10.1.0"))}).out
        self.assertIn("the installed PyPTO is 10.1.0, which is not known here: it is treated as 9.2", page)

    def test_beta(self):
        site = self.install(number="9.1.0", files={
            "frontend/parser/entry.py": "def jit(f=None, *, new_ir: bool = False): pass\n"})
        page = call("doctor", str(self.folder), env={**self.environment, "PYTHONPATH": str(site)}).out
        self.assertRegex(page, r"\nPyPTO +9\.2 with the front end of 9\.1 by default \(installed: .*/site/pypto\)\n")

    def test_places(self):
        self.write("project/.venv/pyvenv.cfg", "home = /usr/bin\n")
        self.install(site="project/.venv/lib/python3.11/site-packages")
        self.assertEqual(self.doctor("project/deep/er")["source"], "installed")
        self.assertEqual(self.doctor("elsewhere")["source"], "default")
        python = self.write("other/bin/python3", "#!/bin/sh\n")
        os.chmod(python, 0o755)
        self.install(site="other/lib/python3.12/dist-packages", number="9.2.1")
        answer = self.doctor("elsewhere", PATH=str(python.parent))
        self.assertEqual(answer["installed_number"], "9.2.1")
        self.assertEqual(self.lint("add", "nope", more=("--python", str(python))), {"nope": "FAIL"})
        self.assertEqual(self.doctor("elsewhere", PYPTO_LINT_PYTHON=str(python))["source"], "installed")

    def test_editable_and_toolkit(self):
        self.write("tree/version.cmake", 'set_cann_package(pypto VERSION "9.2.3")\n')
        self.install(site="tree/python", number=None)
        self.write("pths/pypto.pth", "import sys\n/nowhere\n%s\n" % (self.folder / "tree/python"))
        self.assertEqual(self.doctor(PYTHONPATH=str(self.folder / "pths"))["installed_number"], "9.2.3")
        self.write("urls/pypto-0.2.1.dist-info/direct_url.json",
                   json.dumps({"url": "file://%s" % (self.folder / "tree"), "dir_info": {"editable": True}}))
        self.assertEqual(self.doctor(PYTHONPATH=str(self.folder / "urls"))["installed_number"], "9.2.3")
        self.write("cann/share/info/pypto/version.info", "# text\nVersion=9.1.0\n")
        answer = self.doctor(ASCEND_HOME_PATH=str(self.folder / "cann"))
        self.assertEqual((answer["version"], answer["source"]), ("9.1", "installed"))

    def test_other_packages_of_that_name(self):
        self.write("site/pypto/__init__.py", "import os\nprint('a stand-in')\n")
        self.assertEqual(self.doctor(PYTHONPATH=str(self.folder / "site"))["source"], "default")
        self.write("fake/pypto/__init__.py", "def loop(n):\n    return range(n)\n")  # of somebody's tests
        self.assertEqual(self.doctor(PYTHONPATH=str(self.folder / "fake"))["source"], "default")
        # Operations, but not the names that no kernel does without: the list that is built in counts.
        self.install("stub", number="", files={"__init__.py": "from .op import *\nfrom ._controller import *\n"})
        stub = str(self.folder / "stub")
        self.assertEqual(self.doctor(PYTHONPATH=stub)["source"], "default")
        self.assertEqual(self.lint("matmul", "nope", PYTHONPATH=stub), {"nope": "FAIL"})
        # With a number the version is known, the names are not.
        self.install("numbered", number="9.2.0", files={"__init__.py": "from .op import *\n"})
        answer = self.doctor(PYTHONPATH=str(self.folder / "numbered"))
        self.assertEqual((answer["version"], answer["source"]), ("9.2", "installed"))
        self.assertEqual(self.lint("matmul", "nope", PYTHONPATH=str(self.folder / "numbered")), {"nope": "FAIL"})
        simulator = support.pathlib.Path(support.BINARY).parents[1] / "share/pypto-lint/sim"
        self.assertEqual(self.doctor(PYTHONPATH=str(simulator))["source"], "default")


class Names(ProductTest):
    def test_names_of_the_package(self):
        site = str(self.install())
        statuses = self.lint(*sorted(NAMES), *NOT_NAMES, PYTHONPATH=site)
        self.assertEqual(statuses, {name: "FAIL" for name in NOT_NAMES})
        self.assertIn("site/pypto)", self.messages["hidden"])

    def test_names_of_a_version(self):
        expected = {"isnan": "WARN", "jit": "WARN", "struct": "WARN", "nope": "FAIL"}
        self.assertEqual(self.lint("isnan", "jit", "struct", "nope", "add"), expected)
        self.assertEqual(self.messages["isnan"], "pypto.isnan exists only since PyPTO 9.2")
        self.assertEqual(self.messages["struct"], "pypto.struct exists only up to PyPTO 9.1")
        self.assertEqual(self.lint("isnan", "struct", more=("--pypto", "9.2")), {"struct": "FAIL"})
        self.assertEqual(self.lint("isnan", "struct", more=("--pypto", "9.1")), {"isnan": "FAIL"})
        self.assertIn("the version here is 9.1 (--pypto)", self.messages["isnan"])

    def test_guards(self):
        self.write("project/k_impl.py", """\
import pypto
if hasattr(pypto, "isnan"):
    pypto.isnan
else:
    pypto.pack
try:
    pypto.jit
except AttributeError:
    pypto.unpack
a = pypto.isnan if getattr(pypto, "isnan", None) else 1
""")
        done = call("check", "--rules", "OL55", "--format", "json", "--pypto", "9.1", "project/k_impl.py",
                    cwd=self.folder, env=self.environment)
        self.assertEqual([finding["line"] for finding in self.findings(done)], [9])

    def test_a_module_that_cannot_be_read_wholly(self):
        for files in ({"op/math.py": "def broken(:\n"}, {"op/math.py": "__all__ = names()\n"},
                      {"op/math.py": "from numpy import *\n"}, {"op/math.py": None}):
            shutil.rmtree(self.folder / "site", ignore_errors=True)
            site = str(self.install(files=files))
            # What the list has counts, too; what the package has and the list has not, as well.
            self.assertEqual(self.lint("sub", "isnan", "made", "nope", PYTHONPATH=site), {"nope": "FAIL"})

    def test_the_list_in_the_environment_counts_more(self):
        attributes = self.write("names.json", '["frontend", "mine"]')
        site = str(self.install())
        self.assertEqual(self.lint("mine", "add", PYTHONPATH=site, PYPTO_LINT_ATTRS_FILE=str(attributes)),
                         {"add": "FAIL"})

    def test_cache(self):
        site = self.install()
        environment = {"PYTHONPATH": str(site), "XDG_CACHE_HOME": str(self.folder / "cache")}
        self.assertEqual(self.lint("fresh", **environment), {"fresh": "FAIL"})
        cached, = (self.folder / "cache/pypto-lint").iterdir()
        text = cached.read_text()
        self.assertEqual(stat.S_IMODE(cached.parent.stat().st_mode), 0o700)
        # The cache is what is read …
        cached.write_text(text.replace("\nadd\n", "\nfresh\n"))
        self.assertEqual(self.lint("fresh", "add", **environment), {"add": "FAIL"})
        # … but not when it is broken …
        for broken in ("", text[:len(text) // 2], text.replace(" 1\n", " 2\n", 1), "\0" * 5000,
                       text.replace("\nadd\n", "\n")):
            cached.write_text(broken)
            self.assertEqual(self.lint("fresh", **environment), {"fresh": "FAIL"})
        # … nor when a file has another time or size.
        self.write("site/pypto/op/math.py", "def fresh(x): pass\ndef isnan(x): pass\ndef view(x): pass\n")
        self.assertEqual(self.lint("fresh", "add", **environment), {"add": "FAIL"})
        os.utime(self.folder / "site/pypto/op/math.py", ns=(1, 1))
        self.assertEqual(self.lint("fresh", "add", **environment), {"add": "FAIL"})
        self.assertEqual(len(list(cached.parent.iterdir())), 1)

    def test_cache_that_cannot_be_written(self):
        self.write("file", "")
        self.assertEqual(self.lint("nope", PYTHONPATH=str(self.install()), XDG_CACHE_HOME=str(self.folder / "file")),
                         {"nope": "FAIL"})


class Projects(ProductTest):
    """Each file is judged by the package of its own project."""

    def project(self, name, **files):
        self.write("%s/.venv/pyvenv.cfg" % name, "home = /usr/bin\n")
        return self.install("%s/.venv/lib/python3.11/site-packages" % name, **files)

    def statuses(self, *places, text="pypto.isnan\npypto.mine\n"):
        for place in places:
            self.write(place, "import pypto\npypto.frontend\n" + text)
        done = call("check", "--rules", "OL55", "--format", "json", *places, cwd=self.folder,
                    env=self.environment)
        self.assertIn(done.status, (0, 1), done.err)
        return sorted((finding["file"], finding["line"], finding["status"]) for finding in self.findings(done))

    def test_two_in_one_run(self):
        self.project("a", number="9.1.0", files=OLD)
        self.project("b", files={"lazy.py": "", "op/math.py": FILES["op/math.py"] + "def mine(): pass\n"})
        places = ("a/x/k_impl.py", "b/y/z/k_impl.py", "c/k_impl.py")
        expected = [("a/x/k_impl.py", 3, "FAIL"), ("a/x/k_impl.py", 4, "FAIL"),
                    ("c/k_impl.py", 3, "WARN"), ("c/k_impl.py", 4, "FAIL")]
        self.assertEqual(self.statuses(*places), expected)
        self.assertEqual(self.statuses(*reversed(places)), expected)

    def test_inner_environment_first(self):
        self.project("a", number="9.1.0", files=OLD)
        self.project("a/b")
        self.assertEqual(self.statuses("a/b/k_impl.py", text="pypto.isnan\n"), [])
        self.assertEqual(self.statuses("a/c/k_impl.py", text="pypto.isnan\n"), [("a/c/k_impl.py", 3, "FAIL")])

    def test_very_many(self):
        """A tree full of environments: some of them are looked at, and it is quick."""
        for i in range(40):
            self.project("p%02d" % i, number="9.1.0", files=OLD)
        begin = time_of_children()
        found = self.statuses(*("p%02d/k_impl.py" % i for i in range(40)), text="pypto.isnan\n")
        self.assertLess(time_of_children() - begin, 20)
        self.assertEqual([status for _, _, status in found], ["FAIL"] * 16 + ["WARN"] * 24)


class Hostile(ProductTest):
    """The package may be one that somebody put into the project."""

    def timed(self, *names, **files):
        """The findings; quickly."""
        return self.timed_at(self.install(files={name.replace("__", "/").replace("DOT", "."): text
                                                 for name, text in files.items()}), *names)

    def timed_at(self, site, *names):
        """The findings with the package at `site`; in 20 s of processor time, whatever else runs here."""
        start = time_of_children()
        statuses = self.lint(*names, PYTHONPATH=str(site))
        self.assertLess(time_of_children() - start, 20)
        return statuses

    def test_links_out_of_the_tree(self):
        site = self.install()
        self.write("outside/secret.py", "def secret(): pass\n")
        (site / "pypto/op/math.py").unlink()
        (site / "pypto/op/math.py").symlink_to(self.folder / "outside/secret.py")
        (site / "pypto/config.py").unlink()
        (site / "pypto/config.py").symlink_to("../../outside/secret.py")
        shutil.rmtree(site / "pypto/frontend")
        (site / "pypto/frontend").symlink_to(self.folder / "outside")
        environment = {"PYTHONPATH": str(site), "XDG_CACHE_HOME": str(self.folder / "cache")}
        self.assertEqual(self.lint("secret", "made", **environment), {"secret": "FAIL"})
        cached, = (self.folder / "cache/pypto-lint").iterdir()
        self.assertNotIn("secret", cached.read_text())

    def test_huge_file(self):
        self.assertEqual(self.timed("made", "nope", config__DOTpy="", op__mathDOTpy="a = 1\n" * 200000),
                         {"nope": "FAIL"})

    def test_huge_tree(self):
        files = {"op/m%d.py" % i: "from .m%d import *\nx%d = 1\n" % (i + 1, i) + "y = 1\n" * 40000
                 for i in range(300)}
        site = self.install(files={**files, "op/math.py": "from .m0 import *\n"})
        self.assertEqual(self.timed_at(site, "x0", "nope"), {"nope": "FAIL"})

    def test_cycles_and_depth(self):
        self.assertEqual(self.timed("deep", "nope", op__mathDOTpy="from . import *\nfrom .math import *\n"
                                    "from .. import *\nfrom ....... import *\nfrom .other import *\n"
                                    "deep = " + "(" * 150 + "1" + ")" * 150 + "\n"), {"nope": "FAIL"})
        self.timed("nope", op__mathDOTpy="x = " + "-" * 100000 + "1\n")
        self.timed("nope", op__mathDOTpy="if 1:\n" + "".join(
            " " * i + "if 1:\n" for i in range(1, 1200)) + " " * 1200 + "pass\n")

    def test_strange_files(self):
        site = self.install(files={"config.py": None, "op/math.py": b"\xff\xfe\0\0bad"})
        os.mkfifo(site / "pypto/config.py")
        os.mkdir(site / "pypto/op.py")
        self.assertEqual(self.lint("made", "nope", PYTHONPATH=str(site)), {"nope": "FAIL"})
        self.write("odd/pypto-9.dist-info/METADATA/x", "")
        self.install(site="odd", number=None)
        self.assertEqual(self.doctor(PYTHONPATH=str(self.folder / "odd"))["version"], "9.2")

    def test_names_are_only_names(self):
        site = self.install(files={"_controller.py": "__all__ = ['loop', 'a\\nb', 'x' * 3, '', '_y']\n",
                                   "op/math.py": "__all__ = ['isnan', 'add', 'nl\\nFAKE', 'z']\n"})
        environment = {"PYTHONPATH": str(site), "XDG_CACHE_HOME": str(self.folder / "cache")}
        for _ in range(2):  # read, then from the cache
            self.assertEqual(self.lint("FAKE", "z", **environment), {"FAKE": "FAIL"})


if __name__ == "__main__":
    support.main()

"""What the program reads: standard input, named files, discovery, special and unreadable files."""
import json
import os
import subprocess
import threading
import time
import unittest

import support

KERNEL = """\
import pypto as pt


@pt.frontend.jit
def k(x: pt.Tensor([pt.DYNAMIC, 64], pt.DT_FP32)):
    from pypto import frontend
    return x
"""
BAD_IMPORT = "from pypto import frontend\n"


class InputsTest(support.CliTest):
    def check(self, *args, **options):
        return support.call("check", "--no-exec", "--format", "json", *args,
                            cwd=options.pop("cwd", self.folder), **options)

    def operator(self, folder="soft", impl=BAD_IMPORT):
        name = folder.rpartition("/")[2]
        self.write(f"{folder}/{name}_impl.py", impl)
        self.write(f"{folder}/README.md", "")


def runs(report):
    return report.get("runs", [report]) if report else []


def files(report):
    """"dir/file" of every finding."""
    return sorted({f"{run['op_dir']}/{f['file']}" for run in runs(report) for f in run["findings"]})


class StandardInput(InputsTest):
    def test_in_an_operator_directory(self):
        self.operator(impl="x = 1\n")
        done = self.check("--rules", "OL07", "--stdin-filename", "soft/soft_impl.py", "-", stdin=BAD_IMPORT.encode())
        report = done.json()
        self.assertEqual((done.status, report["op_name"], report["op_dir"]), (1, "soft", "soft"))
        self.assertEqual([(f["file"], f["line"]) for f in report["findings"]], [("soft_impl.py", 1)])
        self.assertEqual(self.read("soft/soft_impl.py"), "x = 1\n")

    def test_the_text_counts_not_the_file(self):
        self.operator(impl=BAD_IMPORT)
        done = self.check("--rules", "OL07", "--stdin-filename", "soft/soft_impl.py", "-", stdin=b"import pypto\n")
        self.assertEqual((done.status, done.json()["findings"]), (0, []))

    def test_a_file_that_does_not_exist_yet(self):
        self.operator(impl="x = 1\n")
        done = self.check("--rules", "OL07", "--stdin-filename", "soft/modules/soft_module1_impl.py", "-",
                          stdin=BAD_IMPORT.encode())
        self.assertEqual([f["file"] for f in done.json()["findings"]], ["modules/soft_module1_impl.py"])

    def test_outside(self):
        done = self.check("--rules", "OL07", "--stdin-filename", "elsewhere/kernel.py", "-", stdin=BAD_IMPORT.encode())
        self.assertEqual([f["file"] for f in done.json()["findings"]], ["elsewhere/kernel.py"])
        done = self.check("--rules", "OL07", "-", stdin=BAD_IMPORT.encode())
        self.assertEqual(done.status, 1)
        self.assertEqual(len(done.json()["findings"]), 1)

    def test_golden_and_test_by_name(self):
        self.operator(impl="x = 1\n")
        done = self.check("--stdin-filename", "soft/soft_golden.py", "-", stdin=b"import pypto\n")
        self.assertIn("OL15", {f["rule"] for f in done.json()["findings"]})

    def test_odd_text(self):
        for text, status in ((b"", 0), (b"\n", 0), (b"\xff\n", 1), (b"x = (\n", 1), (b"\0", 1),
                             (b"\xef\xbb\xbfx = 1\r\n", 0), (b"def f(:\r", 1)):
            done = self.check("--stdin-filename", "k.py", "-", "--rules", "OL06", stdin=text)
            self.assertEqual(done.status, status, text)
            self.assertEqual([f["rule"] for run in runs(done.json()) for f in run["findings"]][:1],
                             ["OL00"] if status else [], text)

    def test_slow_writer(self):
        child = subprocess.Popen([support.BINARY, "check", "--format", "json", "--rules", "OL07", "-"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.folder)
        for part in ("from pypto ", "import ", "frontend\n"):
            time.sleep(0.1)
            child.stdin.write(part.encode())
            child.stdin.flush()
        out, _ = child.communicate(timeout=20)
        self.assertEqual(len(json.loads(out)["findings"]), 1)

    def test_closed(self):
        done = subprocess.run([support.BINARY, "check", "-"], capture_output=True, check=False,
                              preexec_fn=lambda: os.close(0))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"standard input", done.stderr)


class NamedFiles(InputsTest):
    def test_loose_kernel_file(self):
        self.write("demo.py", KERNEL)
        done = self.check("demo.py")
        report = done.json()
        self.assertEqual((report["op_name"], report["op_dir"]), ("", "."))
        self.assertTrue({"OL03", "OL07"} & {f["rule"] for f in report["findings"]})
        self.assertTrue(all(f["file"] == "demo.py" for f in report["findings"]))
        ids = {entry["id"] for entry in report["rules"]}
        for sibling in ("OL60", "OL61", "OL41", "OL42", "OL50", "OL51"):
            self.assertNotIn(sibling, ids)

    def test_named_file_without_kernel_is_linted(self):
        self.write("plain.py", BAD_IMPORT)
        self.assertEqual(files(self.check("--rules", "OL07", "plain.py").json()), ["./plain.py"])
        self.assertEqual(files(self.check(".").json()), [])

    def test_file_of_an_operator(self):
        self.operator()
        self.write("soft/modules/soft_module1_impl.py", BAD_IMPORT)
        report = self.check("--rules", "OL07", "soft/modules/soft_module1_impl.py").json()
        self.assertEqual(files(report), ["soft/modules/soft_module1_impl.py"])

    def test_slashes_at_the_end(self):
        self.operator("a")
        plain = self.check("--op-dir", "a").json()
        self.assertEqual(plain["op_name"], "a")
        for path in ("a/", "a//"):
            with self.subTest(path=path):
                report = self.check("--op-dir", path).json()
                self.assertEqual((report["op_name"], report["op_dir"], report["findings"]),
                                 ("a", "a", plain["findings"]))

    def test_place_named_twice(self):
        self.operator()
        self.assertEqual(self.check("--rules", "OL07", "soft", "./soft", "soft/soft_impl.py").out.count('"OL07"'),
                         self.check("--rules", "OL07", "soft").out.count('"OL07"'))

    def test_nothing_to_lint(self):
        self.write("notes.txt", "x")
        (self.folder / "empty").mkdir()
        for place in ("notes.txt", ".", "empty"):
            done = self.check(place)
            self.assertEqual(done.status, 0)
            self.assertIn(f"no PyPTO files below {place}: nothing was checked", done.err)
        # A folder that is named as an operator is not passed over.
        done = self.check("--op-dir", "empty")
        self.assertEqual(done.status, 2)
        self.assertIn("so nothing was checked", done.err)

    def test_rules_that_select_nothing(self):
        self.write("custom/addone/addone_golden.py", "import torch\n")
        done = self.check("custom", "--rules", "OL11")
        self.assertEqual(done.status, 0)
        self.assertIn("nothing was checked: none of the selected rules applies here", done.err)
        self.write(".pypto-lint.yaml", "ignore: [D1, D2, D3, D4, D5]\n")
        done = self.check("custom")
        self.assertIn("nothing was checked: the settings and the options select no rule", done.err)
        done = support.call("check", "custom", cwd=self.folder)
        self.assertEqual(done.out.splitlines()[-1].partition(" (")[0], "Nothing was checked")

    def test_misspelt_command(self):
        done = support.call("verfy", cwd=self.folder)
        self.assertEqual(done.status, 2)
        self.assertIn("did you mean the command 'verify'?", done.err)
        self.assertNotIn("did you mean", support.call("--", "verfy", cwd=self.folder).err)
        self.assertNotIn("did you mean", support.call("./verfy", cwd=self.folder).err)

    def test_command_behind_an_option(self):
        done = support.call("--lang", "en", "explain", "OL01", cwd=self.folder)
        self.assertEqual(done.status, 2)
        self.assertIn("'explain' is taken for a path; a command comes before its options", done.err)
        done = support.call("--output", "stats", ".", cwd=self.folder)
        self.assertNotIn("is taken for a path", done.err)

    def test_missing(self):
        done = self.check("none.py")
        self.assertEqual(done.status, 2)
        self.assertIn("none.py", done.err)

    def test_spaces_and_unicode_in_names(self):
        self.operator("my 算子")
        report = self.check("--rules", "OL07", "my 算子").json()
        self.assertEqual((report["op_name"], report["findings"][0]["file"]), ("my 算子", "my 算子_impl.py"))

    def test_names_that_are_not_utf8(self):
        path = os.fsencode(self.folder) + b"/bad\xff_impl.py"
        with open(path, "wb") as file:
            file.write(BAD_IMPORT.encode())
        for form in ("json", "sarif", "text", "github", "concise"):
            done = subprocess.run([support.BINARY, "check", "--no-exec", "--rules", "OL07", "--format", form, path],
                                  capture_output=True, check=False)
            self.assertEqual(done.returncode, 1, form)
            if form in ("json", "sarif"):
                json.loads(done.stdout.decode("utf-8"))


class Discovery(InputsTest):
    def found(self, *args, **options):
        return files(self.check("--rules", "OL07", *args, **options).json())

    def test_tree(self):
        self.operator("custom/a")
        self.operator("custom/deep/er/b")
        self.write("samples/k.py", KERNEL + BAD_IMPORT)
        self.write("samples/no_kernel.py", BAD_IMPORT)
        self.write("samples/text.txt", KERNEL + BAD_IMPORT)
        self.assertEqual(self.found(), ["./samples/k.py", "custom/a/a_impl.py", "custom/deep/er/b/b_impl.py"])
        self.assertEqual(self.found("."), self.found())
        self.assertEqual(self.found("samples"), ["./samples/k.py"])

    def test_ignored_by_git(self):
        subprocess.run(["git", "init", "-q", "."], cwd=self.folder, check=True)
        self.write(".gitignore", "build/\n*_old/\n")
        self.operator("a")
        self.operator("build/b")
        self.operator("c_old")
        self.assertEqual(self.found("."), ["a/a_impl.py"])
        self.assertEqual(self.found("build"), ["build/b/b_impl.py"])  # never skipped when named
        self.assertEqual(self.found("c_old"), ["c_old/c_old_impl.py"])

    def test_hidden_folders(self):
        self.operator(".hidden/a")
        self.assertEqual(self.found("."), [])
        self.assertEqual(self.found(".hidden"), [".hidden/a/a_impl.py"])

    def test_symlinks(self):
        self.operator("tree/a")
        self.operator("outside/b")
        (self.folder / "tree/loop").symlink_to("..")
        (self.folder / "tree/self").symlink_to(".")
        (self.folder / "tree/out").symlink_to("../outside")
        (self.folder / "tree/dangling").symlink_to("nowhere")
        (self.folder / "tree/again").symlink_to("a")
        self.assertEqual(self.found("tree"), ["tree/a/a_impl.py"])
        self.assertEqual(self.found("tree/out"), ["tree/out/b/b_impl.py"])  # named

    def test_link_to_itself_when_named(self):
        (self.folder / "loop").symlink_to("loop")
        done = self.check("loop")
        self.assertEqual(done.status, 2)
        self.assertIn("loop", done.err)


class SpecialFiles(InputsTest):
    def test_pipes_do_not_block(self):
        self.operator()
        os.mkfifo(self.folder / "soft/soft_golden.py")
        os.mkfifo(self.folder / "soft/DESIGN.md")
        os.mkfifo(self.folder / "soft/MEMORY.md")
        os.mkfifo(self.folder / "soft/.orchestrator_state.json")
        os.mkfifo(self.folder / "tree_kernel.py")
        done = self.check("soft")
        self.assertIn(done.status, (0, 1, 2))
        self.assertEqual(self.check(".").json() is not None, True)
        self.assertEqual(self.check("tree_kernel.py").status, 2)

    def test_folders_in_place_of_files(self):
        for name in ("soft_golden.py", "test_soft.py", "DESIGN.md", "MEMORY.md", "SPEC.md", ".pypto-lint.yaml/x"):
            (self.folder / "soft" / name).mkdir(parents=True)
        self.operator()
        done = self.check("soft")
        self.assertIn(done.status, (1, 2))
        (self.folder / "soft/.pypto-lint.yaml/x").rmdir()
        (self.folder / "soft/.pypto-lint.yaml").rmdir()
        done = self.check("--rules", "OL07,OL15,OL17", "soft")
        self.assertEqual(done.status, 1)
        self.assertEqual({e["id"]: e["status"] for e in done.json()["rules"]},
                         {"OL07": "FAIL", "OL15": "SKIP", "OL17": "SKIP"})

    def test_device_as_source(self):
        self.assertEqual(self.check("/dev/zero").status, 2)
        self.assertEqual(self.check("/dev/null").status, 2)

    @unittest.skipIf(support.ROOT_MAY_ALL, "root may read everything")
    def test_unreadable(self):
        self.operator()
        os.chmod(self.folder / "soft/soft_impl.py", 0)
        done = self.check("soft")
        self.assertEqual(done.status, 2)
        self.assertIn("soft_impl.py", done.err + done.out)

    def test_too_large(self):
        self.operator(impl="x = 1\n" * 1000)
        self.write("soft/.pypto-lint.yaml", "max-file-size: 4000\n")
        done = self.check("--rules", "OL07", "soft")
        self.assertNotEqual(done.status, 0)
        self.assertIn("soft_impl.py", done.out)

    def test_files_that_come_and_go(self):
        """Files vanish and change while they are being looked for: any answer, but an answer."""
        for i in range(20):
            self.operator(f"tree/op{i}", impl=KERNEL)
        stop = threading.Event()

        def disturb():
            while not stop.is_set():
                for i in range(20):
                    path = self.folder / f"tree/op{i}/op{i}_impl.py"
                    path.unlink(missing_ok=True)
                    path.write_text(KERNEL * (i % 3), encoding="utf-8")

        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            for _ in range(30):
                done = self.check("tree")
                self.assertIn(done.status, (0, 1, 2))
                self.assertTrue(done.status != 2 or done.err)
                done.json()
        finally:
            stop.set()
            thread.join()


class Determinism(InputsTest):
    def setUp(self):
        super().setUp()
        for i in range(12):
            self.operator(f"custom/op{i}", impl=KERNEL.replace("pt", "pypto") + "x = (\n" * (i % 3 == 0))
            self.write(f"custom/op{i}/DESIGN.md", "```python\npypto.nothing()\n```\n")
            self.write(f"custom/loose{i}.py", KERNEL)

    def reports(self, *args, cwd=None, env=None):
        texts = {}
        for form in ("json", "text", "concise", "sarif", "github", "agent"):
            done = support.call("check", "--no-exec", "--lang", "en", "--format", form, *args,
                                cwd=cwd or self.folder, env=env)
            text = "\n".join(line for line in done.out.splitlines() if "duration_ms" not in line)
            if form == "json":
                report = done.json()
                for run in report["runs"]:
                    del run["summary"]["duration_ms"]
                text = json.dumps(report)
            texts[form] = (done.status, text)
        return texts

    def test_threads(self):
        one = self.reports("-j1", "custom")
        for _ in range(3):
            for jobs in ("-j2", "-j8"):
                again = self.reports(jobs, "custom")
                for form in one:
                    if form != "sarif":  # it has the command line in it
                        self.assertEqual(again[form], one[form], (jobs, form))

    def test_locale(self):
        plain = self.reports("custom", env={"LC_ALL": "C"})
        for locale in ("zh_CN.UTF-8", "tr_TR.UTF-8", "C.UTF-8"):
            self.assertEqual(self.reports("custom", env={"LC_ALL": locale, "LANG": locale}), plain)

    def test_order_of_paths(self):
        names = [f"custom/op{i}" for i in range(12)]
        there, back = self.reports(*names), self.reports(*reversed(names))
        for form in there:
            if form != "sarif":
                self.assertEqual(there[form], back[form], form)

    def test_working_directory(self):
        """The same tree elsewhere, named in the same way, gives the same bytes."""
        (self.folder / "far/away").mkdir(parents=True)
        subprocess.run(["cp", "-r", "custom", "far/away/custom"], cwd=self.folder, check=True)
        here, there = self.reports("custom"), self.reports("custom", cwd=self.folder / "far/away")
        for form in here:
            if form != "sarif":  # it names the working directory
                self.assertEqual(here[form], there[form], form)


class NotClean(InputsTest):
    """What could not be looked at must not read as "no findings"."""

    def test_a_broken_kernel_file_found_in_a_folder(self):
        self.write("lib/broken.py", KERNEL + "x = (\n")
        self.write("lib/plain.py", "# pypto\nx = (\n")
        self.write("lib/other.py", "import jit\nx = (\n")
        done = self.check("lib")
        self.assertEqual(done.status, 1)
        found = [(f["rule"], f["file"]) for run in runs(done.json()) for f in run["findings"]]
        self.assertIn(("OL00", "lib/broken.py"), found)
        self.assertEqual({file for _, file in found}, {"lib/broken.py"})

    def test_a_large_kernel_file_found_in_a_folder(self):
        self.write(".pypto-lint.yaml", "max-file-size: 200\n")
        self.write("lib/large.py", KERNEL + "x = 1\n" * 100)
        self.write("lib/large_plain.py", "x = 1\n" * 100)
        done = self.check("lib", "--format", "text")
        self.assertIn("lib/large.py", done.out + done.err)
        self.assertNotIn("large_plain", done.out + done.err)

    def test_a_large_kernel_file_by_the_settings_beside_it(self):
        self.write("lib/.pypto-lint.yaml", "max-file-size: 200\n")
        self.write("lib/large.py", KERNEL + "x = 1\n" * 100)
        done = self.check(".", "--format", "text")
        self.assertIn("lib/large.py", done.out + done.err)

    def test_large_by_default(self):
        self.write("lib/large.py", KERNEL + "x = 1\n" * 200000)
        done = self.check(".", "--format", "text")
        self.assertIn("lib/large.py", done.out + done.err)

    def test_file_scope_names_no_file(self):
        self.operator()
        (self.folder / "soft/folder.py").mkdir()
        for name in ("typo.py", "typo_impl.py", "folder.py", "modules/x.py", "DESIGN.md"):
            done = self.check("--op-dir", "soft", "--file", name)
            self.assertEqual(done.status, 2, name)
            self.assertIn(name, done.err)
            statuses = [e["status"] for e in done.json()["rules"]]
            if name == "typo_impl.py":
                self.assertGreater(statuses.count("SKIP"), 10)
                self.assertNotIn("FAIL", statuses)

    def test_file_scope_of_text_needs_no_file(self):
        self.operator()
        done = self.check("--stdin-filename", "soft/soft_golden.py", "-", stdin=b"x = 1\n")
        self.assertNotEqual(done.status, 2, done.err)

    def test_file_scope_stays_in_the_operator(self):
        self.operator()
        self.write("other.py", BAD_IMPORT)
        for name in ("../other.py", "modules/../../other.py", "..", "modules/.."):
            done = self.check("--op-dir", "soft", "--file", name)
            self.assertEqual((done.status, done.out), (2, ""), name)
            self.assertIn("--file", done.err)
        self.write("soft/..odd.py", BAD_IMPORT)
        self.assertEqual(self.check("--op-dir", "soft", "--file", "..odd.py").status, 0)

    def test_standard_input_has_the_limit_of_files(self):
        self.operator(impl=KERNEL + "x = 1\n" * 100)
        self.write("k.py", KERNEL + "x = 1\n" * 100)
        self.write("soft/DESIGN.md", "x\n" * 200)
        self.write(".pypto-lint.yaml", "max-file-size: 200\n")
        for name in ("k.py", "soft/soft_impl.py", "soft/DESIGN.md"):
            by_name, by_text = (
                support.call("check", "--no-exec", "--format", "text", *args, cwd=self.folder, stdin=text)
                for args, text in (([name], b""), (["--stdin-filename", name, "-"], self.read(name).encode())))
            self.assertIn("larger than 200 bytes", by_name.out, name)
            by_name, by_text = ((done.status, [line for line in done.out.splitlines() if line.startswith((name, "notice"))],
                                 done.err) for done in (by_name, by_text))
            self.assertEqual(by_name, by_text, name)

    def test_documents_from_standard_input(self):
        self.operator()
        for text in (b"\xff\n", b"# a\r\nb\r\n"):
            self.write("soft/DESIGN.md", text)
            by_name, by_text = (self.check(*args, stdin=text) for args in
                                (["soft/DESIGN.md"], ["--stdin-filename", "soft/DESIGN.md", "-"]))
            self.assertEqual((by_name.status, by_name.err), (by_text.status, by_text.err))
            self.assertEqual(by_name.json()["findings"], by_text.json()["findings"])


class Memory(InputsTest):
    def test_files_without_a_kernel_are_let_go(self):
        """Their trees take some 100 bytes for a byte of source: 240 MB for these if kept."""
        text = "# pypto jit\n" + "x = [1, 2, 3, 4]\n" * 1200
        for i in range(120):
            self.write(f"tree/file{i}.py", text)
        child = subprocess.Popen([support.BINARY, "check", "-j1", "tree"], stdout=subprocess.DEVNULL,
                                 cwd=self.folder)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0)
        self.assertLess(usage.ru_maxrss, 100 * 1024)


class Names(InputsTest):
    def test_loose_files_are_named_from_the_working_directory(self):
        self.write("sub/demo.py", BAD_IMPORT)
        here = os.path.realpath(self.folder)
        for given, cwd, shown in ((f"{here}/sub/demo.py", here, "sub/demo.py"),
                                  (f"{here}/sub/demo.py", f"{here}/sub", "demo.py"),
                                  (f"{here}/./sub//demo.py", here, "sub/demo.py")):
            done = self.check("--rules", "OL07", given, cwd=cwd)
            self.assertEqual([f["file"] for f in done.json()["findings"]], [shown])
        (self.folder / "beside").mkdir()
        done = self.check("--rules", "OL07", f"{here}/sub/demo.py", cwd=self.folder / "beside")
        self.assertEqual([f["file"] for f in done.json()["findings"]], [f"{here}/sub/demo.py"])
        done = self.check("--rules", "OL07", "--stdin-filename", f"{here}/sub/k.py", "-", cwd=here,
                          stdin=BAD_IMPORT.encode())
        self.assertEqual([f["file"] for f in done.json()["findings"]], ["sub/k.py"])


class OneLanguage(InputsTest):
    """A report is in one language, whatever the settings files say."""

    def chinese(self, *args):
        done = self.check("--rules", "OL07", *args)
        texts = [f["message"] for run in runs(done.json()) for f in run["findings"]]
        self.assertGreater(len(texts), 1)
        return {any("\u4e00" <= c <= "\u9fff" for c in text) for text in texts}

    def setUp(self):
        super().setUp()
        self.operator("a")
        self.operator("b")

    def test_the_first_operator_decides(self):
        self.write("a/.pypto-lint.yaml", "lang: zh\n")
        self.write("b/.pypto-lint.yaml", "lang: en\n")
        for args in (["."], ["a", "b"], ["b", "a"]):
            self.assertEqual(self.chinese(*args), {True}, args)
        self.assertEqual(self.chinese("--lang", "en", "."), {False})
        self.assertEqual(self.chinese("--no-config", "."), {False})

    def test_a_later_one_does_not(self):
        self.write("b/.pypto-lint.yaml", "lang: zh\n")
        for args in (["."], ["b", "a"]):
            self.assertEqual(self.chinese(*args), {False}, args)

    def test_the_working_directory(self):
        self.write(".pypto-lint.yaml", "lang: zh\n")
        self.write("b/.pypto-lint.yaml", "lang: en\n")
        self.assertEqual(self.chinese("."), {True})


class IgnoredPaths(InputsTest):
    def test_no_row_of_ol00_without_findings(self):
        self.operator(impl="x = (\n")
        self.write("soft/.pypto-lint.yaml", "per-path:\n  \"*.py\": [ALL, OL00]\n")
        report = self.check("soft").json()
        self.assertNotIn("OL00", {f["rule"] for f in report["findings"]})
        self.assertNotIn("OL00", {e["id"] for e in report["rules"]})


if __name__ == "__main__":
    support.main()

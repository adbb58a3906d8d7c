"""What the program reads: standard input, named files, discovery, special and unreadable files."""
import json
import os
import subprocess
import threading
import time
import unittest

import support
from inputs_support import BAD_IMPORT, KERNEL, InputsTest, files, runs


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
        self.write("more.txt", "x")
        for places, said, chinese in (
                (["."], "no PyPTO files below .: nothing was checked", ". 之下没有 PyPTO 文件：未做任何检查"),
                (["empty"], "no PyPTO files below empty: nothing was checked", "empty 之下没有 PyPTO 文件"),
                (["notes.txt"], "notes.txt is not a PyPTO file: nothing was checked", "notes.txt 不是 PyPTO 文件：未做任何检查"),
                (["notes.txt", "more.txt"], "notes.txt, more.txt are not PyPTO files: nothing was checked",
                 "notes.txt, more.txt 都不是 PyPTO 文件：未做任何检查"),
                (["notes.txt", "empty"], "no PyPTO files below empty: nothing was checked", "empty 之下没有 PyPTO 文件")):
            done = self.check(*places)
            self.assertEqual(done.status, 0)
            self.assertIn(said, done.err)
            self.assertIn(chinese, self.check(*places, "--lang", "zh").err)
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

    def test_a_file_that_no_rule_is_about(self):
        self.operator()
        self.write("soft/API_REPORT.md", "# API\n")
        alone = "nothing was checked: no rule applies to soft/API_REPORT.md alone (to check the whole operator, name"
        done = self.check("soft/API_REPORT.md")
        self.assertEqual(done.status, 0)
        self.assertIn(alone, done.err)
        self.assertIn("未做任何检查：没有单独适用于 soft/API_REPORT.md 的规则",
                      self.check("soft/API_REPORT.md", "--lang", "zh").err)
        # Settings are not to blame for it, and for a file that has rules they are.
        self.write(".pypto-lint.yaml", "ignore: [D1, D2, D3, D4, D5]\n")
        self.assertIn(alone, self.check("soft/API_REPORT.md").err)
        self.assertIn("nothing was checked: the settings and the options select no rule",
                      self.check("soft/soft_impl.py").err)

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


class IgnoredPaths(InputsTest):
    def test_no_row_of_ol00_without_findings(self):
        self.operator(impl="x = (\n")
        self.write("soft/.pypto-lint.yaml", "per-path:\n  \"*.py\": [ALL, OL00]\n")
        report = self.check("soft").json()
        self.assertNotIn("OL00", {f["rule"] for f in report["findings"]})
        self.assertNotIn("OL00", {e["id"] for e in report["rules"]})


if __name__ == "__main__":
    support.main()

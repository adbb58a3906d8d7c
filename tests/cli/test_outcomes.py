"""What a run comes to: the same report every time, what is not clean, memory, one language."""
import json
import os
import subprocess

import support
from inputs_support import BAD_IMPORT, KERNEL, InputsTest, runs


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


if __name__ == "__main__":
    support.main()

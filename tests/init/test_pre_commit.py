#!/usr/bin/env python3
"""pre-commit: a block among the items of `repos`, wherever and however that list is written."""
import unittest

from init_support import TAG, InitTest, installed, main

try:
    import yaml
except ImportError:
    yaml = None

PATH = ".pre-commit-config.yaml"
SOURCE = "hooks/pre-commit/local.yaml"
FETCHED = "hooks/pre-commit/pre-commit-config.yaml"
OTHER = """\
repos:
- repo: https://github.com/pre-commit/pre-commit-hooks
  rev: v4.4.0
  hooks:
  - id: check-yaml
  - id: end-of-file-fixer
"""
GOOD = {
    "items at the margin": OTHER,
    "items indented": "repos:\n    - repo: local\n      hooks:\n        - id: a\n          name: a\n",
    "start and end of the document": "---\n" + OTHER + "...\n",
    "other keys before and after": "fail_fast: true\n" + OTHER + "\n\nci:\n  skip: [a]\n",
    "comments everywhere": "# top\nrepos: # here\n# first\n- repo: local # x\n  hooks: [] # y\n# last\n  # z\n",
    "the last thing is a block of text": "repos:\n- repo: local\n  hooks:\n  - id: a\n    entry: |\n      one\n\n      two\n",
    "a block of text with blank lines, then a key": "repos:\n- repo: local\n  x: |+\n    one\n\n\nci: 1\n",
    "the last item in braces": "repos:\n- {repo: local, hooks: [{id: a}]}\n",
    "braces over lines": "repos:\n- {repo: local,\n   hooks: [\n   ]\n  }\nci: 1\n",
    "a quoted text over lines": 'repos:\n- repo: "a\n\n    b"\nci: 1\n',
    "an alias last": "x: &a [1]\nrepos:\n- repo: local\n  hooks: *a\n",
    "a value that is missing": "repos:\n- repo: local\n  hooks:\n",
    "a value that is missing, then a key": "repos:\n- repo: local\n  hooks:\nci: 1\n",
    "wide characters": "# \U0001F600 ä 中\nrepos:\n- repo: 中文\n  hooks: [] # 中\nci: \U0001F600\n",
    "a byte order mark": "\ufeff" + OTHER + "ci: 1\n",
    "a quoted key": '"repos":\n- repo: local\nci: 1\n',
    "repos elsewhere, too": "ci:\n  repos: [1]\n" + OTHER,
    "only other keys": "fail_fast: true\n",
    "no items in brackets, other key": "default_stages: []\n",
}
NEEDS_END = ("start and end of the document", "the last thing is a block of text")
BAD = {
    "no YAML": ("repos: [", "not valid YAML"),
    "a tab": ("repos:\n\t- repo: a\n", "not valid YAML"),
    "a list": ("- repo: a\n", "not valid YAML"),
    "a text": ("hello\n", "not valid YAML"),
    "braces": ("{repos: [{repo: a}]}\n", "not valid YAML"),
    "two documents": (OTHER + "---\n" + OTHER, "not valid YAML"),
    "the key twice": (OTHER + OTHER, "not valid YAML"),
    "the key twice, once quoted": (OTHER + '"repos": []\n', "not valid YAML"),
    "not UTF-8": (b"repos:\n- repo: \xff\n", "not valid YAML"),
    "UTF-16": (OTHER.encode("utf-16"), "not valid YAML"),
    "NUL": (OTHER + "\0", "not valid YAML"),
    "in brackets": ("repos: [{repo: a}]\n", "'repos'"),
    "empty brackets": ("repos: []\n", "'repos'"),
    "nothing": ("repos:\n", "'repos'"),
    "a mapping": ("repos:\n  a: b\n", "'repos'"),
    "deep": ("repos: " + "[" * 100_000, "not valid YAML"),
    "huge": ("#" * 50_000_000, "too large"),
}


class PreCommit(InitTest):
    def add(self):
        return self.good("--client", "pre-commit", "--yes")

    def remove(self):
        return self.good("--client", "pre-commit", "--remove", "--yes")

    def test_empty_project(self):
        done = self.add()
        self.assertEqual(self.read(PATH), installed(SOURCE))
        self.assertIn("pre-commit install", done.err)
        self.assertIn("nothing to do", self.add().err)
        self.remove()
        self.assertFalse((self.project / PATH).exists())

    @unittest.skipUnless(yaml, "needs PyYAML")
    def test_existing_files(self):
        ours = yaml.safe_load(installed(SOURCE))["repos"]
        for name, text in GOOD.items():
            for newline in ("\n", "\r\n"):
                for end in (newline, ""):
                    with self.subTest(name, newline=newline, end=end):
                        before = text.rstrip("\n").replace("\n", newline) + end
                        # Without its end, the last line of a block of text or of a document means
                        # something else; and a text without line ends does not show their kind.
                        if end == "" and (name in NEEDS_END or newline not in before):
                            continue
                        self.check(before, newline, ours)

    def check(self, before, newline, ours):
        self.write(PATH, before)
        self.add()
        after = self.read(PATH)
        value = yaml.safe_load(before)
        value["repos"] = (value.get("repos") or []) + ours
        self.assertEqual(yaml.safe_load(after), value)
        self.assertEqual(after.count("\n"), after.count(newline))
        # Nothing but whole lines came in.
        kept = (before, before + newline)  # the line before the block got its end
        start = after.index("# >>> pypto-lint")
        start = after.rindex("\n", 0, start) + 1
        end = after.index("\n", after.index("# <<< pypto-lint")) + 1
        without = after[:start] + after[end:]
        if "repos" not in yaml.safe_load(before):
            without = without.replace("repos:" + newline, "")
        self.assertIn(without, kept)
        self.assertIn("nothing to do", self.add().err)
        self.assertEqual(self.read(PATH), after)
        self.remove()
        self.assertEqual(self.read(PATH), without)

    def test_refused(self):
        for name, (text, says) in BAD.items():
            with self.subTest(name):
                done = self.refused("pre-commit", PATH, text, says)
                self.assertEqual(done.out, installed(SOURCE))

    def test_hook_is_there(self):
        """In somebody's own words: not put in again, and not taken out."""
        for hook in ("pypto-lint", "pypto-lint-operator"):
            text = f"repos:\n- repo: ../pypto-lint\n  rev: v1\n  hooks: [{{id: {hook}}}]\n"
            self.write(PATH, text)
            self.assertIn("nothing to do", self.add().err)
            done = self.init("--client", "pre-commit", "--remove", "--yes")
            self.assertEqual((done.status, self.read(PATH)), (1, text))
            self.assertIn("not put in by init", done.err)

    def test_changes_in_the_block(self):
        """`pre-commit autoupdate` changes the revision; the block is still ours."""
        self.write(PATH, OTHER)
        self.good("--client", "pre-commit", "--repository", "../linter", "--yes")
        self.assertIn(f"rev: {TAG} ", self.read(PATH))
        self.write(PATH, self.read(PATH).replace(f"rev: {TAG} ", "rev: v9 "))
        self.assertIn("nothing to do", self.add().err)
        self.remove()
        self.assertEqual(self.read(PATH), OTHER)

    def test_broken_marks(self):
        self.write(PATH, OTHER)
        self.add()
        whole = self.read(PATH)
        marks = [line + "\n" for line in whole.split("\n") if "pypto-lint" in line and line[0] == "#"]
        self.assertEqual(len(marks), 2)
        broken = (whole.replace(marks[0], ""), whole.replace(marks[1], ""), marks[0] + whole, whole + marks[1],
                  whole.replace(marks[0], "@").replace(marks[1], marks[0]).replace("@", marks[1]))
        for text in broken:
            self.write(PATH, text)
            done = self.init("--client", "pre-commit", "--remove", "--yes")
            self.assertEqual((done.status, self.read(PATH)), (2, text))
            self.assertIn("not one pair", done.err)

    def test_alone_with_comments(self):
        """The line `repos:` is ours, too."""
        self.add()
        self.write(PATH, "# mine\n" + self.read(PATH))
        self.remove()
        self.assertEqual(self.read(PATH), "# mine\n")

    def test_a_list_of_another_that_would_be_empty(self):
        self.add()
        text = self.read(PATH).replace("repos:\n", "repos: # mine\n")
        self.write(PATH, text)
        done = self.init("--client", "pre-commit", "--remove", "--yes")
        self.assertEqual((done.status, self.read(PATH)), (2, text))
        self.assertIn("by hand", done.err)

    def test_addresses(self):
        """Without one the installed program is called; what git clones may be named instead."""
        for address in ("https://example.org/a/linter", "../linter", "/srv/git/linter.git", "~/linter",
                        "git@example.org:a/linter", "ssh://git@example.org:22/a/b"):
            self.good("--client", "pre-commit", "--repository", address, "--yes")
            self.assertEqual(self.read(PATH), installed(FETCHED).replace("ADDRESS-OF-PYPTO-LINT", address))
            if yaml:
                repo, = yaml.safe_load(self.read(PATH))["repos"]
                self.assertEqual((repo["repo"], repo["rev"]), (address, TAG))
                self.assertEqual(repo["hooks"], [{"id": "pypto-lint-operator"}])
            self.assertIn("nothing to do", self.add().err)
            self.remove()
            self.assertFalse((self.project / PATH).exists())
        for place in ("https://example.org/a/linter", "../linter", "git@example.org:a/linter",
                      "ssh://git@example.org:22/a/b"):
            self.good("--client", "pre-commit", "--repository", f"{place}@v7.1-rc", "--yes")
            text = installed(FETCHED).replace("ADDRESS-OF-PYPTO-LINT", place)
            self.assertEqual(self.read(PATH), text.replace(f"rev: {TAG}", "rev: v7.1-rc"))
            self.remove()
        # OWNER/NAME is an address on GitHub alone; a branch is not a revision.
        for address, says in (("acme/x", "https://HOST/PATH"), ("acme/x@v1", "https://HOST/PATH"),
                              ("x", "https://HOST/PATH"), ("example.org/a/x", "https://HOST/PATH"),
                              ("https://", "https://HOST/PATH"), ("host:x", "https://HOST/PATH"),
                              ("../linter@main", f"name a tag ({TAG})"), ("https://example.org/x@HEAD", "a branch")):
            done = self.init("--client", "pre-commit", "--repository", address, "--yes")
            self.assertEqual((done.status, (self.project / PATH).exists()), (2, False), address)
            self.assertIn(says, done.err)
        for address in ("a b", "a #", "a: b", "a'", '"a"', "a\n- b", "&a", "*a", "a:", "[a]", "-a", "中"):
            done = self.init("--client", "pre-commit", "--repository", address, "--yes")
            self.assertEqual(done.status, 2, address)
            self.assertIn("--repository", done.err)
            self.assertFalse((self.project / PATH).exists())

    def test_the_installed_program_is_on_path(self):
        self.assertIn("not on PATH", self.add().err)

    def test_not_for_a_user(self):
        done = self.init("--client", "pre-commit", "--user", "--yes")
        self.assertEqual(done.status, 2)
        self.assertIn("--user", done.err)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""OpenCode's plugin and GitHub's workflow: files that are ours as a whole. And which clients there are."""
import re
import subprocess
import tomllib

import init_support
from init_support import JSON_CLIENTS, TAG, InitTest, installed, main, workflow

PLUGIN, PLUGIN_SOURCE = ".opencode/plugin/pypto-lint.ts", "hooks/opencode/pypto-lint.ts"
WORKFLOW, ADDRESS = ".github/workflows/pypto-lint.yml", "someone/linter@v3"
FILES = {"opencode": (PLUGIN, installed(PLUGIN_SOURCE)), "github": (WORKFLOW, workflow(ADDRESS)),
         "neovim": (".nvim.lua", installed("hooks/neovim/pypto-lint.lua")),
         "vscode": (".vscode/extensions.json", installed("hooks/vscode/extensions.json")),
         "helix": (".helix/languages.toml", installed("hooks/helix/languages.toml"))}
URL = f"https://github.com/{ADDRESS}"  # which all clients take
GITHUB = ("--client", "github", "--repository", ADDRESS)
SIGNS = {"claude": (".claude/", "CLAUDE.md"), "codex": (".codex/",), "gemini": (".gemini/", "GEMINI.md"),
         "opencode": (".opencode/", "opencode.json", "opencode.jsonc"),
         "pre-commit": (".pre-commit-config.yaml",), "github": (".github/",), "vscode": (".vscode/",), "helix": (".helix/",)}


# The keys that Helix documents for languages.toml; it refuses a file with any other one.
HELIX = {
    "": {"language", "language-server", "use-grammars", "grammar"},
    "language": {"name", "language-id", "scope", "injection-regex", "file-types", "shebangs", "roots", "auto-format",
                 "diagnostic-severity", "comment-token", "comment-tokens", "block-comment-tokens", "indent",
                 "language-servers", "grammar", "formatter", "soft-wrap", "text-width", "rulers", "path-completion",
                 "word-completion", "workspace-lsp-roots", "persistent-diagnostic-sources", "debugger"},
    "language-server": {"command", "args", "config", "timeout", "environment", "required-root-patterns"}}


class Helix(InitTest):
    def test_settings(self):
        self.good("--client", "helix", "--yes")
        told = tomllib.loads(self.read(".helix/languages.toml"))
        self.assertLessEqual(set(told), HELIX[""])
        self.assertEqual([language["name"] for language in told["language"]], ["python", "markdown"])
        for language in told["language"]:
            self.assertLessEqual(set(language), HELIX["language"])
            self.assertIn("pypto-lint", language["language-servers"])
        self.assertEqual(list(told["language-server"]), ["pypto-lint"])
        server = told["language-server"]["pypto-lint"]
        self.assertLessEqual(set(server), HELIX["language-server"])
        self.assertEqual((server["command"], server["args"], server["config"]),
                         ("pypto-lint", ["server"], {"diagnostics": "push"}))


class OwnFiles(InitTest):
    def test_every_client_is_here(self):
        """Each value of --client has a test that writes its settings and takes them out again."""
        pre_commit = {"pre-commit"}  # test_pre_commit.py
        words = subprocess.run([init_support.BINARY, "init", "--client", "?"], capture_output=True, text=True, check=False)
        self.assertEqual(set(re.findall(r"[a-z-]+", words.stderr.partition(" takes ")[2].partition(", not ")[0])),
                         {*FILES, *JSON_CLIENTS, *pre_commit})

    def test_there_and_back(self):
        before = self.snapshot()
        for client, (path, text) in FILES.items():
            self.good("--client", client, "--repository", ADDRESS, "--yes")
            self.assertEqual(self.read(path), text)
            self.assertIn("nothing to do", self.good("--client", client, "--yes").err)
            self.good("--client", client, "--remove", "--yes")
            self.assertEqual(self.snapshot(), before)

    def test_other_files_stay(self):
        for client, (path, _) in FILES.items():
            other = self.write(path.rpartition("/")[0] + "/other.txt", "x")
            self.good("--client", client, "--repository", ADDRESS, "--yes")
            self.good("--client", client, "--remove", "--yes")
            self.assertFalse((self.project / path).exists())
            self.assertEqual(other.read_text(), "x")

    def test_another_version_of_the_plugin(self):
        old = installed(PLUGIN_SOURCE).replace("session", "SESSION") + "// old\n"
        self.write(PLUGIN, old)
        self.good("--client", "opencode", "--yes")
        self.assertEqual(self.read(PLUGIN), installed(PLUGIN_SOURCE))
        self.write(PLUGIN, old)
        self.good("--client", "opencode", "--remove", "--yes")
        self.assertFalse((self.project / PLUGIN).exists())

    def test_foreign_plugin(self):
        self.write(PLUGIN, "// pypto-lint of our own\n")
        for option, status in ((), 2), (("--remove",), 1):
            done = self.init("--client", "opencode", "--yes", *option)
            self.assertEqual((done.status, self.read(PLUGIN)), (status, "// pypto-lint of our own\n"))
            self.assertEqual(done.out, "")

    def test_changed_workflow(self):
        """A workflow is there to be changed: it stays, with its changes."""
        changed = workflow(ADDRESS).replace("[main]", "[trunk]")
        self.write(WORKFLOW, changed)
        done = self.good(*GITHUB, "--yes")
        self.assertIn("they are kept", done.err)
        self.assertEqual(self.read(WORKFLOW), changed)
        done = self.init("--client", "github", "--remove", "--yes")
        self.assertEqual((done.status, self.read(WORKFLOW)), (1, changed))

    def test_no_address_is_made_up(self):
        """GitHub needs one; the one in the file stays until another is given."""
        before = self.snapshot()
        done = self.init("--client", "github", "--yes")
        self.assertEqual((done.status, done.out, self.snapshot()), (2, "", before))
        self.assertIn("--repository OWNER/NAME[@REF]", done.err)
        for given, written in (("a/b", f"a/b@{TAG}"), ("a-1/b.c@0123abc", "a-1/b.c@0123abc"),
                               ("https://github.com/a/b", f"a/b@{TAG}"),
                               ("https://github.com/a/b.git", f"a/b@{TAG}"),
                               ("https://github.com/a/b@v3", "a/b@v3")):
            self.good("--client", "github", "--repository", given, "--yes")
            self.assertEqual(self.read(WORKFLOW), workflow(written))
            self.assertIn("nothing to do", self.good("--client", "github", "--yes").err)
            self.good("--client", "github", "--remove", "--yes")
            self.assertEqual(self.snapshot(), before)

    def test_addresses_of_another_form(self):
        for address in ("a", "/a", "a/", "a/b/c", "a b/c", "a/b #", "a/b@", "git@host:a/b", "a/b\n- run: x",
                        "https://example.org/a/b", "../a/b", "-a/b", '"a/b"', "a/${{b}}", "中/b"):
            done = self.init("--client", "github", "--repository", address, "--yes")
            self.assertEqual(done.status, 2, address)
            self.assertIn("OWNER/NAME[@REF]", done.err)
            self.assertFalse((self.project / WORKFLOW).exists())

    def test_a_branch_is_no_revision(self):
        for branch in ("main", "master", "HEAD"):
            done = self.init("--client", "github", "--repository", f"a/b@{branch}", "--yes")
            self.assertEqual((done.status, (self.project / WORKFLOW).exists()), (2, False))
            self.assertIn(f"name a tag ({TAG})", done.err)

    def test_diff_of_a_deletion(self):
        self.good(*GITHUB, "--yes")
        done = self.init("--client", "github", "--remove")
        self.assertEqual(done.status, 1)
        self.assertIn(f"--- a/{WORKFLOW}\n+++ /dev/null\n@@ -1,", done.out)
        removed = [line[1:] for line in done.out.splitlines() if line.startswith("-")][1:]
        self.assertEqual(removed, workflow(ADDRESS).splitlines())


class Choice(InitTest):
    def test_signs(self):
        for client, signs in SIGNS.items():
            for sign in signs:
                full = self.project / sign
                if sign.endswith("/"):
                    full.mkdir()
                else:
                    full.write_text("")
                done = self.init("--repository", URL)
                self.assertEqual(done.status, 1, done.err)
                self.assertIn(f"{client} is in use here ({sign.rstrip('/')})", done.err)
                self.assertEqual(done.err.count("is in use here"), 1)
                self.assertEqual(done.out.count("diff --git"), 1)
                full.rmdir() if sign.endswith("/") else full.unlink()

    def test_none(self):
        done = self.init("--yes")
        self.assertEqual(done.status, 2)
        for client in SIGNS:
            self.assertIn(client, done.err)

    def test_user_signs(self):
        for client, folder in (("claude", ".claude"), ("codex", ".codex"), ("gemini", ".gemini"),
                               ("opencode", ".config/opencode")):
            (self.home / folder).mkdir(parents=True)
            done = self.init("--user")
            self.assertIn(f"{client} is in use here", done.err)
        self.assertEqual(done.err.count("is in use here"), 4)

    def test_all_and_remove_all(self):
        before = self.snapshot()
        every = ",".join(SIGNS)
        self.good("--client", every, "--repository", URL, "--yes")
        paths = [path for path, _ in JSON_CLIENTS.values()] + [".pre-commit-config.yaml", PLUGIN, WORKFLOW]
        for path in paths:
            self.assertTrue((self.project / path).is_file(), path)
        self.good("--remove", "--yes")
        self.assertEqual(self.snapshot(), before)
        done = self.good("--remove", "--yes")
        self.assertEqual((done.out, done.err), ("", "pypto-lint: nothing of pypto-lint to remove here\n"))

    def test_remove_all_passes_foreign_files_over(self):
        self.write(".gemini/settings.json", "// a comment\n{}\n")
        self.write(".github/workflows/other.yml", "on: push\n")
        self.good("--remove", "--yes")

    def test_wrong_usage(self):
        for args, says in ((("--client", "vim"), "'vim'"), (("--client",), "--client needs a value"),
                           (("--repository",), "--repository needs a value"), (("--repository=",), "--repository needs a value"),
                            (("--client=",), "''"),
                           (("--client", "claude,"), "''"), (("--bogus",), "--bogus"), (("claude",), "claude"),
                           (("--lang", "fr"), "fr"), (("--yes", "--dry-run"), "contradict")):
            done = self.init(*args)
            self.assertEqual((done.status, done.out), (2, ""), args)
            self.assertIn(says, done.err)

    def test_help(self):
        for args in (("--help",), ("-h",)):
            done = self.good(*args)
            self.assertIn("Usage: pypto-lint init [OPTIONS]", done.out)


if __name__ == "__main__":
    main()

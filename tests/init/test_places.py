#!/usr/bin/env python3
"""Where `init` writes: projects, home folders, links, permissions, things that are not files."""
import json
import os
import shlex
import shutil
import stat
import subprocess

import init_support
from init_support import JSON_CLIENTS, InitTest, installed, main

PATH = ".claude/settings.json"
SOURCE = "hooks/claude/settings.json"
NOBODY = 65534


def commands(text):
    return [hook["command"] for entries in json.loads(text)["hooks"].values() for entry in entries
            for hook in entry["hooks"]]


class Project(InitTest):
    def test_from_a_folder_below(self):
        below = self.project / "custom/softmax"
        below.mkdir(parents=True)
        done = self.good("--client", "claude", "--yes", cwd=below)
        self.assertEqual(self.read(PATH), installed(SOURCE))
        self.assertIn(f"project: {self.project}", done.err)

    def test_a_git_file(self):
        """Worktrees and submodules have a file of that name."""
        tree = self.folder / "tree"
        (tree / "a").mkdir(parents=True)
        (tree / ".git").write_text("gitdir: ../project/.git\n")
        self.good("--client", "claude", "--yes", cwd=tree / "a")
        self.assertTrue((tree / PATH).is_file())

    def test_no_repository(self):
        folder = self.folder / "plain/sub"
        folder.mkdir(parents=True)
        self.good("--client", "claude", "--yes", cwd=folder)
        self.assertTrue((folder / PATH).is_file())

    def test_the_project_itself_stays(self):
        """An empty folder that is not a repository is not deleted with our file."""
        folder = self.folder / "plain"
        folder.mkdir()
        self.good("--client", "pre-commit,claude", "--yes", cwd=folder)
        self.good("--remove", "--yes", cwd=folder)
        self.assertEqual(list(folder.iterdir()), [])

    def test_program_on_path(self):
        done = self.good("--client", "claude", "--yes")
        self.assertIn("not on PATH", done.err)
        self.good("--client", "claude", "--remove", "--yes")
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "pypto-lint").symlink_to(init_support.BINARY)
        done = self.good("--client", "claude", "--yes", env={"PATH": str(tools)})
        self.assertNotIn("not on PATH", done.err)
        self.assertEqual(self.read(PATH), installed(SOURCE))


class User(InitTest):
    def test_there_and_back(self):
        for client, (path, source) in JSON_CLIENTS.items():
            before = self.snapshot()
            self.good("--client", client, "--user", "--yes")
            text = (self.home / path).read_text(encoding="utf-8")
            want = installed(source).replace("pypto-lint hook", f"{shlex.quote(init_support.BINARY)} hook")
            self.assertEqual(text, want)
            self.assertFalse((self.project / path).exists())
            self.assertIn("nothing to do", self.good("--client", client, "--user", "--yes").err)
            self.good("--client", client, "--user", "--remove", "--yes")
            self.assertEqual(self.snapshot(), before)

    def test_the_plugin_leaves_no_folder(self):
        before = self.snapshot()
        self.good("--client", "opencode", "--user", "--yes")
        self.good("--client", "opencode", "--user", "--remove", "--yes")
        self.assertEqual(self.snapshot(), before)

    def test_commands_run(self):
        """Also when the folder of the program must be quoted for a shell and for JSON."""
        folder = self.folder / "a b'c\"d\\e$(f)"
        folder.mkdir()
        binary = shutil.copy(init_support.BINARY, folder / "pypto-lint-0.1")
        done = subprocess.run([binary, "init", "--client", "claude", "--user", "--yes"], check=False,
                              capture_output=True, env=self.environment(), cwd=self.project)
        self.assertEqual(done.returncode, 0, done.stderr)
        settings = (self.home / PATH).read_text(encoding="utf-8")
        for command in commands(settings):
            self.assertIn(f" {shlex.quote(str(binary))} hook ", command.replace("'\\''", "'\"'\"'"))
            run = subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True, check=False,
                                 env=self.environment(), cwd=self.folder)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, b"", b""), command)
        self.good("--client", "claude", "--user", "--remove", "--yes")
        self.assertFalse((self.home / PATH).exists())

    def test_program_found_by_path(self):
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "pypto-lint").symlink_to(init_support.BINARY)
        self.good("--client", "claude", "--user", "--yes", env={"PATH": str(tools)})
        self.assertEqual((self.home / PATH).read_text(encoding="utf-8"), installed(SOURCE))

    def test_variables(self):
        for client, variable, path in (
                ("claude", "CLAUDE_CONFIG_DIR", "settings.json"), ("codex", "CODEX_HOME", "hooks.json"),
                ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
                ("opencode", "XDG_CONFIG_HOME", "opencode/plugin/pypto-lint.ts")):
            folder = self.folder / client
            self.good("--client", client, "--user", "--yes", env={variable: str(folder)})
            self.assertTrue((folder / path).is_file(), client)
        self.assertEqual(list(self.home.iterdir()), [])
        self.good("--client", "opencode", "--user", "--yes")
        self.assertTrue((self.home / ".config/opencode/plugin/pypto-lint.ts").is_file())

    def test_no_home(self):
        for home in ("", "relative"):
            done = self.init("--client", "claude", "--user", "--yes", env={"HOME": home})
            self.assertEqual(done.status, 2)
            self.assertIn("HOME", done.err)

    def test_only_in_projects(self):
        for client in ("pre-commit", "github"):
            done = self.init("--client", client, "--user", "--yes")
            self.assertEqual(done.status, 2)


class Links(InitTest):
    def test_within_the_project(self):
        """The link stays; what it leads to is changed."""
        self.write("shared.json", '{"a": 1}')
        (self.project / ".claude").mkdir()
        (self.project / PATH).symlink_to("../shared.json")
        self.good("--client", "claude", "--yes")
        self.assertTrue((self.project / PATH).is_symlink())
        self.assertIn("pypto-lint hook stop", self.read("shared.json"))
        self.good("--client", "claude", "--remove", "--yes")
        self.assertEqual(self.read("shared.json"), '{"a": 1}')

    def test_what_a_link_leads_to_is_not_deleted(self):
        self.write("shared.json", "{}")
        (self.project / ".claude").mkdir()
        (self.project / PATH).symlink_to("../shared.json")
        self.good("--client", "claude", "--yes")
        self.good("--client", "claude", "--remove", "--yes")
        self.assertTrue((self.project / PATH).is_symlink())
        self.assertEqual(json.loads(self.read("shared.json")), {})

    def test_out_of_the_project(self):
        outside = self.folder / "outside"
        outside.mkdir()
        (outside / "settings.json").write_text("{}")
        links = (lambda: (self.project / ".claude").symlink_to(outside),
                 lambda: ((self.project / ".claude").mkdir(),
                          (self.project / PATH).symlink_to(outside / "settings.json")),
                 lambda: (self.project / ".claude").symlink_to("../outside"))
        for link in links:
            link()
            before = self.snapshot()
            done = self.init("--client", "claude", "--yes")
            self.assertEqual((done.status, self.snapshot()), (2, before))
            self.assertIn("out of the project", done.err)
            self.assertEqual(done.out, installed(SOURCE))
            claude = self.project / ".claude"
            claude.unlink() if claude.is_symlink() else shutil.rmtree(claude)

    def test_a_name_that_begins_alike(self):
        """/…/project-two is not in /…/project."""
        (self.folder / "project-two").mkdir()
        (self.project / ".claude").symlink_to("../project-two")
        self.assertEqual(self.init("--client", "claude", "--yes").status, 2)

    def test_leading_nowhere(self):
        (self.project / ".claude").mkdir()
        (self.project / PATH).symlink_to(self.folder / "missing.json")
        before = self.snapshot()
        done = self.init("--client", "claude", "--yes")
        self.assertEqual((done.status, self.snapshot()), (2, before))
        self.assertIn("leads nowhere", done.err)
        (self.project / PATH).unlink()
        (self.project / PATH).symlink_to("settings.json")
        self.assertEqual(self.init("--client", "claude", "--yes").status, 2)

    def test_home_folders_may_be_links(self):
        dotfiles = self.folder / "dotfiles"
        dotfiles.mkdir()
        (self.home / ".claude").symlink_to(dotfiles)
        self.good("--client", "claude", "--user", "--yes")
        self.assertTrue((dotfiles / "settings.json").is_file())
        (self.home / ".codex").mkdir()
        (dotfiles / "hooks.json").write_text('{"a": 1}')
        (self.home / ".codex/hooks.json").symlink_to(dotfiles / "hooks.json")
        self.good("--client", "codex", "--user", "--yes")
        self.assertTrue((self.home / ".codex/hooks.json").is_symlink())
        self.assertIn("hook stop", (dotfiles / "hooks.json").read_text())


class Permissions(InitTest):
    def as_other(self):
        """Arguments that make a call one of a user whom permissions bind."""
        if os.getuid() != 0:
            return {}
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
        reach = subprocess.run(["test", "-x", init_support.BINARY], user=NOBODY, group=NOBODY,
                               extra_groups=[], check=False)
        if reach.returncode != 0:
            self.skipTest("the program cannot be reached by another user")
        return {"user": NOBODY, "group": NOBODY, "extra_groups": []}

    def test_mode_is_kept(self):
        for mode in (0o600, 0o640, 0o664):
            full = self.write(PATH, '{"a": 1}')
            full.chmod(mode)
            self.good("--client", "claude", "--yes")
            self.assertEqual(stat.S_IMODE(full.stat().st_mode), mode)

    def test_new_files_follow_the_umask(self):
        self.good("--client", "claude", "--yes", umask=0o027)
        self.assertEqual(stat.S_IMODE((self.project / PATH).stat().st_mode), 0o640)
        self.assertEqual(stat.S_IMODE((self.project / ".claude").stat().st_mode), 0o750)

    def test_read_only_folder(self):
        (self.project / ".claude").mkdir()
        other = self.as_other()
        for folder in (".claude", "."):
            (self.project / folder).chmod(0o555)
            before = self.snapshot()
            client = "claude" if folder == ".claude" else "codex"
            done = self.init("--client", client, "--yes", **other)
            self.assertEqual((done.status, self.snapshot()), (2, before))
            self.assertIn("Permission denied", done.err)
            self.assertNotIn("written", done.err)
            (self.project / folder).chmod(0o755)

    def test_read_only_file(self):
        self.write(PATH, '{"a": 1}').chmod(0o444)
        other = self.as_other()
        before = self.snapshot()
        done = self.init("--client", "claude", "--yes", **other)
        self.assertEqual((done.status, self.snapshot()), (2, before))
        self.assertIn("Permission denied", done.err)

    def test_unreadable_file(self):
        self.write(PATH, '{"a": 1}').chmod(0)
        done = self.init("--client", "claude", "--yes", **self.as_other())
        self.assertEqual(done.status, 2)
        self.assertIn("cannot be read", done.err)

    def test_one_failure_does_not_stop_the_rest(self):
        (self.project / ".claude").write_text("no folder")
        done = self.init("--client", "claude,codex", "--yes")
        self.assertEqual(done.status, 2)
        self.assertIn("Not a directory", done.err)
        self.assertTrue((self.project / ".codex/hooks.json").is_file())
        self.assertEqual((self.project / ".claude").read_text(), "no folder")


class Output(InitTest):
    def test_changes_that_cannot_be_shown_are_not_made(self):
        before = self.snapshot()
        with open("/dev/full", "wb") as full:
            done = subprocess.run([init_support.BINARY, "init", "--client", "claude", "--yes"], stdout=full,
                                  stderr=subprocess.PIPE, check=False, cwd=self.project, env=self.environment())
        self.assertEqual((done.returncode, self.snapshot()), (2, before))
        self.assertIn(b"No space left", done.stderr)


class NoFiles(InitTest):
    def test_refused(self):
        full = self.project / PATH
        full.parent.mkdir()
        for make in (full.mkdir, lambda: os.mkfifo(full), lambda: full.symlink_to(".")):
            make()
            before = sorted(self.snapshot())
            done = self.init("--client", "claude", "--yes")
            self.assertEqual((done.status, sorted(self.snapshot())), (2, before))
            self.assertIn("not a regular file", done.err)
            full.rmdir() if full.is_dir() and not full.is_symlink() else full.unlink()


if __name__ == "__main__":
    main()

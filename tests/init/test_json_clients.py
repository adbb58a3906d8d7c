#!/usr/bin/env python3
"""Claude Code, Codex and Gemini CLI: hooks in a JSON file, among what is there."""
import json
import re
import subprocess

from init_support import JSON_CLIENTS, InitTest, installed, main, merged

FOREIGN = """{
  "permissions": {
    "allow": [
      "Bash(ls:*)"
    ],
    "deny": []
  },
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Write",
        "hooks": [
          {
            "type": "command",
            "command": "prettier --write"
          }
        ]
      }
    ],
    "AfterTool": [],
    "SessionStart": []
  },
  "zebra": 1.50,
  "apple": "\\u00e4 ä"
}
"""
BROKEN = {
    "truncated": '{"a": ',
    "trailing comma": '{"a": [1,]}',
    "trailing comma in an object": '{"a": 1,}',
    "two values": "{} {}",
    "single quotes": "{'a': 1}",
    "a bare word": '{"a": undefined}',
    "leading zero": '{"a": 01}',
    "no digits": '{"a": 1.}',
    "bad escape": '{"a": "\\x"}',
    "short escape": '{"a": "\\u12"}',
    "line end in a text": '{"a": "\n"}',
    "open text": '{"a": "',
    "NUL": b'{"a": 1}\0',
    "NUL in a text": b'{"a": "\0"}',
    "NULs": b"\0" * 5000,
    "byte order mark": b'\xef\xbb\xbf{}',
    "wrong bracket": '{"a": [1}}',
    "no colon": '{"a" 1}',
}


class JsonClients(InitTest):
    def each(self):
        for client, (path, source) in JSON_CLIENTS.items():
            yield client, path, installed(source)

    def test_empty_project(self):
        for client, path, source in self.each():
            done = self.good("--client", client, "--yes")
            self.assertEqual(self.read(path), source)
            self.assertIn("new file mode", done.out)
            self.assertIn(f"{path} written", done.err)

    def test_without_yes_nothing_happens(self):
        before = self.snapshot()
        for client, path, source in self.each():
            for option in ((), ("--dry-run",)):
                done = self.init("--client", client, *option)
                self.assertEqual(done.status, 1)
                self.assertIn("nothing was changed", done.err)
                self.assertIn(f"+++ b/{path}\n", done.out)
                added = [line[1:] for line in done.out.splitlines() if line.startswith("+")][1:]
                self.assertEqual(added, source.splitlines())
        self.assertEqual(self.snapshot(), before)

    def test_existing_settings(self):
        for client, path, source in self.each():
            self.write(path, FOREIGN)
            self.good("--client", client, "--yes")
            after = self.read(path)
            want = merged(json.loads(FOREIGN), json.loads(source))
            self.assertEqual(json.loads(after), want)
            self.assertEqual(list(json.loads(after)), ["permissions", "hooks", "zebra", "apple"])
            # Laid out like the rest of the file; what was there stands as it was written.
            text = json.dumps(want, indent=2, ensure_ascii=False) + "\n"
            text = text.replace('"zebra": 1.5,', '"zebra": 1.50,').replace('"ä ä"', '"\\u00e4 ä"')
            self.assertEqual(after, text)
            self.good("--client", client, "--remove", "--yes")
            left = json.loads(FOREIGN)
            # These were empty before; see docs/clients/README.md.
            for event in json.loads(source)["hooks"]:
                if not left["hooks"].get(event, True):
                    del left["hooks"][event]
            self.assertEqual(json.loads(self.read(path)), left)

    def test_twice(self):
        for client, path, source in self.each():
            self.good("--client", client, "--yes")
            done = self.good("--client", client, "--yes")
            self.assertEqual((done.out, self.read(path)), ("", source))
            self.assertIn("nothing to do", done.err)

    def test_remove_from_own_file(self):
        before = self.snapshot()
        for client, path, _ in self.each():
            self.good("--client", client, "--yes")
            done = self.good("--client", client, "--remove", "--yes")
            self.assertIn("deleted file mode", done.out)
            self.assertEqual(self.snapshot(), before)
            again = self.good("--client", client, "--remove", "--yes")
            self.assertIn(f"{path}: nothing to do", again.err)

    def test_broken_file(self):
        for client, path, source in self.each():
            for name, text in BROKEN.items():
                with self.subTest(name):
                    done = self.refused(client, path, text, "not valid JSON", "by hand")
                    self.assertEqual(done.out, source)

    def test_place_of_the_error(self):
        self.refused("claude", ".claude/settings.json", '{\n  "a": 1,\n  "b": x\n}\n', "line 3, column 8")

    def test_comments(self):
        for comment in ("// c", "/* c */"):
            text = '{\n  %s\n  "a": 1\n}\n' % comment
            done = self.refused("gemini", ".gemini/settings.json", text, "line 2, column 3", "comment")
            self.assertEqual(done.out, installed("hooks/gemini/settings.json"))

    def test_not_utf8(self):
        self.refused("claude", ".claude/settings.json", b'{"a": "\xff"}', "not UTF-8")

    def test_wrong_shape(self):
        for text, says in (("[]", "not a JSON object"), ("1", "not a JSON object"), ('"x"', "not a JSON object"),
                           ('{"hooks": []}', "'hooks'"), ('{"hooks": null}', "'hooks'"),
                           ('{"hooks": {"Stop": {}}}', "'Stop'"),
                           ('{"hooks": {}, "hooks": {}}', "more than once"),
                           ('{"hooks": {}, "h\\u006foks": {}}', "more than once"),
                           ('{"hooks": {"Stop": [], "Stop": []}}', "more than once")):
            with self.subTest(text):
                self.refused("claude", ".claude/settings.json", text, says)

    def test_huge_and_deep(self):
        path = ".claude/settings.json"
        self.refused("claude", path, "[" * 200000, "nested too deeply")
        self.refused("claude", path, '{"a":' * 65 + "1" + "}" * 65, "nested too deeply")
        self.refused("claude", path, '{"a": "' + "x" * 50_000_000 + '"}', "too large")
        self.write(path, '{"a": "' + "x" * 1_000_000 + '"}')
        self.good("--client", "claude", "--yes")
        self.write(path, '{"a": [' + "1," * 400_000 + "1]}")
        self.good("--client", "claude", "--yes")

    def test_blank_file(self):
        for text in ("", "\n", "  \n\t\n"):
            self.write(".claude/settings.json", text)
            self.good("--client", "claude", "--yes")
            self.assertEqual(self.read(".claude/settings.json"), installed("hooks/claude/settings.json"))

    def test_own_changes_are_kept(self):
        """Another limit, another matcher, one hook dropped and put in again."""
        path = ".claude/settings.json"
        self.good("--client", "claude", "--yes")
        changed = self.read(path).replace('"timeout": 20', '"timeout": 5').replace("Write|Edit", "Write")
        self.write(path, changed)
        self.good("--client", "claude", "--yes")
        self.assertEqual(self.read(path), changed)
        value = json.loads(changed)
        del value["hooks"]["Stop"]
        self.write(path, json.dumps(value, indent=2))
        self.good("--client", "claude", "--yes")
        self.assertEqual(json.loads(self.read(path)), json.loads(changed))
        self.good("--client", "claude", "--remove", "--yes")
        self.assertFalse((self.project / path).exists())

    def test_calls_of_an_older_version_are_renewed(self):
        """Bare calls get an answer for a program that does not run, and settings that an older version
        wrote name this one; what their owner changed stays."""
        for client, path, source in self.each():
            bare = json.loads(source)
            for entry in (entry for entries in bare["hooks"].values() for entry in entries):
                for hook in entry["hooks"]:
                    call = re.search(r"pypto-lint hook [^)]*", hook["command"])
                    hook["command"] = call.group()
            wanted = json.loads(source)
            stop = "AfterAgent" if client == "gemini" else "Stop"
            changed = {"SessionStart": "--wants 0.0.9", stop: "--lang zh"}
            for event, value in ((event, changed[event]) for event in bare["hooks"] if event in changed):
                hook = bare["hooks"][event][0]["hooks"][0]
                hook["command"] = hook["command"].replace("--wants 0.1.0", "") + " " + value
                wanted["hooks"][event][0]["hooks"][0]["command"] = hook["command"]
            self.write(path, json.dumps(bare, indent=2))
            self.good("--client", client, "--yes")
            self.assertEqual(json.loads(self.read(path)), wanted)
            self.write(path, source.replace("0.1.0", "0.0.9").replace('"timeout": 10', '"timeout": 11'))
            self.good("--client", client, "--yes")
            self.assertEqual(self.read(path), source.replace('"timeout": 10', '"timeout": 11'))
            # Of a newer version: nothing is taken back.
            newer = source.replace("0.1.0", "0.10.0")
            self.write(path, newer)
            self.assertIn("nothing to do", self.good("--client", client, "--yes").err)
            self.assertEqual(self.read(path), newer)

    def test_foreign_calls(self):
        """A call in somebody's own wording counts as one, and is not taken out."""
        commands = ("env PYPTO_LINT_LANG=zh pypto-lint hook stop", "/opt/bin/pypto-lint hook stop; true",
                    "pypto-lint --hook stop")
        for command in commands:
            with self.subTest(command):
                entry = {"hooks": [{"type": "command", "command": command}]}
                text = json.dumps({"hooks": {"Stop": [entry]}}, indent=2)
                self.write(".claude/settings.json", text)
                self.good("--client", "claude", "--yes")
                stop = json.loads(self.read(".claude/settings.json"))["hooks"]["Stop"]
                self.assertEqual(stop, [entry])
                done = self.good("--client", "claude", "--remove", "--yes")
                self.assertIn("1 calls of pypto-lint", done.err)
                self.assertEqual(self.read(".claude/settings.json"), text)
                done = self.init("--client", "claude", "--remove", "--yes")
                self.assertEqual(done.status, 1)
                self.assertIn("1 calls of pypto-lint", done.err)

    def test_similar_names_are_not_ours(self):
        for command in ("my-pypto-lint hook stop", "pypto-lint2hook stop", "pypto-lint check", "pypto-lint",
                        "/opt/pypto-lint-wrapper hook stop", "pypto-lint.sh hook stop"):
            entry = {"hooks": [{"type": "command", "command": command}]}
            text = json.dumps({"hooks": {"Stop": [entry]}})
            self.write(".claude/settings.json", text)
            self.good("--client", "claude", "--remove", "--yes")
            self.assertEqual(self.read(".claude/settings.json"), text)
            self.good("--client", "claude", "--yes")
            stop = json.loads(self.read(".claude/settings.json"))["hooks"]["Stop"]
            self.assertEqual(len(stop), 2, command)

    def test_entry_with_other_hooks(self):
        """Our hook beside another in one entry: only ours goes."""
        other = {"type": "command", "command": "true"}
        ours = {"type": "command", "command": "pypto-lint hook stop", "timeout": 30}
        for hooks in ([other, ours], [ours, other], [ours, other, ours], [other, ours, other]):
            text = json.dumps({"hooks": {"Stop": [{"hooks": hooks}]}}, indent=4)
            self.write(".claude/settings.json", text)
            self.good("--client", "claude", "--remove", "--yes")
            left = [hook for hook in hooks if hook != ours]
            want = json.dumps({"hooks": {"Stop": [{"hooks": left}]}}, indent=4)
            self.assertEqual(self.read(".claude/settings.json"), want)

    def test_python_linter_is_noticed(self):
        command = 'python3 "$CLAUDE_PROJECT_DIR"/.agents/hooks/pypto-op-lint/pypto_op_lint.py --hook stop'
        entry = {"hooks": [{"type": "command", "command": command}]}
        self.write(".claude/settings.json", json.dumps({"hooks": {"Stop": [entry]}}))
        done = self.good("--client", "claude", "--yes")
        self.assertIn("pypto_op_lint.py", done.err)
        self.assertIn("docs/ci/migrating.md", done.err)

    def test_hooks_that_are_switched_off(self):
        for client, path, text in (("claude", ".claude/settings.json", '{"disableAllHooks": true}'),
                                   ("gemini", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
                                   ("codex", ".codex/config.toml", "[features]\nhooks = false # no\n"),
                                   ("codex", ".codex/config.toml", "features.hooks=false")):
            self.write(path, text)
            self.assertIn("switched off", self.good("--client", client, "--yes").err)
            for other in (text.replace("true", "null").replace("false", "true"), "{}", ""):
                self.write(path, other)
                self.assertNotIn("switched off", self.good("--client", client, "--yes").err)

    def test_diff_can_be_applied(self):
        """The diff shown is the change made: `patch` gets the same file from it."""
        for client, path, _ in self.each():
            for text in (None, FOREIGN, FOREIGN.rstrip("\n"), '{"a": 1}'):
                full = self.project / path
                full.unlink(missing_ok=True)
                if text is not None:
                    self.write(path, text)
                diff = self.init("--client", client).out
                done = subprocess.run(["patch", "-p1", "--quiet"], cwd=self.project, check=False,
                                      input=diff.encode(), capture_output=True)
                self.assertEqual(done.returncode, 0, (diff, done.stdout))
                patched = self.read(path)
                full.unlink()
                if text is not None:
                    self.write(path, text)
                self.good("--client", client, "--yes")
                self.assertEqual(self.read(path), patched)

    def test_hostile_text_is_escaped(self):
        self.write(".claude/settings.json", '{\n  "\x7f\u202e\u009b": "::error::x"\n}\n')
        done = self.good("--client", "claude", "--yes")
        self.assertNotRegex(done.out + done.err, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
        self.assertIn('"::error::x"', self.read(".claude/settings.json"))

    def test_several_at_once(self):
        self.write(".claude/settings.json", "{,}")
        done = self.init("--client", "claude,codex", "--client", "gemini", "--yes")
        self.assertEqual(done.status, 2)
        self.assertEqual(self.read(".claude/settings.json"), "{,}")
        self.assertEqual(self.read(".codex/hooks.json"), installed("hooks/codex/hooks.json"))
        self.assertEqual(self.read(".gemini/settings.json"), installed("hooks/gemini/settings.json"))

    def test_chinese(self):
        done = self.init("--client", "claude", "--lang", "zh")
        self.assertIn("未作任何更改", done.err)
        self.write(".codex/hooks.json", "{")
        done = self.init("--client", "codex", "--lang=zh")
        self.assertIn("不是有效的 JSON", done.err)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Where an event comes from: standard input, however slowly, or the environment; and the command line."""
import json
import os
import pty
import subprocess
import tempfile
import time

import hook_support
from hook_support import BAD_IMPL, COMMON, OLD, HookTest, edit_event, main

VARIABLE = "PYPTO_OP_LINT_HOOK_INPUT"


class Input(HookTest):
    def setUp(self):
        super().setUp()
        self.op = self.operator(impl=BAD_IMPL)
        self.event = edit_event(self.op / "rowscale_impl.py")
        self.text = json.dumps(self.event)

    def slow(self, *pieces, pause=0.4, close=True, env=None,
             name="post-edit"):
        """Writes the pieces with a pause before each; returns the answer and the seconds it took."""
        start = time.monotonic()
        process = subprocess.Popen([hook_support.BINARY, "hook", name],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.environment(env))
        for piece in pieces:
            time.sleep(pause)
            process.stdin.write(piece.encode("utf-8"))
            process.stdin.flush()
        if close:
            process.stdin.close()
        out = process.stdout.read()
        err = process.stderr.read()
        process.wait(timeout=30)
        if not close:
            process.stdin.close()
        process.stdout.close()
        process.stderr.close()
        return (hook_support.Answer(process.returncode, out, err), time.monotonic() - start)

    def test_standard_input(self):
        for form in (COMMON, OLD):
            self.assertBlocks(self.hook("post-edit", self.event, form), "OL07")

    def test_a_writer_that_comes_late_is_waited_for(self):
        answer, _ = self.slow(self.text)
        self.assertBlocks(answer, "OL07")

    def test_an_event_in_pieces(self):
        half = len(self.text) // 2
        answer, _ = self.slow(self.text[:half], self.text[half:])
        self.assertBlocks(answer, "OL07")

    def test_a_writer_that_never_closes(self):
        answer, seconds = self.slow(self.text, close=False)
        self.assertBlocks(answer, "OL07")
        self.assertLess(seconds, 9)

    def test_an_event_that_is_cut_is_no_clean_file(self):
        answer, seconds = self.slow(self.text[:-9], close=False)
        self.assertIn("did not arrive in full", answer.context)
        self.assertIsNone(answer.decision)
        self.assertLess(seconds, 9)

    def test_closed_standard_input(self):
        for variable, blocks in ((self.text, True), ("", False)):
            process = subprocess.run(
                ["sh", "-c", 'exec "$0" hook post-edit <&-', hook_support.BINARY],
                capture_output=True, env=self.environment({VARIABLE: variable}), check=False)
            self.assertEqual(process.returncode, 0)
            self.assertEqual(b'"block"' in process.stdout, blocks)

    def test_variable_with_blank_standard_input(self):
        for blank in ("", "  \n\t"):
            answer = self.hook("post-edit", blank, env={VARIABLE: self.text})
            self.assertBlocks(answer, "OL07")
        with open(os.devnull, "rb") as nothing:
            self.assertBlocks(self.hook("post-edit", stdin=nothing, env={VARIABLE: self.text}))

    def test_variable_does_not_wait_for_a_silent_writer(self):
        read, write = os.pipe()
        start = time.monotonic()
        with os.fdopen(read, "rb") as stdin:
            answer = self.hook("post-edit", stdin=stdin, env={VARIABLE: self.text})
        os.close(write)
        self.assertBlocks(answer, "OL07")
        self.assertLess(time.monotonic() - start, 3)

    def test_standard_input_wins_over_the_variable(self):
        other = json.dumps(edit_event(self.folder / "nothing.py"))
        self.assertBlocks(self.hook("post-edit", self.event, env={VARIABLE: other}))
        self.assertSilent(self.hook("post-edit", other, env={VARIABLE: self.text}))

    def test_bad_json_is_told(self):
        """Nobody knows what it was about; the old form and the end, which needs none, are silent."""
        for text in ("{", "nonsense", "[]", '"text"', "7", "null", "{'a': 1}", self.text + "x",
                     self.text[:-1] + ",}", self.text[:-1] + ', "x": "\n"}',
                     "[" * 100000, b"\xff\xfe\x00"):
            for name in ("post-edit", "pre-edit", "post-bash"):
                # The variable is not tried after bad JSON.
                answer = self.hook(name, text, env={VARIABLE: self.text})
                self.assertNotIn("decision", answer.json)
                self.assertIn("Not checked: the event is not a JSON object",
                              json.dumps(answer.json), (name, text[:50]))
            for name in ("post-edit", "post-bash", "pre-edit-backup"):
                self.assertSilent(self.hook(name, text, OLD, env={VARIABLE: self.text}))
            self.assertSilent(self.hook("stop", text))

    def test_an_event_without_fields(self):
        for text in ("{}", "", " \n"):
            for name in ("post-edit", "pre-edit", "post-bash", "stop"):
                self.assertSilent(self.hook(name, text))

    def test_half_a_surrogate_pair_in_the_content_does_not_hide_the_file(self):
        self.event["tool_input"]["content"] = "LONE"
        for lone in ("\\ud800", "\\udfff", "\\ud800\\ud800", "\\ud83d\\ude00 \\ude00", "\\u0000"):
            self.assertBlocks(self.hook("post-edit", json.dumps(self.event).replace("LONE", lone)))
        broken = json.dumps(self.event).encode().replace(b"LONE", b"\xff\xc0\xed\xa0\x80")
        self.assertBlocks(self.hook("post-edit", broken))
        self.assertBlocks(self.hook("post-edit", "\ufeff" + json.dumps(self.event)))

    def test_what_python_takes_for_json_does_not_hide_the_file(self):
        """Every text is one that json.loads reads; jansson refuses each of them as it is."""
        big, deep = "9" * 40, "[" * 900 + "]" * 900
        odd = (big, "-" + big, "9223372036854775808", "1e400", "-1.5E+400", "NaN", "Infinity",
               "-Infinity", "{" + r'"a\u0000b" : 1' + "}", r'{"\u0000": {"\ud800": NaN}}',
               "[1e400, [NaN, {}], -Infinity]")
        for value in odd:
            text = self.text[:-1] + f', "more": {value}}}'
            self.assertEqual(json.loads(text)["tool_input"], self.event["tool_input"])
            self.assertBlocks(self.hook("post-edit", text))
        for levels in (deep, "[" * 5000 + '"]", {}' + "]" * 5000):
            self.assertBlocks(self.hook("post-edit", self.text[:-1] + f', "more": {levels}}}'))

    def test_what_python_refuses_is_still_refused(self):
        for value in ("nan", "inf", "+1", "01", "1.", ".5", "1e", "--1", "-", "NaNs", "Infinit",
                      "1NaN", "[1e400", "1e400]", "'a'", '{"a\\u0000" 1}', "[" * 5000,
                      '"\\u12"', '"\\q"', '"a', '"\n"'):
            text = self.text[:-1] + f', "more": {value}}}'
            with self.assertRaises((ValueError, RecursionError)):
                json.loads(text)
            self.assertIn("not a JSON object", self.hook("post-edit", text).context)

    def test_an_exit_status_beyond_64_bits(self):
        event = ('{"tool_name": "Bash", "tool_input": {"command": "python3 test_x.py"}, '
                 '"tool_result": {"stdout": "", "exit_code": %s}}')
        for code, verdict in ((str(2 ** 70), "runtime_error"), (str(-2 ** 70), "runtime_error"),
                              ("NaN", "no_marker")):
            self.assertIn(verdict, self.hook("post-bash", event % code).context)

    def test_before_an_edit_it_is_told(self):
        """A host takes silence for consent; the edit is not held up."""
        with tempfile.TemporaryFile() as event:
            event.write(self.text.encode())
            event.truncate(257 * 1024 * 1024)
            event.seek(0)
            answer = self.hook("pre-edit", stdin=event)
        self.assertIn("larger than 256 MiB", answer.context)
        self.assertEqual((answer.decision, answer.event), (None, "PreToolUse"))
        answer, _ = self.slow(self.text[:-9], close=False, name="pre-edit")
        self.assertIn("did not arrive in full", answer.context)
        self.assertIsNone(answer.decision)

    def test_50_megabytes(self):
        self.event["tool_input"]["content"] = "x\n" * (25 * 1024 * 1024)
        self.assertBlocks(self.hook("post-edit", self.event), "OL07")

    def test_wrong_usage(self):
        for arguments in (["--hook"], ["--hook", "nothing"], ["--hook", "pre-edit"],
                          ["--hook", "session-start"], ["--hook=stop", "--lang", "en"]):
            done = subprocess.run([hook_support.BINARY, *arguments], capture_output=True,
                                  stdin=subprocess.DEVNULL, env=self.environment(None), check=False)
            self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
            self.assertTrue(done.stderr.startswith(b"pypto-lint: "), arguments)

    def test_words_that_are_not_known(self):
        """Settings of a newer version: what is known is done, and the answer names the rest."""
        for words, unknown in ((["--client", "vi"], "vi"), (["--client"], "--client"), (["--lang=de"], "de"),
                               (["--op-dir", "x"], "--op-dir"), (["stop"], "stop"), (["--\x1b[1m"], "--\\x1b[1m")):
            answer = self.hook("post-edit", self.event, args=words)
            self.assertEqual((answer.status, answer.err, answer.decision), (0, "", "block"), words)
            self.assertIn("[OL07]", answer.reason)
            self.assertIn(f"does not know '{unknown}'", answer.context)
            self.assertIn("pypto-lint init", answer.context)
        zh = self.hook("post-edit", self.event, args=["--new", "--lang", "zh"])
        self.assertIn("不认识钩子命令中的 '--new'", zh.context)
        # The same for a file that is not checked.
        answer = self.hook("post-edit", {"tool_input": {"file_path": "/x.txt"}}, args=["--new"])
        self.assertEqual((answer.decision, answer.event), (None, "PostToolUse"))
        self.assertIn("'--new'", answer.context)
        self.assertNotIn("Nothing was checked", answer.context)
        many = self.hook("post-edit", self.event, args=[f"--n{i}" * 100 for i in range(100)])
        self.assertLess(len(many.context), 1000)

    def test_words_that_are_not_known_hold_no_agent(self):
        """At the end they go to the user: an agent that gets a message may go on for ever."""
        answer = self.hook("stop", {"cwd": "/"}, args=["--new"])
        self.assertEqual((answer.status, list(answer.json)), (0, ["systemMessage"]))
        answer = self.hook("pre-edit", {"tool_input": {"file_path": str(self.op / "x.txt")}}, args=["--new"])
        self.assertEqual((answer.decision, answer.event), (None, "PreToolUse"))

    def test_an_event_that_is_not_known(self):
        for words in ([], ["nothing"], ["pre-edit-backup"], ["--client", "claude", "pre-compact", "--x"]):
            done = subprocess.run([hook_support.BINARY, "hook", *words], capture_output=True, check=False,
                                  input=b'{"hook_event_name": "PreCompact"}', env=self.environment(None))
            self.assertEqual((done.returncode, done.stderr), (0, b""), words)
            answer = json.loads(done.stdout)
            self.assertEqual(list(answer), ["systemMessage"])
            self.assertIn("Nothing was checked.", answer["systemMessage"])
        answer = self.hook("nothing", {"hook_event_name": "PostToolUse"}).json
        self.assertEqual(answer["hookSpecificOutput"]["additionalContext"], answer["systemMessage"])
        self.assertEqual(answer["hookSpecificOutput"]["hookEventName"], "PostToolUse")

    def test_on_a_terminal_wrong_usage_is_one(self):
        main_side, terminal = pty.openpty()
        self.addCleanup(os.close, main_side)
        self.addCleanup(os.close, terminal)
        done = subprocess.run([hook_support.BINARY, "hook"], stdin=terminal, capture_output=True, timeout=60,
                              env=self.environment(None), check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"which event?", done.stderr)

    def test_session_start(self):
        own = subprocess.run([hook_support.BINARY, "--version"], capture_output=True, text=True, check=True).stdout
        own = own.split()[1]
        major, minor, patch = map(int, own.split("."))
        for wants, says in (("0.0.1", None), (own, None), (own + "-rc1", None), (f"{major}.{minor}.{patch + 1}", "or later"),
                            (f"{major}.{minor + 1}.0", "or later"), (f"{major + 10}.0.0", "or later"), ("x", "is none"),
                            ("1.2", "is none"), ("9" * 50 + ".0.0", "is none")):
            answer = self.hook("session-start", {"hook_event_name": "SessionStart"}, args=["--wants", wants])
            self.assertEqual((answer.status, answer.decision), (0, None))
            if says is None:
                self.assertSilent(answer)
            else:
                self.assertIn(says, answer.context, wants)
                self.assertEqual((answer.event, answer.json["systemMessage"]), ("SessionStart", answer.context))
        self.assertSilent(self.hook("session-start", {}))

    def test_old_hook_outdoes_the_other_modes(self):
        for arguments in (["--hook=post-edit"], ["--check-gate", "--hook", "post-edit"],
                          ["--hook", "post-edit", "--lint-impl", "--op-dir", "/x", "--stage=3"]):
            done = subprocess.run([hook_support.BINARY, *arguments], capture_output=True,
                                  input=self.text.encode(), env=self.environment(None), check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("hookSpecificOutput", json.loads(done.stdout))

    def test_language(self):
        chinese = self.hook("post-edit", self.event, args=["--lang", "zh"])
        self.assertIn("请阅读以上提示", chinese.reason)
        by_variable = self.hook("post-edit", self.event, env={"PYPTO_LINT_LANG": "zh"})
        self.assertEqual(chinese.reason, by_variable.reason)
        self.assertIn("write the same file again", self.hook("post-edit", self.event).reason)


if __name__ == "__main__":
    main()

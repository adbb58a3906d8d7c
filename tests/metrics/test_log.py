#!/usr/bin/env python3
"""What runs write to the log of metrics, and that the log never changes what they answer."""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "hook"), str(TESTS / "cli")]
import catalogue  # noqa: E402
import hook_support  # noqa: E402
from hook_support import BAD_IMPL, COMMON, OLD, HookTest, edit_event, main  # noqa: E402

RULE_KEYS = {"event_type", "ts", "invocation_id", "op_dir", "stage", "rule_id", "severity",
             "fix_effort", "status", "file", "mode", "strict", "duration_ms", "message_hash"}
SUMMARY_KEYS = {"event_type", "ts", "invocation_id", "op_dir", "stage", "mode", "strict", "total",
                "pass", "fail", "warn", "info", "skip", "skip_rules", "events_written", "s0_fails",
                "s1_fails", "effort_stats", "total_duration_ms"}
DECISION_KEYS = {"event_type", "ts", "invocation_id", "op_dir", "stage", "mode", "strict",
                 "blocked", "blocking_rules"}


class LogTest(HookTest):
    def setUp(self):
        super().setUp()
        self.log = self.folder / "log.jsonl"
        self.env = {"PYPTO_LINT_METRICS": str(self.log)}

    def events(self, kind=None):
        rows = [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]
        return [row for row in rows if kind in (None, row["event_type"])]

    def lint(self, *args, env=None, cwd=None):
        done = subprocess.run([hook_support.BINARY, *map(str, args)], capture_output=True,
                              timeout=60, check=False, env=self.environment(env),
                              cwd=cwd or self.folder)
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


class Content(LogTest):
    def test_check(self):
        op = self.operator(impl=BAD_IMPL)
        start = int(time.time())
        status, out, err = self.lint("check", "--format", "json", "--metrics", "log.jsonl", op)
        self.assertEqual((status, err), (1, ""))
        report = json.loads(out)
        checks, (summary,) = self.events("rule_check"), self.events("run_check_summary")
        self.assertEqual(self.events()[-1], summary)
        for event in checks:
            self.assertEqual(set(event), RULE_KEYS)
            self.assertGreaterEqual(event["duration_ms"], 0)
            self.assertNotEqual(event["status"], "SKIP")
        self.assertEqual(set(summary), SUMMARY_KEYS)
        for event in self.events():
            self.assertRegex(event["invocation_id"], "^[0-9a-f]{8}$")
            self.assertEqual(event["invocation_id"], summary["invocation_id"])
            self.assertEqual((event["op_dir"], event["stage"], event["mode"], event["strict"]),
                             (str(op), 5, "cli", True))
            self.assertIn(event["ts"] - start, range(60))
        # The same rules and states as in the report.
        states = {rule["id"]: rule["status"] for rule in report["rules"]}
        logged = {event["rule_id"]: event["status"] for event in checks}
        self.assertEqual(logged, {i: s for i, s in states.items() if s != "SKIP"})
        self.assertEqual(summary["skip_rules"], sorted(i for i, s in states.items() if s == "SKIP"))
        for name in ("PASS", "FAIL", "WARN", "INFO", "SKIP"):
            self.assertEqual(summary[name.lower()], list(states.values()).count(name), name)
        self.assertEqual(summary["total"], len(states))
        self.assertEqual(summary["events_written"], len(checks))

    def test_message_and_effort(self):
        op = self.operator(impl=BAD_IMPL)
        _, out, _ = self.lint("check", "--format", "json", "--metrics", self.log, op)
        (finding,) = [f for f in json.loads(out)["findings"] if f["rule"] == "OL07"]
        (event,) = [e for e in self.events("rule_check") if e["rule_id"] == "OL07"]
        digest = hashlib.sha1(finding["message"].encode("utf-8")).hexdigest()
        self.assertEqual(event["message_hash"], digest[:12])
        self.assertEqual((event["file"], event["severity"], event["fix_effort"], event["status"]),
                         ("rowscale_impl.py", "S0", "E1", "FAIL"))
        (summary,) = self.events("run_check_summary")
        self.assertIn("OL07", summary["s0_fails"])
        self.assertNotIn("OL07", summary["s1_fails"])
        self.assertEqual(list(summary["effort_stats"]), ["E1", "E2", "E3", "unknown"])
        self.assertIn("OL07", summary["effort_stats"]["E1"]["fails"])
        # OL60 and OL61 have no effort.
        (free,) = [e for e in self.events("rule_check") if e["rule_id"] == "OL60"]
        self.assertEqual(free["fix_effort"], "")

    def test_labels_and_skipped_rules(self):
        op = self.operator(stage=5)
        env = {**self.env, "PYPTO_OP_LINT_MODE": "night \"run\"\n", "PYPTO_OP_LINT_STRICT": "0",
               "PYPTO_OP_LINT_LOG_SKIP": "1"}
        self.lint("check", op, env=env)
        (summary,) = self.events("run_check_summary")
        self.assertEqual((summary["mode"], summary["strict"]), ('night "run"\n', False))
        skipped = sorted(e["rule_id"] for e in self.events("rule_check") if e["status"] == "SKIP")
        self.assertEqual(skipped, summary["skip_rules"])
        # Without PYPTO_OP_LINT_STRICT these two do not run.
        self.assertLessEqual({"OL39", "OL40"}, set(skipped))
        self.assertEqual(summary["events_written"], summary["total"])

    def test_gates_of_both_command_lines(self):
        op = self.operator()
        self.lint("--stage", "5", "--op-dir", op, env=self.env)
        self.lint("--check-gate", "--op-dir", op, "--stage", "5", env=self.env)
        new, old = self.events("run_check_summary")
        self.assertEqual((new["total"], old["total"]),
                         (len(catalogue.STAGES[5]), catalogue.WORKFLOW_COUNTS[5]))  # no KS with the old flags
        self.assertNotEqual(new["invocation_id"], old["invocation_id"])

    def test_several_operators(self):
        self.operator(name="rowscale")
        self.operator(name="other")
        self.lint("check", "--metrics", self.log, "custom")
        self.assertEqual([e["op_dir"] for e in self.events("run_check_summary")],
                         [str(self.folder / "custom/other"), str(self.folder / "custom/rowscale")])


class Hooks(LogTest):
    def test_post_edit(self):
        op = self.operator(impl=BAD_IMPL)
        event = edit_event(op / "rowscale_impl.py")
        plain = self.hook("post-edit", event, env={"XDG_CACHE_HOME": "/dev/null/none"})
        env = {**self.env, "XDG_CACHE_HOME": "/dev/null/none", "PYPTO_OP_LINT_MODE": "cli"}
        for form in (COMMON, OLD):
            answer = self.hook("post-edit", event, form, env=env)
            self.assertBlocks(answer, "OL07")
            self.assertEqual((answer.reason, answer.err), (plain.reason, ""))
        summaries = self.events("run_check_summary")
        self.assertEqual([e["mode"] for e in summaries], ["post-edit", "post-edit"])
        self.assertEqual(summaries[0]["total"], len(catalogue.IMPL) + 1)  # and OL41
        self.assertEqual(self.events("gate_decision"), [])

    def test_option(self):
        op = self.operator()
        for args in (("--metrics", str(self.log)), (f"--metrics={self.log}",)):
            self.hook("post-edit", edit_event(op / "rowscale_impl.py"), args=args)
        self.assertEqual(len(self.events("run_check_summary")), 2)

    def test_stop(self):
        op = self.operator(impl=BAD_IMPL)
        answer = self.hook("stop", {"cwd": str(op)}, env=self.env)
        self.assertBlocks(answer, "OL07")
        summary, decision = self.events()[-2:]
        self.assertEqual(set(decision), DECISION_KEYS)
        self.assertEqual((decision["mode"], decision["blocked"]), ("stop", True))
        self.assertEqual(decision["invocation_id"], summary["invocation_id"])
        self.assertEqual(decision["blocking_rules"],
                         sorted(summary["s0_fails"] + summary["s1_fails"]))
        # Let go the second time: the rules still fail, nothing is blocked.
        self.hook("stop", {"cwd": str(op), "stop_hook_active": True}, env=self.env)
        self.assertFalse(self.events()[-1]["blocked"])
        self.assertIn("OL07", self.events()[-1]["blocking_rules"])

    def test_a_stop_that_does_not_block(self):
        op = self.operator(stage=7)
        self.assertSilent(self.hook("stop", {"cwd": str(op)}, env=self.env))
        self.assertEqual((self.events()[-1]["blocked"], self.events()[-1]["blocking_rules"]),
                         (False, []))

    def test_no_run_no_log(self):
        op = self.operator()
        self.hook("post-edit", edit_event(op / "notes.md"), env=self.env)
        self.hook("post-bash", {"tool_input": {"command": "python3 test_x.py"}}, env=self.env)
        self.hook("pre-edit", edit_event(op / "rowscale_impl.py"), env=self.env)
        self.hook("stop", {"cwd": "/"}, env=self.env)
        self.assertFalse(self.log.exists())


class Trouble(LogTest):
    def both(self, target, note):
        """A hook and a check that cannot write: the same answers, at most a note."""
        op = self.operator(impl=BAD_IMPL)
        for form in (COMMON, OLD):
            answer = self.hook("post-edit", edit_event(op / "rowscale_impl.py"), form,
                               env={"PYPTO_LINT_METRICS": target})
            self.assertBlocks(answer, "OL07")
            self.assertEqual((answer.status, answer.err), (0, ""))
        plain = self.lint("check", op)
        status, out, err = self.lint("check", op, env={"PYPTO_LINT_METRICS": target})
        self.assertEqual((status, out), plain[:2])
        self.assertIn(note, err)

    def test_off_by_default(self):
        op = self.operator(impl=BAD_IMPL)
        before = self.snapshot()
        for env in (None, {"PYPTO_LINT_METRICS": ""}):
            self.lint("check", op, env=env)
            self.hook("stop", {"cwd": str(op)}, env=env)
        self.assertEqual(self.snapshot(), before)

    def test_places_that_take_no_log(self):
        self.both("/nowhere/log.jsonl", "No such file")
        self.both("/dev/null", "not a regular file")
        self.both(str(self.folder), "Is a directory")
        os.mkfifo(self.folder / "pipe")
        self.both(str(self.folder / "pipe"), "not a regular file")
        self.both("relative.jsonl", "absolute")
        self.assertFalse((self.folder / "relative.jsonl").exists())

    def test_a_symlink_is_not_followed(self):
        target = self.folder / "precious"
        target.write_text("keep\n", encoding="utf-8")
        (self.folder / "link").symlink_to(target)
        self.both(str(self.folder / "link"), "symlink")
        self.assertEqual(target.read_text(encoding="utf-8"), "keep\n")

    def test_a_full_log(self):
        limit = 64 * 1024 * 1024
        with open(self.log, "wb") as file:
            file.truncate(limit - 1000)
        self.both(str(self.log), "full")
        self.assertEqual(self.log.stat().st_size, limit - 1000)

    def test_a_torn_line_takes_no_other_with_it(self):
        self.log.write_text('{"event_type": "rule_ch', encoding="utf-8")
        op = self.operator()
        self.lint("check", op, "--metrics", self.log)
        lines = self.log.read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], '{"event_type": "rule_ch')
        for line in lines[1:]:
            json.loads(line)

    def test_a_limit_on_files(self):
        op = self.operator()
        done = subprocess.run(["sh", "-c", 'ulimit -f 0; exec "$0" hook stop', hook_support.BINARY],
                              input=json.dumps({"cwd": str(op)}).encode(), capture_output=True,
                              env=self.environment(self.env), check=False, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b'"decision":"block"', done.stdout)

    def test_side_by_side(self):
        op = self.operator()
        runs = [subprocess.Popen([hook_support.BINARY, "check", str(op), "--metrics", str(self.log)],
                                 stdout=subprocess.DEVNULL, env=self.environment(None))
                for _ in range(20)]
        for run in runs:
            run.wait()
        ids = [event["invocation_id"] for event in self.events()]
        changes = sum(1 for a, b in zip(ids, ids[1:]) if a != b)
        self.assertEqual((len(set(ids)), changes), (20, 19))  # whole runs, one after the other

    def test_names_that_are_not_utf8(self):
        op = self.operator()
        os.rename(op, os.fsencode(op.parent) + b"/row\xff\x1b[2J")
        self.lint("check", "custom", "--metrics", self.log)
        self.assertIn("\ufffd\x1b[2J", self.events()[0]["op_dir"])
        self.assertNotIn(b"\x1b", self.log.read_bytes())


if __name__ == "__main__":
    main()

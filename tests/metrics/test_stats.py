#!/usr/bin/env python3
"""`stats`: sums over logs that are written here by hand, so that every figure is known."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

BINARY = None


def check(rule, status, effort="E1", ms=0.5, op="/ops/a", ts=100, **more):
    return {"event_type": "rule_check", "ts": ts, "invocation_id": "aaaaaaaa", "op_dir": op,
            "stage": 5, "rule_id": rule, "severity": "S1", "fix_effort": effort, "status": status,
            "file": "", "mode": "cli", "strict": True, "duration_ms": ms,
            "message_hash": "0" * 12, **more}


def summary(run, op, ts=100, s0=(), s1=(), efforts=None, ms=1.5, mode="cli", **counts):
    return {"event_type": "run_check_summary", "ts": ts, "invocation_id": run, "op_dir": op,
            "stage": 5, "mode": mode, "strict": True, "total": 0, "pass": 0, "fail": 0, "warn": 0,
            "info": 0, "skip": 0, "skip_rules": [], "events_written": 0, "s0_fails": list(s0),
            "s1_fails": list(s1), "effort_stats": efforts or {}, "total_duration_ms": ms, **counts}


def decision(op, blocked, ts=100):
    return {"event_type": "gate_decision", "ts": ts, "invocation_id": "aaaaaaaa", "op_dir": op,
            "stage": 5, "mode": "stop", "strict": True, "blocked": blocked, "blocking_rules": []}


SAMPLE = [
    check("OL01", "PASS", ts=100),
    check("OL01", "FAIL", ts=200, op="/ops/b", ms=1.5),
    check("OL22", "WARN", ts=200, op="/ops/b"),
    summary("00000001", "/ops/a", ts=100, total=3, ms=2.25, **{"pass": 2, "skip": 1},
            efforts={"E1": {"fails": [], "warns": []}}),
    summary("00000002", "/ops/b", ts=200, total=5, s0=["OL07"], s1=["OL26", "OL04"], ms=4,
            mode="stop", **{"pass": 1, "fail": 3, "warn": 1},
            efforts={"E1": {"fails": ["OL07"], "warns": ["OL22"]},
                     "E2": {"fails": ["OL26", "OL04"], "warns": []}}),
    decision("/ops/b", True, ts=200),
    decision("/ops/a", False, ts=100),
    summary("00000003", "/ops/b", ts=300, total=5, s1=["OL04"], **{"pass": 4, "fail": 1},
            efforts={"E2": {"fails": ["OL04"], "warns": []}}),
]


class StatsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.log = self.folder / "log.jsonl"

    def write(self, events):
        self.log.write_text("".join(json.dumps(e, ensure_ascii=False) + "\n" for e in events),
                            encoding="utf-8")

    def stats(self, *args, stdin=None, file=None, before=None, lang="C.UTF-8"):
        env = {"PATH": os.environ["PATH"], "LC_ALL": lang}
        done = subprocess.run([BINARY, "stats", *args, file or str(self.log)], input=stdin,
                              capture_output=True, check=False, env=env, timeout=120,
                              preexec_fn=before)
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")

    def json(self, *args, note="", **more):
        status, out, err = self.stats("--format", "json", *args, **more)
        self.assertEqual(status, 0, err)
        self.assertEqual(bool(note), bool(err), err)
        self.assertIn(note, err)
        return json.loads(out)


class Sums(StatsTest):
    def test_summaries(self):
        self.write(SAMPLE)
        got = self.json()
        # 3 + 5 + 5 checks, 2 + 1 + 4 passed, 0 + 3 + 1 failed, 1 warned, 1 skipped
        self.assertEqual({k: got[k] for k in ("total_rule_checks", "pass", "fail", "warn", "skip",
                                              "total_gate_blocks", "total_summaries",
                                              "total_duration_ms", "broken_lines")},
                         {"total_rule_checks": 13, "pass": 7, "fail": 4, "warn": 1, "skip": 1,
                          "total_gate_blocks": 1, "total_summaries": 3, "total_duration_ms": 7.75,
                          "broken_lines": 0})
        self.assertEqual(got["data_source"], "run_check_summary")
        self.assertEqual(got["s0_fails"], ["OL07"])
        self.assertEqual(got["s1_fails"], ["OL04", "OL26"])
        self.assertEqual(got["failed_rules"], ["OL04", "OL07", "OL26"])
        self.assertEqual(got["effort_stats"], {"E1": {"fails": ["OL07"], "warns": ["OL22"]},
                                               "E2": {"fails": ["OL04", "OL26"], "warns": []}})
        self.assertEqual(got["per_op"], {
            "/ops/a": {"invocations": 1, "total": 3, "pass": 2, "fail": 0, "warn": 0, "blocks": 0},
            "/ops/b": {"invocations": 2, "total": 10, "pass": 5, "fail": 4, "warn": 1, "blocks": 1}})
        self.assertEqual(got["invocations"][1], {
            "invocation_id": "00000002", "op_dir": "/ops/b", "stage": 5, "mode": "stop", "total": 5,
            "pass": 1, "fail": 3, "warn": 1, "s0_fails": ["OL07"], "s1_fails": ["OL04", "OL26"],
            "duration_ms": 4.0})
        self.assertEqual([r["invocation_id"] for r in got["invocations"]],
                         ["00000001", "00000002", "00000003"])
        self.assertEqual(got["rules"]["OL01"], {"name": "missing-or-extra-jit-entry", "checks": 2, "pass": 1, "fail": 1, "warn": 0,
                                                "info": 0, "skip": 0, "duration_ms": 2.0})

    def test_single_checks_when_there_is_no_summary(self):
        self.write(SAMPLE[:3] + [check("OL60", "FAIL", effort=""), check("OL37", "INFO", "E9")])
        got = self.json()
        self.assertEqual(got["data_source"], "rule_check")
        self.assertEqual([got[k] for k in ("total_rule_checks", "pass", "fail", "warn", "skip")],
                         [5, 1, 2, 1, 0])
        self.assertEqual(got["failed_rules"], ["OL01", "OL60"])
        self.assertEqual((got["s0_fails"], got["s1_fails"], got["invocations"]), ([], [], []))
        self.assertEqual(got["effort_stats"]["unknown"], {"fails": ["OL60"], "warns": []})
        self.assertEqual(got["total_duration_ms"], 3.5)

    def test_filters(self):
        self.write(SAMPLE + [{k: v for k, v in SAMPLE[3].items() if k != "ts"}])
        self.assertEqual(self.json("--op-dir", "/ops/b")["total_rule_checks"], 10)
        self.assertEqual(self.json("--op-dir=/ops/b/")["total_rule_checks"], 10)
        self.assertEqual(self.json("--op-dir", "/ops")["total_rule_checks"], 0)
        self.assertEqual(self.json("--since", "200")["total_rule_checks"], 10)
        self.assertEqual(self.json("--since", "201", "--op-dir", "/ops/b")["total_rule_checks"], 5)
        self.assertEqual(self.json("--since", "0")["total_summaries"], 4)  # no ts counts as 0
        self.assertEqual(self.json("--since", "1")["total_summaries"], 3)

    def test_standard_input(self):
        text = "\n".join(json.dumps(e) for e in SAMPLE).encode()  # the last line has no end
        self.assertEqual(self.json(file="-", stdin=text)["total_summaries"], 3)

    def test_empty(self):
        self.log.write_bytes(b"\n  \n")
        got = self.json()
        self.assertEqual((got["total_rule_checks"], got["per_op"], got["effort_stats"]), (0, {}, {}))
        status, out, err = self.stats()
        self.assertEqual((status, err), (0, ""))
        self.assertNotIn("Rules", out)


class Page(StatsTest):
    def test_text(self):
        self.write(SAMPLE)
        status, out, err = self.stats()
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(lines[0], "Lint metrics")
        self.assertIn("  rule checks     13", lines)
        self.assertIn("S0 rules that failed: OL07 irregular-pypto-import", lines)
        self.assertIn("S1 rules that failed: OL04 missing-tile-shape, OL26 tensor-after-scalar", lines)
        self.assertRegex(out, r"\n  00000002 +5  stop  1/3/1 +OL07 +4\.0\n")
        self.assertRegex(out, r"\n +2  5/4/1 +1 +5\.5  /ops/b\n")

    def test_the_example_of_the_page(self):
        self.write(SAMPLE)
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "agents" / "metrics.md"
        self.assertIn("```text\n" + self.stats()[1] + "```\n", page.read_text(encoding="utf-8"))

    def test_markdown_in_chinese(self):
        self.write(SAMPLE)
        _, out, _ = self.stats("--format", "markdown", "--lang", "zh")
        lines = out.splitlines()
        self.assertEqual(lines[0], "# Lint 指标汇总")
        headings = [line for line in lines if line.startswith("## ")]
        self.assertEqual(headings, ["## 概览", "## 修复成本分布", "## 按规则统计",
                                    "## 每次调用明细", "## 按算子统计"])
        self.assertIn("| 指标 | 值 |", lines)
        self.assertIn("| 规则检查 | 13 |", lines)
        self.assertIn("| E2 | OL04, OL26 | - |", lines)
        columns = 0
        for line in lines:  # every row of a table has the columns of its head
            count = line.count("|") if line.startswith("|") else 0
            self.assertIn(count, (columns, 0) if columns else (count,))
            columns = count

    def test_chinese_by_the_locale(self):
        self.write(SAMPLE[:1])
        self.assertIn("指标汇总", self.stats(lang="zh_CN.UTF-8")[1])

    def test_only_the_newest_runs(self):
        self.write([summary(f"{n:08}", "/ops/a", total=1) for n in range(25)])
        _, out, _ = self.stats()
        self.assertIn("The newest 20 of 25.", out)
        self.assertNotIn("00000004", out)
        self.assertIn("00000005", out)


class Hostile(StatsTest):
    def test_broken_lines(self):
        good = json.dumps(SAMPLE[3])
        self.log.write_bytes("\n".join([
            good, "{", "[]", "7", good[:-9], "nonsense", good, ""]).encode() +
            b'{"op_dir": "\xff"}\n' + b"\0\n" + b"[" * 5000 + b"\n" + good.encode())
        got = self.json(note="8 line(s) of the log are broken")
        self.assertEqual((got["total_summaries"], got["broken_lines"]), (3, 8))

    def test_what_python_takes_for_json(self):
        """A line is not dropped for a value that only some readers of JSON refuse."""
        good = json.dumps(SAMPLE[3])
        odd = ("9" * 40, "-" + "9" * 40, "1e400", "NaN", "-Infinity", r'"\u0000\ud800"',
               '{"' + r'\u0000' + '": 1}', "[" * 900 + "]" * 900)
        lines = [good[:-1] + f', "more": {value}}}' for value in odd]
        for line in lines:
            json.loads(line)
        self.log.write_text("\n".join(lines), encoding="utf-8")
        got = self.json()
        self.assertEqual((got["total_summaries"], got["broken_lines"]), (len(odd), 0))
        self.assertEqual(got["pass"], 2 * len(odd))
        self.log.write_text(good.replace("2.25", "NaN"), encoding="utf-8")
        self.assertEqual(self.json()["total_duration_ms"], 0)

    def test_wrong_types(self):
        for value in (None, True, [], {}, "x", -1, 1.5, 1e300, [[]], {"E1": 7}, ["OL07\n", 3]):
            event = {key: value for key in SAMPLE[4]}
            self.write([{**event, "event_type": kind}
                        for kind in ("rule_check", "run_check_summary", "gate_decision", value)])
            for form in ("text", "markdown", "json"):
                status, out, err = self.stats("--format", form)
                self.assertEqual((status, err), (0, ""))
            got = json.loads(out)
            self.assertEqual(got["total_summaries"], 1)
            self.assertEqual((got["s0_fails"], got["total_rule_checks"]), ([], 0))

    def test_text_from_the_log_is_not_obeyed(self):
        evil = "::error::x\x1b[2J\u202e|`<b>"
        self.write([summary("::error:", evil, mode=evil), check("OL\x1b[", "FAIL", op=evil),
                    summary("\x1b[2J", "::warning::y", mode="a|b")])
        for form in ("text", "markdown"):
            _, out, _ = self.stats("--format", form)
            self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
            for line in out.splitlines():
                self.assertFalse(line.strip().startswith("::"), line)
        self.assertIn("a\\|b", out)
        _, out, _ = self.stats("--format", "json")
        self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
        self.assertIn(evil, json.loads(out)["per_op"])

    def test_a_line_without_end(self):
        with open(self.log, "wb") as file:
            file.write(json.dumps(SAMPLE[3]).encode() + b"\n")
            for _ in range(64):
                file.write(b"x" * (1 << 20))
            file.write(b"\n" + json.dumps(SAMPLE[4]).encode())
        got = self.json(note="1 line(s)")
        self.assertEqual((got["total_summaries"], got["broken_lines"]), (2, 1))

    def test_many_runs_and_directories_take_bounded_memory(self):
        with open(self.log, "w", encoding="utf-8") as file:
            for n in range(30000):
                file.write(json.dumps(summary(f"{n:08}", f"/ops/{n}", total=1)) + "\n")
        with open(BINARY, "rb") as binary:
            sanitized = b"__asan_init" in binary.read()
        limit = 100 << 20
        got = self.json(before=None if sanitized else lambda: resource.setrlimit(
            resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual((got["total_summaries"], got["total_rule_checks"]), (30000, 30000))
        self.assertEqual(len(got["invocations"]), 10000)
        self.assertEqual(got["invocations"][0]["invocation_id"], "00020000")
        self.assertEqual(got["invocations"][-1]["invocation_id"], "00029999")
        self.assertEqual(len(got["per_op"]), 10001)
        self.assertEqual(got["per_op"][""]["total"], 20000)

    def test_usage(self):
        for args, why in ((("stats",), "which log"), (("stats", "/nowhere"), "No such file"),
                          (("stats", str(self.folder)), "MEMORY.md: there is no such file"),
                          (("stats", "a", "b"), "one argument too many"), (("stats", "--format", "xml"), "xml"),
                          (("stats", "--since", "now", "x"), "--since"),
                          (("stats", "--since"), "--since"), (("stats", "--op-dir", "", "x"), "needs"),
                          (("stats", "--lang=de", "x"), "--lang"), (("stats", "--no", "x"), "--no")):
            done = subprocess.run([BINARY, *args], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertIn(why, done.stderr)
        done = subprocess.run([BINARY, "stats", "--help"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("pypto-lint stats [", done.stdout)


def main():
    global BINARY
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()


if __name__ == "__main__":
    main()

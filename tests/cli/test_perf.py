"""`pypto-lint perf`: figures that are worked out by hand, and files that are not traces."""
import json
import os
import time

import support


def event(name, tid, ts, dur, **more):
    """A complete event of process 7."""
    return {"name": name, "ph": "X", "pid": 7, "tid": tid, "ts": ts, "dur": dur, **more}


def at(line, **more):
    """Arguments with a place."""
    return {"args": {"file": "k.py", "line": line, **more}}


NAMES = [{"name": "process_name", "ph": "M", "pid": 7, "args": {"name": "AICore"}},
         {"name": "thread_name", "ph": "M", "pid": 7, "tid": 0, "args": {"name": "AIC_0"}},
         {"name": "thread_name", "ph": "M", "pid": 7, "tid": 1, "args": {"name": "AIV_0"}},
         {"name": "thread_name", "ph": "M", "pid": 7, "tid": 2, "args": {"name": "MTE2"}}]
# MTE2   |load 0-10|            |load 30-34|
# AIC_0             |mm 10-30|              |mm 40-60|
# AIV_0                       |exp 30-38|               |store 64-70|
DEVICE = NAMES + [
    event("load", 2, 0, 10, **at(3, bytes=512)), event("load", 2, 30, 4, **at(3, bytes=128)),
    event("mm", 0, 10, 20, **at(5)), event("mm", 0, 40, 20, **at(5)),
    event("exp", 1, 30, 8, **at(6)), event("store", 1, 64, 6, **at(7))]
# What cores do and wait for, in the words of the device's tools; the last ones say it otherwise.
BUBBLES = """\
[AIC_0] Execute task num:2
    Core Total Work Time: 40.0us
    Total Wait Time: 30us
    Wait Schedule Time: 10us
    Wait Predecessor Time: 20us
[AIV_0] Core Total Work Time: 14000ns, Wait Schedule Time: 1500 ns, Wait Predecessor Time: 0.004 ms
Thread 3: task num: 7, wait time: 2 ms
[AIC_1] Total Wait Time: 900 cycles
"""
COUNTERS = """\
core_id,aicore_time(us),total_cycles,vec_ratio,mac_ratio,mte2_ratio,icache_miss_rate
0,30,54000,0.5,0,0.25,0.02
0,10,18000,0.9,0,0.25,0.02
1,5,9000,,0.7,,
broken row
"""


class Perf(support.CliTest):
    def look(self, events, *more, status=0):
        """The report about these events."""
        self.write("t.json", events if isinstance(events, str) else json.dumps(events))
        done = support.call("perf", "--format", "json", "t.json", *more, cwd=self.folder)
        self.assertEqual(done.status, status, done.err)
        return done.json() if status == 0 else done

    def test_busy_units(self):
        found = self.look({"traceEvents": DEVICE})
        self.assertEqual((found["events"], found["start_us"], found["length_us"]), (6, 0, 70))
        units = {unit["unit"]: (unit["core"], unit["kind"], unit["events"], unit["busy_us"],
                                unit["busy_share"]) for unit in found["units"]}
        self.assertEqual(units, {"AIC_0": ("AICore", "cube", 2, 40, round(40 / 70, 6)),
                                 "AIV_0": ("AICore", "vector", 2, 14, 0.2),
                                 "MTE2": ("AICore", "memory", 2, 14, 0.2)})

    def test_gaps_by_time(self):
        found = self.look(DEVICE)  # an array of events is a trace, too
        gaps = [(gap["unit"], gap["start_us"], gap["length_us"], gap["waiter"]["name"],
                 gap["waits_for"] and gap["waits_for"]["name"], gap["by"]) for gap in found["gaps"]]
        self.assertEqual(gaps, [("AIV_0", 38, 26, "store", "mm", "time"),
                                ("MTE2", 10, 20, "load", "mm", "time"),
                                ("AIC_0", 30, 10, "mm", "exp", "time")])
        self.assertEqual(found["idle_us"], 56)

    def test_dependencies_count_more_than_times(self):
        flows = [{"name": "d", "ph": "s", "id": 1, "pid": 7, "tid": 2, "ts": 33, "cat": "c"},
                 {"name": "d", "ph": "f", "id": 1, "pid": 7, "tid": 0, "ts": 40, "cat": "c", "bp": "e"}]
        found = self.look(DEVICE + flows)
        gap = next(gap for gap in found["gaps"] if gap["unit"] == "AIC_0")
        self.assertEqual((gap["waits_for"]["name"], gap["by"]), ("load", "dependency"))
        self.assertEqual(found["dependencies"], 1)
        # load 0-10, mm 10-30, load 30-34, mm 40-60 (6 waited), store 64-70 (4 waited)
        chain = found["chain"]
        self.assertEqual((chain["events"], chain["running_us"], chain["waiting_us"]), (5, 60, 10))
        self.assertEqual([part["first"]["name"] for part in chain["parts"]],
                         ["load", "mm", "load", "mm", "store"])

    def test_lines(self):
        found = self.look(DEVICE)
        lines = [(line["file"], line["line"], line["name"], line["events"], line["time_us"],
                  line["share"], line["bytes"]) for line in found["lines"]]
        self.assertEqual(lines, [("k.py", 5, "mm", 2, 40, round(40 / 68, 6), 0),
                                 ("k.py", 3, "load", 2, 14, round(14 / 68, 6), 640),
                                 ("k.py", 6, "exp", 1, 8, round(8 / 68, 6), 0),
                                 ("k.py", 7, "store", 1, 6, round(6 / 68, 6), 0)])
        # load 0-10, mm 10-30, exp 30-38, mm 40-60, store 64-70
        self.assertEqual([line["chain_us"] for line in found["lines"]], [40, 10, 8, 6])
        self.assertEqual(found["chain"]["waiting_us"], 6)

    def test_events_without_a_line_go_by_name(self):
        found = self.look([event("a", 0, 0, 1), event("a", 0, 2, 1), event("b", 0, 3, 5)])
        self.assertEqual([(line["file"], line["line"], line["name"], line["time_us"])
                          for line in found["lines"]], [(None, None, "b", 5), (None, None, "a", 2)])

    def test_events_that_overlap_and_nest(self):
        found = self.look([event("a", 0, 0, 10), event("b", 0, 2, 3), event("c", 0, 8, 6),
                           {"name": "d", "ph": "B", "pid": 7, "tid": 1, "ts": 1},
                           {"name": "e", "ph": "B", "pid": 7, "tid": 1, "ts": 2},
                           {"ph": "E", "pid": 7, "tid": 1, "ts": 4},
                           {"ph": "E", "pid": 7, "tid": 1, "ts": 7},
                           {"name": "f", "ph": "B", "pid": 7, "tid": 1, "ts": 9}])
        self.assertEqual([unit["busy_us"] for unit in found["units"]], [14, 6])
        self.assertEqual(found["events"], 5)
        self.assertEqual(found["not_read"]["unusable"], 1)  # f never ended

    def test_hints(self):
        def ids(events):
            return [hint["id"] for hint in self.look(events)["hints"]]
        self.assertEqual(ids(DEVICE), ["one-line"])
        moving = NAMES + [event("l", 2, 0, 20, **at(1)), event("x", 1, 20, 10, **at(2)),
                          event("l", 2, 30, 20, **at(1)), event("x", 1, 50, 10, **at(2))]
        self.assertEqual(ids(moving), ["memory-bound", "one-line"])
        turns = [event(name, i, i * 10, 10) for i, name in enumerate("abc")]
        self.assertEqual(ids(turns), ["serial"])
        uneven = [event(f"n{i}", f"AIV_{i}", 0, 40 - 30 * i) for i in range(2)] + [event("z", "x", 0, 39)]
        self.assertEqual(ids(uneven), ["uneven"])
        short = [event("abc"[i % 3], i % 2, i // 2 * 0.01, 0.01) for i in range(1000)]
        self.assertEqual(ids(short), ["short-events"])
        late = [event("a", 0, 0, 10), event("b", 0, 90, 10)]
        self.assertEqual(ids(late), ["waiting"])

    def test_text(self):
        self.write("t.json", json.dumps(DEVICE))
        done = support.call("perf", "t.json", cwd=self.folder)
        self.assertEqual(done.status, 0)
        self.assertIn("t.json: 6 events in 70.000 us", done.out)
        self.assertIn(" 57.1 %        40.000 us         2  cube     AICore / AIC_0\n", done.out)
        self.assertIn("k.py:7 store waits for k.py:5 mm (AIC_0, by its end)", done.out)
        self.assertIn("what waits for what is inferred from times", done.out)
        chinese = support.call("perf", "t.json", "--lang", "zh", cwd=self.folder)
        self.assertIn("k.py:7 store 等待 k.py:5 mm", chinese.out)

    def test_names_reach_no_terminal_raw(self):
        self.write("t.json", json.dumps([event("a\x1b[31m\nb", "u\x07", 0, 1)]))
        done = support.call("perf", "t.json", cwd=self.folder)
        self.assertEqual(done.status, 0)
        self.assertNotIn("\x1b", done.out)
        self.assertNotIn("\x07", done.out)

    # ---- folders

    def test_folder(self):
        below = "output_1/CostModelSimulationOutput"
        self.write(f"out/{below}/merged_swimlane.json", json.dumps(DEVICE))
        self.write("out/trace_old.json", json.dumps([event("old", 0, 0, 1)]))
        self.write("out/bubble_analysis.log", "AIC_0: 3 us\n")
        self.write("out/pmu.csv", "core,cycles\n0,1\n")
        done = support.call("perf", "--format", "json", "out", cwd=self.folder)
        self.assertEqual(done.status, 0, done.err)
        found = done.json()
        self.assertEqual(found["file"], f"out/{below}/merged_swimlane.json")
        self.assertEqual(found["not_read"]["files"],
                         ["out/bubble_analysis.log", "out/pmu.csv", "out/trace_old.json"])

    def test_the_newest(self):
        for number, when in ((1, 1000), (2, 3000), (3, 2000)):
            path = self.write(f"out/output_{number}/merged_swimlane.json",
                              json.dumps([event(f"n{number}", 0, 0, 1)]))
            os.utime(path or os.path.join(self.folder, f"out/output_{number}/merged_swimlane.json"),
                     (when, when))
        found = support.call("perf", "--format", "json", "out", cwd=self.folder).json()
        self.assertEqual(found["lines"][0]["name"], "n2")

    def test_folder_without(self):
        self.write("out/bubble.log", "x")
        done = support.call("perf", "out", cwd=self.folder)
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertIn("no trace in it", done.err)
        self.assertIn("a form that is not known", done.err)

    # ---- logs of waits and counters

    def logs(self, *what):
        done = support.call("perf", "--format", "json", *what, cwd=self.folder)
        self.assertEqual(done.status, 0, done.err)
        return done.json()

    def test_whose_waits(self):
        """Each core has its own waits, however a line names it. Figures of something else are not added to a core."""
        self.write("bubble.log", "[AIC_0] Execute task num:12\n Total Wait Time: 30us\n"
                   "Thread AIV_3: Core Total Work Time: 0.12ms, Total Wait Time: 5us, task num: 3\n"
                   "[Summary] Total Wait Time: 35us\n Total Wait Time: 35us\n")
        cores = self.logs("bubble.log")["waits"]["cores"]
        self.assertEqual([(core["core"], core["tasks"], core["wait_us"]) for core in cores],
                         [("AIC_0", 12, 30), ("AIV_3", 3, 5)])

    def test_waits(self):
        self.write("out/run/merged_swimlane.json", json.dumps(DEVICE))
        self.write("out/run/bubble_analysis.log", BUBBLES)
        found = self.logs("out")
        self.assertEqual(found["waits"]["file"], "out/run/bubble_analysis.log")
        self.assertEqual([tuple(core.values()) for core in found["waits"]["cores"]], [
            ("AIC_0", 2, 40, 30, 10, 20),
            ("AIV_0", None, 14, 5.5, 1.5, 4),  # the sum of its parts
            ("Thread 3", 7, None, 2000, None, None)])
        self.assertEqual(found["waits"]["not_read"], 2)  # cycles; a core without a wait
        self.assertEqual(found["not_read"]["files"], [])
        self.assertEqual(found["events"], 6)
        text = support.call("perf", "out", cwd=self.folder).out
        self.assertIn("AIC_0  2 tasks, works 40.000 us, waits 30.000 us, for its next task 10.000 us, "
                      "for earlier tasks 20.000 us\n", text)

    def test_counters(self):
        self.write("pmu.csv", COUNTERS)
        found = self.logs("pmu.csv")
        self.assertIsNone(found["file"])
        self.assertNotIn("units", found)
        cores = {core["core"]: core for core in found["counters"]["cores"]}
        self.assertEqual(list(cores), ["0", "1"])
        first = cores["0"]
        # 30 us at 0.5 and 10 us at 0.9 of the vector unit
        self.assertEqual((first["rows"], first["time_us"], first["total_cycles"], first["vec_ratio"]),
                         (2, 40, 72000, 0.6))
        self.assertEqual((first["mte2_ratio"], first["icache_miss_rate"]), (0.25, 0.02))
        self.assertIsNone(first["fixpipe_ratio"])
        self.assertEqual(cores["1"]["vec_ratio"], None)
        self.assertEqual(found["counters"]["not_read"], 1)
        text = support.call("perf", "pmu.csv", cwd=self.folder).out
        self.assertIn("vec_ratio 60.0 %", text)
        self.assertIn("pmu.csv", support.call("perf", "--lang", "zh", "pmu.csv", cwd=self.folder).out)

    def test_counters_of_both_kinds(self):
        self.write("op.csv", "Op Name,aic_mac_ratio,aiv_vec_ratio,aiv_mte2_ratio(%)\r\n"
                             '"mm, add",0.5,0.25,40\r\nexp,N/A,0.75,60\r\n')
        cores = {core["core"]: core for core in self.logs("op.csv")["counters"]["cores"]}
        self.assertEqual((cores["AIC"]["rows"], cores["AIC"]["mac_ratio"]), (1, 0.5))
        self.assertEqual((cores["AIV"]["rows"], cores["AIV"]["vec_ratio"], cores["AIV"]["mte2_ratio"]),
                         (2, 0.5, 0.5))

    def test_logs_of_another_run(self):
        self.write("out/a/merged_swimlane.json", json.dumps(DEVICE))
        self.write("out/b/pmu.csv", COUNTERS)
        self.write("out/ab/bubble.log", BUBBLES)
        found = self.logs("out")
        self.assertEqual((found["waits"], found["counters"]), (None, None))
        self.assertEqual(found["not_read"]["files"], ["out/ab/bubble.log", "out/b/pmu.csv"])

    def test_hostile_logs(self):
        for text in ("AIC_0\n" * 9, "AIC_0 Wait Time: inf\n", "AIC_0 Wait Time: -1us\n", "Wait Time: 3\n",
                     "AIC_" + "9" * 5000 + ": Wait Time: 3\n", "\0" * 100, "[" * 5000, ":" * 5000,
                     "vec_ratio\n", "vec_ratio\nnan\n", "vec_ratio\n1e400\n", "core,,,\n1,2,3\n"):
            with self.subTest(text=text[:20]):
                self.write("bubble.log", text)
                self.assertEqual(support.call("perf", "bubble.log", cwd=self.folder).status, 2)
        self.write("pmu.csv", "core,vec_ratio\n" + "".join(f"{n},0.5\n" for n in range(5000)))
        counters = self.logs("pmu.csv")["counters"]
        self.assertEqual((len(counters["cores"]), counters["not_read"]), (4096, 904))

    def test_links_are_not_followed(self):
        self.write("else/merged_swimlane.json", json.dumps(DEVICE))
        os.mkdir(os.path.join(self.folder, "out"))
        os.symlink(os.path.join(self.folder, "else"), os.path.join(self.folder, "out/else"))
        self.assertEqual(support.call("perf", "out", cwd=self.folder).status, 2)

    # ---- files that are not traces

    def test_no_traces(self):
        for text in ("", "{", "[", "[1", '{"traceEvents":', '{"traceEvents": 3}', "{}", "null", '"x"',
                     "\x00\x01\x02", '{"traceEvents": []}', "[]", "[1, 2, 3]", '[[[{"ph":"X"}]]]',
                     '[{"ph":"X","ts":NaN,"dur":1}]', '[{"ph":"X","ts":1e999,"dur":1}]',
                     '[{"ph":"X","ts":"1","dur":2}]', '[{"ph":"X","ts":1,"dur":-2}]',
                     '[{"ph":"X","ts":1}]', '[{"ph":["X"],"ts":1,"dur":1}]', "[" * 100000,
                     '{"a":' * 100000):
            with self.subTest(text[:40]):
                done = self.look(text, status=2)
                self.assertEqual(done.out, "")
                self.assertIn("t.json: ", done.err)

    def test_wrong_types_beside_good_ones(self):
        deep = '{"ph":"X","ts":5,"dur":1,"args":' + '{"a":' * 500 + "1" + "}" * 500 + "}"
        found = self.look('[%s,{"ph":"X","ts":NaN,"dur":1},{"ph":"C","ts":1},7,"x",[{}],'
                          '{"ph":"X","ts":1,"dur":2,"pid":[1],"tid":{"a":2},"name":null,'
                          '"args":{"line":"x","file":5}},{"ph":"f","id":3,"ts":1}]' % deep)
        self.assertEqual((found["events"], found["length_us"]), (2, 5))
        self.assertEqual(found["not_read"], {"unusable": 4, "other_kinds": 1, "beyond_limit": 0,
                                             "loose_dependencies": 1, "files": []})

    def test_dependencies_in_a_circle(self):
        flows = [{"ph": kind, "id": number, "pid": 7, "tid": tid, "ts": 1}
                 for number, ends in enumerate((("s", 0, "f", 1), ("s", 1, "f", 0)))
                 for kind, tid in (ends[:2], ends[2:])]
        found = self.look([event("a", 0, 0, 2), event("b", 1, 0, 2)] + flows)
        self.assertEqual(found["dependencies"], 2)
        self.assertLessEqual(found["chain"]["events"], 2)

    def test_large_files(self):
        path = os.path.join(self.folder, "large.json")
        with open(path, "wb") as file:
            file.truncate(1 << 30)
        done = support.call("perf", "large.json", cwd=self.folder)
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertIn("larger than 256 MiB", done.err)
        events = ",".join('{"name":"n%d","ph":"X","pid":1,"tid":%d,"ts":%d,"dur":1}' % (i % 97, i % 31, i)
                          for i in range(200000))
        before = time.monotonic()
        self.assertEqual(self.look("[" + events + "]")["events"], 200000)
        self.assertLess(time.monotonic() - before, 20)  # about a second where nothing else runs

    def test_usage(self):
        for words in ([], [""], ["none.json"], ["/dev/null"]):
            done = support.call("perf", *words, cwd=self.folder)
            self.assertEqual((done.status, done.out), (2, ""))
            self.assertTrue(done.err.startswith("pypto-lint: "), done.err)


if __name__ == "__main__":
    support.main()

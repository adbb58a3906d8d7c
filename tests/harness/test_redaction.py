"""Redaction: nothing of the reference's values, of
its source or of the inputs is in the report or in anything printed. What the implementation prints
is its author's own and stays, unless it is the reference's source or a comparison's rows.
"""
import json
import os
import re

import harness_support
from harness_support import FAKE_NPU, HarnessTest
from operators import case

IMPL = "modules/duet_module1_impl.py"
GOLDEN = "modules/duet_module1_golden.py"
INPUTS = "eval/test_inputs.py"
CALL = "    duet_module1_kernel(x, y, s)\n"
BODY = "    s = x + y * 2.0\n"
ONE = [case("L2_only", "L2", atol=1e-6, rtol=1e-6)]
# Values that no arithmetic of the harness comes by; what is looked for is how they begin.
INPUT_VALUE, INPUT_TEXT = "12345.678", "12345.6"
GOLDEN_VALUE, GOLDEN_TEXT = "98765.4321", "98765.4"
SECRET_LINE = "    zebra_crossing = x * 4.4421 + y"


def by_rows(statements, indent="    "):
    """Statement n at the head of what a case of n rows, counted from 1, runs."""
    return "".join("%sif x.shape[0] == %d:\n%s    %s\n" % (indent, n + 1, indent, statement)
                   for n, statement in enumerate(statements))


def cases_of(statements):
    """A case for each of them: one run, and so one start of torch, for all."""
    return [case("rows_%d" % (n + 1), "L2", n + 1, atol=1e-6, rtol=1e-6)
            for n in range(len(statements))]


class RedactionTest(HarnessTest):
    def marked(self):
        """Inputs and results with values that can be found again; the kernel is off by one."""
        duet = self.operator(cases=ONE)
        duet.edit(INPUTS, ("torch.rand(rows, cols, device=DEVICE) + 0.5",
                           "torch.full((rows, cols), %s, device=DEVICE)" % INPUT_VALUE))
        duet.edit(GOLDEN, (BODY, "    '''GOLDENDOC of the reference'''\n" + SECRET_LINE + "\n"
                                 "    s = torch.full_like(zebra_crossing, %s)\n" % GOLDEN_VALUE))
        duet.edit(IMPL, (CALL, CALL + "    s = s * 0.0 + 98764.4321\n"))
        return duet

    def everything(self, duet, *flags, wanted=("text",), **variables):
        """All that runs of all formats give, as one text, and the last run."""
        seen, done = [], None
        for layout in wanted:
            done = self.verify(duet, duet.flags(1, "--no-lint-gate", "--format", layout, *flags),
                               **variables)
            seen += [done.stdout, done.stderr]
            if done.report is not None:
                # both as written and with escapes undone
                seen += [done.raw.decode(), json.dumps(done.report, ensure_ascii=False),
                         done.log, str((done.failure or {}).get("summary"))]
        return "\n".join(seen), done

    def hidden(self, text, *words):
        for word in words + ("GOLDENDOC", "zebra_crossing", "4.4421", GOLDEN_TEXT):
            if word in text:
                at = text.index(word)
                self.fail("%r is seen: …%s…" % (word, text[max(0, at - 300):at + 100]))


class Values(RedactionTest):
    WARM = True

    def test_difference(self):
        text, done = self.everything(self.marked(), wanted=("text", "json", "sarif"))
        self.expect(done, "FAIL", "precision", "precision", "all_fail", 1)
        self.assertAlmostEqual(done.check("L2_only")["max_abs_diff"], 1.0, places=1)
        self.hidden(text, INPUT_TEXT, "98764.4")

    def test_exceptions_of_golden(self):
        duet = self.marked()
        statements = (
            "raise ValueError('GOLDENERR %s' % s)",
            "raise type('GOLDENTYPE', (Exception,), {})('GOLDENERR')",
            "raise ValueError(x) from KeyError('GOLDENERR', float(s[0, 0]))",
            "assert torch.equal(s, x), 'GOLDENERR %s' % s",
            "import warnings; warnings.warn('GOLDENERR %s' % s)",
            "import sys; sys.exit('GOLDENERR %s' % s)",
            "import os; os.write(2, b'GOLDENERR'); os.abort()",
            "print('GOLDENERR', s, flush=True); import os; os._exit(1)",
            "import sys; print('GOLDENERR', s, file=sys.__stderr__); print(s[99])")
        duet.cases(cases_of(statements))
        duet.edit(GOLDEN, ("    return (s,)", by_rows(statements) + "    return (s,)"))
        text, done = self.everything(duet, "--reuse-workers", wanted=("text", "sarif"))
        self.valid(done)
        self.assertEqual([c["per_mode_status"]["sim"] for c in done.report["checks"]],
                         ["ERROR"] * 4 + ["FAIL"] + ["ERROR"] * 4)  # the 5th: torch made it
        self.hidden(text, "GOLDENERR", "GOLDENTYPE", INPUT_TEXT)

    def test_exceptions_of_inputs(self):
        duet = self.marked()
        duet.edit(INPUTS, ("    return {", "    values = torch.full((2, 2), %s)\n"
                           "    print('INPUTPRINT', values)\n"
                           "    raise ValueError('INPUTERR %%s' %% values)\n    return {"
                           % INPUT_VALUE))
        text, done = self.everything(duet)
        self.valid(done)
        self.hidden(text, INPUT_TEXT, "INPUTERR", "INPUTPRINT")

    def test_results_that_are_no_tensors(self):
        duet = self.marked()
        duet.edit(GOLDEN, ("    return (s,)",
                           "    return (s.tolist(), {'GOLDENKEY': s}, type('GOLDENTYPE', (), "
                           "{'__repr__': lambda self: 'GOLDENREPR'})())"))
        text, done = self.everything(duet)
        self.valid(done)
        self.hidden(text, "GOLDENKEY", "GOLDENREPR")

    def test_comparison_module(self):
        """Its rows show values of the reference; with logging configured they would be seen."""
        duet = self.marked()
        duet.edit(IMPL, (CALL, CALL + """    import logging
    import sys
    logging.basicConfig(level=logging.INFO, stream=sys.stdout)
    from detailed_tensor_compare import detailed_tensor_compare
    print("the author's own line")
    other = torch.full_like(s, %s)
    outcome = detailed_tensor_compare(s, other, tensor_name="s")
    print(outcome, [outcome], "%%s" %% outcome)
    logging.getLogger("author").info("count %%d", outcome["out_of_tolerance_count"])
""" % GOLDEN_VALUE))
        text, done = self.everything(duet)
        self.valid(done)
        self.assertIn("the author's own line", done.log)
        self.assertIn("count 256", done.log)
        self.hidden(text)

    def test_locals_of_frames(self):
        """Tools that show the variables of every frame see nothing of the reference's result."""
        duet = self.marked()
        duet.edit(IMPL, (CALL, CALL + "    import sys, traceback\n    frame = sys._getframe()\n"
                         "    while frame:\n        print(frame.f_code.co_name, frame.f_locals)\n"
                         "        frame = frame.f_back\n"))
        text, done = self.everything(duet)
        self.valid(done)
        self.assertIn("duet_module1_wrapper", done.log)
        self.hidden(text)

    def test_assertion_dumps(self):
        """The same for what numpy and torch say when an assertion of theirs fails."""
        duet = self.marked()
        lines = ["import numpy; numpy.testing.assert_allclose(s.cpu().numpy(), "
                 "s.cpu().numpy() * 0 + %s)" % GOLDEN_VALUE,
                 "torch.testing.assert_close(s, s * 0 + %s)" % GOLDEN_VALUE]
        duet.cases(cases_of(lines))
        duet.edit(IMPL, (CALL, CALL + by_rows(lines)))
        text, done = self.everything(duet)
        self.valid(done)
        self.assertEqual(done.failure["failure_category"], "runtime", done)
        self.assertEqual({c["per_mode_status"]["sim"] for c in done.report["checks"]}, {"ERROR"})
        self.hidden(text.replace("* 0 + " + GOLDEN_VALUE, ""))  # the author's line of source

    def test_inspection(self):
        ladder = self.operator("ladder", [
            {"id": "L4_steps", "level": "L4", "shape": {"B": 1, "H": 1, "NT": 6},
             "atol": 1e-5, "rtol": 1e-5}])
        ladder.edit(ladder.impl(1), ("copy_(shaped)", "copy_(shaped + 98760.4321)"))
        ladder.edit(ladder.golden(1), (
            "    return {\"state\": torch.cumsum(x, dim=2)}",
            "    print('GOLDENPRINT')\n    return {\"state\": torch.cumsum(x, dim=2) + %s}"
            % GOLDEN_VALUE))
        text, done = self.everything(ladder, "--inspect", "state")
        self.valid(done)
        self.assertEqual(done.failure["drift_onset_iter"], 0, done)
        self.hidden(text, "GOLDENPRINT")
        ladder.edit(ladder.golden(1), ("    print('GOLDENPRINT')",
                                       "    raise ValueError('GOLDENERR')"))
        text, done = self.everything(ladder, "--inspect", "state")
        self.hidden(text, "GOLDENERR")

    def test_self_test(self):
        duet = self.operator(cases=ONE)
        duet.edit("duet_golden.py", ("    return (p, q,)", "    print('GOLDENPRINT', p)\n"
                                     "    p = p * 0 + %s\n    return (p, q,)" % GOLDEN_VALUE))
        report = duet.path("eval/self.json")
        done = self.verify(duet, ["--self-test", "--suite",
                                  duet.path("eval/adversarial_suite.json"), "--report", report],
                           report=report)
        self.assertEqual(done.status, 1, done)
        seen = done.stdout + done.stderr + done.raw.decode()
        self.assertNotIn("GOLDENPRINT", seen)
        self.assertNotIn(GOLDEN_VALUE, seen)


class Source(RedactionTest):
    WARM = True

    def prying(self, *lines):
        """An implementation that shows the reference's source, and one line of its own."""
        duet = self.marked()
        duet.edit(IMPL, (CALL, CALL + "    import inspect, linecache, os, sys, traceback\n"
                         "    path = %r\n" % duet.path(GOLDEN) +
                         "".join("    %s\n" % line for line in lines) +
                         "    print(\"the author's own line\")\n"))
        text, done = self.everything(duet)
        self.valid(done)
        self.assertIn("the author's own line", done.log)
        self.hidden(text)

    def test_file_is_read(self):
        self.prying("print(open(path).read())",
                    "print(*['%d: %s' % row for row in enumerate(open(path))], sep='')",
                    "print(repr(open(path).read()))",
                    "sys.stderr.write(open(path).read())",
                    "os.write(1, open(path, 'rb').read())")

    def test_child_reads(self):
        self.prying("os.system('cat ' + path)", "sys.stdout.flush()",
                    "os.system('grep -n . ' + path)")

    def test_modules_are_searched(self):
        self.prying("for module in list(sys.modules.values()):",
                    "    if 'golden' in str(getattr(module, '__file__', '')):",
                    "        print(inspect.getsource(module))",
                    "        for value in vars(module).values():",
                    "            if inspect.isfunction(value):",
                    "                print(value.__doc__)",
                    "                print(inspect.getsource(value))")

    IMPORT = ("import importlib.util",
              "spec = importlib.util.spec_from_file_location('secret', path)",
              "module = importlib.util.module_from_spec(spec)",
              "spec.loader.exec_module(module)")

    def test_docstrings(self):
        self.prying(*self.IMPORT, "print(module.duet_module1_golden.__doc__)",
                    "import ast", "print(ast.unparse(ast.parse(open(path).read())))")

    def test_much_of_it(self):
        """Where the log is cut, no half of a line is left."""
        self.prying("print('a little before')",
                    "for _ in range(5003):", "    print(open(path).read())")

    def test_golden_is_imported(self):
        self.prying(*self.IMPORT,
                    "try:",
                    "    module.duet_module1_golden(x, 'no tensor')",
                    "except Exception:",
                    "    traceback.print_exc()")

    def test_traceback_leaves_the_worker(self):
        """The exception is not caught: our own report of it must cut it as well."""
        duet = self.marked()
        duet.edit(IMPL, (CALL, CALL + "    import importlib.util\n"
                         "    spec = importlib.util.spec_from_file_location('secret', %r)\n"
                         "    module = importlib.util.module_from_spec(spec)\n"
                         "    spec.loader.exec_module(module)\n"
                         "    module.duet_module1_golden(x, 'no tensor')\n" % duet.path(GOLDEN)))
        text, done = self.everything(duet)
        self.valid(done)
        self.assertEqual(done.failure["failure_category"], "runtime", done)
        self.hidden(text)

    def test_syntax_errors_and_warnings(self):
        duet = self.marked()
        before = duet.read(GOLDEN)
        for line in ("    zebra_crossing = = 4.4421", "    assert (zebra_crossing is 4.4421)",
                     "\tzebra_crossing = '4.4421"):
            with self.subTest(line):
                duet.write(GOLDEN, before.replace(SECRET_LINE, SECRET_LINE + "\n" + line))
                for gate in ([], ["--no-lint-gate"]):
                    for layout in ("text", "sarif"):
                        done = self.verify(duet, duet.flags(1, "--format", layout, *gate))
                        self.hidden(done.stdout + done.stderr + done.raw.decode())

    def test_findings_in_references(self):
        """The linter shows the line of a finding; not here, when it is the reference's."""
        duet = self.marked()
        duet.edit(GOLDEN, ("import torch\n", "import torch\nimport pypto  # zebra_crossing\n"))
        for layout in ("text", "json", "sarif"):
            done = self.verify(duet, duet.flags(1, "--format", layout))
            self.hidden(done.stdout + done.stderr + done.raw.decode())

    def test_on_the_device(self):
        duet = self.marked()
        duet.edit(IMPL, (CALL, CALL + "    print(open(%r).read())\n" % duet.path(GOLDEN)))
        text, done = self.everything(duet, "--modes", "npu",
                                     PYTHONPATH=FAKE_NPU, ASCEND_HOME_PATH="/opt/no-such-ascend")
        self.valid(done)
        self.assertEqual(done.report["per_mode_status"]["npu"], "FAIL", done)
        self.hidden(text, INPUT_TEXT)

    def test_in_reused_workers(self):
        duet = self.marked()
        duet.edit(IMPL, (CALL, CALL + "    print(open(%r).read())\n" % duet.path(GOLDEN)))
        text, done = self.everything(duet, "--reuse-workers")
        self.expect(done, "FAIL", "precision", "precision", "all_fail", 1)
        self.hidden(text, INPUT_TEXT)

    def test_own_lines_stay(self):
        """Tensor prints of the implementation are the author's own."""
        duet = self.marked()
        duet.edit(IMPL, (CALL, CALL + "    print('mine', s * 0 + 777.125)\n"))
        done = self.verify(duet, duet.flags(1))
        self.assertIn("777.1", done.log)
        self.assertNotIn("777.1", done.raw.decode())


class Words(RedactionTest):
    """What a kernel says that knows the reference's values: its text is in the log alone."""
    WARM = True

    def test_a_kernel_that_tells_values(self):
        lines = ["raise ValueError('the value is 98761.2345')",
                 "raise type('v98762_2345', (KeyError,), {})()",
                 "print('98763.2345'); raise SystemExit('98763.2345')",
                 "import warnings; warnings.warn('98764.2345')",
                 "import os; os.write(2, b'98765.2345' * 99); os._exit(3)"]
        for chosen in (lines, lines[1:], lines[2:3], lines[4:]):  # the summary is of the first
            duet = self.operator(cases=cases_of(chosen))
            duet.edit(IMPL, (CALL, CALL + by_rows(chosen)))
            for layout in ("text", "json", "sarif") if chosen == lines else ("text",):
                done = self.verify(duet, duet.flags(1, "--no-lint-gate", "--format", layout))
                for line in chosen:
                    number = re.search("9876[0-9]", line).group()
                    self.assertIn(number, done.log, done)
                    for seen in (done.stdout, done.stderr, done.raw.decode()):
                        self.assertNotRegex(seen, number + "[._]2345")
                    self.assertNotIn(number, (done.failure or {"summary": ""})["summary"])


class Processes(RedactionTest):
    """The kernel's process looks for the program, its guards, the template and the judge."""

    SEARCH = """
    import os
    me, parents, words = os.readlink("/proc/self"), {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name) as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
            with open("/proc/%s/cmdline" % name, "rb") as file:
                words[name] = file.read()
        except OSError:
            continue
        parents[name] = parent if state != "Z" else None
    ours = {name for name in parents if FOLDER in words[name] and b"verify" in words[name]}
    for _ in range(8):
        ours |= {name for name in parents if parents[name] in ours}
    for name in ours - {me}:
        for part in ("mem", "environ", "maps", "fd/3", "cwd/."):
            try:
                os.close(os.open("/proc/%s/%s" % (name, part), os.O_RDONLY))
                print("OPENED", part, words[name])
            except OSError:
                pass
    print("seen", len(ours))
"""

    def test_nothing_can_be_opened(self):
        for flags in ((), ("--isolate",)):
            with self.subTest(flags):
                duet = self.operator(cases=[case("L2_a", "L2"), case("L2_b", "L2")])
                search = self.SEARCH.replace("FOLDER", repr(duet.folder.encode()))
                duet.edit(IMPL, (CALL, CALL + search))
                done = self.verify(duet, duet.flags(1, "--no-lint-gate", "-j", "1", *flags))
                self.expect(done, "PASS")
                self.assertRegex(done.log, r"seen [3-9]\b")
                mine = [line for line in done.log.splitlines() if line.startswith("OPENED")]
                self.assertEqual(mine, [], done.log)


class OwnTests(RedactionTest):
    """An operator without module files goes through its own test file."""
    WARM = True

    TEST = '''"""End to end."""

import os
import sys

import numpy
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from duet_golden import duet_golden
from duet_impl import duet_wrapper
from detailed_tensor_compare import detailed_tensor_compare

DEVICE = torch.device("npu:" + os.environ.get("TILE_FWK_DEVICE_ID", "0"))
torch.npu.set_device(DEVICE)


def compare(rows):
    x = torch.full((rows, 16), 12345.678, device=DEVICE)
    y = torch.full((rows, 16), 12345.678, device=DEVICE)
    got, want = duet_wrapper(x, y), duet_golden(x, y)[0]
    COMPARE


def test_duet_l0():
    compare(16)


def test_duet_l1():
    compare(20)
'''

    def solo(self, statement, golden="s = x + y * 2.0", tests=""):
        duet = self.operator(cases=ONE)
        module = duet.read(IMPL).replace("duet_module1_", "duet_")
        reference = duet.read(GOLDEN).replace("duet_module1_", "duet_")
        for path in ("modules/duet_module1_impl.py", "modules/duet_module1_golden.py",
                     "modules/duet_module12_impl.py", "modules/duet_module12_golden.py",
                     "eval/adversarial_suite.json"):
            duet.remove(path)
        os.rmdir(duet.path("modules"))
        contract = duet.read("eval/module_interfaces.yaml")
        second = contract.index("  - id: 2")
        contract = (contract[:second] + "\n" + contract[contract.index("final_outputs"):]).replace(
            "  - {name: p, source: module_2}\n  - {name: q, source: module_2}",
            "  - {name: s, source: module_1}")
        duet.write("eval/module_interfaces.yaml", contract)
        duet.write("duet_impl.py", module)
        duet.write("duet_golden.py", reference.replace("s = x + y * 2.0", golden))
        duet.write("test_duet.py", self.TEST.replace("COMPARE", statement) + tests)
        return duet

    def run_solo(self, duet, *flags):
        return self.verify(duet, ["--impl", "../duet_impl.py", "--modes", "sim",
                                  "--no-lint-gate", "-j", "1"] + list(flags), folder=duet.path("eval"))

    def test_passes(self):
        duet = self.solo("numpy.testing.assert_allclose(got.cpu().numpy(), "
                         "want.cpu().numpy(), 1e-3)")
        done = self.run_solo(duet)
        report = self.expect(done, "PASS")
        self.assertEqual([c["level"] for c in report["checks"]], ["L0", "L1"])

    def test_fails_without_values(self):
        statements = [
            "numpy.testing.assert_allclose(got.cpu().numpy(), want.cpu().numpy(), 1e-3)",
            "torch.testing.assert_close(got, want)",
            "assert torch.allclose(got, want), 'GOLDENERR %s' % want",
            "result = detailed_tensor_compare(got, want, 's'); assert result['all_close'], result",
            "detailed_tensor_compare(got, want, 's')",
        ]
        tests = "".join("\n\ndef test_duet_l2_%d():\n    compare(%d)\n" % (n, n + 1)
                        for n in range(len(statements)))
        duet = self.solo(by_rows(statements).strip(), "s = x * 0 + %s" % GOLDEN_VALUE, tests)
        done = self.run_solo(duet)
        self.valid(done)
        self.assertEqual((done.report["status"], done.status), ("FAIL", 1))
        states = {c["id"]: c["per_mode_status"]["sim"] for c in done.report["checks"]}
        for n in range(len(statements)):
            self.assertIn(states["test_duet_l2_%d" % n], ("FAIL", "ERROR"), done)
        seen = done.stdout + done.stderr + done.raw.decode() + done.log
        for word in (GOLDEN_TEXT, INPUT_TEXT):
            self.assertNotIn(word, seen)


if __name__ == "__main__":
    harness_support.main()

"""The kernel's process against its judge: implementations that look for the reference, forge
results, leak values or outlive their case. Each ends as a failure or an error, and says nothing.

Usage: test_worker_attacks.py SHARE [UNITTEST_ARGUMENTS…]
"""
import json
import os
import py_compile
import sys

import worker_support
from worker_support import WorkerTest, run_job

# The reference gives 31337.5 everywhere, from nothing in the inputs.
GOLDEN = """
import torch
SECRET = 31337.5

def double_module1_golden(x):
    return (torch.full_like(x, SECRET),)

def module_1_inspect(x):
    return {"state": torch.full((1, 1, 4, 4), SECRET)}
"""
VALUE = "31337"


def wrapper(*lines, result="y"):
    """A wrapper that launches its kernel, does this, and returns that."""
    return ("import ctypes, gc, inspect, json, os, signal, struct, sys, threading, time\n"
            "def double_module1_wrapper(x):\n    y = torch.empty_like(x)\n    kernel(x, y)\n" +
            "".join("    %s\n" % line for line in lines) + "    return %s\n" % result)


class AttackTest(WorkerTest):
    def setUp(self):
        super().setUp()
        self.golden(GOLDEN)

    def attack(self, *lines, result="y", **changes):
        """What came of it: never a pass, and nothing of the reference in what is told."""
        self.implementation(wrapper(*lines, result=result))
        told = run_job(self.job(**changes))
        self.assert_failed(told)
        return told

    def assert_failed(self, told):
        result = told.result
        if result is not None and result["end"] == "compared":
            passed = result["leaves"] and all(leaf["all_close"] for leaf in result["leaves"])
            self.assertFalse(passed, told)
        # How far zeros are from it is a metric, which the report is made of.
        for leaf in result["leaves"] if result else ():
            leaf["max_abs_diff"] = None
        self.assertNotIn(VALUE, json.dumps(result), told)


class Search(AttackTest):
    """Nothing of the reference is in reach."""

    def found_nothing(self, *lines, **changes):
        told = self.attack(*lines, **changes)
        self.assertIn("searched", told.log, told)
        self.assertNotIn("FOUND", told.log, told)
        return told

    def test_frames(self):
        self.found_nothing(
            "frame = sys._getframe()",
            "while frame is not None:",
            "    for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):",
            "        if isinstance(value, torch.Tensor) and (value == 31337.5).any():",
            "            print('FOUND')",
            "        if inspect.isfunction(value) and 'golden' in value.__code__.co_filename:",
            "            print('FOUND function')",
            "    frame = frame.f_back",
            "print('searched')")

    def test_all_objects(self):
        self.found_nothing(
            "for value in gc.get_objects():",
            "    try:",
            "        if isinstance(value, torch.Tensor) and (value == 31337.5).any():",
            "            print('FOUND tensor')",
            "        if isinstance(value, dict) and value.get('SECRET') == 31337.5:",
            "            print('FOUND module')",
            "    except Exception: pass",
            "print('searched')")

    def test_functions(self):
        self.found_nothing(
            "for value in gc.get_objects():",
            "    if inspect.isfunction(value) and value.__code__.co_name in (",
            "            'double_module1_golden', 'make_inputs'):",
            "        print('FOUND', value)",
            "print('searched')")

    def test_memory(self):
        """The whole of its own memory: a fork inherits, and nothing was there to inherit."""
        self.found_nothing(
            "wanted = struct.pack('<f', 31000.5 + 337) * 8",
            "with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:",
            "    for line in maps:",
            "        place, rights = line.split()[:2]",
            "        if 'rw' not in rights: continue",
            "        start, end = (int(part, 16) for part in place.split('-'))",
            "        if end - start > 1 << 28: continue",
            "        try:",
            "            memory.seek(start)",
            "            data = memory.read(end - start)",
            "        except (OSError, ValueError, OverflowError): continue",
            "        at = data.find(wanted)",
            "        while at >= 0:",
            "            if data[at:at + 64].count(wanted[:4]) > 12: print('FOUND', line)",
            "            at = data.find(wanted, at + 4096)",
            "del wanted",
            "print('searched')")

    def test_the_judge(self):
        """Its memory, descriptors and environment are closed, and it cannot be traced."""
        told = self.found_nothing(
            "for name in ('mem', 'environ', 'fd/200', 'fd/3', 'maps'):",
            "    for pid in (os.getppid(), os.getpgrp()):",
            "        if pid == os.getpid(): continue",
            "        try:",
            "            with open('/proc/%d/%s' % (pid, name), 'rb') as file: file.read(1)",
            "            print('FOUND', name, pid)",
            "        except OSError: pass",
            "libc = ctypes.CDLL(None, use_errno=True)",
            "if libc.ptrace(16, os.getppid(), 0, 0) == 0: print('FOUND attach')",
            "buffer = ctypes.create_string_buffer(8)",
            "class Part(ctypes.Structure):",
            "    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]",
            "here = Part(ctypes.addressof(buffer), 8)",
            "there = Part(id(None), 8)",
            "if libc.process_vm_readv(os.getppid(), ctypes.byref(here), 1, ctypes.byref(there), 1,",
            "                         0) > 0: print('FOUND readv')",
            "print('searched')")
        # Its inputs are ones. That it could not be shielded would be another sentence.
        self.assertEqual(told.warnings, ["one number would pass out0 of this case: its reference "
                                         "is the same everywhere"])

    def test_descriptors(self):
        """What is open leads to the log, the inputs and its own outputs."""
        told = self.attack(
            "names = [os.readlink('/proc/self/fd/' + n) for n in os.listdir('/proc/self/fd')",
            "         if os.path.islink('/proc/self/fd/' + n)]",
            "print(sorted({n.split(':')[0].split(' ')[0] for n in names}))",
            "print(sum(n.startswith('pipe') for n in names))")
        listed, pipes = told.log.splitlines()[:2]
        self.assertEqual(set(eval(listed)) - {"/dev/null", "/memfd", "pipe", "socket"},
                         {name for name in eval(listed) if name.startswith("/proc/")}, told)
        self.assertEqual(pipes, "3")  # 1, 2 and the copy for tracebacks: the log, three times

    def test_environment(self):
        self.found_nothing("if any(%r in v for v in os.environ.values()): print('FOUND')" % VALUE,
                           "if any('golden' in v for v in sys.argv): print('FOUND')",
                           "print('searched')")

    def test_modules(self):
        self.found_nothing(
            "for module in list(sys.modules.values()):",
            "    if 'SECRET' in vars(module): print('FOUND', module)",
            "    if 'test_inputs' in (getattr(module, '__file__', None) or ''): print('FOUND')",
            "print('searched')")

    def test_inspection(self):
        self.implementation("""
            import gc
            def double_module1_wrapper(x, inspection_state=None):
                for value in gc.get_objects():
                    if isinstance(value, torch.Tensor) and (value == 31337.5).any():
                        print("FOUND")
                return x
        """)
        told = run_job(self.job(inspect="state"))
        self.assertNotIn("FOUND", told.log)
        self.assertFalse(any(step["all_close"] for step in told.inspection["per_iter"]))


class Patches(AttackTest):
    """What it replaces is replaced in its own process only."""

    def test_comparisons(self):
        for line in ("torch.allclose = lambda *a, **k: True",
                     "torch.Tensor.__eq__ = lambda *a: True",
                     "torch.equal = lambda *a: True",
                     "json.dumps = lambda *a, **k: '{\"end\": \"compared\", \"leaves\": []}'",
                     "os.write = os.pwrite = lambda *a: len(a[1])",
                     "struct.Struct.pack = lambda *a: b''"):
            with self.subTest(line):
                self.attack("try: " + line, "except TypeError: pass")

    def test_modules_of_ours(self):
        for name in ("arithmetic", "structure", "outputs", "claims", "channel", "process",
                     "repeat"):
            with self.subTest(name):
                self.attack(
                    "import types",
                    "module = sys.modules.get('pypto_lint_worker.%s')" % name,
                    "for key in list(vars(module)) if module else ():",
                    "    if callable(vars(module)[key]): setattr(module, key, lambda *a, **k: True)",
                    "sys.modules['pypto_lint_worker.%s'] = types.ModuleType('forged')" % name)

    def test_measure(self):
        self.attack("import _ptosim",
                    "_ptosim.compare = lambda *a: {'all_close': True, 'max_abs_diff': 0.0,",
                    "    'max_rel_diff': 0.0, 'elements': 1, 'out_of_tolerance': 0,",
                    "    'nonfinite': 0, 'exact': True}")


FORGED = {"end": "compared", "stage": "done", "error": None, "launches": 1, "ops": 1,
          "leaves": [{"name": "out0", "structure": None, "all_close": True, "max_abs_diff": 0.0,
                      "max_rel_diff": 0.0, "elements": 512, "out_of_tolerance": 0,
                      "nonfinite": 0}]}


class Forgery(AttackTest):
    def test_a_result_for_every_descriptor(self):
        told = self.attack(
            "data = (%r + '\\n').encode()" % json.dumps(FORGED),
            "for number in range(3, 512):",
            "    try: os.write(number, data)",
            "    except OSError: pass",
            "os._exit(0)")
        self.assertIn("not an answer", told.error["message"])

    def test_an_exit_without_an_answer(self):
        for line in ("os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)", "os.abort()"):
            with self.subTest(line):
                self.assertIsNone(self.attack(line).result)

    HEADER = ["files = []",
              "for number in range(3, 512):",
              "    try: name = os.readlink('/proc/self/fd/%d' % number)",
              "    except OSError: continue",
              "    if 'memfd:outputs' in name: files.append(number)",
              "fd = files[0]",
              "def head(count, at, length, *records):",
              "    os.ftruncate(fd, max(os.fstat(fd).st_size, 1 << 16))",
              "    os.pwrite(fd, b''.join(struct.pack('<IIIIQQ16q', *r) for r in records), 64)",
              "    os.pwrite(fd, b'{}', 60000)",
              "    os.pwrite(fd, struct.pack('<8sIIQQ', b'PYPTOOUT', 1, count, at, length), 0)",
              "    os._exit(0)",
              "def record(dtype=1, rank=2, offset=20000, size=2048, shape=(32, 16), index=0):",
              "    shape = list(shape) + [0] * (16 - len(shape))",
              "    return (0, index, dtype, rank, offset, size, *shape)"]

    def test_headers(self):
        for line in ("head(1, 60000, 2, record(rank=4000000000))",
                     "head(1, 60000, 2, record(dtype=4000000000))",
                     "head(1, 60000, 2, record(shape=(-32, 16)))",
                     "head(1, 60000, 2, record(shape=(1 << 62, 1 << 62)))",
                     "head(1, 60000, 2, record(rank=16, shape=[1 << 40] * 16))",
                     "head(1, 60000, 2, record(offset=(1 << 64) - 1))",
                     "head(1, 60000, 2, record(offset=1 << 40))",
                     "head(1, 60000, 2, record(size=(1 << 64) - 1))",
                     "head(1, 60000, 2, record(size=4))",
                     "head(1, 60000, 2, record(offset=0))",
                     "head(2, 60000, 2, record(), record(offset=20001, index=1))",
                     "head(2, 60000, 2, record(), record(offset=30000, index=0))",
                     "head(4000000000, 60000, 2, record())",
                     "head(1, (1 << 64) - 1, 2, record())",
                     "head(1, 60000, (1 << 64) - 1, record())",
                     "head(1, 60001, 2, record())",
                     "os.pwrite(fd, os.urandom(65536), 0); os._exit(0)",
                     "os.ftruncate(fd, 5); os._exit(0)",
                     "os.ftruncate(fd, 0); os._exit(0)"):
            with self.subTest(line):
                told = self.attack(*self.HEADER, line)
                self.assertTrue(told.result is None or told.end == "raised", told)

    def test_claims(self):
        """Whatever JSON it is."""
        for claims in ("[]", "null", "{" * 100000, "1e999", "[" * 200000, '{"error": 5}',
                       '{"launches": -3, "ops": "many", "seconds": NaN, "repeat": 7}',
                       '{"launches": %s}' % ("9" * 5000), '{"seconds": 1%s}' % ("0" * 400),
                       '{"modified_inputs": {"x": 1}}',
                       '{"error": {"type": "%s", "message": ["%s"], "file": "%s", "line": 31337}}'
                       % (VALUE, VALUE, VALUE)):
            with self.subTest(claims[:40]):
                self.claim(claims)

    def claim(self, claims):
        """A forged answer with these claims."""
        return self.attack(*self.HEADER, "data = %r[:20] + %r[20:]" % (claims, claims),
                           "data = data.encode()",
                           "os.ftruncate(fd, 1 << 20)",
                           "os.pwrite(fd, data, 300000)",
                           "os.pwrite(fd, struct.pack('<IIIIQQ16q', *record()), 64)",
                           "os.pwrite(fd, struct.pack('<8sIIQQ', b'PYPTOOUT', 1, 1, 300000,",
                           "                          len(data)), 0)",
                           "os._exit(0)")

    def test_claimed_places(self):
        """No name stops the judge, and no spelling of a name gets into the result."""
        file = "modules/double_module1_impl.py"
        for name, shown in (("a\0.py", None), ("\ud800.py", None), ("/" * 5000 + file, None),
                            ("../" * 300 + "etc/passwd", None), ("no.py", None), (file, file),
                            (os.path.basename(file), file), ("./" * 5 + file, file),
                            ("x/.././" * 3 + file, file)):
            with self.subTest(name[:40]):
                told = self.claim(json.dumps({"end": "raised", "error": {
                    "type": "KeyError", "message": "m", "file": name, "line": 1}}))
                self.assertEqual((told.error["type"], told.error["file"]), ("KeyError", shown))

    def test_claims_that_cannot_be_numbers_or_paths(self):
        """The judge itself does not stumble over them."""
        from pypto_lint_worker import claims
        told = claims.read({"seconds": 10 ** 400, "error": {"file": "a\0b.py", "line": 1}},
                           self.job())
        self.assertEqual((told["seconds"], told["error"]["file"]), (0.0, None))
        self.assertEqual(claims.read({"seconds": 2}, self.job())["seconds"], 2.0)

    def test_as_many_findings_as_the_simulator_keeps(self):
        from pypto_lint_worker import claims, findings
        self.assertEqual(findings.MOST, 200)
        told = [{"severity": 1, "id": "alignment", "count": number + 1} for number in range(250)]
        kept = claims.read({"findings": told}, self.job())["findings"]
        self.assertEqual([finding["count"] for finding in kept], list(range(1, 201)))

    def test_numbers_that_are_none(self):
        told = self.attack(*self.HEADER, "os.pwrite(fd, b'\\xff' * 2048, 20000)",
                           "head(1, 60000, 2, record())")
        self.assertEqual(told.leaf["nonfinite"], 512)


class Leaks(AttackTest):
    """It may know the values, from the file: they are in no field of the result but the message,
    which the report reduces (test_kernel_text.c)."""

    def everything_but_messages(self, told):
        result = json.loads(json.dumps(told.result))
        if result["error"]:
            result["error"]["message"] = None
        return json.dumps(result)

    def leak(self, *lines):
        self.implementation(wrapper(*lines))
        told = run_job(self.job())
        self.assertTrue(told.result, told)
        self.assertNotIn(VALUE, self.everything_but_messages(told), told)
        return told

    def test_types(self):
        self.leak("raise type('v31337_5', (Exception,), {})()")
        self.leak("raise type('ValueError', (Exception,), {'__module__': 'v31337'})()")
        told = self.leak("raise type('v31337', (Exception,), {'__module__': 'builtins'})()")
        self.assertEqual(told.error["type"], "Exception")

    def test_messages(self):
        told = self.leak("raise ValueError('31337.5')")
        self.assertNotIn("own", told.error)
        self.assertEqual(os.path.basename(told.error["file"]), "double_module1_impl.py")

    def test_our_own_sentences(self):
        """Only those that the judge has verified."""
        self.implementation("def other(x):\n    return x\n")
        told = run_job(self.job())
        self.assertTrue(told.error["own"], told)
        self.implementation("def double_module1_wrapper(a, *, b):\n    return a\n")
        told = run_job(self.job())
        self.assertEqual((told.error["message"], told.error["own"]), (
            "double_module1_wrapper(a, b) cannot be called with (x)", True))
        told = self.leak("from pypto_lint_worker import failures",
                         "raise failures.Contract('there is no file 31337.5')")
        self.assertNotIn("own", told.error)

    def test_places(self):
        told = self.leak("exec(compile('\\n' * 31336 + 'raise ValueError()', '/v31337.py', "
                         "'exec'))")
        self.assertEqual(os.path.basename(told.error["file"]), "double_module1_impl.py")
        self.assertLess(told.error["line"], 100)
        told = self.leak("exec(compile('\\n' * 31336 + 'raise ValueError()', __file__, 'exec'))")
        self.assertIsNone(told.error["file"])

    def test_modules(self):
        told = self.leak(
            "import types",
            "module = types.ModuleType('v31337_golden')",
            "module.__file__ = '/v31337_golden.py'",
            "sys.modules['v31337_golden'] = module")
        self.assertEqual(told.imported_references, ["a reference"])

    def test_warnings_and_prints(self):
        self.leak("import warnings", "warnings.warn('31337.5')", "print(31337.5)",
                  "print(31337.5, file=sys.stderr)")

    def test_codes(self):
        """Six hexadecimal digits pass, as PyPTO has them; nothing longer does."""
        told = self.leak("raise RuntimeError('ErrCode: F21003! 31337.5')")
        self.assertEqual(told.error["code"], "F21003")
        self.assertIsNone(self.leak("raise RuntimeError('ErrCode: 3133750')").error["code"])


class Copies(WorkerTest):
    """Compiled copies beside the sources are not what runs (PEP 552: some say that they need not be
    checked)."""

    def compiled(self, name, text, place="__pycache__/%s." + sys.implementation.cache_tag + ".pyc"):
        folder, file = os.path.split(name)
        source = self.write("elsewhere/" + file, text)
        copy = self.path(os.path.join(folder, place % file[:-len(".py")]))
        py_compile.compile(source, copy, doraise=True,
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)

    def test_of_the_implementation(self):
        self.compiled("modules/double_module1_impl.py", "raise SystemExit('copy')\n")
        self.assertEqual(self.run_case().leaf["out_of_tolerance"], 0)

    def test_of_the_reference_and_the_inputs(self):
        self.compiled("modules/double_module1_golden.py", "raise SystemExit('copy')\n")
        self.compiled("eval/test_inputs.py", "raise SystemExit('copy')\n")
        self.assertEqual(self.run_case().leaf["out_of_tolerance"], 0)

    def test_of_what_they_import(self):
        for folder in ("", "modules", "eval"):
            self.write(os.path.join(folder, "helper_%s.py" % (folder or "top")), "FACTOR = 2\n")
            self.compiled(os.path.join(folder, "helper_%s.py" % (folder or "top")),
                          "FACTOR = 0\n")
        self.golden("import helper_top, helper_modules, helper_eval\n"
                    "def double_module1_golden(x):\n"
                    "    factors = helper_top.FACTOR, helper_modules.FACTOR, helper_eval.FACTOR\n"
                    "    assert factors == (2, 2, 2)\n"
                    "    return x * 2\n")
        self.assertEqual(self.run_case().leaf["out_of_tolerance"], 0)

    def test_without_a_source(self):
        """The installed module of that name is found, not the copy."""
        self.compiled("modules/colorsys.py", "raise SystemExit('copy')\n", "%s.pyc")
        self.golden("import colorsys\n"
                    "def double_module1_golden(x):\n    return x * 2\n")
        self.assertEqual(self.run_case().leaf["out_of_tolerance"], 0)


class Outliving(AttackTest):
    def test_the_judge_is_killed(self):
        told = self.attack("os.kill(os.getppid(), signal.SIGKILL)", "time.sleep(5)")
        self.assertIsNone(told.result)

    def test_a_thread_that_writes_later(self):
        self.attack("def later():", "    time.sleep(0.05)", "    y.fill_(31000.5 + 337)",
                    "threading.Thread(target=later, daemon=True).start()")

    def test_a_child_that_writes_later(self):
        self.attack("y.share_memory_()", "if os.fork() == 0:", "    time.sleep(0.05)",
                    "    y.fill_(31000.5 + 337)", "    os._exit(0)")

    def test_a_child_that_keeps_the_outputs(self):
        """A mapping that can still be written to is no answer."""
        told = self.attack(*Forgery.HEADER, "import mmap", "os.ftruncate(fd, 1 << 22)",
                           "kept = mmap.mmap(fd, 1 << 22)", "if os.fork() == 0:",
                           "    time.sleep(2)", "    os._exit(0)")
        self.assertIn("still writes", told.error["message"])
        self.assertTrue(told.error["own"])

    def test_inputs_changed_in_place(self):
        """The judge has its own."""
        self.golden("def double_module1_golden(x):\n    return x * 2\n")
        told = self.attack("x.zero_()", "y.zero_()")
        self.assertEqual(told.modified_inputs, ["x"])
        self.assertEqual(told.leaf["out_of_tolerance"], 512)

    def test_the_inputs_are_sealed(self):
        told = self.attack("for number in range(3, 512):",
                           "    try:",
                           "        if 'memfd:inputs' in os.readlink('/proc/self/fd/%d' % number):",
                           "            print('found')",
                           "            os.pwrite(number, b'x' * 64, 0)",
                           "            print('WRITTEN')",
                           "    except OSError: pass")
        self.assertIn("found", told.log, told)
        self.assertNotIn("WRITTEN", told.log, told)


if __name__ == "__main__":
    worker_support.main()

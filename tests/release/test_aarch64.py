#!/usr/bin/env python3
"""The build for 64-bit ARM under qemu: tests in C, black-box tests of linter, hooks and gates, and reports that are
those of x86-64 byte for byte.

Usage: test_aarch64.py BUILD REFERENCE [REGULAR EXPRESSION]

BUILD is build/dev-aarch64, REFERENCE the program of x86-64. qemu emulates programs, not a kernel: what it cannot do is
named below, and a test that is named there and passes is an error, too. Python runs natively; each program of BUILD
that a test starts is started through a script, as the system does not start it by itself.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMATS = ["text", "concise", "json", "sarif", "github", "gitlab", "junit", "checkstyle", "rdjson", "agent"]
BLACK_BOX = re.compile(r"(fixtures|cli|hook|init|metrics|report|oracle|examples|break_one|python|bad_files|operator_mutate)"
                       r"(\..*)?|(literal|yaml|state|toml)_differential|lint\.gitignore_differential")
# Limits of memory are those of qemu itself, which ignores RLIMIT_AS of the program.
MEMORY = "qemu ignores limits of address space"
# A new process that shares its parent's memory is a plain fork under qemu.
SPAWN = "posix_spawn does not report that a program is missing"
# The program ignores SIGXFSZ, qemu itself does not.
SIGNALS = "a limit on the size of files ends qemu"
ORPHANS = "qemu does not know PR_SET_CHILD_SUBREAPER"
ROOTED = "qemu does not know openat2"
NAME = "the program has its own name, not that of the script that starts it"
SIMULATOR = "the simulator is for a Python of this architecture"
BEYOND_QEMU = {
    ("unit.json_read", MEMORY): {"test_no_memory"},
    ("unit.python_run", MEMORY): {"test_memory"},
    ("unit.process", SPAWN): {"test_absent_program"},
    ("cli.changes", SPAWN): {"test_without_git"},
    ("cli.doctor_env", ROOTED): {"test_healthy", "test_hostile", "test_libraries", "test_nothing", "test_text", "test_users",
                                 "test_variables", "test_versions"},
    ("cli.product_kernels", SIMULATOR): {"test_version_of_the_project"},
    ("cli.version", NAME): {"test_binary_alone", "test_paths", "test_python_beside_the_program"},
    ("hook.hostile", MEMORY): {"test_little_memory"},
    ("init.places", NAME): {"test_commands_run", "test_program_found_by_path", "test_there_and_back"},
    ("metrics.log", SIGNALS): {"test_a_limit_on_files"},
    ("metrics.stats", MEMORY): {"test_many_runs_and_directories_take_bounded_memory"},
    ("unit.pool", ORPHANS): {"test_daemon", "test_killed_guard", "test_orphaned"},
}
# These sometimes fail under qemu.
CLOCK = "its time limits are for real hardware"
LEFT = ORPHANS + ", so a process may survive for a while"
UNSTEADY = {
    ("hook.hostile", CLOCK): {"test_a_very_large_patch", "test_hostile_python", "test_speed"},
    ("hook.input", CLOCK): {"test_50_megabytes"},
    ("hook.manners", CLOCK): {"test_50_megabytes"},
    ("hook.pre_edit", CLOCK): {"test_long_commands_take_no_time"},
    ("unit.pool", LEFT): {"test_fork_bomb", "test_interrupted"},
    ("unit.pool_reuse", LEFT): {"test_reuse_interrupted"},
}
LIMIT = 3600
FAILED_CASE = r"^(?:FAIL: |ERROR: |\[  FAILED  \] )([a-z]\w+)"  # unittest's and cmocka's lines
DURATION = re.compile(rb'(?<="duration_ms": )[\d.]+|(?<= time=")[\d.]+')


def cases_of(table, name):
    return set().union(*(cases for (test, _), cases in table.items() if test == name))


class Suite:
    def __init__(self, build, wrappers):
        self.build, self.wrappers = build, wrappers
        said = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True)
        self.tests = {test["name"]: self.command(test) for test in json.loads(said.stdout)["tests"] if "command" in test}
        self.folders = {test["name"]: self.folder(test) for test in json.loads(said.stdout)["tests"]}

    @staticmethod
    def folder(test):
        return {item["name"]: item["value"] for item in test.get("properties", [])}.get("WORKING_DIRECTORY")

    def command(self, test):
        """The words of the test: without the emulator before a Python, with scripts for our programs."""
        words = test["command"]
        at = next((i for i, word in enumerate(words[:4]) if re.fullmatch(r"python3(\.\d+)?", os.path.basename(word))), None)
        if at is None:
            return words
        return [self.wrap(word) for word in words[at:]]

    def wrap(self, word):
        path = pathlib.Path(word)
        if path.parent != self.build / "bin" or not os.access(path, os.X_OK):
            return word
        script = self.wrappers / path.name
        if not script.exists():
            emulator = next(words for words in EMULATORS if words)
            script.write_text(f"#!/bin/sh\nexec {emulator} '{path}' \"$@\"\n", encoding="utf-8")
            script.chmod(0o755)
        return str(script)

    def is_in_c(self, name):
        words = self.tests[name]
        return any(pathlib.Path(word).parent == self.build / "bin" for word in words[:4]) and "python" not in words[0]

    def run(self, name):
        """A sentence about what is wrong, or None."""
        try:
            done = subprocess.run(self.tests[name], capture_output=True, encoding="utf-8", errors="replace",
                                  cwd=self.folders[name] or self.build, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return f"{name}: more than {LIMIT} seconds"
        failed = set(re.findall(FAILED_CASE, done.stdout + done.stderr, re.M))
        expected, unsteady = cases_of(BEYOND_QEMU, name), cases_of(UNSTEADY, name)
        if expected or failed & unsteady:
            failed -= unsteady
            return None if failed == expected else f"{name}: {sorted(failed)} failed, {sorted(expected)} expected"
        if done.returncode not in (0, 77):
            return f"{name}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-1500:]}"
        return None


EMULATORS = []


def emulator_of(build):
    """The words before each program, as CMake has them."""
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    sysroot = re.search(r"^PYPTO_LINT_SYSROOT:PATH=(.*)$", text, re.M)[1]
    return f"{shutil.which('qemu-aarch64-static')} -L '{os.path.realpath(sysroot)}'"


def report(program, words):
    done = subprocess.run([*program, *words], capture_output=True, cwd=ROOT / "examples", check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "0"})
    return done.returncode, DURATION.sub(b"0", done.stdout), done.stderr


def compare_reports(build, reference):
    """Every format in both languages, explanations and lists: (compared, differing)."""
    emulated = [*EMULATORS[0].replace("'", "").split(), str(build / "bin/pypto-lint")]
    calls = [["check", "--no-exec", "--format", form, "--lang", lang, "broken", "custom"]
             for form in FORMATS for lang in ("en", "zh")]
    calls += [["check", "--no-exec", "--show-types", "custom"], ["check", "--no-exec", "--statistics", "broken"],
              ["rules"], ["explain", "OL48"], ["api", "softmax"], ["--stage", "6", "--op-dir", "custom/softmax"],
              ["doctor", "custom/softmax"], ["calls", "custom/softmax"], ["help"], ["man", "check"]]
    bad = []
    for words in calls:
        ours, theirs = report(emulated, words), report([reference], words)
        if theirs[0] not in (0, 1) or not theirs[1]:
            bad.append(f"{' '.join(words)}: x86-64 ends with {theirs[0]}: {theirs[2].decode()}")
        elif ours != theirs:
            bad.append(f"{' '.join(words)}: differs")
    return len(calls), bad


def main():
    build, reference = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    wanted = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    EMULATORS.append(emulator_of(build))
    compared, problems = compare_reports(build, reference)
    print(f"{compared} reports compared", flush=True)
    with tempfile.TemporaryDirectory(prefix="pypto-qemu-") as wrappers:
        suite = Suite(build, pathlib.Path(wrappers))
        chosen = [name for name in suite.tests if wanted.search(name)
                  and (suite.is_in_c(name) or BLACK_BOX.fullmatch(name))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            problems += [problem for problem in pool.map(suite.run, chosen) if problem]
    left_out = [name for name in suite.tests if name not in chosen and wanted.search(name)]
    print(f"{len(chosen)} tests under qemu; cases that qemu cannot run:")
    for (name, why), cases in (BEYOND_QEMU | UNSTEADY).items():
        print(f"  {name}: {', '.join(sorted(cases))}: {why}")
    print(f"not run here: {len(left_out)} tests that need a Python of this architecture with the simulator, drive other "
          "programs or judge the tree")
    print("\n".join(problems) or "all well")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

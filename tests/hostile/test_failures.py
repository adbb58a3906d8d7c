#!/usr/bin/env python3
"""Every allocation and every system call of a run fails once: the program says so, or was not touched.

Usage: test_failures.py --binary PATH --library PATH [--sanitized] [--most N] [--kind KIND] [--list] [NAME...]

fail_nth.c, preloaded, counts the calls of a kind in a run and then makes each of them fail in turn, alone
and with all that follow. Each run must end with its answer as if nothing had happened, or with status 2
and a message (a hook: with any answer but silence); never by a signal, never with a part of an answer,
never with a file that is neither as before nor as it should become. With --sanitized (a build whose
memory functions cannot be replaced) allocations do not fail, and a leak is an error.
"""
import argparse
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
BROKEN = ROOT / "examples" / "broken" / "custom" / "softmax_broken"
CLEAN = ROOT / "examples" / "custom" / "softmax"
IMPL = "softmax_broken_impl.py"
KINDS = ("memory", "open", "read", "write", "process")
SETTINGS = "lang: en\nignore: [OL47]\nper-path:\n  'custom/**/test_*.py': [OL42]\n"
VOLATILE = re.compile(r'(?<="duration_ms": )[\d.]+|\b\d+(\.\d+)?(?= ms\b)|(?<=time=")[\d.]+')


def event(name, **tool_input):
    return json.dumps({"hook_event_name": name, "tool_name": "Write", "session_id": "s", "cwd": "@CWD@",
                       "tool_input": tool_input})


POST_EDIT = event("PostToolUse", file_path=f"@CWD@/custom/softmax_broken/{IMPL}")
PRE_EDIT = event("PreToolUse", file_path=f"@CWD@/custom/softmax_broken/{IMPL}")
POST_BASH = json.dumps({"hook_event_name": "PostToolUse", "tool_name": "Bash", "session_id": "s",
                        "cwd": "@CWD@", "tool_input": {"command": f"touch custom/softmax_broken/{IMPL}"}})
STOP = event("Stop")

# name -> arguments, standard input, what the folder needs, kinds (all by default)
SCENARIOS = {
    "check": (["check", "custom", "--format", "json", "--stage", "5", "-j1"], "", ()),
    "sarif": (["check", "custom/softmax_broken", "--format", "sarif"], "", ()),
    "text": (["custom/softmax_broken", "--statistics", "-j2"], "", ()),
    "junit": (["custom/softmax_broken", "--format", "junit"], "", ()),
    "stage_gate": (["--stage", "5", "--op-dir", "custom/softmax_broken", "--no-exec"], "", ()),
    "design_gate": (["--design", "--op-dir", "custom/softmax_clean"], "", ()),
    "upstream": (["--check-gate", "--op-dir", "custom/softmax_broken", "--stage", "5"], "", ()),
    "stdin": (["-", "--stdin-filename", f"custom/softmax_broken/{IMPL}"], "import pypto as p\n", ()),
    "output": (["custom/softmax_broken", "--output", "report.json", "--format", "json"], "", ()),
    "fix": (["check", "custom", "--fix", "-j1"], "", ("changes",)),
    "update_baseline": (["custom", "--baseline", "base.json", "--update-baseline", "-j1"], "", ("changes",)),
    "baseline": (["custom", "--baseline", "base.json", "-j1"], "", ("baseline",)),
    "changed": (["custom", "--changed-since", "HEAD", "--new-only", "-j1"], "", ("git",)),
    "init": (["init", "--client", "claude,codex,pre-commit,github,opencode", "--repository", "https://github.com/a/b",
              "--yes"], "",
             ("changes",)),
    "init_remove": (["init", "--remove", "--yes"], "", ("changes", "installed")),
    "rules": (["rules", "--format", "json"], "", ()),
    "explain": (["explain", "OL48"], "", ()),
    "doctor": (["doctor", "custom/softmax_broken"], "", ()),
    "diagnose": (["diagnose", "--kernel", "custom/softmax_clean/softmax_impl.py", "-"],
                 "12 passed in 3 s\n", ()),
    "diagnose_folder": (["diagnose", "custom/softmax_clean"], "", ()),
    "doctor_env": (["doctor", "--env", "--root", "custom"], "", ()),
    "calls": (["calls", "custom/softmax_broken", "--format", "json"], "", ()),
    "tiles": (["tiles", "custom/softmax_clean", "--format", "json"], "", ()),
    "perf": (["perf", "--format", "json", "custom"], "", ("trace",)),
    "new": (["new", "--modules", "2", "made"], "", ("changes",)),
    "next": (["next", "--op-dir", "custom/softmax_broken", "--no-exec"], "", ()),
    "stats_dir": (["stats", "custom/softmax_clean", "--format", "json"], "", ("log",)),
    "help": (["--help"], "", ()),
    "hook_post_edit": (["hook", "post-edit"], POST_EDIT, ("hook",)),
    "hook_gemini": (["hook", "post-edit", "--client", "gemini"], POST_EDIT, ("hook",)),
    "hook_pre_edit": (["hook", "pre-edit"], PRE_EDIT, ("hook", "stage6", "changes")),
    "hook_post_bash": (["hook", "post-bash"], POST_BASH, ("hook",)),
    "hook_stop": (["hook", "stop"], STOP, ("hook", "changes")),
}

class Scenario:
    """One command line in a folder of its own."""

    def __init__(self, options, name):
        self.options, self.name = options, name
        self.args, self.stdin, self.needs = SCENARIOS[name]
        self.is_hook = "hook" in self.needs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"fail-{name}-"))
        self.model = self.folder / "model"
        self.prepare()

    def prepare(self):
        custom = self.model / "custom"
        shutil.copytree(BROKEN, custom / "softmax_broken")
        shutil.copytree(CLEAN, custom / "softmax_clean")
        (self.model / ".pypto-lint.yaml").write_text(SETTINGS, encoding="utf-8")
        (self.model / ".gitignore").write_text("build/\n*.tmp\n", encoding="utf-8")
        if "log" in self.needs:
            (custom / "softmax_clean" / "MEMORY.md").write_text(
                "## Per-module verification log\n| Status | Cases |\n|---|---|\n| PASS | 1/1 |\n",
                encoding="utf-8")
        if "trace" in self.needs:
            events = [{"name": "a", "ph": "X", "pid": 1, "tid": i % 2, "ts": i, "dur": 1} for i in range(40)]
            (custom / "merged_swimlane.json").write_text(json.dumps(events), encoding="utf-8")
        if "stage6" in self.needs:
            state = custom / "softmax_broken" / ".orchestrator_state.json"
            text = json.loads(state.read_text(encoding="utf-8"))
            text["current_stage"] = 6
            state.write_text(json.dumps(text), encoding="utf-8")
        if "installed" in self.needs:
            subprocess.run([self.options.binary, "init", "--client", "claude,codex,pre-commit", "--yes"],
                           cwd=self.model, capture_output=True, check=True)
        if "baseline" in self.needs:
            subprocess.run([self.options.binary, "custom/softmax_clean", "--baseline", "base.json",
                            "--update-baseline"], cwd=self.model, capture_output=True, check=False)
        if "git" in self.needs:
            git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
                subprocess.run([*git, *words], cwd=self.model, check=True, capture_output=True)
            with open(custom / "softmax_broken" / IMPL, "a", encoding="utf-8") as file:
                file.write("import pypto as other\n")

    def remove(self):
        shutil.rmtree(self.folder)

    def place(self, number):
        """The folder of a run: the model itself when the run changes nothing."""
        if "changes" not in self.needs and not self.is_hook and self.name != "output":
            return self.model
        place = self.folder / f"run{number}"
        shutil.copytree(self.model, place, symlinks=True)
        return place

    def run(self, kind, at, last, manner, number=0):
        """(status, output, messages, files, calls counted)"""
        place = self.place(number)
        counter = self.folder / f"count{number}"
        counter.write_bytes(bytes(8))
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith(("PYPTO_LINT", "GIT_", "XDG_"))}
        environment.update(
            LC_ALL="C.UTF-8", NO_COLOR="1", HOME=str(place), XDG_CACHE_HOME=str(place / "cache"),
            XDG_STATE_HOME=str(place / "state"), TMPDIR=str(place), GIT_CONFIG_NOSYSTEM="1",
            LD_PRELOAD=self.options.library, FAIL_COUNT=str(counter), FAIL_KIND=kind, FAIL_AT=str(at),
            FAIL_LAST=str(last))
        if manner:
            environment["FAIL_WITH"] = manner
        if self.options.sanitized:
            environment["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=1:exitcode=99"
        done = subprocess.run(
            [self.options.binary, *self.args], cwd=place, env=environment, timeout=60, check=False,
            input=self.stdin.replace("@CWD@", str(place)).encode(), capture_output=True)
        calls = int.from_bytes(counter.read_bytes(), sys.byteorder)
        counter.unlink()
        texts = [VOLATILE.sub("0", data.decode("utf-8").replace(str(place), "@")) for data in
                 (done.stdout, done.stderr)]
        files = self.changed_files(place)
        if place != self.model:
            shutil.rmtree(place)
        return done.returncode, *texts, files, calls

    def changed_files(self, place):
        """What the run made of the files that people care for."""
        if place == self.model:
            return {}
        found = {}
        for path in sorted(place.rglob("*")):
            name = str(path.relative_to(place))
            own = ".git" not in path.parts and not name.startswith(("cache", "state"))
            if own and path.is_file():
                before = self.model / name
                data = path.read_bytes()
                if not before.is_file() or before.read_bytes() != data:
                    found[name] = VOLATILE.sub("0", data.decode("utf-8")).replace(str(place), "@")
        return found


def as_document(scenario, out):
    """Is the output whole? Of a format that can be read, by reading it."""
    if "json" in scenario.args or "sarif" in scenario.args:
        try:
            json.loads(out)
        except ValueError:
            return False
    if "junit" in scenario.args and not out.endswith("</testsuites>\n"):
        return False
    if scenario.is_hook and out.startswith("{"):
        try:
            json.loads(out)
        except ValueError:
            return False
    return out.endswith("\n") or scenario.is_hook


def judge(scenario, healthy, outcome):
    """What is wrong with the outcome of a troubled run; None if nothing."""
    status, out, err, files, _ = outcome
    if status not in (0, 1, 2):
        return f"status {status}"
    if out and out != healthy[1] and not as_document(scenario, out):
        return "a part of an answer"
    damaged = [name for name, data in files.items() if healthy[3].get(name) != data]
    if damaged and not (scenario.name == "fix" and all(is_python(files[name]) for name in damaged)):
        return f"left {', '.join(damaged)}"
    same = (status, out) == healthy[:2]
    if scenario.is_hook:
        return None if same or out.strip() or err.strip() else "a hook that says nothing"
    if status == 2:
        message = err.strip() or (scenario.name == "doctor" and out)  # its report is about just that
        return None if same or message else "status 2 without a message"
    if not same:
        return f"status {status} with another answer"
    return None if files == healthy[3] else "success, but the files are not written"


def is_python(data):
    try:
        compile(data, "fixed", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def manners(kind):
    yield "", False  # this call alone
    yield "", True   # and all that follow
    if kind in ("read", "write"):
        yield "short", True
        yield "eintr", False


def try_kind(scenario, kind, pool):
    """Runs with each call of this kind failing; (runs, faults)."""
    healthy = scenario.run(kind, 0, 0, "")
    total = healthy[4]
    if healthy[0] not in (0, 1) and not scenario.is_hook and scenario.name != "upstream":
        return 1, [f"{scenario.name}: the healthy run has status {healthy[0]}: {healthy[2]}"]
    again = scenario.run(kind, 0, 0, "")
    if again[:4] != healthy[:4]:
        return 1, [f"{scenario.name}: two healthy runs differ"]
    most = scenario.options.most
    step = max(1, -(-total // most)) if most else 1
    # With sanitizers the calls between those that fail without.
    places = sorted({1, *range(1 + scenario.options.sanitized * (step // 2), total + 1, step)})
    jobs = [(at, 1 << 40 if onward else at, manner)
            for manner, onward in manners(kind) for at in places[:total]
            if at == 1 or not manner or not onward]

    def one(numbered):
        number, (at, last, manner) = numbered
        try:
            fault = judge(scenario, healthy, outcome := scenario.run(kind, at, last, manner, number + 1))
        except (subprocess.TimeoutExpired, UnicodeDecodeError, OSError) as error:
            return f"{scenario.name}: {kind} {at}–{last} {manner}: {error}"
        if manner and fault is None and outcome[:2] != healthy[:2] and not scenario.is_hook:
            fault = f"takes {manner} transfers or calls for failures: {outcome[2][:200]}"
        if fault is None:
            return None
        onward = " and all after" if last != at else ""
        return f"{scenario.name}: {kind} {at}{onward} of {total} {manner}: {fault}: {outcome[2][:200]!r}"

    return len(jobs), [fault for fault in pool.map(one, enumerate(jobs)) if fault]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--most", type=int, default=0,
                        help="of more calls of a kind in a run than these some are left out, evenly")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*", default=[])
    options = parser.parse_args()
    options.binary = str(pathlib.Path(options.binary).resolve())
    options.library = str(pathlib.Path(options.library).resolve())
    if options.list:
        print("\n".join(SCENARIOS))
        return 0
    faults, runs = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for name in options.names or SCENARIOS:
            if "git" in SCENARIOS[name][2] and not shutil.which("git"):
                print(f"{name}: left out, git is absent")
                continue
            scenario = Scenario(options, name)
            for kind in [options.kind] if options.kind else KINDS:
                if kind == "memory" and options.sanitized:
                    continue
                count, found = try_kind(scenario, kind, pool)
                runs += count
                faults += found
                print(f"{name} {kind}: {count} runs, {len(found)} faults", *found[:40], sep="\n", flush=True)
            scenario.remove()
    print(f"{runs} runs, {len(faults)} faults")
    return 1 if faults or runs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

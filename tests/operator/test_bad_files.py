#!/usr/bin/env python3
"""Operator directories with files that are not as they should be: nothing may hang, crash or pass.

    test_bad_files.py --binary PATH [--seconds N] [--rounds N] [NAME...]

Each case spoils a file of the clean sample gated_rmsnorm and runs gates on it. What holds for each:
  - the exit status is 0, 1 or 2, within the time, and what is on stdout is one JSON report;
  - a file that is there and cannot be read as text (no permission, a link out of the project, not UTF-8, larger than the
    limit) makes a gate fail, with 1 or 2;
  - what is no file at all (a folder, a pipe, a link to nowhere) counts as missing: the rules say the
    same as when there is nothing of that name; a link to itself may also be an error;
  - when a file comes and goes while it is read, a gate passes only if every rule says what it says
    on the undisturbed sample, or what it says without the file.
Permissions mean nothing to root: the program is then run as another user (setpriv).
"""
import argparse
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/custom/gated_rmsnorm"
NOBODY = 65534
STAGE, PHASE = ("--stage", "5"), ("--phase", "M2")
LIMIT = 1024 * 1024  # max-file-size without a settings file
STATE_LIMIT = 4 * LIMIT
STATE = ".orchestrator_state.json"
CONTRACT = "eval/module_interfaces.yaml"
DOCUMENTS = ["SPEC.md", "DESIGN.md", "API_REPORT.md", "MEMORY.md", "README.md", CONTRACT, STATE]
CODE = ["gated_rmsnorm_impl.py", "gated_rmsnorm_golden.py", "test_gated_rmsnorm.py",
        "modules/gated_rmsnorm_module1_impl.py", "modules/gated_rmsnorm_module12_golden.py",
        "modules/test_gated_rmsnorm_module12.py"]
# Only OL41 reads it, and looks for text among its bytes, whatever they are.
SEARCHED_ONLY = "modules/gated_rmsnorm_module12_golden.py"
# What a phase gate looks at (docs/kernel-authors/operator-directory.md and the pages of its rules).
PHASE_FILES = ["DESIGN.md", "MEMORY.md", CONTRACT, "modules/gated_rmsnorm_module12_impl.py"]


class Wrong(Exception):
    """What is wrong, for the reader."""


class Runner:
    def __init__(self, binary, folder, seconds, rounds):
        self.seconds = seconds
        self.rounds = rounds
        self.without = {}  # name of a file → what the gates say where it is missing
        self.slowest = (0.0, "")
        folder.chmod(0o755)
        copy = folder / "pypto-lint"  # where the other user can reach it
        shutil.copy2(binary, copy)
        copy.chmod(0o755)
        self.command = [str(copy)]
        if os.geteuid() == 0:
            self.command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                            str(copy)]
        try:
            works = subprocess.run([*self.command, "rules"], capture_output=True, check=False)
            self.has_permissions = works.returncode == 0
        except OSError:
            self.has_permissions = False
        if not self.has_permissions:
            self.command = [str(copy)]

    def gate(self, folder, gate):
        """(exit status, {rule: status}, stderr) of a gate; the report must be sound."""
        start = time.monotonic()
        try:
            done = subprocess.run([*self.command, *gate, "--op-dir", str(folder), "--format", "json",
                                   "--no-exec", "--no-config"], stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=30, check=False,
                                  env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"})
        except subprocess.TimeoutExpired:
            raise Wrong(f"{' '.join(gate)}: no answer within 30 s") from None
        spent = time.monotonic() - start
        self.slowest = max(self.slowest, (spent, folder.parent.parent.name))
        if done.returncode not in (0, 1, 2):
            raise Wrong(f"{' '.join(gate)}: exit status {done.returncode}: {done.stderr[-2000:]!r}")
        if spent > self.seconds:
            raise Wrong(f"{' '.join(gate)}: took {spent:.2f} s, at most {self.seconds} s")
        stderr = done.stderr.decode("utf-8")
        if done.returncode == 2 and not stderr.strip():
            raise Wrong(f"{' '.join(gate)}: exit status 2 without a word")
        if not done.stdout and done.returncode == 2:
            return 2, {}, stderr
        report = json.loads(done.stdout.decode("utf-8"))
        return done.returncode, {r["id"]: r["status"] for r in report["rules"]}, stderr


def make_copy(place):
    folder = place / "custom" / SAMPLE.name
    shutil.copytree(SAMPLE, folder)
    for path in [place, *place.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    if os.geteuid() == 0:
        for path in [place, *place.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
    return folder


# --- ways to spoil a file: (name, function of its path)


def as_folder(path):
    path.unlink()
    path.mkdir()


def as_pipe(path):
    path.unlink()
    os.mkfifo(path, 0o666)


def as_dangling_link(path):
    path.unlink()
    path.symlink_to("nowhere/at_all")


def as_looping_link(path):
    path.unlink()
    path.symlink_to(path.name)


def as_device(path):
    path.unlink()
    path.symlink_to("/dev/zero")


def unreadable(path):
    path.chmod(0)


def too_large(path):
    limit = STATE_LIMIT if path.name == STATE else LIMIT
    path.write_bytes(path.read_bytes() + b"\n" * (limit + 1))


def not_utf8(path):
    path.write_bytes(path.read_bytes() + b"\n# \xff\xfe\n")


NO_FILE = [as_folder, as_pipe, as_dangling_link, as_looping_link]
NO_TEXT = [unreadable, too_large, not_utf8, as_device]


def check_no_file(runner, place, name, spoil):
    """No file at all: as if there were nothing of that name."""
    if name not in runner.without:
        missing = make_copy(place / "missing")
        (missing / name).unlink()
        runner.without[name] = {gate: runner.gate(missing, gate) for gate in (STAGE, PHASE)}
    spoilt = make_copy(place / "spoilt")
    spoil(spoilt / name)
    for gate in (STAGE, PHASE):
        want, got = runner.without[name][gate], runner.gate(spoilt, gate)
        if got[0] == 0 and want[0] != 0:
            raise Wrong(f"{' '.join(gate)}: passes, but not without {name}")
        if spoil is as_looping_link and got[0] != 0:
            continue
        if got[1] and got[1] != want[1]:
            differing = {r: (want[1].get(r), s) for r, s in got[1].items() if want[1].get(r) != s}
            raise Wrong(f"{' '.join(gate)}: other statuses than without {name}: {differing}")


def check_no_text(runner, place, name, spoil):
    """A file that cannot be read as text: the gates that look at it fail."""
    folder = make_copy(place)
    spoil(folder / name)
    for gate in (STAGE, PHASE):
        status = runner.gate(folder, gate)[0]
        if (spoil, name) == (not_utf8, SEARCHED_ONLY):
            continue
        if status == 0 and (gate == STAGE or name in PHASE_FILES):
            raise Wrong(f"{' '.join(gate)}: passes although {name} was not read")


# --- contents: {name: (file, content, whether the stage gate may pass)}


def nested(opening, closing, depth=100_000):
    return opening * depth + closing * depth


def bomb():
    """Aliases of aliases: ten to the ninth words when written out."""
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    return "\n".join(lines) + "\n"


def merge_bomb():
    lines = ["a0: &a0 {k: v}"]
    lines += [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 10)}], k{i}: v}}" for i in range(1, 12)]
    return "\n".join(lines) + "\n"


def headed(name, header):
    """The document of the sample with more in its front matter."""
    text = (SAMPLE / name).read_text(encoding="utf-8")
    return text.replace("---\n", "---\n" + header, 1)


def sample(name):
    return (SAMPLE / name).read_text(encoding="utf-8")


def spec_with_nul():
    return sample("SPEC.md").replace("requirements", "require\0ments").replace("rtol: ", "rtol: \0")


CONTENTS = {
    "state_array": (STATE, lambda: "[1, 2]", False),
    "state_number": (STATE, lambda: "7", False),
    "state_string": (STATE, lambda: '"completed"', False),
    "state_null": (STATE, lambda: "null", False),
    "state_empty": (STATE, lambda: "", False),
    "state_white_space": (STATE, lambda: " \n" * 100_000, False),
    "state_garbage": (STATE, lambda: bytes(range(256)) * 100, False),
    "state_nul": (STATE, lambda: b"\0" * 100_000, False),
    "state_utf16": (STATE, lambda: sample(STATE).encode("utf-16"), False),
    "state_twice": (STATE, lambda: sample(STATE) * 2, False),
    "state_cut_in_character": (STATE, lambda: b'"5\\\xcb\xa3:\x9a', False),
    "state_lists_nested": (STATE, lambda: nested("[", "]"), False),
    "state_objects_nested": (STATE, lambda: nested('{"a":', "}"), False),
    "state_nested_in_field": (STATE, lambda: sample(STATE).replace(
        "[]", nested("[", "]", 50_000)), False),
    "state_types": (STATE, lambda: '{"operator_name": {}, "current_stage": [], "stage_status": 5,'
                    ' "max_stage": null, "stage5_phases": "M1", "rollback_history": 1,'
                    ' "artifact_hashes": true}', False),
    "state_long_number": (STATE, lambda: '{"current_stage": ' + "9" * 500_000 + "}", False),
    "state_long_name": (STATE, lambda: sample(STATE).replace(
        '"gated_rmsnorm"', '"' + "x" * 500_000 + '"'), False),
    "state_name_leads_out": (STATE, lambda: sample(STATE).replace(
        '"gated_rmsnorm"', '"../../../../etc/passwd"'), False),
    "state_many_keys": (STATE, lambda: sample(STATE).replace(
        "{", "{" + "".join(f'"k{i}": {i},' for i in range(50_000)), 1), True),
    "contract_bomb": (CONTRACT, lambda: bomb() + sample(CONTRACT), True),
    "contract_merge_bomb": (CONTRACT, lambda: merge_bomb() + sample(CONTRACT), True),
    "contract_nested": (CONTRACT, lambda: sample(CONTRACT) + "x: " + nested("[", "]") + "\n", True),
    "contract_nested_blocks": (CONTRACT, lambda: "- " * 50_000 + "x\n", True),
    "contract_self": (CONTRACT, lambda: "modules: &a [*a]\n", True),
    "contract_inputs_10000": (CONTRACT, lambda: "primary_inputs: [" + ", ".join(
        f"{{name: n{i}}}" for i in range(10_000)) + "]\n", False),
    "contract_modules_10000": (CONTRACT, lambda: sample(CONTRACT).replace("final_outputs:", "".join(
        f"  - {{id: {i}, inputs: [{{name: y, source: module_{i - 1}}}], outputs: [{{name: y}}]}}\n"
        for i in range(3, 10_000)) + "final_outputs:"), True),
    "contract_nul": (CONTRACT, lambda: sample(CONTRACT) + "\0", True),
    "spec_bomb": ("SPEC.md", lambda: headed("SPEC.md", bomb()), True),
    "spec_merge_bomb": ("SPEC.md", lambda: headed("SPEC.md", merge_bomb()), True),
    "spec_nested": ("SPEC.md", lambda: headed("SPEC.md", "x: " + nested("[", "]") + "\n"), True),
    "spec_nested_quoted": ("SPEC.md", lambda: headed("SPEC.md", 'x: "' + nested("[", "]") + '"\n'), True),
    "spec_front_matter_1mb": ("SPEC.md", lambda: headed("SPEC.md", "k: v\n" * 200_000), True),
    "spec_keys_1mb": ("SPEC.md", lambda: headed("SPEC.md", "".join(
        f"key_{i}: {i}\n" for i in range(60_000))), True),
    "spec_keys_line_by_line": ("SPEC.md", lambda: headed("SPEC.md", ": : :\n" + "".join(
        f"key_{i}: [{i}, a\n" for i in range(50_000))), True),
    "spec_shapes_20000": ("SPEC.md", lambda: sample("SPEC.md").replace("p0_shapes:\n", "p0_shapes:\n" + "".join(
        f"  - [{i}, 1024]\n" for i in range(1, 20_001))), True),
    "spec_shape_long": ("SPEC.md", lambda: sample("SPEC.md").replace(
        "p0_shapes:\n", "p0_shapes:\n  - [" + "1, " * 100_000 + "1]\n"), True),
    "spec_dtypes_20000": ("SPEC.md", lambda: sample("SPEC.md").replace(
        "[bfloat16]", "[bfloat16" + ", float16" * 20_000 + "]"), True),
    "spec_nul": ("SPEC.md", spec_with_nul, False),
    "spec_dashes": ("SPEC.md", lambda: "---\n" * 200_000, False),
    "spec_open": ("SPEC.md", lambda: "---\n" + "a: b\n" * 100_000, False),
    "design_headings": ("DESIGN.md", lambda: sample("DESIGN.md") + "# 计算图\n" * 10_000, True),
    "design_headings_deep": ("DESIGN.md", lambda: sample("DESIGN.md") + "#" * 900_000, True),
    "design_spans": ("DESIGN.md", lambda: sample("DESIGN.md") + "`row_start` " * 60_000, True),
    "design_dynamic": ("DESIGN.md", lambda: sample("DESIGN.md").replace("dynamic_axes: [R]\n", "")
                       + "dynamic " * 110_000, False),
    "memory_headings": ("MEMORY.md", lambda: sample("MEMORY.md") + "## x\n" * 10_000, True),
    "memory_inventories": ("MEMORY.md", lambda: sample("MEMORY.md")
                           + "## Golden function inventory\n" * 10_000, True),
    "memory_rows": ("MEMORY.md", lambda: sample("MEMORY.md").replace(
        "| 1 | x.to", "| 0 | a | b | c | TODO |\n" * 10_000 + "| 1 | x.to"), True),  # OL53 is S2
    "memory_row_long": ("MEMORY.md", lambda: sample("MEMORY.md").replace(
        "| 1 | x.to", "| " * 400_000 + "|\n| 1 | x.to"), True),
    "memory_reviews": ("MEMORY.md", lambda: sample("MEMORY.md") + "## Phase M2 self-review\n" * 10_000, True),
    "memory_items": ("MEMORY.md", lambda: sample("MEMORY.md").replace(
        "## Phase M2 self-review\n", "## Phase M2 self-review\n" + "- [ ] x\n" * 10_000), True),
    "memory_preflight": ("MEMORY.md", lambda: sample("MEMORY.md").replace(
        "## Experience Preflight\n", "## Experience Preflight\n" + "- [-] x\n" * 10_000), False),
    "memory_nul": ("MEMORY.md", lambda: sample("MEMORY.md").replace("Experience", "Exper\0ience"), False),
    "test_tolerances": ("test_gated_rmsnorm.py", lambda: sample("test_gated_rmsnorm.py")
                        + "# atol=1\n" * 10_000, True),  # OL32 only warns
    "readme_markers": ("README.md", lambda: "[pypto-op-lint] " * 10_000, False),
    "readme_nul": ("README.md", lambda: sample("README.md") + "\0" * 1000, True),
}


def check_content(runner, place, name):
    path, content, may_pass = CONTENTS[name]
    folder = make_copy(place)
    text = content()
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    if len(data) > (STATE_LIMIT if path == STATE else LIMIT):
        raise Wrong(f"the case is larger than the limit: {len(data)} bytes")
    (folder / path).write_bytes(data)
    for gate in (STAGE, PHASE):
        status = runner.gate(folder, gate)[0]
        if gate == STAGE and status == 0 and not may_pass:
            raise Wrong(f"{' '.join(gate)}: passes")


# --- files that change while they are read


def disturb(stop, change):
    while not stop.is_set():
        change()


def check_vanishing(runner, place, name, change):
    folder = make_copy(place)
    allowed = [runner.gate(folder, STAGE)[1]]
    path = folder / name
    text = path.read_bytes()
    path.unlink()
    allowed.append(runner.gate(folder, STAGE)[1])
    path.write_bytes(text)
    path.chmod(0o644)
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    stop = threading.Event()
    thread = threading.Thread(target=disturb, args=(stop, lambda: change(path, text)))
    thread.start()
    try:
        for _ in range(runner.rounds):
            status, rules, _ = runner.gate(folder, STAGE)
            differing = {r: (allowed[0].get(r), s) for r, s in rules.items()
                         if s not in [statuses.get(r) for statuses in allowed]}
            if status == 0 and differing:
                raise Wrong(f"passes with other statuses than on the sample: {differing}")
    finally:
        stop.set()
        thread.join()


def come_and_go(path, text):
    path.unlink()
    path.write_bytes(text)
    path.chmod(0o644)


def grow_and_shrink(path, text):
    with open(path, "r+b") as file:
        file.truncate(len(text) // 2)
        file.seek(0)
        file.write(text)


def lock_and_unlock(path, text):
    del text
    path.chmod(0)
    path.chmod(0o644)


def check_folders(runner, place):
    """Folders that cannot be listed, or that are something else."""
    for number, (name, spoil) in enumerate([("modules", unreadable), ("modules", as_file),
                                            ("eval", unreadable), (".", unreadable)]):
        if spoil is unreadable and not runner.has_permissions:
            continue
        folder = make_copy(place / str(number))
        spoil(folder / name)
        try:
            for gate in (STAGE, PHASE):
                status = runner.gate(folder, gate)[0]
                if spoil is as_file and gate == PHASE:
                    continue  # the file of the phase is missing: nothing to look at
                if status == 0:
                    raise Wrong(f"{' '.join(gate)}: passes with {name} {spoil.__name__}")
        finally:
            if spoil is unreadable:
                (folder / name).chmod(stat.S_IRWXU)


def as_file(path):
    shutil.rmtree(path)
    path.write_bytes(b"")


def make_cases(runner):
    """{name: (function, arguments after the folder)}"""
    cases = {"folders": (check_folders, ())}
    for path in DOCUMENTS + CODE:
        short = path.rsplit("/", 1)[-1]
        cases.update({f"{spoil.__name__}:{short}": (check_no_file, (path, spoil)) for spoil in NO_FILE})
        cases.update({f"{spoil.__name__}:{short}": (check_no_text, (path, spoil)) for spoil in NO_TEXT
                      if spoil is not unreadable or runner.has_permissions})
    cases.update({name: (check_content, (name,)) for name in CONTENTS})
    for path in ("SPEC.md", STATE, CONTRACT, "MEMORY.md", "gated_rmsnorm_impl.py",
                 "modules/gated_rmsnorm_module1_impl.py"):
        short = path.rsplit("/", 1)[-1]
        cases[f"vanishing:{short}"] = (check_vanishing, (path, come_and_go))
        cases[f"shrinking:{short}"] = (check_vanishing, (path, grow_and_shrink))
        if runner.has_permissions:
            cases[f"locked:{short}"] = (check_vanishing, (path, lock_and_unlock))
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--seconds", type=float, default=2.0, help="most time for one gate")
    parser.add_argument("--rounds", type=int, default=25, help="gates on a file that changes meanwhile")
    parser.add_argument("names", nargs="*", help="only these cases (beginning of the name)")
    options = parser.parse_args()
    problems, count = [], 0
    with tempfile.TemporaryDirectory(prefix="bad-files-") as top:
        top = pathlib.Path(top)
        runner = Runner(pathlib.Path(options.binary).resolve(), top, options.seconds, options.rounds)
        if not runner.has_permissions:
            print("NOT TESTED: unreadable files and folders (root, and setpriv does not work)")
        for number, (name, (check, arguments)) in enumerate(make_cases(runner).items()):
            if options.names and not name.startswith(tuple(options.names)):
                continue
            place = top / str(number)
            place.mkdir(mode=0o755)
            count += 1
            try:
                check(runner, place, *arguments)
            except (Wrong, ValueError) as error:
                problems.append(f"{name}: {error}")
            shutil.rmtree(place)
    print(f"{count} cases, slowest gate {runner.slowest[0]:.2f} s")
    print("\n".join(problems) or "all as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

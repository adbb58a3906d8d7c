#!/usr/bin/env python3
"""What GitHub reads: the problem matchers, the action and its script, the example workflow.

Usage: test_github.py BINARY [unittest options]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = None
BROKEN = ROOT / "examples/broken/custom"
CLEAN = ROOT / "examples/custom"


def lint(*args):
    return subprocess.run([BINARY, "check", *map(str, args), "--no-exec"], cwd=ROOT, capture_output=True, encoding="utf-8",
                          check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})


class Matcher(unittest.TestCase):
    def test_every_finding_matches_once(self):
        matchers = json.loads((ROOT / "hooks/github/pypto-lint-matcher.json").read_text(encoding="utf-8"))
        matchers = matchers["problemMatcher"]
        self.assertEqual(len({m["owner"] for m in matchers}), len(matchers))
        lines = lint(BROKEN, "--format", "concise").stdout.splitlines()
        report = json.loads(lint(BROKEN, "--format", "json").stdout)
        findings = [(run["op_dir"], f) for run in report.get("runs", [report]) for f in run["findings"]]
        seen, levels = [], set()
        for line in lines:
            hits = [(m, re.search(m["pattern"][0]["regexp"], line)) for m in matchers]
            hits = [(m, hit) for m, hit in hits if hit]
            if line.startswith("notice: ") or line == lines[-1]:  # the last one has the sums
                self.assertEqual(hits, [])
                continue
            self.assertEqual(len(hits), 1, line)
            matcher, hit = hits[0]
            part = {key: hit[group] for key, group in matcher["pattern"][0].items() if key != "regexp"}
            level = part.get("severity", matcher.get("severity"))
            # What the runner knows; anything else it drops.
            self.assertIn(level, ("error", "warning", "notice"))
            levels.add(level)
            seen.append((part["file"], int(part["line"]), part["code"], part["message"]))
        self.assertEqual(levels, {"error", "warning", "notice"})
        expected = [(os.path.relpath(ROOT / d / f["file"], ROOT), max(1, f["line"]), f["rule"], f"{f['name']}: {f['message']}")
                    for d, f in findings]
        self.assertEqual([(os.path.relpath(ROOT / s[0], ROOT), *s[1:]) for s in seen], expected)


class Script(unittest.TestCase):
    def run_script(self, binary=None, **inputs):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, "output")
            env = {k: v for k, v in os.environ.items() if not k.startswith("PYPTO_LINT")}
            env |= {f"INPUT_{k}": v for k, v in inputs.items()}
            env |= {"INPUT_SETUP": "false", "PYPTO_LINT_BINARY": str(binary or BINARY), "GITHUB_OUTPUT": str(output),
                    "RUNNER_TEMP": folder, "LC_ALL": "C.UTF-8"}
            done = subprocess.run([ROOT / "scripts/github-action.sh"], cwd=ROOT, env=env, capture_output=True,
                                  encoding="utf-8", timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            values = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
            sarif = json.loads(pathlib.Path(values["sarif-file"]).read_text(encoding="utf-8")) if values["sarif-file"] else None
            return values["status"], done.stdout, sarif

    def test_findings(self):
        status, text, sarif = self.run_script(PATHS="examples/broken/custom", ARGS="--rules OL48,OL45")
        self.assertEqual(status, "1")
        self.assertTrue(text.startswith("::error file=examples/broken/custom/"), text)
        rules = [result["ruleId"] for result in sarif["runs"][0]["results"]]
        self.assertEqual(len(rules), text.count("::error file="))
        self.assertEqual(set(rules), {"OL45", "OL48"})

    def test_clean(self):
        status, text, sarif = self.run_script(PATHS="examples/custom")
        self.assertEqual((status, sarif["runs"][0]["results"]), ("0", []))

    def test_without_annotations(self):
        status, text, _ = self.run_script(PATHS="examples/broken/custom", ARGS="--rules OL48", ANNOTATIONS="false")
        self.assertEqual(status, "1")
        self.assertNotIn("::error", text)
        self.assertIn("error[OL48]", text)

    def test_phases_have_categories_of_their_own(self):
        for phase in ("M1", "M2"):
            status, _, sarif = self.run_script(OP_DIR="examples/custom/softmax", PHASE=phase, ARGS="--no-exec")
            self.assertIn(status, ("0", "1"))
            self.assertEqual(sarif["runs"][0]["automationDetails"]["id"], f"pypto-lint/{phase}/")

    def test_trouble_gives_no_report(self):
        for inputs in ({"PATHS": "no/such/place"}, {"ARGS": "--no-such-option"}):
            status, _, sarif = self.run_script(**inputs)
            self.assertEqual((status, sarif), ("2", None))

    def test_all_lines_of_an_input_count(self):
        """`paths: |` of a workflow has a line for each."""
        status, text, _ = self.run_script(PATHS="examples/custom\nexamples/broken/custom\n", ARGS="--rules\nOL48\n")
        self.assertEqual(status, "1")
        self.assertIn("::error file=examples/broken/custom/", text)

    def test_a_program_that_does_not_run_is_not_green(self):
        """The status is that of a failure, and there is nothing to upload."""
        only_first = ('n=$(cat "$0.count" 2>/dev/null || echo 0); echo $((n + 1)) >"$0.count"\n'
                      '[ "$1" = --version ] && exec @ --version\n[ "$n" -lt 2 ] || kill -KILL $$\nexec @ "$@"')
        killed = '[ "$1" = --version ] && exec @ --version\nkill -KILL $$'
        half = ('[ "$1" = --version ] && exec @ --version\nwhile [ $# -gt 0 ]; do [ "$1" = --output ] && '
                '{ echo "{" >"$2"; kill -KILL $$; }; shift; done')
        for text, wanted in ((killed, "137"), (only_first, "2"), (half, "2")):
            with tempfile.TemporaryDirectory() as folder:
                program = pathlib.Path(folder, "pypto-lint")
                program.write_text("#!/bin/sh\n" + text.replace("@", f"'{BINARY}'") + "\n", encoding="utf-8")
                program.chmod(0o755)
                status, out, sarif = self.run_script(PATHS="examples/custom", binary=program)
                self.assertEqual((status, sarif), (wanted, None), text)
                self.assertIn("::error title=pypto-lint::", out)

    def test_inputs_are_no_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            marker = pathlib.Path(folder, "marker")
            for text in (f"$(touch${{IFS}}{marker})", f"`touch {marker}`", f"; touch {marker} ;", "*"):
                status, _, _ = self.run_script(PATHS=text, ARGS="")
                self.assertEqual(status, "2", text)
            self.assertFalse(marker.exists())


class Entry(unittest.TestCase):
    """What finds the program for pre-commit and for the action."""

    def entry(self, folder, mode, text, **more):
        program = pathlib.Path(folder, "pypto-lint")
        if text is not None:
            program.write_text(text, encoding="utf-8")
            program.chmod(0o755)
        env = {"PATH": os.environ["PATH"], "HOME": folder, "PYPTO_LINT_BINARY": str(program), "LC_ALL": "C.UTF-8", **more}
        return subprocess.run([ROOT / "scripts/pre-commit-entry.sh", mode, "--no-exec", "examples/custom"], cwd=ROOT, env=env,
                              capture_output=True, encoding="utf-8", timeout=60, check=False)

    def test_a_program_that_does_not_run_is_not_green(self):
        for text in (None, "", "#!/bin/sh\nkill -KILL $$\n", "#!/bin/sh\nkill -SEGV $$\n", "#!/bin/sh\n",
                     "#!/bin/sh\necho something else\n", "#!/nowhere/sh\n"):
            for mode in ("files", "operators", "path"):
                with tempfile.TemporaryDirectory() as folder:
                    done = self.entry(folder, mode, text)
                    self.assertEqual((done.returncode, done.stdout), (2, ""), text)
                    self.assertIn("nothing was checked", done.stderr)

    def test_one_that_dies_at_its_work(self):
        text = f"#!/bin/sh\n[ \"$1\" = --version ] && exec '{BINARY}' --version\nkill -KILL $$\n"
        with tempfile.TemporaryDirectory() as folder:
            self.assertNotIn(self.entry(folder, "operators", text).returncode, (0, 1))

    def test_one_that_cannot_be_built(self):
        """No program, and no compiler: a failure, not silence."""
        with tempfile.TemporaryDirectory() as folder:
            tools = pathlib.Path(folder, "tools")
            tools.mkdir()
            for name in ("sh", "dirname", "sed", "git", "mkdir", "flock", "cp", "rm", "mv", "tail", "env", "find", "sort",
                         "xargs", "cat", "cksum"):
                (tools / name).symlink_to(shutil.which(name))
            done = self.entry(folder, "operators", None, PYPTO_LINT_BINARY="", PATH=str(tools))
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn("the build failed", done.stderr)

    def test_one_that_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.entry(folder, "operators", None, PYPTO_LINT_BINARY=BINARY)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


@unittest.skipIf(yaml is None, "python3-yaml is not installed: the YAML files were not looked at")
class Files(unittest.TestCase):
    def test_action(self):
        text = (ROOT / "action.yml").read_text(encoding="utf-8")
        action = yaml.safe_load(text)
        self.assertEqual(action["runs"]["using"], "composite")
        inputs = set(action["inputs"])
        self.assertEqual(set(re.findall(r"inputs\.([\w-]+)", text)), inputs)
        for step in action["runs"]["steps"]:
            self.assertTrue("uses" in step or step.get("shell") == "bash", step)
            # An expression in a script would be pasted into it.
            self.assertNotIn("${{", step.get("run", ""))
        script = (ROOT / "scripts/github-action.sh").read_text(encoding="utf-8")
        lint, = [step for step in action["runs"]["steps"] if step.get("id") == "lint"]
        names = {name for name in lint["env"] if name.startswith("INPUT_")}
        self.assertEqual(set(re.findall(r"INPUT_\w+", script)), names)
        self.assertTrue(os.access(ROOT / "scripts/github-action.sh", os.X_OK))

    def test_workflow(self):
        inputs = set(yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"])
        workflow = yaml.safe_load((ROOT / "hooks/github/pypto-lint.yml").read_text(encoding="utf-8"))
        self.assertEqual(workflow["permissions"], {"contents": "read", "security-events": "write"})
        step, = [s for s in workflow["jobs"]["lint"]["steps"] if "pypto-lint" in s["uses"]]
        # Nobody's address: `init` puts the user's there.
        self.assertEqual(step["uses"], "OWNER/pypto-lint@REF")
        self.assertLessEqual(set(step["with"]), inputs)

    def test_pre_commit_by_the_installed_program(self):
        """The block for a program on PATH is the hook of the same id, but for how it is started."""
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        repo, = yaml.safe_load((ROOT / "hooks/pre-commit/local.yaml").read_text(encoding="utf-8"))["repos"]
        hook, = repo["hooks"]
        original, = [h for h in hooks if h["id"] == hook["id"]]
        self.assertEqual((repo["repo"], hook.pop("language")), ("local", "system"))
        self.assertEqual(hook.pop("entry").split()[0], "pypto-lint")
        self.assertEqual(hook, {key: original[key] for key in hook})

    def test_pre_commit_hooks(self):
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
        self.assertEqual([hook["id"] for hook in hooks], ["pypto-lint", "pypto-lint-operator", "pypto-lint-python",
                                                        "pypto-lint-operator-python"])
        for hook in hooks:
            self.assertIs(hook["require_serial"], True)
            self.assertNotIn("stages", hook)
            program = hook["entry"].split()[0]
            if hook["language"] == "python":
                self.assertEqual(program, "pypto-lint")
            else:
                self.assertTrue(os.access(ROOT / program, os.X_OK))
            re.compile(hook["files"])


if __name__ == "__main__":
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()

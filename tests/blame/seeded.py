"""An operator with a seeded bug, and a job of the worker for it in a fork of this process."""
import json
import os
import sys

import operators


def prepare(share):
    """Makes the worker of a build importable; `share` is its share/pypto-lint."""
    sim = os.path.join(share, "sim")
    sys.path[:0] = [sim, os.path.join(share, "harness")]
    os.environ["PYPTO_LINT_SIM_HOME"] = sim
    os.environ["PTOSIM_SANITIZE"] = "all"
    os.environ["PTOSIM_PYPTO"] = "9.2"  # gru_cell carries a name
    import torch  # noqa: F401  (once, before all forks)


class Seed:
    """The operator of a bug in `folder`; `lines` are those that may be named."""

    def __init__(self, bug, folder):
        _, name, case, old, new, *also = bug
        self.folder, self.suffix = operators.make(name, folder)
        path = operators.implementation(self.folder, self.suffix)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        at = text.find(old)
        if at < 0:
            raise AssertionError("%s: no such text: %r" % (bug[0], old))
        apart = next((number for number, (one, other) in enumerate(zip(old, new))
                      if one != other), len(new))
        self.lines = {text[:place].count("\n") + 1 for place in (at, at + apart)}
        self.lines |= {text[:text.index(one)].count("\n") + 1 for one in also}
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:at] + new + text[at + len(old):])
        with open(os.path.join(self.folder, "eval/adversarial_suite.json"),
                  encoding="utf-8") as file:
            cases = json.load(file)["test_cases"]
        self.case = next(one for one in cases if one["id"] == case)

    def job(self, blame):
        """The job of the bug's case."""
        name = "%s_module%s" % (os.path.basename(self.folder), self.suffix)
        modules = os.path.join(self.folder, "modules")
        return {"kind": "case", "mode": "sim", "op_dir": self.folder,
                "op_name": os.path.basename(self.folder), "suffix": self.suffix,
                "module": len(self.suffix), "case": self.case, "precision": True,
                "atol": self.case["atol"], "rtol": self.case["rtol"], "blame": blame,
                "impl": os.path.join(modules, name + "_impl.py"),
                "wrapper_function": name + "_wrapper",
                "golden": os.path.join(modules, name + "_golden.py"),
                "golden_function": name + "_golden",
                "inputs": os.path.join(self.folder, "eval/test_inputs.py")}

    def run(self, blame=True):
        """The result of the job, which a fork of this process runs."""
        out, into = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.close(out)
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, 1)
                os.dup2(nowhere, 2)
                from pypto_lint_worker import jobs
                document = jobs.run(self.job(blame), lambda stage: None)
                with os.fdopen(into, "w") as file:
                    json.dump(document, file)
            finally:
                os._exit(0)
        os.close(into)
        with os.fdopen(out) as file:
            text = file.read()
        os.waitpid(pid, 0)
        return json.loads(text)

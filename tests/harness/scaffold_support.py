"""What the tests of scaffold, interfaces and compose share: a sample operator to start from, and one
made for the corners (expressions as sizes, scalars, indices, subtractions)."""
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))

import support  # noqa: E402
import warm_python  # noqa: E402
from support import CliTest, call, main  # noqa: E402,F401

SAMPLES = ROOT / "examples" / "custom"

GOLDEN = '''"""Reference."""
import torch


def _probabilities(q, k):
    return torch.softmax(torch.matmul(q, k.transpose(-1, -2)), dim=-1)


def chunked_golden(q: torch.Tensor, k, v, do, o, index, flags, n_chunks: int, scale: float = 0.5,
                   causal=True):
    p = _probabilities(q.float(), k.float())
    dp = torch.matmul(do.float(), v.float().transpose(-1, -2))
    delta = torch.sum(o.float() * do.float(), dim=-1, keepdim=True)
    ds = p * (dp - delta)
    mean = q.float().mean(-1)
    var = (q.float() * q.float()).mean(-1) - mean ** 2
    moved = q - k
    return torch.matmul(ds, moved.float()) * scale, var
'''

SPEC = '''---
schema_version: 1
op_name: chunked
supported_dtypes: [bfloat16, float32]
p0_shapes:
  - {q: [2, 64, 32], k: [2, 64, 32], v: [2, 64, 32], do: [2, 64, 32], o: [2, 64, 32], index: [2, 4], flags: [2]}
tolerance: {atol: 1e-2, rtol: 0.02}
dynamic_axes: [B, T]
---
# chunked
'''

CONTRACT = '''schema_version: 1
op: chunked
primary_inputs:
  - {name: q, shape: "[B, T, K]", dtype: bfloat16}
  - {name: k, shape: "[B, T, K]", dtype: bfloat16}
  - {name: v, shape: "[B, T, K]", dtype: bfloat16}
  - {name: do, shape: "[B, T, K]", dtype: bfloat16}
  - {name: o, shape: "[B, T, K]", dtype: bfloat16}
  - {name: index, shape: ["B", "T//BT"], dtype: int64}
  - {name: flags, shape: "[B]", dtype: bool}
  - {name: n_chunks, shape: "[]", dtype: int}
  - {name: scale, dtype: float}
  - {name: causal, shape: "[]", dtype: bool}
modules:
  - id: 1
    name: one
    inputs:
      - {name: q, source: primary}
      - {name: n_chunks, source: primary}
    outputs:
      - {name: p, shape: "[B, T, T]", dtype: float32}
  - id: 2
    name: two
    inputs:
      - {name: p, source: module_1}
      - {name: k, source: primary}
    outputs:
      - {name: dq, shape: "[B, T, K]", dtype: float32}
      - {name: var, shape: "[B, T]", dtype: float32}
final_outputs:
  - {name: dq, source: module_2}
  - {name: var, source: module_2}
composition_verification: {atol: 0.001, rtol: 0.001, shapes: [{B: 2, T: 64, K: 32, BT: 16}]}
'''


class ScaffoldTest(CliTest):
    """A folder with custom/chunked; sample() copies one of the examples beside it."""

    def setUp(self):
        super().setUp()
        self.write("custom/chunked/chunked_golden.py", GOLDEN)
        self.write("custom/chunked/SPEC.md", SPEC)
        self.write("custom/chunked/eval/module_interfaces.yaml", CONTRACT)

    def sample(self, name, without_tests=True):
        """The folder of a copy; `without_tests`: what scaffold makes is taken away."""
        folder = self.folder / "custom" / name
        shutil.copytree(SAMPLES / name, folder)
        if without_tests:
            made = [*folder.glob("test_*"), *folder.glob("modules/test_*"),
                    *folder.glob("eval/test_inputs.py"), *folder.glob("eval/adversarial_*")]
            for path in made:
                path.unlink()
        return folder

    def run_here(self, *args, **keywords):
        return call(*args, cwd=self.folder, **keywords)

    def works(self, *args, **keywords):
        """The call has status 0."""
        done = self.run_here(*args, **keywords)
        self.assertEqual(done.status, 0, done.out + done.err)
        return done

    def refuses(self, text, *args):
        """The call has status 2, says so and has changed nothing."""
        before = self.files()
        done = self.run_here(*args)
        self.assertEqual(done.status, 2, done.out + done.err)
        self.assertIn(text, done.err)
        self.assertEqual(self.files(), before)
        return done

    def files(self):
        """Path and content of all files."""
        return {str(path.relative_to(self.folder)): path.read_bytes()
                for path in sorted(self.folder.rglob("*")) if path.is_file()}

    def needs_simulator(self):
        """Skips where none is built that a plain interpreter can load."""
        if os.environ.get("HARNESS_NO_SIMULATOR"):
            self.skipTest("no simulator in this build")

    def run_program(self, text, **environment):
        """Output of a Python program in the simulator. Skips where there is none."""
        self.needs_simulator()
        self.write("program.py", text)
        done = self.run_here("run", "program.py", env={**warm_python.variables("program", sys.executable), **environment})
        if "not built" in done.err or "No module named 'torch'" in done.err:
            self.skipTest("no simulator, or no torch")
        self.assertEqual(done.status, 0, done.out + done.err)
        return done.out


def binary_folder():
    return str(pathlib.Path(support.BINARY).parent)

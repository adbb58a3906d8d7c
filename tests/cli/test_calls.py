"""`pypto-lint calls`: places, arguments and documentation of every call."""
import ast

import support
from support import ROOT

SOURCE = '''import pypto
from pypto import experimental


def helper(x, sizes):
    return pypto.view(x,
                      sizes, offsets=[0, 0], **{"valid_shape": [1, 2]})


@pypto.frontend.jit
def kernel(x: pypto.Tensor([8, 64], pypto.DT_FP32), y: pypto.Tensor([8, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 64)
    y[:] = pypto.experimental.nop([pypto.exp(x), x]) + pypto.matmul(*[x, x], pypto.DT_FP32) + pypto.no_such(x)
'''


class Calls(support.CliTest):
    def calls(self, path, *more):
        done = support.call("calls", "--format", "json", path, *more, cwd=self.folder)
        self.assertEqual(done.status, 0, done.err)
        return done.json()["calls"]

    def test_arguments(self):
        self.write("a.py", SOURCE)
        found = {one["name"]: one for one in self.calls("a.py")}
        view = found["view"]
        self.assertEqual([(a["parameter"], a["text"]) for a in view["arguments"]],
                         [("input", "x"), ("shape", "sizes"), ("offsets", "[0, 0]"),
                          (None, '**{"valid_shape": [1, 2]}')])
        self.assertEqual((view["line"], view["column"], view["end_line"]), (6, 12, 7))
        self.assertEqual((view["function"], view["in_kernel"]), ("helper", False))
        self.assertTrue(found["exp"]["in_kernel"])
        self.assertEqual([a["parameter"] for a in found["matmul"]["arguments"]], [None, None])
        self.assertEqual(found["experimental.nop"]["documentation"]["kind"], "operation")
        self.assertIsNone(found["no_such"]["documentation"])

    def test_agrees_with_ast(self):
        """The same calls, in the same order, as Python's own parser sees in the samples."""
        for path in sorted(ROOT.glob("examples/custom/*/*_impl.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            wanted = sorted((node.lineno, node.col_offset + 1, node.func.attr) for node in ast.walk(tree)
                            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                            and isinstance(node.func.value, ast.Name) and node.func.value.id == "pypto")
            found = [(one["line"], one["column"], one["name"].rpartition(".")[2]) for one in self.calls(path)]
            self.assertTrue(wanted)
            self.assertEqual(sorted(found), wanted)
            self.assertEqual(found, sorted(found))

    def test_an_operator(self):
        found = self.calls(ROOT / "examples/custom/gated_rmsnorm")
        names = list(dict.fromkeys(one["file"].rpartition("/")[2] for one in found))
        self.assertEqual(names, ["gated_rmsnorm_module1_impl.py", "gated_rmsnorm_module12_impl.py",
                                 "gated_rmsnorm_impl.py"])

    def test_text(self):
        self.write("a.py", SOURCE)
        out = support.call("calls", "a.py", cwd=self.folder).out
        self.assertIn("6:12     helper                   pypto.view(input=x, shape=sizes, offsets=[0, 0]", out)
        self.assertIn("e to the power of x.", out)
        self.assertTrue(out.endswith(" calls of pypto\n"), out)

    def test_faults(self):
        self.write("broken.py", "def (:\n")
        self.write("bytes.py", b"x = '\xff'\n")
        (self.folder / "empty").mkdir()
        for path in ("broken.py", "bytes.py", "missing.py", "empty"):
            done = support.call("calls", path, cwd=self.folder)
            self.assertEqual((done.status, done.out), (2, ""), path)
            self.assertIn(path, done.err)
        self.assertEqual(support.call("calls").status, 2)
        self.write("nothing.py", "")
        self.assertEqual(self.calls("nothing.py"), [])


if __name__ == "__main__":
    support.main()

"""`pypto-lint api`, and the table of synonyms that it shares with rules."""
import json
import re
import sys

import support
from support import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import make_sim_ops  # noqa: E402

KERNEL = '''import pypto


@pypto.frontend.jit
def k(x: pypto.Tensor([8, 64], pypto.DT_FP32), y: pypto.Tensor([8, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(8, 64)
    y[:] = %s
'''


def synonyms():
    """[(word, recipe or None, [names], is a rename)] of synonyms.def."""
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "rules/data/synonyms.def").read_text(encoding="utf-8"), flags=re.S)
    rows = []
    for kind, inside in re.findall(r"(SYNONYM|RENAMED)\(((?:[^()\"]|\"(?:[^\"\\]|\\.)*\")*)\)", text):
        texts = re.findall(r"\"((?:[^\"\\]|\\.)*)\"|(NULL)", inside)
        words = [None if null else value for value, null in texts]
        has_recipe = kind == "SYNONYM"
        rows.append((words[0], words[1] if has_recipe else None, words[1 + has_recipe:], not has_recipe))
    assert len(rows) == text.count("SYNONYM(") + text.count("RENAMED(")
    return rows


def names_of_api():
    with open(ROOT / "rules/data/pypto-api.json", encoding="utf-8") as file:
        return {item["name"]: item for item in json.load(file)["attributes"] if item["origin"] == "api"}


class Table(support.CliTest):
    def test_every_target_exists(self):
        api = names_of_api()
        rows = synonyms()
        self.assertGreaterEqual(len(rows), 150)
        self.assertEqual(len({row[0] for row in rows}), len(rows), "a word is listed twice")
        for word, recipe, names, is_rename in rows:
            with self.subTest(word):
                self.assertTrue(1 <= len(names) <= 3)
                self.assertLessEqual(set(names), set(api))
                in_recipe = set(re.findall(r"pypto\.(\w+)", recipe or "")) - {"frontend"}
                self.assertLessEqual(in_recipe, set(api))
                self.assertEqual(len(names) == 1 or not is_rename, True)
                if word in api:
                    self.assertIn(word, ("max", "min"), "PyPTO has it itself")

    def test_every_word_is_answered(self):
        pages = {page["name"] for page in support.call("api", "--format", "json").json()["names"]}
        for word, recipe, names, _ in synonyms():
            answer = support.call("api", "--format", "json", word).json()
            self.assertLessEqual(set(names) & pages, {page["name"] for page in answer["names"]}, word)
            self.assertEqual(answer["synonym"].get("recipe"), recipe and recipe.replace('\\"', '"'))


class Pages(support.CliTest):
    def test_every_name_has_a_page(self):
        pages = {page["name"]: page for page in support.call("api", "--format", "json").json()["names"]}
        operations = [op for op in make_sim_ops.read(ROOT / "src/model/ops.def")
                      if not op["group"].startswith("Steps")]
        self.assertEqual(set(pages), set(names_of_api()) | {op["name"] for op in operations})
        for name, page in pages.items():
            self.assertTrue(page["meaning"] and page["signature"] and page["simulator"], name)
            compile(page["example"], name, "exec")
            last = name.rpartition(".")[2]
            self.assertIn(f"pypto.{name}" if page["kind"] != "module" else last, page["example"], name)
        for op in operations:
            self.assertTrue(pages[op["name"]]["signature"].endswith(op["call"]), op["name"])
            limits = pages[op["name"]].get("limits", "")
            self.assertTrue(limits.startswith(op.get("limits", "")), op["name"])
            self.assertEqual("axis of length 1" in limits, op["class"] in ("binary", "compare"), op["name"])

    def test_text(self):
        done = support.call("api", "gather")
        self.assertEqual(done.status, 0, done.err)
        self.assertTrue(done.out.startswith("pypto.gather(input, dim, index)\n"), done.out)
        for part in ("dtypes     INT16", "axes       1–5", "limits     equal ranks", "elsewhere  take_along_dim",
                     "    y[:] = pypto.gather(x, 1, index)\n"):
            self.assertIn(part, done.out)
        self.assertIn("限制", support.call("api", "gather", "--lang", "zh").out)

    def test_names_of_other_packages(self):
        for word in ("silu", "torch.nn.functional.silu", "F.silu"):
            out = support.call("api", word).out
            self.assertTrue(out.startswith("silu → pypto.mul(x, pypto.sigmoid(x))\n"), out)
            self.assertIn("\npypto.sigmoid(input)\n", out)
        self.assertIn("pypto.view(", support.call("api", "tl.load").out)
        own = support.call("api", "max").out
        self.assertLess(own.index("\npypto.max(a, b)\n"), own.index("\npypto.amax("))
        self.assertTrue(support.call("api", "pypto.experimental.nop").out.startswith("pypto.experimental.nop("))

    def test_dynamic_axis_by_name(self):
        done = support.call("api", "pypto.frontend.dynamic")
        self.assertEqual(done.status, 0, done.err)
        self.assertTrue(done.out.startswith('dynamic → ROWS = pypto.frontend.dynamic("rows")'), done.out)

    def test_broadcasting_is_told(self):
        for name in ("add", "mul", "gt"):
            self.assertIn("any axis of length 1 is repeated to the other one's length", support.call("api", name).out)
        self.assertNotIn("axis of length 1", support.call("api", "exp").out)

    def test_words(self):
        out = support.call("api", "sum", "maximum").out
        self.assertIn("pypto.experimental.online_softmax(", out)
        self.assertNotIn("Example", out)

    def test_nothing_found(self):
        done = support.call("api", "sofmax")
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertIn("did you mean 'softmax'?", done.err)
        done = support.call("api", "no", "such", "thing\x1b[0m")
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertNotIn("\x1b", done.err)

    def test_example_alone(self):
        out = support.call("api", "--example", "exp").out
        self.assertTrue(out.startswith("import pypto\nimport torch\n"), out)
        compile(out, "exp", "exec")
        self.assertEqual(support.call("api", "--example", "sum", "maximum", "tensor").status, 2)


class Rules(support.CliTest):
    def findings(self, expression, *options):
        self.write("k.py", KERNEL % expression)
        return support.call("k.py", "--format", "json", *options, cwd=self.folder).json()["findings"]

    def test_ol55_names_what_does_it(self):
        self.write("custom/k/k_impl.py", KERNEL % "pypto.masked_fill(x, x, 0.0)")
        found = support.call("custom/k/k_impl.py", "--rules", "OL55", "--format", "json",
                             cwd=self.folder).json()["findings"]
        self.assertEqual([one["rule"] for one in found], ["OL55"])
        self.assertIn("use instead: pypto.where, as in pypto.where(mask, value, x)", found[0]["message"])

    def test_ks01_names_what_does_it(self):
        found = [one for one in self.findings("x.square()") if one["rule"] == "KS01"]
        self.assertEqual(len(found), 1)
        self.assertIn("pypto.mul, as in pypto.mul(x, x)", found[0]["hint"])


if __name__ == "__main__":
    support.main()

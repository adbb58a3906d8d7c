"""The registry in the binary, the front matter of the pages and the catalogue say the same."""
import re

import catalogue
import support

PAGES = support.ROOT / "docs" / "rules"


def front_matter(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines[1:lines.index("---", 1)])


def chinese_body(rule_id):
    path = PAGES / "zh" / f"{rule_id}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else None


class Registry(support.CliTest):
    def setUp(self):
        super().setUp()
        self.report = support.call("rules", "--format", "json").json()
        self.rules = {rule["id"]: rule for rule in self.report["rules"]}

    def test_catalogue(self):
        self.assertEqual(self.report["schema_version"], 1)
        ids = [rule["id"] for rule in self.report["rules"]]
        self.assertEqual(ids, ["OL00"] + [rule.id for rule in catalogue.RULES if rule.id in ids])
        for rule in catalogue.RULES:
            if rule.id not in self.rules:
                continue  # test_all_rules_are_there says so
            with self.subTest(rule=rule.id):
                found = self.rules[rule.id]
                self.assertEqual((found["severity"], found["dimension"], found.get("effort") or "",
                                  set(found["stages"]), found["target"]),
                                 (rule.severity, rule.dimension, rule.effort, rule.stages, rule.target))

    def test_all_rules_are_there(self):
        self.assertEqual(sorted(self.rules),
                         sorted(["OL00"] + [rule.id for rule in catalogue.RULES]))

    def test_pages(self):
        for rule_id, rule in self.rules.items():
            with self.subTest(rule=rule_id):
                front = front_matter(PAGES / f"{rule_id}.md")
                for key in ("id", "name", "title", "title_zh", "severity", "dimension", "fix"):
                    self.assertEqual(rule[key], front[key], key)
                self.assertEqual(rule.get("effort") or "", front.get("effort", ""))
                self.assertEqual(rule["stages"], [int(n) for n in re.findall(r"\d", front["stages"])])
                if rule_id != "OL00":
                    self.assertEqual(rule["target"], front["target"])
                self.assertEqual(rule["fixable"], front["fix"] == "safe")

    def test_no_page_without_rule(self):
        self.assertEqual({page.stem for page in PAGES.glob("[OK][LS]*.md")}, set(self.rules))

    def test_retired(self):
        self.assertEqual([entry["id"] for entry in self.report["retired"]], ["OL27", "OL35", "OL36", "OL38"])
        for entry in self.report["retired"]:
            self.assertTrue(entry["state"] and entry["state_zh"])

    def test_text(self):
        english = support.call("rules").out.splitlines()
        chinese = support.call("rules", "--lang", "zh").out.splitlines()
        self.assertEqual(len(english), 1 + len(self.rules) + 4)
        self.assertEqual(len(english), len(chinese))
        self.assertEqual([line[:4] for line in english[1:]], [line[:4] for line in chinese[1:]])
        for line in english[1:1 + len(self.rules)]:
            self.assertIn(self.rules[line[:4]]["title"], line)
        for line in chinese[1:1 + len(self.rules)]:
            self.assertIn(self.rules[line[:4]]["title_zh"], line)

    def test_usage(self):
        for args in (["--format", "xml"], ["--lang", "fr"], ["--format"], ["x"], ["--what"]):
            done = support.call("rules", *args)
            self.assertEqual((done.status, done.out), (2, ""), args)
            self.assertTrue(done.err)

    def test_explain(self):
        for rule_id in self.rules:
            page = (PAGES / f"{rule_id}.md").read_text(encoding="utf-8")
            body = page.split("\n---\n", 1)[1]
            done = support.call("explain", rule_id)
            self.assertEqual((done.status, done.err), (0, ""))
            self.assertIn(body.strip(), done.out, rule_id)

    def test_explain_forms(self):
        page = support.call("explain", "OL48").out
        self.assertEqual(support.call("explain", "ol48").out, page)
        self.assertEqual(support.call("explain", "48").out, page)
        self.assertEqual(support.call("explain", "1").out, support.call("explain", "OL01").out)
        both = support.call("explain", "OL48", "OL01").out
        self.assertIn("# OL48", both)
        self.assertIn("# OL01", both)

    def test_explain_codes(self):
        done = support.call("explain", "f74007")
        self.assertEqual((done.status, done.err), (0, ""))
        first, second = (line for line in done.out.splitlines() if not line.startswith(" "))
        self.assertEqual(first, "ADDRESS_OUT_OF_RANGE: F74006 in 9.1, F74007 in 9.2")
        self.assertEqual(second, "WORKSPACE_ITER_INVALID: F74007 in 9.1, F74008 in 9.2")
        for name, line in (("WORKSPACE_ITER_INVALID", second),
                           ("SLAB_MAGIC_CORRUPTED", "SLAB_MAGIC_CORRUPTED: not in 9.1, F74004 in 9.2"),
                           ("F40005", "MEMORY_ALLOCATION: F40005 in 9.1, F40005 in 9.2"),
                           ("F7400C", "WORKSPACE_CAPACITY: F7400B in 9.1, F7400C in 9.2")):
            self.assertIn(line + "\n", support.call("explain", name).out)
        both = support.call("explain", "OL48", "F7A004", env={"PYPTO_LINT_LANG": "zh"}).out
        self.assertIn("# OL48", both)
        self.assertIn("MEMRESET_FAILED", both)
        self.assertIn("NULLPTR", both)
        self.assertEqual(support.call("explain", "F79999").status, 2)

    def test_explain_names_prefixes_and_words(self):
        page = support.call("explain", "OL48").out
        self.assertEqual(support.call("explain", "tile-not-constant").out, page)
        self.assertEqual(support.call("explain", "Tile-Not-Constant").out, page)
        for prefix, wanted in (("OL4", {r for r in self.rules if r.startswith("OL4")}),
                               ("ks", {r for r in self.rules if r.startswith("KS")}),
                               ("D3", {r for r, v in self.rules.items() if v["dimension"] == "D3"})):
            lines = support.call("explain", prefix).out.splitlines()
            self.assertEqual({line[:4] for line in lines}, wanted)
            for line in lines:
                rule = self.rules[line[:4]]
                self.assertEqual(line, f"{rule['id']} {rule['name']}: {rule['title']}")
        found = [line[:4] for line in support.call("explain", "unroll_list", "LOOP").out.splitlines()]
        self.assertEqual(found[0], "OL49")  # has both in its title
        for rule_id in found:
            text = (PAGES / f"{rule_id}.md").read_text(encoding="utf-8").lower()
            self.assertTrue("unroll_list" in text and "loop" in text, rule_id)
        chinese = support.call("explain", "维度", "--lang", "zh").out
        self.assertIn("OL29 no-dynamic-dimension：", chinese.replace(": ", "："))
        mixed = support.call("explain", "F74006", "OL01", "KS").out
        self.assertLess(mixed.index("ADDRESS_OUT_OF_RANGE"), mixed.index("# OL01"))
        self.assertLess(mixed.index("# OL01"), mixed.index("KS01 "))

    def test_explain_in_chinese(self):
        for rule_id, rule in self.rules.items():
            out = support.call("explain", rule_id, "--lang", "zh").out
            body = chinese_body(rule_id)
            if body is None:
                self.assertIn(f"# {rule_id} {rule['name']}：{rule['title_zh']}\n", out)
                self.assertIn("以下正文为英文", out)
            else:
                self.assertTrue(out.endswith("\n\n" + body), rule_id)
            self.assertNotIn("\n## Why\n", out)
            self.assertIn("## 如何修复", out)
        self.assertEqual(support.call("explain", "OL01", env={"LC_ALL": "zh_CN.UTF-8"}).out,
                         support.call("explain", "OL01", "--lang", "zh").out)

    def test_words_of_chinese_bodies(self):
        found = support.call("explain", "切分在生成代码时就已定死", "--lang", "zh").out
        self.assertEqual([line[:4] for line in found.splitlines()], ["OL48"])

    def test_html_of_chinese_bodies(self):
        path = self.folder / "rules.html"
        self.assertEqual(support.call("rules", "--html", path, "--lang", "zh").status, 0)
        text = path.read_text(encoding="utf-8")
        for rule_id in self.rules.keys() - {"OL00"}:
            part = text.split(f'id="rule-{rule_id}"')[1].split("</details>")[0]
            chinese = chinese_body(rule_id) is not None
            self.assertIn(f'<div lang="{"zh-CN" if chinese else "en"}">', part)
            self.assertEqual(("<h4>原因</h4>" in part, "<h4>Why</h4>" in part), (chinese, not chinese), rule_id)

    def test_sarif_with_chinese_bodies(self):
        operator = support.ROOT / "examples/broken/custom/softmax_broken"
        for lang, page in (("zh", chinese_body("OL48")), ("en", (PAGES / "OL48.md").read_text(encoding="utf-8"))):
            report = support.call("check", operator, "--format", "sarif", "--lang", lang).json()
            rule, = (one for one in report["runs"][0]["tool"]["driver"]["rules"] if one["id"] == "OL48")
            self.assertTrue(page.endswith(rule["help"]["markdown"]))
            self.assertIn(rule["fullDescription"]["text"], " ".join(page.split("\n")))

    def test_names(self):
        names = [rule["name"] for rule in self.rules.values()]
        self.assertEqual(len(set(names)), len(names))
        for name in names:
            self.assertRegex(name, r"^[a-z][a-z0-9]*(-[a-z0-9]+)+$")
        text = support.call("rules").out
        for rule_id, rule in self.rules.items():
            self.assertRegex(text, rf"(?m)^{rule_id} .* {rule['name']} ")

    def test_explain_retired_and_unknown(self):
        done = support.call("explain", "OL38")
        self.assertEqual(done.status, 0)
        self.assertIn("OL25", done.out)
        self.assertIn("OL25", support.call("explain", "OL38", env={"PYPTO_LINT_LANG": "zh"}).out)
        for word in ("OL99", "X", "", "OL488", "../OL48", "tile-not-constnt", "no such words"):
            done = support.call("explain", word)
            self.assertEqual((done.status, done.out), (2, ""), word)
            self.assertTrue(done.err)
        self.assertEqual(support.call("explain").status, 2)


if __name__ == "__main__":
    support.main()

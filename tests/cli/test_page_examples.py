"""Every example on a rule's page is linted: its rule must come to the status that the page states.

An example follows a line `<!-- lint: STATUS [stage=N] [file=REL] [phase=Mk] -->`. Python goes to
rowscale_impl.py unless a line `# file: NAME` says otherwise; other languages name their files by
`<!-- file: NAME -->`. tests/docs/check_rule_pages.py checks the form of the pages.
"""
import os
import re

import support

PAGES = support.ROOT / "docs" / "rules"
DIRECTIVE = re.compile(r"<!-- lint: (PASS|FAIL|WARN|INFO)((?: [a-z]+=\S+)*) -->")
MARKER = {"python": re.compile(r"# file: (\S+)$")}
OTHER_MARKER = re.compile(r"<!-- file: (\S+) -->$")


def examples(path):
    """(line, status, options, {file: text}) of each example of a page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        match = DIRECTIVE.fullmatch(line)
        if match is None:
            continue
        fence = lines[number + 1]
        end = lines.index("```", number + 2)
        marker = MARKER.get(fence[3:], OTHER_MARKER)
        name, files = "rowscale_impl.py" if fence[3:] == "python" else None, {}
        for text in lines[number + 2:end]:
            found = marker.match(text)
            if found:
                name = found.group(1)
                files[name] = []
            else:
                files.setdefault(name, []).append(text)
        options = dict(option.split("=", 1) for option in match.group(2).split())
        yield number + 1, match.group(1), options, {k: "\n".join(v) + "\n" for k, v in files.items()}


class PageExamples(support.CliTest):
    def lint(self, rule, files, options, lang):
        for name, text in files.items():
            self.write(f"rowscale/{name}", text)
        # OL42 asks whether there is an NPU; only a gate may start Python (OL11).
        smi = self.write("tools/npu-smi", "#!/bin/sh\nexit 0\n")
        smi.chmod(0o755)
        env = {"PATH": f"{smi.parent}:{os.environ['PATH']}"}
        args = [] if rule == "OL11" else ["check"] if rule == "OL42" else ["check", "--no-exec"]
        args += ["--op-dir", "rowscale", "--rules", rule, "--format", "json", "--lang", lang]
        for key, value in options.items():
            args += [f"--{key}", value]
        if not {"stage", "phase"} & set(options):
            args += ["--stage", "5"]
        done = support.call(*args, cwd=self.folder, env=env)
        self.assertIn(done.status, (0, 1), done.err)
        self.assertEqual(done.err, "")
        return done

    def clear(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()

    def test_every_example(self):
        count = 0
        for page in sorted(PAGES.glob("[OK][LS]*.md")):
            rule = page.stem
            for line, status, options, files in examples(page):
                count += 1
                for lang in ("en", "zh"):
                    with self.subTest(page=page.name, line=line, lang=lang):
                        self.clear()
                        done = self.lint(rule, files, options, lang)
                        report = done.json()
                        found = {entry["id"]: entry["status"] for entry in report["rules"]}
                        # OL00 is listed when it has findings only.
                        self.assertEqual(found.get(rule, "PASS" if rule == "OL00" else None), status)
                        if rule != "OL00":
                            parses = all(f["rule"] != "OL00" for f in report["findings"])
                            self.assertTrue(parses or rule in ("OL23", "OL57", "OL58"))
                        if status != "PASS":
                            self.assertTrue(any(f["rule"] == rule and f["status"] == status
                                                for f in report["findings"]))
        self.assertGreater(count, 100)

    def test_every_page_has_both_kinds(self):
        for page in sorted(PAGES.glob("[OK][LS]*.md")):
            found = {status == "PASS" for _, status, _, _ in examples(page)}
            self.assertEqual(found, {True, False}, page.name)


if __name__ == "__main__":
    support.main()

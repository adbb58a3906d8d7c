#!/usr/bin/env python3
"""The table of clients, src/clients, is the only one: lists of clients elsewhere say the same.

    test_clients.py BINARY [ROOT]
"""
import pathlib
import re
import subprocess
import sys

import client_table
import init_support
from init_support import InitTest

ROOT = pathlib.Path(sys.argv.pop(2) if len(sys.argv) > 2 else init_support.ROOT)
# Words that are other things besides: (name, file).
OTHER_MEANINGS = {("github", "src/report/report_common.c")}


class Clients(InitTest):
    def setUp(self):
        super().setUp()
        self.listed = client_table.clients(ROOT)

    def run_program(self, *words, **more):
        done = subprocess.run([init_support.BINARY, *words], capture_output=True, encoding="utf-8", check=False,
                              env=self.environment(), cwd=self.project, timeout=60, **more)
        return done.stdout + done.stderr

    def test_the_sources(self):
        rows = re.findall(r"^CLIENT\((\w+)\)", (ROOT / "src/clients/clients.def").read_text(encoding="utf-8"), re.M)
        self.assertEqual(rows, [name.replace("-", "_") for name in self.listed])
        defined = {path.stem for path in (ROOT / "src/clients").glob("*.c")
                   if f"const Client client_{path.stem} = {{" in path.read_text(encoding="utf-8")}
        self.assertEqual(defined, set(rows))

    def test_help_and_messages(self):
        names = list(self.listed)
        shown = ", ".join(names[:-1]) + " or " + names[-1]
        self.assertIn(shown, re.sub(r"\s+", " ", self.run_program("help", "init")))
        self.assertIn(f"name one with --client: {shown}\n", self.init().err)
        self.assertIn(", ".join(names) + ", not 'vi'", self.init("--client", "vi").err)

    def test_files(self):
        for name, (_, path, _) in self.listed.items():
            done = self.init("--client", name, "--repository", "owner/name" if name == "github" else "../x")
            self.assertIn(f"+++ b/{path}\n", done.out, name)

    def test_next_steps_name_the_client(self):
        for lang, colon in (("en", ": "), ("zh", "：")):
            for name, (title, path, _) in self.listed.items():
                done = self.good("--client", name, "--yes", "--lang", lang, "--repository",
                                 "owner/name" if name == "github" else "../x")
                self.assertIn(f"pypto-lint: {title}{colon}", done.err)
                (self.project / path).unlink()

    def test_pages(self):
        for name, (_, _, page) in self.listed.items():
            self.assertIn(f"pypto-lint init --client {name}", page.read_text(encoding="utf-8"))
        self.assertGreater(len(client_table.hook_clients(ROOT)), 3)

    def test_those_that_call_hooks(self):
        calling = []
        for name in self.listed:
            answer = self.run_program("hook", "session-start", "--client", name, input="{}")
            if not answer:
                calling.append(name)
            else:
                self.assertIn(f"'{name}'", answer)
        self.assertEqual(calling, list(client_table.hook_clients(ROOT)))
        self.assertIn(f"`--client {'|'.join(calling)}`", (ROOT / "docs/agents/hooks.md").read_text(encoding="utf-8"))

    def test_names_are_compared_nowhere_else(self):
        for path in sorted((ROOT / "src").rglob("*.[ch]")):
            place = str(path.relative_to(ROOT))
            text = path.read_text(encoding="utf-8")
            for name in () if place.startswith("src/clients/") else self.listed:
                if f'"{name}"' in text:
                    self.assertIn((name, place), OTHER_MEANINGS)


if __name__ == "__main__":
    init_support.main()

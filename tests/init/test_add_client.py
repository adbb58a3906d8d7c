#!/usr/bin/env python3
"""docs/clients/adding-a-client.md, followed in a copy of the tree: the client is built, and does its work.

    test_add_client.py BINARY BUILD_FOLDER

The copy is compiled with the compiler of BUILD_FOLDER, and with its ccache, if it has one.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import init_support
from init_support import ROOT, InitTest

sys.path.insert(0, str(ROOT / "tests/hook"))
from hook_support import BAD_IMPL, CLEAN_IMPL  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(2))
PARTS = ["CMakeLists.txt", "cmake", "grammar", "hooks", "src", "rules", "runtime", "scripts", "docs", "tests/bench"]
# So few files know how many clients there are.
MOST_COMPILED = 40


class AddClient(InitTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.tree = pathlib.Path(folder.name).resolve()
        for part in PARTS:
            source, target = ROOT / part, cls.tree / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
            else:
                shutil.copy2(source, target)
        (cls.tree / "grammar/node_modules").symlink_to(ROOT / "grammar/node_modules")
        cls.configure()
        cls.build()

    @classmethod
    def run_tool(cls, *words):
        env = {**os.environ, "CCACHE_BASEDIR": str(cls.tree), "CCACHE_NOHASHDIR": "1"}
        done = subprocess.run(words, capture_output=True, encoding="utf-8", env=env, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @classmethod
    def configure(cls):
        cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
        kept = re.findall(r"^(CMAKE_(?:C_COMPILER|C_COMPILER_LAUNCHER|BUILD_TYPE|C_FLAGS_DEBUG|C_FLAGS_RELEASE)"
                          r"|PYPTO_LINT_CCACHE):\w+=(.+)$", cache, re.M)
        cls.run_tool("cmake", "-G", "Ninja", "-S", str(cls.tree), "-B", str(cls.tree / "build/dev"), "-DBUILD_TESTING=OFF",
                     "-DPYPTO_LINT_WERROR=ON", *(f"-D{name}={value}" for name, value in kept))

    @classmethod
    def build(cls):
        """How many files were compiled."""
        said = cls.run_tool("cmake", "--build", str(cls.tree / "build/dev"), "-j2", "--target", "pypto-lint")
        return said.count("Building C object")

    def edit(self, path, change):
        full = self.tree / path
        before = full.read_text(encoding="utf-8") if full.exists() else ""
        after = change(before)
        self.assertNotEqual(after, before, path)
        full.write_text(after, encoding="utf-8")

    def test_the_page(self):
        guide = (ROOT / "docs/clients/adding-a-client.md").read_text(encoding="utf-8")
        code, = re.findall(r"```c\n(.*?)```", guide, re.S)
        row = "| Quill | `quill` | `.quill/hooks.json` | [Quill](quill.md) |\n| pre-commit |"
        self.edit("src/clients/quill.c", lambda _: code)
        self.edit("src/clients/clients.def", lambda text: text.replace("CLIENT(pre_commit)", "CLIENT(quill)\nCLIENT(pre_commit)"))
        self.edit("docs/clients/quill.md", lambda _: "# Quill\n\n    pypto-lint init --client quill\n")
        self.edit("docs/clients/README.md", lambda text: text.replace("| pre-commit |", row, 1))
        self.edit("docs/agents/hooks.md", lambda text: re.sub(r"(`--client [\w|]+)`", r"\1|quill`", text, count=1))
        compiled = self.build()
        self.assertTrue(2 <= compiled <= MOST_COMPILED, compiled)
        init_support.BINARY = str(self.tree / "build/dev/bin/pypto-lint")
        self.check_hook()
        self.check_init()
        self.check_user()
        self.run_tool(sys.executable, "-B", str(ROOT / "tests/init/test_clients.py"), init_support.BINARY, str(self.tree))

    def hook(self, name, event):
        done = subprocess.run([init_support.BINARY, "hook", name], input=json.dumps(event), capture_output=True,
                              encoding="utf-8", cwd=self.project, env=self.environment(), check=True, timeout=60)
        return json.loads(done.stdout) if done.stdout else None

    def check_hook(self):
        impl = self.write("custom/rowscale/rowscale_impl.py", BAD_IMPL)
        event = {"quill_version": 1, "edit": {"path": str(impl)}}
        answer = self.hook("post-edit", event)
        self.assertEqual((list(answer), answer["stop"]), (["stop", "note"], True))
        self.assertIn("[OL07][S0]", answer["note"])
        self.assertIsNone(self.hook("post-edit", {"edit": {"path": str(impl)}}))  # nobody knows whose it is
        self.write("custom/rowscale/rowscale_impl.py", CLEAN_IMPL)
        self.assertIsNone(self.hook("post-edit", event))

    def check_init(self):
        self.write(".quill/hooks.json", '{"hooks_off": true}\n')
        done = self.good("--yes")
        self.assertIn("quill is in use here (.quill)", done.err)
        self.assertIn("Quill: restart it", done.err)
        self.assertIn("switched off (hooks_off: true)", done.err)
        settings = json.loads(self.read(".quill/hooks.json"))
        hook, = settings["hooks"]["FileSaved"][0]["hooks"]
        self.assertIn("timeout 18 pypto-lint hook post-edit --client quill) || a=", hook["command"])
        self.check_stand_in(hook["command"])
        self.good("--remove", "--yes")
        self.assertEqual(self.read(".quill/hooks.json"), '{"hooks_off": true}\n')

    def check_stand_in(self, command):
        """What the shell answers without the program has the client's own form."""
        done = subprocess.run(["/bin/sh", "-c", command], input="{}", capture_output=True, encoding="utf-8",
                              env={"PATH": "/usr/bin:/bin"}, check=True, timeout=60)
        answer = json.loads(done.stdout)
        self.assertEqual((list(answer), answer["stop"]), (["stop", "note"], True))
        self.assertRegex(answer["note"], r"^pypto-lint did not run \(status \d+\): the file is not checked")

    def check_user(self):
        """The settings of a user, for a client without a variable that names their folder."""
        self.good("--client", "quill", "--user", "--yes")
        self.assertIn("FileSaved", json.loads((self.home / ".quill/hooks.json").read_text(encoding="utf-8"))["hooks"])


if __name__ == "__main__":
    init_support.main()

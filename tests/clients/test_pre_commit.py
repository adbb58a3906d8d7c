#!/usr/bin/env python3
"""The hooks of .pre-commit-hooks.yaml with a real git and a real pre-commit, offline.

Usage: test_pre_commit.py BINARY KEPT [unittest options]

pre-commit clones a repository made of this tree as it is. BINARY stands in for a program on PATH; one
test lets the hook build its own, once, for several commits at the same time. A copy of that program
stays in the folder KEPT: check_release.py of tests/release compares it with another.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "release"))
from release_tree import BUILT_FROM, keep  # noqa: E402

BINARY = KEPT = None
BAD = "    pypto.set_vec_tile_shapes(x.shape[0], 128)\n"
GOOD = "    pypto.set_vec_tile_shapes(64, 128)\n"
PARTS = [".pre-commit-hooks.yaml", *BUILT_FROM]


def kernel(line, name="rowscale"):
    return ("import pypto\nimport torch\n\n\n@pypto.frontend.jit\n"
            f"def {name}_kernel(x: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32),\n"
            f"                    y: pypto.Tensor([pypto.DYNAMIC, 128], pypto.DT_FP32)):\n{line}"
            "    for i in pypto.loop(8):\n        y[i, :] = pypto.sqrt(x[i, :])\n\n\n"
            f"def {name}_wrapper(x):\n    y = torch.empty_like(x)\n    {name}_kernel(x, y)\n    return y\n")


class PreCommit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = pathlib.Path(tempfile.mkdtemp(prefix="pypto-pre-commit-"))
        cls.addClassCleanup(shutil.rmtree, cls.base, ignore_errors=True)
        cls.hooks = cls.base / "pypto-lint"
        for part in PARTS:
            source, target = ROOT / part, cls.hooks / part
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
            else:
                shutil.copy2(source, target)
        cls.path = cls.base / "bin"
        cls.path.mkdir()
        (cls.path / "pypto-lint").symlink_to(BINARY)
        cls.run_in(cls.hooks, "git", "init", "-q")
        cls.run_in(cls.hooks, "git", "add", "-A")
        cls.run_in(cls.hooks, "git", "commit", "-q", "-m", "hooks")
        cls.rev = cls.run_in(cls.hooks, "git", "rev-parse", "HEAD").stdout.strip()

    @classmethod
    def environment(cls, program=True, cache=None):
        path = os.environ["PATH"]
        env = {"PATH": f"{cls.path}:{path}" if program else path, "HOME": str(cls.base / "home"), "LC_ALL": "C.UTF-8",
               "PRE_COMMIT_HOME": str(cls.base / "pre-commit"), "XDG_CACHE_HOME": str(cache or cls.base / "cache"),
               "GIT_CONFIG_NOSYSTEM": "1"}
        for name in ("npm_config_registry", "NPM_CONFIG_REGISTRY", "npm_config_cache", "http_proxy", "https_proxy",
                     "no_proxy", "NODE_EXTRA_CA_CERTS"):
            if name in os.environ:
                env[name] = os.environ[name]
        for who in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{who}_NAME": "Test", f"GIT_{who}_EMAIL": "test@example.org"}
        return env

    @classmethod
    def run_in(cls, folder, *command, check=True, **named):
        done = subprocess.run(command, cwd=folder, env=cls.environment(**named), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", timeout=600, check=False)
        if check and done.returncode:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}")
        return done

    def project(self, hook, extra=""):
        """A fresh repository whose commits are checked by this hook."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="project-", dir=self.base))
        (folder / ".pre-commit-config.yaml").write_text(
            f"repos:\n- repo: {self.hooks}\n  rev: {self.rev}\n  hooks:\n  - id: {hook}\n{extra}", encoding="utf-8")
        self.run_in(folder, "git", "init", "-q")
        self.run_in(folder, "pre-commit", "install")
        return folder

    def commit(self, folder, files, **named):
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        self.run_in(folder, "git", "add", "-A")
        return self.run_in(folder, "git", "commit", "-m", "a commit", check=False, **named)

    def blocked(self, done, *parts):
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("Failed", done.stdout)
        for part in parts:
            self.assertIn(part, done.stdout)

    def passed(self, done):
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("Failed", done.stdout)

    IMPL = "custom/rowscale/rowscale_impl.py"

    def test_a_bad_file_is_blocked_and_a_repaired_one_passes(self):
        folder = self.project("pypto-lint")
        done = self.commit(folder, {self.IMPL: kernel(BAD)})
        self.blocked(done, "OL48", f"{self.IMPL}:8:31", "1 finding:")
        self.assertNotEqual(self.run_in(folder, "git", "rev-parse", "HEAD", check=False).returncode, 0)
        self.passed(self.commit(folder, {self.IMPL: kernel(GOOD)}))

    def test_other_files_are_no_concern(self):
        folder = self.project("pypto-lint")
        done = self.commit(folder, {"setup.py": "import pypto as pp\n", "README.md": "# x\n"})
        self.passed(done)
        self.assertIn("Skipped", done.stdout)

    def test_whole_operators(self):
        folder = self.project("pypto-lint-operator", '    args: [--rules, "OL48,OL13", --stage, "5"]\n')
        files = {self.IMPL: kernel(BAD), "custom/rowscale/SPEC.md": "# rowscale\n", "notes/README.md": "# notes\n",
                 "tool.py": "print('no kernel')\n"}
        self.blocked(self.commit(folder, files), "OL48", "OL13", "test_rowscale.py")
        self.run_in(folder, "git", "commit", "-q", "-n", "-m", "past the hook")
        # Only a document is committed: the operator is linted all the same.
        self.blocked(self.commit(folder, {"custom/rowscale/SPEC.md": "# again\n"}), "OL48", f"{self.IMPL}:8:31")
        self.run_in(folder, "git", "reset", "-q", "--hard")
        self.passed(self.commit(folder, {"notes/README.md": "# more notes\n", "tool.py": "print('still none')\n"}))

    def test_the_block_that_init_writes(self):
        """Without an address: pre-commit fetches nothing, the installed program is called."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="project-", dir=self.base))
        self.run_in(folder, "git", "init", "-q")
        self.run_in(folder, "pypto-lint", "init", "--client", "pre-commit", "--yes")
        self.run_in(folder, "pre-commit", "install")
        self.blocked(self.commit(folder, {self.IMPL: kernel(BAD)}), "OL48", f"{self.IMPL}:8:31", "pypto-lint-operator")
        self.run_in(folder, "git", "reset", "-q")
        shutil.rmtree(folder / "custom")
        self.passed(self.commit(folder, {"tool.py": "print('no kernel')\n"}))

    def test_all_files_and_options(self):
        folder = self.project("pypto-lint", "    args: [--lang, zh, --format, concise]\n")
        self.commit(folder, {self.IMPL: kernel(BAD)})
        done = self.run_in(folder, "pre-commit", "run", "--all-files", check=False)
        self.blocked(done, "error[OL48]", "必须是编译期整数")

    def test_staged_text_is_what_counts(self):
        folder = self.project("pypto-lint")
        self.commit(folder, {self.IMPL: kernel(GOOD)})
        (folder / self.IMPL).write_text(kernel(BAD), encoding="utf-8")
        self.run_in(folder, "git", "add", "-A")
        (folder / self.IMPL).write_text(kernel(GOOD), encoding="utf-8")
        self.blocked(self.run_in(folder, "git", "commit", "-m", "x", check=False), "OL48")
        self.assertEqual((folder / self.IMPL).read_text(encoding="utf-8"), kernel(GOOD))

    def test_a_program_of_another_version_is_not_taken(self):
        other = self.base / "other"
        other.mkdir(exist_ok=True)
        fake = other / "pypto-lint"
        fake.write_text("#!/bin/sh\necho pypto-lint 0.0.1\n", encoding="utf-8")
        fake.chmod(0o755)
        env = self.environment() | {"PATH": f"{other}:{os.environ['PATH']}", "XDG_CACHE_HOME": "/dev/null/none"}
        done = subprocess.run([ROOT / "scripts/pre-commit-entry.sh", "files", "x.py"], env=env, capture_output=True,
                              encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_it_builds_itself_once(self):
        """Four commits in four repositories at the same time, nothing built yet."""
        cache = self.base / "empty-cache"
        folders = [self.project("pypto-lint") for _ in range(4)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            done = list(pool.map(lambda f: self.commit(f, {self.IMPL: kernel(BAD)}, program=False, cache=cache),
                                 folders))
        for one in done:
            self.blocked(one, "OL48")
        self.assertEqual(sum("building the program" in one.stdout for one in done), 1)
        built = list(cache.glob("pypto-lint/*"))
        self.assertEqual([path.name for path in built], [self.rev])
        self.assertEqual({path.name for path in built[0].iterdir()}, {"pypto-lint", "build.log", "lock"})
        keep(built[0] / "pypto-lint", KEPT, "hook")
        again = self.commit(folders[0], {self.IMPL: kernel(GOOD)}, program=False, cache=cache)
        self.passed(again)
        self.assertFalse(re.search("building", again.stdout))


if __name__ == "__main__":
    BINARY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    KEPT = pathlib.Path(sys.argv.pop(1))
    for needed in ("git", "pre-commit"):
        if shutil.which(needed) is None:
            print(f"SKIPPED test_pre_commit.py: {needed} is not installed", file=sys.stderr)
            sys.exit(77)
    unittest.main()

#!/usr/bin/env python3
"""The extension for VS Code, packed by npm, unpacked and loaded.

Usage: test_vscode.py BINARY [unittest options]
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors/vscode"
LIBRARY = ROOT / "tests/clients/vscode/node_modules"
SKIPPED = 77


class Extension(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        source = cls.folder / "source"
        shutil.copytree(EXTENSION, source, ignore=shutil.ignore_patterns("node_modules"))
        shutil.copytree(LIBRARY, source / "node_modules", symlinks=True)
        done = subprocess.run(["npm", "pack", "--ignore-scripts", "--loglevel=error"], cwd=source, capture_output=True,
                              text=True, check=False, env={**os.environ, "npm_config_cache": str(cls.folder / "cache")})
        assert done.returncode == 0, done.stderr
        with tarfile.open(source / done.stdout.split()[-1]) as archive:
            archive.extractall(cls.folder, filter="data") if sys.version_info >= (3, 12) else archive.extractall(cls.folder)
        cls.package = cls.folder / "package"

    def test_what_is_packed(self):
        files = {path.name for path in self.package.iterdir()}
        self.assertEqual(files, {"package.json", "extension.js", "README.md", "node_modules"})
        self.assertTrue((self.package / "node_modules/vscode-languageclient/node.js").is_file())
        # npm takes the bundled library in any case; the packer of VS Code takes what `files` names, and no more.
        package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
        self.assertIn("node_modules/**", package["files"])

    @unittest.skipUnless(shutil.which("vsce"), "no vsce on PATH")
    def test_packed_by_vsce(self):
        target = self.folder / "extension.vsix"
        subprocess.run(["vsce", "package", "--skip-license", "--out", str(target)], cwd=self.folder / "source", check=True,
                       capture_output=True, timeout=120)
        with zipfile.ZipFile(target) as archive:
            archive.extractall(self.folder / "vsix")
        unpacked = self.folder / "vsix/extension"
        self.assertTrue((unpacked / "node_modules/vscode-languageclient/node.js").is_file())
        done = subprocess.run(["node", str(ROOT / "tests/clients/vscode_driver.cjs"), str(unpacked)], capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(json.loads(done.stdout)["started"])

    def test_loaded(self):
        done = subprocess.run(["node", str(ROOT / "tests/clients/vscode_driver.cjs"), str(self.package)],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        self.assertEqual(told["serverOptions"], {"command": "/opt/pypto-lint", "args": ["server"]})
        self.assertEqual(told["clientOptions"]["initializationOptions"],
                         {"inlayHints": True, "lang": "", "diagnostics": "push"})
        self.assertTrue(told["library"].startswith("node_modules/vscode-languageclient/"), told)
        self.assertTrue(told["started"] and told["stopped"])
        self.assertEqual((told["listeners"], told["subscriptions"]), (1, 1))
        self.assertEqual(told["notifications"], [{"method": "workspace/didChangeConfiguration", "params": {
            "settings": {"pypto-lint": {"inlayHints": True, "lang": ""}}}}])

    def test_versions(self):
        package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
        wanted = json.loads((ROOT / "tests/clients/vscode/package.json").read_text(encoding="utf-8"))
        self.assertEqual(package["dependencies"], wanted["devDependencies"])
        cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertIn(f"project(pypto-lint VERSION {package['version']} ", cmake)
        recommended = json.loads((ROOT / "hooks/vscode/extensions.json").read_text(encoding="utf-8"))
        self.assertEqual(recommended, {"recommendations": [f"{package['publisher']}.{package['name']}"]})


def main():
    sys.argv.pop(1)
    if not LIBRARY.is_dir() or shutil.which("npm") is None:
        print("SKIPPED test_vscode.py: not installed (tests/clients/install.sh vscode)", file=sys.stderr)
        sys.exit(SKIPPED)
    unittest.main()


if __name__ == "__main__":
    main()

"""The npm packages: `pypto-lint` with a launcher, one package for each platform, and the plugins of AI editors.

The platform packages are optional dependencies with `os` and `cpu`, so that npm installs the one that fits.
"""
import json
import shutil

import compile as compilation
import tree

CPUS = {"x86_64": "x64", "aarch64": "arm64"}


def platform_name(architecture):
    return f"@pypto-lint/linux-{CPUS[architecture]}"


def describe(name, summary, **more):
    """A package.json."""
    return {"name": name, "version": tree.version(), "description": summary, "license": "MIT", **more}


def pack(folder, package, out):
    """Packs the folder of a package and returns the name of the archive."""
    (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")
    shutil.copyfile(tree.ROOT / "LICENSE", folder / "LICENSE")
    said = compilation.run("npm", "pack", "--silent", "--ignore-scripts", "--offline", "--pack-destination", out.resolve(),
                           cwd=folder)
    return said.strip().splitlines()[-1]


def platform(work, architecture, stage, licences, out):
    """Packs the program, and its Python side, for one architecture; returns the name of the archive."""
    name = platform_name(architecture)
    shutil.copytree(stage, work, ignore=lambda place, names: {"man", "zsh", "fish", "bash-completion"} & set(names))
    (work / "THIRD-PARTY-LICENSES.txt").write_bytes(licences)
    return pack(work, describe(name, f"pypto-lint for Linux on {architecture}", os=["linux"],
                               cpu=[CPUS[architecture]], files=["bin", "share", "THIRD-PARTY-LICENSES.txt"]), out)


def launcher(work, architectures, out):
    """Packs the package that users install by name; returns the name of the archive."""
    (work / "bin").mkdir(parents=True)
    shutil.copyfile(tree.ROOT / "packaging/npm/launcher.js", work / "bin/pypto-lint.js")
    (work / "bin/pypto-lint.js").chmod(0o755)
    shutil.copyfile(tree.ROOT / "README.md", work / "README.md")
    return pack(work, describe("pypto-lint", "Finds mistakes in PyPTO kernels and runs kernels without an NPU",
                               bin={"pypto-lint": "bin/pypto-lint.js"}, files=["bin"], engines={"node": ">=18"},
                               optionalDependencies={platform_name(name): tree.version() for name in architectures}), out)


def claude_plugin(work, out):
    shutil.copytree(tree.ROOT / "hooks/claude-plugin", work)
    return pack(work, describe("@pypto-lint/claude-plugin", "Claude Code plugin: pypto-lint after edits, as a gate and "
                               "as a language server", files=[".claude-plugin", ".lsp.json", "hooks"]), out)


def opencode_plugin(work, out):
    work.mkdir(parents=True)
    shutil.copyfile(tree.ROOT / "hooks/opencode/pypto-lint.ts", work / "pypto-lint.ts")
    return pack(work, describe("@pypto-lint/opencode", "OpenCode plugin: pypto-lint around the agent's tool calls",
                               type="module", main="pypto-lint.ts", exports={".": "./pypto-lint.ts"},
                               files=["pypto-lint.ts"], peerDependencies={"@opencode-ai/plugin": ">=1"},
                               peerDependenciesMeta={"@opencode-ai/plugin": {"optional": True}}), out)

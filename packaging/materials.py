"""The bill of materials (SBOM): what is linked into the program, and the files of the release."""
import json
import subprocess

import archive
import compile as compilation
import licences
import tree

FOLDER = tree.ROOT / "packaging/sbom"
# SPDX expressions for the licences that Debian's copyright files state for the linked parts.
TERMS = {"libc6": "LGPL-2.1-or-later", "libjansson4": "MIT", "libyaml-0-2": "MIT",
         "libmd0": "BSD-3-Clause AND BSD-2-Clause AND ISC AND Beerware", "libutf8proc2": "MIT", "libiberty": "LGPL-2.0-or-later"}


def debian_version(package, architecture):
    """[source package, version] of the development package, whose static library is linked."""
    asked = ["dpkg-query", "-W", "-f", "${source:Package} ${Version}", f"{licences.DEVELOPMENT[package]}:{architecture}"]
    done = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False)
    if done.returncode or len(done.stdout.split()) != 2:
        raise SystemExit(f"dpkg does not know {asked[-1]}: a release is built on Debian")
    return done.stdout.split()


def materials():
    found = []
    for package, title in licences.LIBRARIES.items():
        source, version = debian_version(package, "amd64")
        found.append({"type": "Library", "name": source, "version": version, "description": title,
                      "licence": TERMS[package], "purl": {"type": "deb", "namespace": "debian", "qualifiers": {"arch": "source"}}})
    for name in ("tree-sitter", "tree-sitter-python"):
        package = json.loads((tree.ROOT / "grammar/node_modules" / name / "package.json").read_text(encoding="utf-8"))
        found.append({"type": "Library", "name": name, "version": package["version"], "licence": package["license"],
                      "purl": {"type": "npm"}})
    return found


def writer():
    """The command that writes a bill from stdin, or looks at one with --check; its packages are fetched once."""
    if not (FOLDER / "node_modules").exists():
        compilation.run("npm", "ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", cwd=FOLDER)
    return ["node", FOLDER / "write.mjs"]


def write(out, files):
    """Writes pypto-lint-VERSION.cdx.json, about the given files of `out`, into `out`; returns its name."""
    name = f"pypto-lint-{tree.version()}.cdx.json"
    described = {"epoch": tree.epoch(), "materials": materials(),
                 "program": {"type": "Application", "name": "pypto-lint", "version": tree.version(), "licence": "MIT",
                             "purl": {"type": "generic"}},
                 "files": [{"name": file, "sha256": archive.sha256(out / file)} for file in sorted(files)]}
    done = subprocess.run(writer(), input=json.dumps(described), capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"the bill of materials is not valid:\n{done.stderr}")
    (out / name).write_text(done.stdout, encoding="utf-8")
    return name

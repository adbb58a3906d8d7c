"""Makes a wheel from an installation: the program becomes a script, `share` becomes data.

pip puts them into `bin` and `share` of the same prefix, where the program looks for its Python part.
"""
import base64
import hashlib

import archive
import tree

SUMMARY = "Finds mistakes in PyPTO kernels and runs kernels without an NPU"
# The versions that the simulator is tested with. Debian 12 calls its torch 1.13.0a0, which comes before 1.13.
SIM = ["torch>=1.13.0a0,<2.7", "numpy>=1.24,<3"]


# Pages and completions: their folders are searched in the prefixes of the system only, and pip would leave them, empty.
LEFT_OUT = {"man", "zsh", "fish", "bash-completion"}


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: pypto-lint", f"Version: {tree.version()}", f"Summary: {SUMMARY}",
             "License: MIT", "Requires-Python: >=3.8", "License-File: LICENSE",
             "License-File: THIRD-PARTY-LICENSES.txt", "Classifier: Operating System :: POSIX :: Linux",
             "Provides-Extra: sim"]
    lines += [f'Requires-Dist: {need} ; extra == "sim"' for need in SIM]
    lines += ["Description-Content-Type: text/markdown", "", (tree.ROOT / "README.md").read_text(encoding="utf-8")]
    return "\n".join(lines).encode()


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write(folder, stage, platform, licences):
    """Writes the wheel for `platform` ("linux_x86_64") from the installation in `stage` into `folder`; returns its name.
    `licences`: the text about the libraries linked into the program."""
    name = f"pypto_lint-{tree.version()}"
    info, data = f"{name}.dist-info", f"{name}.data"
    entries = []
    for path in archive.files_below(stage):
        if LEFT_OUT & set(path.parts):
            continue
        file = stage / path
        inner = f"scripts/{path.name}" if path.parts[0] == "bin" else f"data/{path}"
        entries.append((f"{data}/{inner}", file.read_bytes(), archive.is_executable(file)))
    tag = f"py3-none-{platform}"
    text = {"METADATA": metadata(), "LICENSE": (tree.ROOT / "LICENSE").read_bytes(),
            "THIRD-PARTY-LICENSES.txt": licences,
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: pypto-lint\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()}
    entries += [(f"{info}/{file}", content, False) for file, content in text.items()]
    record = "".join(record_line(entry[0], entry[1]) for entry in entries) + f"{info}/RECORD,,\n"
    entries.append((f"{info}/RECORD", record.encode(), False))
    archive.write_zip(folder / f"{name}-{tag}.whl", entries, tree.epoch())
    return f"{name}-{tag}.whl"

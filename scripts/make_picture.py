#!/usr/bin/env python3
"""Draws docs/picture.svg, the picture in README.md, from real output of the program: a finding, a run and
a verdict.

    make_picture.py PYPTO_LINT docs/picture.svg            writes it
    make_picture.py PYPTO_LINT docs/picture.svg --check    exit status 1 if it is out of date

Numbers that depend on rounding differ between machines; --check does not compare them. Without torch there is neither
a run nor a verdict, so the exit status is 77. PYPTO_LINT_PYTHON names a Python that has torch.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[1]
PYTHON = os.environ.get("PYPTO_LINT_PYTHON") or "/usr/bin/python3"
COLUMNS, LINE, CHARACTER, MARGIN = 104, 18, 7.83, 16
PANELS = [
    ("A finding, in milliseconds and without running anything",
     "pypto-lint softmax_broken/softmax_broken_impl.py --rules OL48"),
    ("A kernel, run without an NPU", "pypto-lint run flash_attention.py"),
    ("A verdict: one case against the torch reference",
     "pypto-lint verify --op-dir custom/gated_rmsnorm --up-to-module 2 --case L3_tail_block --modes sim"),
]
# The mistake of the verdict: the number of blocks is rounded down.
RIGHT, WRONG = "(row_count + ROW_BLOCK - 1) // ROW_BLOCK", "row_count // ROW_BLOCK"
COLOURS = [(r"\b(?:FAIL|ERROR)\b", "#ff7b72"), (r"\bPASS\b", "#7ee787"), (r"= help:|= see:|What to do:", "#79c0ff"),
           (r"\^\^+", "#ff7b72"), (r"\bwarning:", "#e3b341")]


def prepare(folder):
    """Copies the files that the commands name, and puts the mistake into the kernel of the verdict."""
    examples = ROOT / "examples"
    shutil.copytree(examples / "broken/custom/softmax_broken", folder / "softmax_broken")
    for name in ("flash_attention.py", "checking.py"):
        shutil.copy(examples / "sim" / name, folder)
    operator = folder / "custom" / "gated_rmsnorm"
    shutil.copytree(examples / "custom/gated_rmsnorm", operator)
    kernel = operator / "modules" / "gated_rmsnorm_module12_impl.py"
    text = kernel.read_text(encoding="utf-8")
    assert text.count(RIGHT) == 1
    kernel.write_text(text.replace(RIGHT, WRONG), encoding="utf-8")


def output_of(binary, command, folder):
    words = command.split()[1:] + ([] if " run " in command else ["--lang", "en"])
    variables = {**os.environ, "PYPTO_LINT_PYTHON": PYTHON}
    done = subprocess.run([binary, *words], cwd=folder, env=variables, encoding="utf-8", timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout.rstrip("\n")


def wrapped(text):
    """Lines of at most COLUMNS characters; continued lines are indented by four more."""
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        yield from textwrap.wrap(line, COLUMNS, subsequent_indent=indent, drop_whitespace=True,
                                 replace_whitespace=False, break_on_hyphens=False) or [""]


def coloured(line):
    """The line as SVG, its words in their colours."""
    if line.startswith("$ "):
        return f'<tspan fill="#7ee787">$</tspan><tspan fill="#ffffff"> {escape(line[2:])}</tspan>'
    pattern = "|".join(f"({expression})" for expression, _ in COLOURS)
    parts, end = [], 0
    for match in re.finditer(pattern, line):
        colour = COLOURS[match.lastindex - 1][1]
        parts += [escape(line[end:match.start()]), f'<tspan fill="{colour}">{escape(match.group())}</tspan>']
        end = match.end()
    return "".join(parts) + escape(line[end:])


def draw(panels):
    """The SVG of panels (title, lines), one below the other."""
    width, top, body = round(COLUMNS * CHARACTER) + 2 * MARGIN, 0, []
    for title, lines in panels:
        height = LINE * len(lines) + 48
        body.append(f'<rect y="{top}" width="{width}" height="{height}" rx="8" fill="#0d1117"/>')
        body.append(f'<text x="{MARGIN}" y="{top + 22}" class="title">{escape(title)}</text>')
        body += [f'<text x="{MARGIN}" y="{top + 48 + LINE * place}" xml:space="preserve">{coloured(line)}</text>'
                 for place, line in enumerate(lines)]
        top += height + 10
    style = ("text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; "
             "fill: #c9d1d9; } .title { font: bold 13px sans-serif; fill: #8b949e; }")
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top - 10}" width="{width}" '
                      f'height="{top - 10}">', "<!-- made by scripts/make_picture.py -->",
                      f"<style>{style}</style>", *body, "</svg>", ""])


def simple(text):
    """The text without numbers that differ between machines."""
    return re.sub(r"\b\d+\.\d+(?:e[-+]?\d+)?\b|\b\d+e[-+]\d+\b", "#", text)


def main():
    binary, target = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    if subprocess.run([PYTHON, "-c", "import torch"], stderr=subprocess.DEVNULL, check=False).returncode:
        print("torch is not installed: skipped")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        made = draw([(title, list(wrapped(f"$ {command}\n{output_of(binary, command, folder)}")))
                     for title, command in PANELS])
    assert name not in made, "the picture shows a temporary folder"
    if sys.argv[3:] != ["--check"]:
        target.write_text(made, encoding="utf-8")
    elif simple(made) != simple(target.read_text(encoding="utf-8")):
        print(f"{target} is out of date: run scripts/make_picture.py {sys.argv[1]} {target}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

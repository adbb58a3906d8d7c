"""Rules that also look at documents: OL55 (names that exist) and OL61 (preflight)."""

import ast
import os
import re

from markdown import Section, python_blocks
from report import last_token

ITEM = re.compile(r"\s*-\s+\[([ xX\u2713\u2717\u274c-])\]")
TABLE = re.compile(r"\s*\|.{2,}\|")
TO_VERIFY = re.compile("\\s*>\\s*\u26a0\ufe0f\\s*\u5f85\u9a8c\u8bc1")
ACCEPTED = re.compile("\\s*>\\s*\u2705\\s*\u5df2\u77e5\u98ce\u9669")
PLACEHOLDERS = ("This section is created by the preflight process",
                "no placeholder content needed here", "no specific preflight items found")
MAX_ITEMS = 20
_CASTS = """FP16: FP32 INT32 INT16 INT8 UINT8 INT4
BF16: FP32 INT32
FP32: BF16 FP16 INT16 INT32 INT64
INT32: FP32 FP16 INT16 INT64
INT16: FP32 FP16
INT64: FP32 INT32
INT8: FP16
UINT8: FP16
INT4: FP16"""
CASTS = {line.split(":")[0]: set(line.split(":")[1].split()) for line in _CASTS.split("\n")}

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "attributes.txt"),
          encoding="utf-8") as _handle:
    ATTRIBUTES = set(_handle.read().split())
# Names that only one of 9.1 and 9.2 has.
OF_ONE_VERSION = set("""SatStatus ensure_pypto_impl ir isnan jit pack pil struct unpack""".split())


def ol55(op, out):
    scope = None if op.file is None else op.file.split("/")[-1]
    targets = [op.name + "_impl.py"] if op.exists(op.name + "_impl.py") else []
    targets += op.module_entries(op.name + "_module", "_impl.py")
    targets = [t for t in targets if scope in (None, os.path.basename(t))]
    design = op.document("DESIGN.md") if scope in (None, "DESIGN.md") else None
    if design is None and not targets:
        return "SKIP"
    sources = [] if design is None else python_blocks("DESIGN.md", design)
    sources += [f for f in map(op.source, targets) if f.tree is not None]
    for file in sources:
        for node in file.nodes:
            name = file.owned(node)
            # Nobody says which version it is; the old command line does not ask.
            unsure = name in OF_ONE_VERSION and not op.old
            if name is not None and (name not in ATTRIBUTES or unsure):
                out.at("WARN" if unsure else "FAIL", file, node, last_token(file, node))
    return "PASS"


# OL61 ----------------------------------------------------------------------------------

def ol61(op, out):
    if op.exists("DESIGN.md"):
        check_section(op, out)
    elif op.file is None and (op.old or not op.scan):
        return "SKIP"
    for file in op.parsed:
        scan_code(file, out)
    return "PASS"


def check_section(op, out):
    text = op.document("MEMORY.md")
    resolve = op.stage == 5 and op.file is None
    if text is None:
        if resolve:
            out.line("FAIL", "DESIGN.md", 0, tag="U", any_line=True)
        return
    section = Section(text, "experience preflight")
    heading = section.heading or 1
    if not section.text:
        out.line("FAIL", "MEMORY.md", heading, tag="A", any_of=[0, 1] if not text else [heading])
        return
    if any(p in section.text for p in PLACEHOLDERS):
        out.line("FAIL", "MEMORY.md", heading, tag="A")
    else:
        check_items(section, heading, out)
    if resolve:
        for number, _, follower in pending_items(section):
            if not ACCEPTED.match(follower):
                out.line("FAIL", "MEMORY.md", number, tag="U")


def pending_items(section):
    """(line number, line, next non-blank line) of every pending item."""
    for index, (number, line) in enumerate(section.lines):
        match = ITEM.match(line)
        if match and match.group(1) == "-":
            rest = [later for _, later in section.lines[index + 1:] if later.strip()]
            yield number, line, rest[0] if rest else ""


def check_items(section, heading, out):
    lines = [line for _, line in section.lines]
    tables = [number for number, line in section.lines if TABLE.match(line)]
    for index, number in enumerate(tables):
        # the page speaks of "a table line": one finding may stand for the whole table
        out.line("FAIL", "MEMORY.md", number, tag="B", optional=index > 0)
    count = sum(1 for line in lines if ITEM.match(line))
    if count == 0:
        out.line("FAIL", "MEMORY.md", heading, tag="C")
    if count > MAX_ITEMS:
        out.line("FAIL", "MEMORY.md", heading, tag="D")
    pending = list(pending_items(section))
    notes = sum(1 for line in lines if TO_VERIFY.match(line) or ACCEPTED.match(line))
    if notes < len(pending):
        bare = [n for n, _, after in pending
                if not TO_VERIFY.match(after) and not ACCEPTED.match(after)]
        # "without note" leaves open how far below the item the note may stand
        unsure = any(not after.lstrip().startswith((">", "-")) and after for _, _, after in pending)
        out.line("FAIL", "MEMORY.md", bare[0], tag="E", any_line=unsure)


def last_dtype(node):
    return node.attr if isinstance(node, ast.Attribute) and node.attr.startswith("DT_") else None


def source_dtypes(file):
    table = {}
    for kernel in file.kernels:
        for parameter in kernel.args.args:
            note = parameter.annotation
            if note is None:
                continue
            form, arguments = file.tensor_form(note)
            if form in ("call", "bracket"):
                head = note.func if form == "call" else note.value
                dtypes = [d for d in map(last_dtype, arguments) if d]
                if file.owned(head) == "Tensor" and dtypes:
                    table[parameter.arg] = dtypes[0]
    return table


def scan_code(file, out):
    dtypes = source_dtypes(file)
    for call in file.nodes:
        name = file.owned_call(call)
        if name is None:
            continue
        if name in ("add", "sub", "mul", "div") and call.args and is_number(call.args[0]):
            out.at("FAIL", file, call, call.args[0], tag="F1")
        elements = [a for i, a in enumerate(call.args) if file.owned_call(a) == "Element"
                    and not (name == "full" and i == 1)]
        if elements:
            out.at("FAIL", file, call, elements[0], tag="F2")
        if name == "cast":
            check_cast(file, call, dtypes, out)
        if name in ("zeros", "ones") and not any(k.arg == "dtype" for k in call.keywords):
            marks = [a for a in call.args if last_dtype(a)]
            if marks:
                out.at("FAIL", file, call, marks[0], tag="F8")


def is_number(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def check_cast(file, call, dtypes, out):
    targets = [a for a in call.args[1:] if last_dtype(a)]
    if not targets or not isinstance(call.args[0], ast.Name):
        return
    source = dtypes.get(call.args[0].id)
    if source is None:
        return
    if last_dtype(targets[0])[3:] not in CASTS.get(source[3:], set()):
        out.at("FAIL", file, call, targets[0], tag="F4")


RULES = {"OL55": ol55, "OL61": ol61}

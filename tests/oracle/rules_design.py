"""Rules that compare kernels with DESIGN.md and read MEMORY.md: OL31, OL37, OL43, OL53, OL54."""

import ast
import re

from frontmatter import FrontMatter, report_schema
from model import calls, subtree, texts

FENCE = re.compile(r"```[\w-]*\n(.*?)```", re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
TOKEN = re.compile(r"\b[a-z_][a-z0-9_]{2,}\b")
COMMON_WORDS = set("""input output tensor shape dtype dynamic algorithm default stage spec design
report loop tiling step max min round clamp cast mul add sub div""".split())
COMMON_NAMES = set("i j k n m x y z tmp temp result out input output".split())
DECLARES = re.compile("pypto\\.DYNAMIC|pypto\\.DYN|\u52a8\u6001\u8f74|dynamic.{0,10}axis",
                      re.IGNORECASE)
INVENTORY = re.compile(r"^\s*##\s+Golden\s+function\s+inventory", re.IGNORECASE | re.MULTILINE)
CHAPTER = re.compile(r"\s*##\s")
OPEN_STATUS = ("", "TODO", "todo", "\u672a\u5b9e\u73b0", "WIP")
REVIEW = re.compile(r"\s*##\s+Phase\s+(M[0-9]+)\s+self-review", re.IGNORECASE)
ITEM = re.compile("^\\s*[-*]\\s+\\[([ xX\u2713\u2717\u274c])\\]\\s+(.*)$", re.MULTILINE)
KEYWORDS = ("signature", "output", "view", "inventory", "for ... in range", "exactly once")


# OL31 ----------------------------------------------------------------------------------

def dynamic_parameter(file, parameter):
    if parameter.annotation is None:
        return False
    _, arguments = file.tensor_form(parameter.annotation)
    return bool(arguments) and file.is_dynamic(arguments[0])


def ol31(op, out):
    if not op.exists("DESIGN.md"):
        return "SKIP"
    text = op.text("DESIGN.md")
    front = FrontMatter(text)
    # with another field at fault, the axes may be compared or not: the rule has failed already
    faulty = report_schema(out, "DESIGN.md", text, front)
    axes = front.data.get("dynamic_axes")
    if not axes or not isinstance(axes, list):
        return "PASS"
    if not op.scan:
        return "SKIP"
    out.parse_errors(op.unparsable, optional=faulty)
    for file in op.with_kernel:
        kernels = file.primary_kernels()
        if not any(dynamic_parameter(file, p) for k in kernels for p in k.args.args):
            out.at("FAIL", file, kernels[0], optional=faulty)
    return "PASS" if op.with_kernel or op.unparsable else "SKIP"


# OL37 ----------------------------------------------------------------------------------

def design_identifiers(text):
    source = "\n".join([m.group(1) for m in FENCE.finditer(text)]
                       + [m.group(1) for m in SPAN.finditer(text)])
    return {t for t in TOKEN.findall(source)
            if t not in COMMON_WORDS and ("_" in t or len(t) >= 6)}


def assigned_names(kernel):
    for node in subtree(kernel):
        targets = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and target.id not in COMMON_NAMES:
                yield target.id


def ol37(op, out):
    text = op.text("DESIGN.md")
    if not text or not op.parsed:
        return "SKIP"
    wanted = design_identifiers(text)
    names = {n for f in op.parsed for k in f.kernels for n in assigned_names(k)}
    if len(wanted) < 3 or not names:
        return "SKIP"
    if len(wanted & names) < 2:
        out.line("INFO", op.parsed[-1].rel, 0, counted=True)
    return "PASS"


# OL43 ----------------------------------------------------------------------------------

def declares_dynamic(text):
    data = FrontMatter(text).data
    if data.get("dynamic_axes") or data.get("dynamic_axis"):
        return True
    if isinstance(data.get("dynamic_axes"), list):
        return False
    return bool(DECLARES.search(text))


def is_loop_call(call):
    callee = call.func
    if not (isinstance(callee, ast.Attribute) and callee.attr == "loop"):
        return False
    owner = callee.value
    return (isinstance(owner, ast.Name) and owner.id == "pypto") or (
        isinstance(owner, ast.Attribute) and owner.attr == "pypto")


def has_loop(file):
    if any(map(is_loop_call, calls(file.tree))):
        return True
    for node in subtree(file.kernels[0]):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return True
        if isinstance(node, ast.Call) and (
                any("loop" in t.lower() for t in texts(node.func))
                or any(k.arg in ("unroll_list", "submit_before_loop") for k in node.keywords)):
            return True
    return False


def ol43(op, out):
    if not op.exists("DESIGN.md") or not declares_dynamic(op.text("DESIGN.md")):
        return "SKIP"
    if not op.with_kernel:
        return "SKIP"
    for file in op.with_kernel:
        if not has_loop(file):
            out.at("FAIL", file, file.kernels[0])
    return "PASS"


# MEMORY.md -----------------------------------------------------------------------------

def inventory_rows(text):
    """(line number, stripped row) of the data rows."""
    rows = []
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if not inside:
            inside = bool(INVENTORY.match(line))
            continue
        if CHAPTER.match(line):
            break
        row = line.strip()
        if row.startswith("|") and row.endswith("|"):
            rows.append((number, row))
    data = rows[1:]
    ruler = next((i for i, (_, row) in enumerate(data) if not row.strip("|-: ")), None)
    if ruler is not None:
        del data[ruler]
    return data


def row_status(row):
    cells = [c.strip() for c in row.strip().strip("|").split("|")]
    return next((c for c in reversed(cells) if c), "")


def ol53(op, out):
    text = op.text("MEMORY.md")
    if not INVENTORY.search(text) or op.phase is not None:
        return "SKIP"
    rows = inventory_rows(text)
    for number, row in rows:
        status = row_status(row)
        if "\u274c" in status or status in OPEN_STATUS:
            out.line("FAIL", "MEMORY.md", number, counted=True)
    return "PASS" if rows else "SKIP"


def review_section(text, phase):
    """(number of the heading line, text from the next line on) or None."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        match = REVIEW.match(line)
        if match and match.group(1).upper() == phase.upper():
            rest = lines[index + 1:]
            end = next((i for i, later in enumerate(rest) if re.match(r"##\s", later)), len(rest))
            return index + 1, "\n".join(rest[:end])
    return None


def ol54(op, out):
    if op.phase is None:
        return "SKIP"
    name = "MEMORY.md"
    section = review_section(op.text(name), op.phase) if op.exists(name) else None
    if section is None:
        out.line("FAIL", name, 0, tag="section" if op.exists(name) else "absent")
        return "PASS"
    heading, body = section
    items = [(heading + 1 + body.count("\n", 0, m.start(1)), m.group(1), m.group(2).lower())
             for m in ITEM.finditer(body)]
    if any(re.match(r"[-*]\s+\[", text) for _, _, text in items):
        return "OPEN"  # an empty item takes the next one as its text, or does not
    for keyword in KEYWORDS:
        first = next((item for item in items if keyword in item[2]), None)
        if first is None:
            out.line("FAIL", name, heading, tag="3:" + keyword, counted=True)
        elif first[1] not in "xX\u2713":
            out.line("FAIL", name, first[0], tag="4:" + keyword, counted=True)
    return "PASS"


RULES = {"OL31": ol31, "OL37": ol37, "OL43": ol43, "OL53": ol53, "OL54": ol54}

"""Rules about the integrated test: OL19 to OL22, OL30, OL32, OL33, OL34 and OL42."""

import ast
import re

from frontmatter import FrontMatter, report_schema, tolerance_mode
from model import PLAIN, attr_callee, bare_callee, calls, subtree, texts

HELPERS = ("assert_allclose", "detailed_tensor_compare")
RANDOM = re.compile(r"rand|normal|bernoulli|uniform|multinomial|poisson|exponential")
LEVELS = ((("level0", "_l0"), ("\u529f\u80fd_p0", "func_p0", "test_p0")),
          (("level1", "_l1"), ("\u6027\u80fd_p0", "perf_p0")))
DTYPES = {"fp32": ("float32", "fp32", "dt_fp32", "torch.float32"),
          "fp16": ("float16", "fp16", "dt_fp16", "torch.float16"),
          "bf16": ("bfloat16", "bf16", "dt_bf16", "torch.bfloat16")}
NUMBER = r"([0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?)"
SHAPE = re.compile(r"[\[(]([0-9]+(?:\s*,\s*[0-9]+)+)[\])]")
SIM = re.compile(r"(default|run_mode)\s*=\s*['\"]sim['\"]")


def test_name(op):
    return "test_%s.py" % op.name


# Conventions of the test file ----------------------------------------------------------

def ol19(op, out):
    file = op.source(test_name(op))
    if file.tree is None:
        return "SKIP"
    for call in calls(file.tree):
        if any(h in text for h in HELPERS for text in texts(call.func)):
            return "PASS"
    bare = [n for n in file.nodes if isinstance(n, ast.Assert) and is_hand_written(n)]
    if bare:
        places = {bare[0].lineno, min(n.lineno for n in bare)}
        out.line("FAIL", file.rel, bare[0].lineno, any_of=sorted(places), counted=True)
    else:
        out.line("FAIL", file.rel, 0, counted=True)
    return "PASS"


def is_hand_written(statement):
    for node in subtree(statement):
        if isinstance(node, ast.Compare) and any(
                isinstance(o, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for o in node.ops):
            return True
        if isinstance(node, ast.Call) and (attr_callee(node) in ("all", "allclose")
                                           or bare_callee(node) == "allclose"):
            return True
    return False


def ol20(op, out):
    text = op.text(test_name(op))
    if not text:
        return "SKIP"
    for wanted in ("TILE_FWK_DEVICE_ID", "set_device"):
        if wanted not in text:
            out.line("FAIL", test_name(op), 0, tag=wanted, counted=True)
    return "PASS"


def ol21(op, out):
    file = op.source(test_name(op))
    if file.tree is None:
        return "SKIP"
    text = op.text(file.rel).lower()
    names = [n.name.lower() for n in file.tree.body if isinstance(n, PLAIN)]
    for level, (in_name, in_text) in enumerate(LEVELS):
        if not (any(m in n for m in in_name for n in names) or any(m in text for m in in_text)):
            out.line("FAIL", file.rel, 0, tag="level%d" % level, counted=True)
    return "PASS"


def ol22(op, out):
    rel = test_name(op)
    text = op.text(rel)
    if not text:
        return "SKIP"
    if "manual_seed" in text:
        return "PASS"
    file = op.source(rel)
    if file.tree is None:
        out.line("WARN", rel, 0, any_line=True)
        return "PASS"
    certain = [c for c in calls(file.tree) if attr_callee(c) in ("randn", "rand", "randint")
               and isinstance(c.func.value, ast.Name) and c.func.value.id == "torch"]
    wide = [c for c in calls(file.tree) if RANDOM.search(attr_callee(c) or bare_callee(c) or "")]
    # the page says "and the like": the first certain one, or an earlier one that may count
    places = {c.lineno for c in wide} | {0}
    if certain:
        line = min(c.lineno for c in certain)
        places = {c.lineno for i, c in enumerate(wide)
                  if c.lineno <= line or i <= wide.index(certain[0])}
    out.line("WARN", rel, max(places), any_of=sorted(places), counted=True)
    return "PASS"


def ol42(op, out):
    text = op.text(test_name(op))
    if not text or not op.npu:
        return "SKIP"
    for number, line in enumerate(text.split("\n"), 1):
        if not line.lstrip().startswith("#") and SIM.search(line):
            out.line("FAIL", test_name(op), number, counted=True)
    return "PASS"


# Consistency with SPEC.md --------------------------------------------------------------

def read_spec(op, out):
    """Front matter of SPEC.md, or None when the rule has ended with its errors."""
    text = op.text("SPEC.md")
    front = FrontMatter(text)
    return None if report_schema(out, "SPEC.md", text, front) else front


def dtype_used(canonical, source):
    if canonical == "fp16":
        return bool(re.search(r"(?<!b)float16|fp16", source))
    return any(alias in source for alias in DTYPES[canonical])


def ol30(op, out):
    if not op.exists("SPEC.md"):
        return "SKIP"
    front = read_spec(op, out)
    if front is None:
        return "PASS"
    source = op.text(test_name(op)).lower()
    if not source:
        return "SKIP"
    items = {str(i).strip().lower() for i in front.data["supported_dtypes"]}
    declared = [c for c, aliases in DTYPES.items() if items & set(aliases)]
    if not declared:
        return "SKIP"
    for canonical in declared:
        if not dtype_used(canonical, source):
            out.line("FAIL", test_name(op), 0, tag=canonical, counted=True)
    return "PASS"


def ol32(op, out):
    if not op.exists("SPEC.md"):
        return "SKIP"
    front = read_spec(op, out)
    if front is None:
        return "PASS"
    rel = test_name(op)
    source = op.text(rel)
    if not source:
        return "SKIP"
    tolerance = front.data["tolerance"]
    for key in tolerance_mode(tolerance):
        limit = as_number(tolerance[key])
        if limit is None:
            continue
        for pattern in (r"%s\s*[:=]\s*" + NUMBER, r"\*\*%s\*\*\s*[:=]?\s*" + NUMBER):
            for match in re.finditer(pattern % key, source, re.IGNORECASE):
                if float(match.group(1)) > 3 * limit:
                    line = source.count("\n", 0, match.start(1)) + 1
                    out.line("WARN", rel, line, tag="%s@%d" % (key, match.start(1)), counted=True)
    return "PASS"


def as_number(value):
    if isinstance(value, (bool, int, float, str)):
        try:
            return float(value)
        except ValueError:
            pass
    return None


def integer_list(value):
    """VALUE as a list of integers, or None."""
    if not isinstance(value, list):
        return None
    try:
        return [int(v) if isinstance(v, (int, float, str)) else int(None) for v in value]
    except (TypeError, ValueError, OverflowError):
        return None


def candidates(item):
    """Lists that a `p0_shapes` item may declare as shapes."""
    if isinstance(item, dict):
        return list(item.values())
    if isinstance(item, list):
        return [item] if integer_list(item) is not None else item
    return []


def covered_shapes(file, text):
    found = {tuple(int(n) for n in m.group(1).split(",")) for m in SHAPE.finditer(text)}
    for call in calls(file.tree):
        arguments = call.args
        if bare_callee(call) == "_run_and_check" and len(arguments) >= 3:
            found.add(pair(arguments[1:3]))
        if not (isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
                and call.func.value.id == "torch"):
            continue
        if call.func.attr == "randn" and len(arguments) >= 2:
            found.add(pair(arguments[:2]))
        if call.func.attr in ("randn", "zeros", "ones", "empty", "full") and arguments and \
                isinstance(arguments[0], (ast.List, ast.Tuple)) and len(arguments[0].elts) >= 2:
            found.add(pair(arguments[0].elts[:2]))
    return found


def pair(nodes):
    if all(isinstance(n, ast.Constant) and type(n.value) is int for n in nodes):
        return tuple(n.value for n in nodes)
    return None


def ol34(op, out):
    if not op.exists("SPEC.md"):
        return "SKIP"
    front = read_spec(op, out)
    if front is None:
        return "PASS"
    file = op.source(test_name(op))
    if file.tree is None:
        return "SKIP"
    lists = [integer_list(c) for item in front.data["p0_shapes"] for c in candidates(item)]
    shapes = [tuple(s) for s in lists if s and len(s) >= 2]
    if not shapes:
        if not any(s and len(s) == 1 for s in lists):
            places = front.places("p0_shapes")
            out.line("FAIL", "SPEC.md", max(places or {1}), tag="none", any_line=places is None,
                     any_of=sorted(places or {1}))
        return "PASS"
    covered = covered_shapes(file, op.text(file.rel))
    once = len(set(shapes)) == len(shapes)
    for shape in sorted(set(shapes)):
        if shape not in covered:
            out.line("WARN", file.rel, 0, tag=str(shape), counted=once)
    return "PASS"


# Golden and wrapper --------------------------------------------------------------------

def required(function):
    names = [a.arg for a in function.args.args]
    count = len(names) - len(function.args.defaults)
    return count - 1 if count > 0 and names[0] in ("self", "cls") else count


def top_level(file, name):
    return next((n for n in file.tree.body if isinstance(n, PLAIN) and n.name == name), None)


def ol33(op, out):
    impl = op.source(op.name + "_impl.py")
    golden = op.source(op.name + "_golden.py")
    if impl.error is not None:
        out.line("FAIL", impl.rel, 0, tag="parse", any_line=True)
        return "PASS"
    if golden.tree is None or impl.tree is None:
        return "SKIP"
    reference = top_level(golden, op.name + "_golden")
    wrapper = top_level(impl, op.name + "_wrapper")
    if reference is None or wrapper is None:
        return "SKIP"
    if required(reference) != required(wrapper):
        out.at("WARN", impl, wrapper)
    return "PASS"


RULES = {"OL19": ol19, "OL20": ol20, "OL21": ol21, "OL22": ol22, "OL30": ol30, "OL32": ol32,
         "OL33": ol33, "OL34": ol34, "OL42": ol42}

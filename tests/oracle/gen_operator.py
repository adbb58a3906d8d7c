"""Whole operator directories: the good samples of the repository, changed here and there."""

import copy
import json
import os
import re

import gen_contract
import gen_front
import mutate
import pool_operator as pool

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples",
                       "custom")
NAMES = ("softmax", "gated_rmsnorm")
STATE = ".orchestrator_state.json"
DOCUMENTS = ("SPEC.md", "DESIGN.md", "API_REPORT.md")


def load():
    samples = {}
    for name in NAMES:
        root = os.path.join(SAMPLES, name)
        files = {}
        for folder, _, names in os.walk(root):
            for entry in sorted(names):
                path = os.path.join(folder, entry)
                if entry.endswith((".py", ".md", ".yaml", ".json")):
                    with open(path, encoding="utf-8", newline="") as handle:
                        files[os.path.relpath(path, root)] = handle.read()
        samples[name] = files
    return samples


SAMPLE_FILES = load()


def edit(rng, text, edits, op):
    """TEXT after one replacement that has an effect, once or everywhere."""
    edits = [(a.replace("$OP", op), b.replace("$OP", op)) for a, b in edits]
    edits = [e for e in edits if e[0] in text]
    if not edits:
        return text
    old, new = rng.choice(edits)
    return text.replace(old, new, -1 if rng.random() < 0.6 else 1)


def insert_line(rng, text, line):
    lines = text.split("\n")
    at = [i for i, old in enumerate(lines) if old and not old[0].isspace()
          and not (i and (lines[i - 1].startswith("@") or lines[i - 1][:1].isspace()))]
    i = rng.choice(at + [len(lines)])
    lines[i:i] = [line]
    return "\n".join(lines)


# One change of one file ----------------------------------------------------------------

def change_document(rng, name, text, odd):
    roll = rng.random()
    if roll < 0.35:
        return gen_front.change_value(rng, name, text)
    if roll < 0.55:
        return gen_front.replace_front(rng, name, text, odd)
    if roll < 0.7:
        return gen_front.change_title(rng, name, text)
    if roll < 0.8:
        return gen_front.change_section(rng, name, text)
    if roll < 0.9:
        return gen_front.document(rng, name, odd)
    if name == "DESIGN.md":
        return text.replace("module_count = ", rng.choice(["module_count=", "module_count: ",
                                                           "2 module_count = ", "x = 1"]))
    return text.replace("$OP", "other")


def change_test(rng, op, text):
    if rng.random() < 0.6:
        return edit(rng, text, pool.TEST_EDITS, op)
    return insert_line(rng, text, rng.choice(pool.TEST_LINES))


def change_memory(rng, text, phase):
    roll = rng.random()
    if roll < 0.45:
        return change_inventory(rng, text)
    if roll < 0.85:
        return change_review(rng, text, phase)
    return re.sub(r"module_count: \d", rng.choice(["module_count: 1", "module_count : 2", "", "`mod"
                                                   "ule_count`: 1", "module_count: 12"]), text)


def change_inventory(rng, text):
    if rng.random() < 0.25:
        return text.replace(pool.INVENTORY, rng.choice(pool.INVENTORY_TITLES), 1)
    if rng.random() < 0.15:
        return text.replace(pool.INVENTORY, "%s\n\n%s" % (rng.choice(pool.INVENTORY_TITLES),
                                                     rng.choice(pool.AFTER)), 1)
    lines = text.split("\n")
    rows = [i for i, line in enumerate(lines) if line.startswith("|")]
    if not rows:
        return text
    i = rng.choice(rows)
    line = rng.choice(pool.ROWS).replace("%s", rng.choice(pool.STATUSES))
    roll = rng.random()
    if roll < 0.6:
        lines[i] = re.sub(r"[^|]*\|$", " %s |" % rng.choice(pool.STATUSES), lines[i])
    elif roll < 0.8:
        lines[i:i] = [line]
    elif roll < 0.9:
        lines[i:i] = [rng.choice(pool.AFTER)]
    else:
        del lines[i]
    return "\n".join(lines)


def review(rng, phase):
    lines = [rng.choice(pool.REVIEW_TITLES[:2] if rng.random() < 0.8 else pool.REVIEW_TITLES)
             .replace("%s", phase), ""]
    items = list(pool.ITEMS)
    if rng.random() < 0.3:
        rng.shuffle(items)
    for item in items:
        roll = rng.random()
        if roll < 0.06:
            continue
        if roll < 0.16:
            item = re.sub(r"\[.\]", rng.choice(pool.ITEM_MARKS), item)
        elif roll < 0.2:
            item = item.replace("] ", rng.choice(["]\n  ", "]", "]\n\n", "]   "]))
        elif roll < 0.24:
            item = rng.choice(["+", "1.", "  -", "\t*", "-  "]) + item[1:]
        elif roll < 0.28:
            lines.append("- [ ] the output comes later")
        elif roll < 0.32:
            item += "\n  signature view inventory output"
        elif roll < 0.34:
            lines.append(rng.choice(["### Part", "# Part", "## Part", "text", "##Part"]))
        lines.append(item)
    return "\n".join(lines)


def change_review(rng, text, phase):
    title = "## Phase %s self-review" % phase
    if title in text and rng.random() < 0.4:
        start = text.index(title)
        end = text.find("\n## ", start + 4)
        body = text[start:end]
        at = [m.start() for m in re.finditer(r"\[x\]", body)]
        if at:
            i = rng.choice(at)
            body = body[:i] + rng.choice(pool.ITEM_MARKS) + body[i + 3:]
        return text[:start] + body + text[end:]
    if rng.random() < 0.5:
        text = text.replace(title, "## Phase MX self-review")
    return text.rstrip("\n") + "\n\n" + review(rng, phase) + "\n"


def change_state(rng, op, text, whole=True):
    if rng.random() < 0.12 and whole:
        return rng.choice(pool.BROKEN_STATES)
    try:
        data = json.loads(text)
    except ValueError:
        return text
    if not isinstance(data, dict):
        return text
    for _ in range(rng.randint(1, 2)):
        key = rng.choice(pool.STATE_KEYS[1:])
        roll = rng.random()
        if roll < 0.3:
            data.pop(key, None)
        elif roll < 0.5 and isinstance(data.get("stage_status"), dict):
            data["stage_status"]["5"] = rng.choice(pool.STATE_VALUES[:8] + ["completed"] * 4)
        elif roll < 0.7 and isinstance(data.get("stage5_phases"), dict):
            data["stage5_phases"]["active_phase"] = copy.deepcopy(rng.choice(
                [v for v in pool.STATE_VALUES if v not in (0, False, [], {})]))
        elif roll < 0.75 and isinstance(data.get("stage5_phases"), dict):
            data["stage5_phases"].pop("phase_status", None)
        else:
            data[key] = copy.deepcopy(rng.choice(pool.STATE_VALUES))
    indent = rng.choice([2, 2, None, 0])
    text = json.dumps(data, indent=indent) + rng.choice(["\n", ""])
    return text.replace("\n", rng.choice(["\n"] * 6 + ["\r", "\r\n"]))


def change_python(rng, op, text):
    roll = rng.random()
    if roll < 0.6:
        return edit(rng, text, pool.IMPL_EDITS, op)
    if roll < 0.75:
        return mutate.on_tree(rng, text, rng.randint(1, 4))
    if roll < 0.85:
        return mutate.on_layout(rng, text)
    if roll < 0.9:
        return insert_line(rng, text, rng.choice(["def broken(:", "x = (", "pypto.loop(2)",
                                                  "# pypto.loop(2)", "_N = pypto.DYNAMIC"]))
    return insert_line(rng, text, rng.choice([
        "def $OP_wrapper(x): pass", "async def host_wrapper(x): pass", "def launch_z(x): pass",
        "class A:\n    def $OP_wrapper(self, q): pass\n", "def $OP_golden(a, b): pass",
        "@pypto.frontend.jit\ndef first(x: pypto.Tensor([8, 8])): pass\n"]).replace("$OP", op))


def change(rng, case, op, odd, phase):
    """One change somewhere in the directory."""
    rel = rng.choice(sorted(case.files))
    roll = rng.random()
    if roll < 0.75:
        wanted = [r for r in case.focus if r in case.files]
        rel = rng.choice(wanted or [rel])
    text = case.files[rel]
    base = os.path.basename(rel)
    if roll > 0.97:
        del case.files[rel]
        if rng.random() < 0.3:
            case.files[rel + "/inner"] = "x\n"
        return
    if roll > 0.955:
        case.files[rel] = rng.choice(["", "\n", "# x\n", "x"])
    elif roll > 0.94 and rel.endswith((".py", "README.md")):
        case.files[rel] = insert_line(rng, text, "# " + rng.choice(pool.LINT))
    elif rng.random() < 0.2 and not rel.endswith(".py"):
        case.files[rel] = shake(rng, text)
    elif rel in DOCUMENTS:
        case.files[rel] = change_document(rng, rel, text, odd).replace("$OP", op)
    elif base.startswith("test_") and rel.endswith(".py"):
        case.files[rel] = change_test(rng, op, text)
    elif rel.endswith(".py"):
        case.files[rel] = change_python(rng, op, text)
    elif rel == "MEMORY.md":
        case.files[rel] = change_memory(rng, text, phase)
    elif rel == STATE:
        case.files[rel] = change_state(rng, op, text)
    elif rel.endswith(".yaml"):
        case.files[rel] = gen_contract.damage(rng, text, 1.0)
    elif rel == "GOLDEN_PERF_REPORT.md":
        case.files[rel] = text.replace("| op | count |", rng.choice(
            ["| op | count|", "| Op | count |", "|op|count|", "x | op | count |"]))


def shake(rng, text):
    """Token edits, mostly in the front matter when there is one."""
    header, body = gen_front.split(text)
    if header is None or rng.random() < 0.3:
        return mutate.on_data(rng, text, rng.randint(1, 6))
    return "---\n%s\n---\n%s" % (mutate.on_data(rng, header, rng.randint(1, 4)), body)


# Cases ---------------------------------------------------------------------------------

BY_STAGE = {1: ("SPEC.md", "SPEC.md", "API_REPORT.md", STATE), 2: ("GOLDEN_PERF_REPORT.md", STATE),
            3: ("DESIGN.md", STATE), 4: ("DESIGN.md", STATE), 7: (STATE, "$OP_impl.py")}
FOCUS = {"documents": DOCUMENTS,
         "operator": ("SPEC.md", "SPEC.md", "DESIGN.md", "test_$OP.py", "test_$OP.py",
                      "test_$OP.py", "$OP_impl.py", STATE, "MEMORY.md",
                      "eval/module_interfaces.yaml", "$OP_golden.py"),
         "phase": ("MEMORY.md", "modules/$OP_module1_impl.py", "modules/$OP_module12_impl.py",
                   "eval/module_interfaces.yaml", "DESIGN.md")}


def fill_case(rng, case, all_rules, phase_rules):
    """Make CASE a changed sample; its profile is documents, operator or phase."""
    op = rng.choice(NAMES if case.profile != "phase" else NAMES[1:] * 3 + NAMES[:1])
    case.files = dict(SAMPLE_FILES[op])
    odd = rng.choice([0.0, 0.1, 0.3, 0.6, 1.0])
    name = op
    if rng.random() < 0.15:
        name = rng.choice(["rowscale", "op", "gate_2", "z_module1"])
        case.files = {r.replace(op, name): t.replace(op, name) for r, t in case.files.items()}
    case.folder = name if rng.random() < 0.95 or STATE not in case.files else "elsewhere"
    case.rules = all_rules
    phase = rng.choice(["M1", "M2", "M2", "M3"])
    if case.profile == "documents":
        case.stage = rng.choice([1, 1, 1, 2, 3, 3, 4])
    elif case.profile == "operator":
        case.stage = rng.choice([5] * 5 + [6] * 3 + [7])
        case.npu = rng.random() < 0.3
    else:
        case.phase = phase
        case.rules = phase_rules
    focus = BY_STAGE.get(case.stage, FOCUS[case.profile])
    case.focus = [f.replace("$OP", name) for f in focus]
    if case.phase and rng.random() < 0.6:
        case.files["MEMORY.md"] = "# Memory\n\n%s\n\n%s\n" % (review(rng, phase),
                                                             review(rng, "M2"))
    if case.profile == "documents" and rng.random() < 0.4:
        rel = rng.choice([f for f in case.focus if f in DOCUMENTS] or ["SPEC.md"])
        case.files[rel] = gen_front.document(rng, rel, odd).replace("$OP", name)
    if case.profile == "operator":
        rel = "test_%s.py" % name
        for _ in range(rng.choice([0, 0, 1, 3, 6])):
            case.files[rel] = change_test(rng, name, case.files[rel])
        for _ in range(rng.choice([0, 0, 0, 1, 3])):
            case.files["MEMORY.md"] = change_inventory(rng, case.files["MEMORY.md"])
    if case.profile != "documents" and rng.random() < 0.4:
        small_implementations(rng, case, name, rng.choice([0.1, 0.3, 0.6, 1.0]))
    for _ in range(rng.choice([0, 1, 2, 3, 5, 8, 12])):
        if case.files:
            change(rng, case, name, odd, phase)
    if case.profile == "operator" and rng.random() < 0.1:
        rel = rng.choice([r for r in sorted(case.files) if r.endswith("_impl.py")] or [None])
        case.file = rel
    encode(rng, case)


def small_implementations(rng, case, name, odd):
    """Implementation files and a contract that fit each other, more or less."""
    inputs = rng.sample(gen_contract.INPUTS, rng.randint(1, 3))
    outputs = rng.sample(["y", "z", "out"], rng.choice([1, 1, 2]))
    case.files["eval/module_interfaces.yaml"] = gen_contract.contract(rng, name, inputs, outputs,
                                                                     odd)
    for rel in [r for r in case.files if r.endswith("_impl.py")]:
        del case.files[rel]
    case.files[name + "_impl.py"] = gen_contract.implementation(rng, name, None, inputs, outputs,
                                                                odd)
    suffixes = ["1", "12"] if case.phase or rng.random() < 0.4 else []
    if rng.random() < odd * 0.3:
        suffixes.append(rng.choice(["2", "0", "123", "112", "1a", "_x", "12345678910", "101112"]))
    for suffix in suffixes:
        used = inputs[:max(1, len(inputs) // 2)] if suffix == "1" else inputs
        digits = suffix if suffix.isdigit() else None
        case.files["modules/%s_module%s_impl.py" % (name, suffix)] = gen_contract.implementation(
            rng, name, digits, used, outputs, odd)


def encode(rng, case):
    for rel, text in sorted(case.files.items()):
        data = text.encode("utf-8")
        roll = rng.random()
        if roll < 0.03 and not rel.endswith(".json"):
            data = data.replace(b"\n", rng.choice([b"\r\n", b"\r\n", b"\r"]))
        elif roll < 0.035 and rel.endswith((".md", ".py")):
            data = b"\xef\xbb\xbf" + data
        elif roll < 0.04 and rel.endswith(".md"):
            at = rng.randrange(len(data) + 1)
            data = data[:at] + b"\xff" + data[at:]
        case.files[rel] = data

#!/usr/bin/env python3
"""Makes the tables that are derived from src/model/ops.def.

Usage: make_sim_ops.py src/model/ops.def FORM OUT [MORE…] with one of the FORMS at the end; the
forms `calls` and `editor` also take rules/data/pypto-api.json, the form `functions` the modules of
runtime/pypto whose functions are written by hand, the form `recipes` the source with the recipes
that are.
"""
import ast
import json
import re
import sys


def read(path):
    """The operations as dicts of their fields, in order; "group" is the heading above."""
    ops, group = [], ""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.rstrip("\n")
            if not text.strip() or text.startswith("#"):
                continue
            key, _, value = text.strip().partition(" ")
            value = value.strip()
            if text.startswith("group "):
                group = value
            elif text.startswith("op "):
                ops.append({"name": value, "group": group})
            elif text.startswith("  ") and ops and key not in ops[-1]:
                ops[-1][key] = value
            else:
                raise SystemExit(f"{path}:{number}: not understood: {text}")
    return [with_defaults(op) for op in ops]


def with_defaults(op):
    """The operation with the default values that ops.def leaves out."""
    name = op["name"].rpartition(".")[2]
    usual = {"class": name, "state": "built", "opcode": name.upper()}
    if op.get("class") != "python":
        usual.update(result="same", rank="1-4")
    return usual | op


def constant(op):
    """The name of its C constant: PTS_OP_GATHER_IN_UB for experimental.gather_in_ub."""
    return "PTS_OP_" + op["name"].rpartition(".")[2].upper()


def header(ops):
    """pts_ops.h: the enum."""
    lines = ["/* Made from ops.def by make_sim_ops.py. */", "#ifndef PTOSIM_OPS_H",
             "#define PTOSIM_OPS_H", "", "typedef enum PtsOp {"]
    lines += [f"    {constant(op)}," for op in ops]
    lines += ["    PTS_OP_COUNT", "} PtsOp;", "", "#endif", ""]
    return "\n".join(lines)


def unique(words):
    """The words in the order of their first use."""
    return list(dict.fromkeys(words))


def listed(name, rows):
    """An X-macro."""
    return [f"#define {name}(X) \\"] + [f"    X({row}) \\" for row in rows] + [""]


def lists(ops):
    """pts_op_lists.h: the classes, kernels and strips that the operations name."""
    classes = unique(op["class"] for op in ops if op["class"] not in ("none", "python"))
    lines = ["/* Made from ops.def by make_sim_ops.py. */", "#ifndef PTOSIM_OP_LISTS_H",
             "#define PTOSIM_OP_LISTS_H", ""]
    lines += listed("PTS_OP_CLASSES", [f"{name.upper()}, {name}" for name in classes])
    lines += listed("PTS_OP_KERNELS", unique(op["kernel"] for op in ops if "kernel" in op))
    lines += listed("PTS_OP_SCRATCHES", unique(op["scratch"] for op in ops if "scratch" in op))
    lines += listed("PTS_OP_STRIPS", unique(op["strip"].split()[0].upper()
                                            for op in ops if "strip" in op))
    return "\n".join(lines + ["#endif", ""])


DTYPES = {
    "I4": ["INT4"], "I8": ["INT8"], "I16": ["INT16"], "I32": ["INT32"], "I64": ["INT64"],
    "U8": ["UINT8"], "U16": ["UINT16"], "U32": ["UINT32"], "U64": ["UINT64"], "BOOL": ["BOOL"],
    "F16": ["FP16"], "BF16": ["BF16"], "F32": ["FP32"], "F64": ["DOUBLE"], "HF8": ["HF8"],
    "FP8": ["FP8E4M3", "FP8E5M2"], "FP4": ["FP4_E2M1X2", "FP4_E1M2X2"],
}
RESULTS = {"same", "BOOL", "I32", "I64", "float", "wide", "dtype", "pow", "-"}


def dtype_mask(op, key):
    """The C expression of a set of dtypes."""
    text = op.get(key, "")
    if text == "all":
        return "PTS_ALL_DTYPES"
    names = [name for word in text.split() for name in DTYPES[word]]
    return " | ".join(f"BIT({name})" for name in names) or "0"


def operand_counts(op):
    """Least and most number of operands; 255 = no limit but PTS_MAX_OPERANDS."""
    names = op.get("operands", "").split()
    least = sum(not name.endswith(("?", "*")) for name in names)
    return least, 255 if any(name.endswith("*") for name in names) else len(names)


# Classes that take no vector tile.
NO_TILE = {"python", "none", "view", "view_type", "assemble", "move", "element_write", "reshape",
           "unsqueeze", "save", "matmul", "batch_matmul", "scaled_mm", "conv", "nop"}


def strip(op):
    """The initialiser of PtsRunInfo.strip."""
    name, arity, *words = op["strip"].split()
    rule = next((word for word in words if word in ("float", "whole")), "natural")
    flags = [f".{field} = true" for word, field in (("bool", "gives_bool"), ("heavy", "is_heavy"))
             if word in words]
    if set(words) - {"float", "whole", "bool", "heavy"}:
        raise SystemExit(f"{op['name']}: unknown word after strip: {op['strip']}")
    return ", ".join([f"{{.id = STRIP_{name.upper()}, .arity = {arity}",
                      f".rule = PTS_STRIP_{rule.upper()}"] + flags) + "}"


def table_row(op):
    """The initialiser of one PtsOpInfo."""
    result = op.get("result", "same")
    if result not in RESULTS:
        raise SystemExit(f"{op['name']}: unknown result {result}")
    ranks = op.get("rank", "0-0").split("-")
    least, most = operand_counts(op)
    opcodes = op["opcode"].split()
    fields = [
        f'.name = "{op["name"]}"',
        ".opcodes = {" + ", ".join(f'"{name}"' for name in opcodes) + "}",
        f".kind = PTS_CLASS_{op['class'].upper()}",
        f".is_vector = {'false' if op['class'] in NO_TILE else 'true'}",
        f".result = PTS_RESULT_{'NONE' if result == '-' else result.upper()}",
        f".dtypes = {dtype_mask(op, 'dtypes')}",
        f".dtypes950 = {dtype_mask(op, 'dtypes950')}",
        f".dtypes92 = {dtype_mask(op, 'dtypes92')}",
        f".min_rank = {ranks[0]}, .max_rank = {ranks[1]}",
        f".min_operands = {least}, .max_operands = {most}",
        f".tile_aligned = {'true' if op.get('tile') == 'aligned' else 'false'}",
        f".tiles32 = {op.get('tiles32', '0')}",
        f".built = {'true' if op['state'] == 'built' else 'false'}",
        f".wide = {' | '.join('PTS_WIDE_' + word for word in op.get('wide', 'NOWHERE').split())}",
    ]
    if op["class"] not in ("none", "python"):
        fields.append(f".infer = infer_{op['class']}")
    return f"    [{constant(op)}] = {{" + ",\n        ".join(fields) + "},"


def run_row(op):
    """The initialiser of one PtsRunInfo; none when all is NULL."""
    fields = []
    if "strip" in op or "kernel" in op:
        fields.append(f".kernel = pts_run_{op.get('kernel', 'elementwise')}")
    if "scratch" in op:
        fields.append(f".scratch = pts_{op['scratch']}_scratch")
    if "strip" in op:
        fields.append(f".strip = {strip(op)}")
    return [f"    [{constant(op)}] = {{" + ",\n        ".join(fields) + "},"] if fields else []


def run_table(ops):
    """pts_run_table.c: what computes each operation."""
    lines = ["/* Made from ops.def by make_sim_ops.py. */", '#include "sim/run_table.h"', "",
             "const PtsRunInfo pts_run_table[PTS_OP_COUNT] = {"]
    lines += [line for op in ops for line in run_row(op)]
    return "\n".join(lines + ["};", ""])


def table(ops):
    """pts_op_table.c: what ops.def says, for the recorder."""
    lines = ["/* Made from ops.def by make_sim_ops.py. */", '#include "model/op_table.h"', "",
             "#define BIT(name) (UINT32_C(1) << PTS_##name)", "",
             "const PtsOpInfo pts_op_table[PTS_OP_COUNT] = {"]
    lines += [table_row(op) for op in ops]
    return "\n".join(lines + ["};", ""])


def python(ops):
    """pypto/_ops.py: the number, meaning and call of each operation."""
    lines = ['"""Made from ops.def by make_sim_ops.py."""', "", "OPS = {"]
    lines += [f"    {op['name'].rpartition('.')[2]!r}: {number}," for number, op in enumerate(ops)]
    lines += ["}", "MEANINGS = {"]
    lines += [f"    {op['name']!r}: ({op['meaning']!r},\n        {op.get('call', '')!r}),"
              for op in ops]
    lines += ["}", "SYNTAX = frozenset((", '    "tensor",']
    lines += [f"    {op['name']!r}," for op in ops if op["group"].startswith("Steps")]
    return "\n".join(lines + ["))", ""])


# Written by hand in Python only: convolutions, whose tiles are settings on the Python side.
NOT_RECIPES = {"conv"}
# Attributes as kinds of parameters (src/model/recipe_one.c).
KINDS = {"dim": "d", "count": "c", "mode": "m", "keepdim": "k", "descending": "g", "dtype": "y", "real": "r"}


def parameters(op):
    """The names of an operation's parameters, and their kinds: its operands and then its attributes.

    The first operand is a tensor; so is the second of an operation with one opcode. With three, one of
    the two may be a number, whichever it is."""
    arguments = ast.parse(f"def {op['call']}: pass").body[0].args
    given = [argument.arg for argument in arguments.args]
    operands, attributes = op["operands"].split(), op.get("attributes", "").split()
    plain = [one for one in given if one != "precision_type"]
    if (len(plain) != len(operands) + len(attributes) or len(operands) > 2 or "." in op["name"] or
            arguments.kwonlyargs or any(not word.isidentifier() for word in operands) or
            any(word not in KINDS for word in attributes)):
        raise SystemExit(f"{op['name']}: its recipe and its Python function have to be written by hand "
                         "(src/model/recipe.c, runtime/pypto)")
    kinds = {1: "TT", 2: "TN", 3: "EN"}[len(op["opcode"].split())][:len(operands)]
    kinds += "".join(KINDS[one] for one in attributes)
    return given, kinds + "p" * (len(given) - len(plain))


def is_function(op):
    """Is it one that programs call?"""
    return op["state"] == "built" and op["class"] != "python" and not op["group"].startswith("Steps")


def function(op):
    """The Python function of an operation that only passes its arguments on."""
    call = op["call"].replace("precision_type=", "precision_type=PrecisionType.")
    given, _ = parameters(op)
    return ["", "", f"def {call}:", f'    return cook("{op["name"]}", {", ".join(given)})']


def recipes(ops, *sources):
    """pts_recipes_made.c: recipes of operations that have none by hand in the sources."""
    by_hand = set()
    for path in sources:
        with open(path, encoding="utf-8") as file:
            by_hand |= set(re.findall(r'^    \{"([^"]+)"', file.read(), re.M))
    lines = ["/* Made from ops.def by make_sim_ops.py. */", '#include "model/recipe_call.h"', "",
             "const PtsRecipe pts_recipes_made[] = {"]
    for op in ops:
        if is_function(op) and op["name"] not in by_hand | NOT_RECIPES:
            given, kinds = parameters(op)
            lines.append(f'    {{"{op["name"]}", "{" ".join(given)}", recipe_one, {constant(op)}, -1, "{kinds}"}},')
    return "\n".join(lines + ["    {NULL, NULL, NULL, PTS_OP_COUNT, -1, NULL},", "};", ""])


def functions(ops, *modules):
    """pypto/_made.py: the functions of operations that need nothing but their arguments."""
    by_hand = set()
    for path in modules:
        with open(path, encoding="utf-8") as file:
            body = ast.parse(file.read()).body
        by_hand |= {node.name for node in body if isinstance(node, ast.FunctionDef)}
        by_hand |= {target.id for node in body if isinstance(node, ast.Assign)
                    for target in node.targets if isinstance(target, ast.Name)}
    lines = ['"""Made from ops.def by make_sim_ops.py: operations whose functions only pass their arguments on."""',
             "from ._cook import cook", "from ._enums import PrecisionType"]
    for op in ops:
        if is_function(op) and op["name"].rpartition(".")[2] not in by_hand:
            lines += function(op)
    return "\n".join(lines + [""])


DOCS_HEAD = """# Operations of the simulator

What `pypto-lint run` knows about each operation of PyPTO. The page is made from `src/model/ops.def`, like
the simulator's checks, its Python package and its error messages:
`scripts/make_sim_ops.py src/model/ops.def docs docs/kernel-authors/simulator-ops.md` makes it again.
[simulator-checks.md](simulator-checks.md) lists the codes and warnings.

* **Tensors**: dtypes of the first tensor operand (`DT_` left out); after "950:" those that the
  Ascend 950 takes in addition. Others are refused with FC0001.
* **Axes**: how many the first tensor operand may have; others are refused with FC0002.
* **Result**: its dtype. *same*: the first tensor's; *float*: FP32 for integers, else the same;
  *wide*: INT64 for integers, else the same; *as asked*: given by an argument; *pow*: the wider of the
  two, FP32 for FP16 with BF16; –: none, it writes into an operand.
* Operations marked **no** exist in Python and raise a NotImplementedError that names them.

Vector operations need `set_vec_tile_shapes` with an entry for every axis of the result (F21003,
F42003), tiles that fit into the unified buffer (F40005), at most 2^31 - 1 elements and tensors in
TILEOP_ND (FC0000). Operations on two tensors need equal dtypes (FC0001) and extents that are equal or
1 (FC0000). Symbolic extents are accepted only by view, move and reshape in place, in the destination of
assemble and in paged caches; elsewhere they are refused with F0000A.
"""
DTYPE_TEXT = {key: ", ".join(names) for key, names in DTYPES.items()}
RESULT_TEXT = {"dtype": "as asked", "-": "–"}


def page_dtypes(op):
    """The dtypes as on the page."""
    parts = []
    for key, prefix in (("dtypes", ""), ("dtypes950", "950: "), ("dtypes92", "since 9.2: ")):
        words = op.get(key, "").split()
        if words:
            parts.append(prefix + ", ".join(DTYPE_TEXT.get(word, word) for word in words))
    return "; ".join(parts)


def page_row(op):
    """A row of the table."""
    result = op.get("result", "")
    cells = [f"`{op['call']}`", op["meaning"], page_dtypes(op), op.get("rank", "").replace("-", "–"),
             RESULT_TEXT.get(result, result), op.get("limits", ""),
             "yes" if op["state"] == "built" else "**no**"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def docs(ops):
    """docs/kernel-authors/simulator-ops.md."""
    built = sum(op["state"] == "built" for op in ops)
    lines = [DOCS_HEAD + f"\n{built} of {len(ops)} are simulated."]
    group = None
    for op in ops:
        if op["group"] != group:
            group = op["group"]
            lines += ["", f"## {group}", "",
                      "| operation | meaning | tensors | axes | result | limits | simulated |",
                      "|---|---|---|---|---|---|---|"]
        lines.append(page_row(op))
    return "\n".join(lines + [""])


def fact_dtypes(op, key):
    """The dtypes in the form of OperationFacts."""
    words = op.get(key, "")
    names = [name for word in words.split() if word != "all" for name in DTYPES[word]]
    return "".join(f" DT_{name}" for name in names) + (" " if names else "")


def linter(ops):
    """operation_facts.c: what rules may know of operations (rules/data/operations.h)."""
    lines = ["/* Made from ops.def by make_sim_ops.py. */", '#include "rules/data/operations.h"', "",
             "const OperationFacts operation_facts[] = {"]
    for op in sorted(ops, key=lambda op: op["name"]):
        ranks = op.get("rank", "0-0").split("-")
        is_vector = op["class"] not in NO_TILE and op["name"] != "experimental.gather_in_l1"
        lines.append(f'    {{"{op["name"]}", "{fact_dtypes(op, "dtypes")}",\n'
                     f'     "{fact_dtypes(op, "dtypes950")}", {ranks[0]}, {ranks[1]}, '
                     f'{"true" if is_vector else "false"}, '
                     f'{"true" if op["state"] == "built" else "false"}}},')
    return "\n".join(lines + ["};", f"const size_t operation_fact_count = {len(ops)};", ""])


API_KINDS = {"function": "FUNCTION", "class": "CLASS", "enum": "ENUM", "constant": "CONSTANT",
             "module": "MODULE"}
# Any option is accepted: the product ignores unknown ones.
OPEN_CALLS = {"loop", "loop_unroll"}
# Operations that return several tensors, or none.
NO_TENSOR = {"topk", "quant_mx", "interleave", "deinterleave", "atomic_add", "index_put_", "sort32",
             "mrgsort", "experimental.online_softmax", "experimental.online_softmax_update",
             "pass_verify_print", "pass_verify_save", "verify", "set_verify_golden_data", "tensor"}


def parameters_of_call(op):
    """(name, optional, kind) of each parameter in `call`, or None when that is no single signature."""
    try:
        node = ast.parse(f"def {op['call'].rpartition('.')[2]}: pass").body[0].args
    except SyntaxError:
        return None
    plain = node.posonlyargs + node.args
    first = len(plain) - len(node.defaults)
    found = [(arg.arg, i >= first, "plain") for i, arg in enumerate(plain)]
    if node.vararg:
        found.append((node.vararg.arg, True, "var_positional"))
    found += [(arg.arg, default is not None, "keyword_only")
              for arg, default in zip(node.kwonlyargs, node.kw_defaults)]
    if node.kwarg:
        found.append((node.kwarg.arg, True, "var_keyword"))
    return found


def parameters_of_entry(entry):
    """The same for an entry of pypto-api.json."""
    if entry["kind"] != "function" or "params" not in entry:
        return None
    return [(p["name"], not p["required"], p.get("kind", "plain")) for p in entry["params"]]


def merge_parameters(first, second):
    """The union of what both lists allow, so that a call is an error only if both forbid it; None allows all."""
    if first is None or second is None:
        return first if second is None else second
    if first == second:
        return first
    names = {name: optional for name, optional, _ in second}
    positional = [sum(kind == "plain" for _, _, kind in one) for one in (first, second)]
    if positional[1] > positional[0] or any(kind.startswith("var") for _, _, kind in second):
        return None
    merged = []
    for name, optional, kind in first:
        merged.append((name, optional or names.get(name, True) and name in names, kind))
    known = {name for name, _, _ in merged}
    return merged + [(name, True, "keyword_only") for name in names if name not in known]


def parameter_words(found):
    """The words of ApiFact.parameters."""
    words, only = [], False
    for name, optional, kind in sorted(found, key=lambda one: one[2] == "var_keyword"):
        if kind == "var_positional":
            only = True
            words.append("*" + name)
        elif kind == "var_keyword":
            words.append("**" + name)
        else:
            if kind == "keyword_only" and not only:
                only = True
                words.append("*")
            words.append(name + ("?" if optional else ""))
    return " ".join(words)


def calls(ops, api):
    """api_facts.c: names and signatures of the package (src/eval/api_facts.h)."""
    with open(api, encoding="utf-8") as file:
        entries = {entry["name"]: entry for entry in json.load(file)["attributes"]}
    by_name = {op["name"]: op for op in ops}
    lines = ["/* Made from ops.def and pypto-api.json by make_sim_ops.py. */",
             '#include "eval/api_facts.h"', "", "const ApiFact api_facts[] = {"]
    inner = {"experimental." + name for name in entries["experimental"]["members"]}
    inner |= {"pypto_impl.TileL0Info", "pypto_impl.TileL1Info"}
    names = sorted(set(entries) | inner | {op["name"] for op in ops
                                           if not op["group"].startswith("Steps")})
    for name in names:
        entry, op = entries.get(name), by_name.get(name)
        kind = API_KINDS[entry["kind"]] if entry else "FUNCTION"
        found = merge_parameters(entry and parameters_of_entry(entry),
                                 op and parameters_of_call(op))
        text = parameter_words(found) if found is not None and kind == "FUNCTION" else None
        if kind == "ENUM":
            text = " ".join(entry["members"]) if entry.get("members") else None
        if name in OPEN_CALLS:
            text = None
        tensor = bool(op) and name not in NO_TENSOR and op["result"] != "-" if op and "result" in op \
            else name in ("zeros", "ones", "sigmoid", "softmax", "rms_norm")
        quoted = "NULL" if text is None else f'"{text}"'
        lines.append(f'    {{"{name}", API_FACT_{kind}, {"true" if tensor else "false"},\n     {quoted}}},')
    return "\n".join(lines + ["};", f"const size_t api_fact_count = {len(names)};", ""])


def call_of(name, op, entry):
    """The signature in Python's notation; empty when unknown."""
    if op and "call" in op:
        return op["call"]
    if not entry or entry["kind"] not in ("function", "class") or "params" not in entry:
        return ""
    words, only = [], False
    for one in entry["params"]:
        kind = one.get("kind", "")
        if kind == "keyword_only" and not only:
            only = True
            words.append("*")
        mark = {"var_positional": "*", "var_keyword": "**"}.get(kind, "")
        only = only or kind == "var_positional"
        words.append(mark + one["name"] + ("" if one.get("required") or mark else "=..."))
    return f"{name.rpartition('.')[2]}({', '.join(words)})"


def editor(ops, api):
    """name_facts.c: what editors show of a name (src/server/name_facts.h)."""
    with open(api, encoding="utf-8") as file:
        entries = {entry["name"]: entry for entry in json.load(file)["attributes"]}
    by_name = {op["name"]: op for op in ops if not op["group"].startswith("Steps")}
    lines = ["/* Made from ops.def and pypto-api.json by make_sim_ops.py. */",
             '#include "server/name_facts.h"', "", "const NameFacts name_facts[] = {"]
    names = sorted(name for name in set(entries) | set(by_name)
                   if entries.get(name, {}).get("origin") != "leak")
    for name in names:
        entry, op = entries.get(name), by_name.get(name)
        fields = [name, call_of(name, op, entry), op.get("meaning", "") if op else "",
                  fact_dtypes(op, "dtypes").strip() if op else "",
                  fact_dtypes(op, "dtypes950").strip() if op else "",
                  op.get("rank", "") if op else "", op.get("limits", "") if op else "",
                  " ".join(entry.get("members", [])) if entry else "", (entry or {}).get("since", ""),
                  (entry or {}).get("until", "")]
        kind = API_KINDS[entry["kind"]] if entry else "FUNCTION"
        quoted = ", ".join(json.dumps(field, ensure_ascii=False) for field in fields)
        lines.append(f"    {{NAME_{kind}, {quoted}}},")
    return "\n".join(lines + ["};", f"const size_t name_fact_count = {len(names)};", ""])


FORMS = {"calls": calls, "editor": editor, "linter": linter, "python": python, "functions": functions,
         "recipes": recipes, "header": header, "lists": lists, "table": table, "run_table": run_table,
         "docs": docs}


def main():
    source, form, out, *more = sys.argv[1:]
    text = FORMS[form](read(source), *more)
    with open(out, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()

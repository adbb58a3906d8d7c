#!/usr/bin/env python3
"""Makes the pages of `pypto-lint api` from the tables of the package's names.

Usage: make_api_pages.py ops.def pypto-api.json api_examples.def _coverage.py OUT.c

The result defines `api_pages` (rules/data/api_page.h), sorted by name. Every public name must have a sentence and an
example, else the build fails.
"""
import ast
import json
import re
import sys

import make_sim_ops
from c_text import quoted

FIELDS = ("name", "kind", "group", "call", "meaning", "dtypes", "axes", "result", "limits", "simulator",
          "soc", "example")
TORCH = {"FP32": "float32", "FP16": "float16", "BF16": "bfloat16", "INT8": "int8", "INT16": "int16",
         "INT32": "int32", "INT64": "int64", "UINT8": "uint8", "BOOL": "bool", "DOUBLE": "float64",
         "FP8E4M3": "float8_e4m3fn", "FP8E5M2": "float8_e5m2", "FP8E8M0": "float8_e8m0fnu"}
TWO = {"binary", "compare", "logical"}
# Inputs for functions that are not defined everywhere.
DOMAINS = {**dict.fromkeys(("log", "log2", "log10", "log1p", "sqrt", "rsqrt"), "torch.rand(8, 64) + 0.5"),
           "acosh": "torch.rand(8, 64) + 1.5",
           **dict.fromkeys(("asin", "acos", "atanh"), "torch.rand(8, 64) * 0.9")}
SOCS = {"950": "950DT"}


# --- examples

def read_examples(path):
    """{name: {"in": […], "out": […], "body": […], "script": […], …}}"""
    found, one = {}, None
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.rstrip("\n")
            if not text.strip() or text.startswith("#"):
                continue
            if not text.startswith(" "):
                one = found.setdefault(text, {"in": [], "out": [], "body": [], "script": [], "host": []})
                continue
            key, _, value = text[2:].partition(" ")
            if key in ("|", ">"):
                one["body" if key == "|" else "script"].append(value)
            elif key in ("in", "out", "host"):
                one[key].append(value)
            elif key in ("meaning", "tile", "soc", "like"):
                one[key] = value
            else:
                raise SystemExit(f"{path}:{number}: not understood: {text}")
    return found


def usual_example(op):
    """The example of an operation that has none of its own: tensors of one shape."""
    names = ["a", "b"] if op["class"] in TWO else ["x"]
    result = {"BOOL": "BOOL", "I32": "INT32"}.get(op.get("result"), "FP32")
    values = " " + DOMAINS[op["name"]] if op["name"] in DOMAINS else ""
    return {"in": [f"{name} 8x64 FP32{values}" for name in names], "out": [f"y 8x64 {result}"], "script": [],
            "host": [], "body": [f"y[:] = pypto.{op['name']}({', '.join(names)})"]}


def values_of(shape, dtype):
    """Torch code for numbers of a dtype."""
    sizes = ", ".join(str(size) for size in shape)
    if dtype.startswith("FP8"):  # a number that each of them has
        return f"torch.ones({sizes}).to(torch.{TORCH[dtype]})"
    if dtype == "BOOL":
        return f"torch.rand({sizes}) > 0.5"
    if dtype.startswith(("INT", "UINT")):
        low = 0 if dtype.startswith("U") else -8
        return f"torch.randint({low}, 8, ({sizes},), dtype=torch.{TORCH[dtype]})"
    end = "" if dtype == "FP32" else f".to(torch.{TORCH[dtype]})"
    return f"torch.randn({sizes}){end}"


def program(example):
    """The program of an example: a kernel and its launch, or a script."""
    head = ["import pypto", "import torch", *example["host"], ""]
    if example["script"]:
        text = "\n".join(example["script"])
        gap = [""] if text.startswith(("def ", "@")) else []
        return "\n".join([line for line in head if line != "import torch" or "torch." in text] + gap + [text, ""])
    given = [(*text.split(" ", 3), None)[:4] for text in example["in"]]
    made = [(*text.split(" ", 3), None)[:4] for text in example["out"]]
    lines = head + ["", "@pypto.frontend.jit", "def kernel("]
    for name, shape, dtype, _ in given + made:
        lines.append(f"    {name}: pypto.Tensor([{shape.replace('x', ', ')}], pypto.DT_{dtype}),")
    sizes = [min(int(size), most) for size, most in
             zip(made[0][1].split("x"), [8] * made[0][1].count("x") + [64])]
    tile = example.get("tile", " ".join(map(str, sizes)))
    lines.append("):")
    if tile != "none":
        lines.append(f"    pypto.set_vec_tile_shapes({', '.join(tile.split())})")
    lines += ["    " + line for line in example["body"]] + ["", ""]
    for name, shape, dtype, values in given:
        lines.append(f"{name} = {values or values_of(shape.split('x'), dtype)}")
    for name, shape, dtype, _ in made:
        lines.append(f"{name} = torch.zeros({shape.replace('x', ', ')}, dtype=torch.{TORCH[dtype]})")
    lines.append(f"kernel({', '.join(one[0] for one in given + made)})")
    lines.append(f"print({', '.join(one[0] for one in made)})")
    return "\n".join(lines + [""])


# --- pages

def signature(entry):
    """name(a, b=…) of an entry of pypto-api.json."""
    if "positional_forms" in entry:
        keywords = "".join(f", {p['name']}=…" for p in entry["params"] if p.get("kind") == "keyword_only")
        forms = re.sub(r"^[0-9 a-z]*positional: ", "", entry["positional_forms"]).split(" | ")
        return " / ".join(f"{entry['name']}{form[:-1]}{keywords})" for form in forms)
    words, only = [], False
    for p in entry.get("params", ()):
        kind = p.get("kind", "plain")
        if kind == "keyword_only" and not only:
            only = True
            words.append("*")
        words.append({"var_positional": "*", "var_keyword": "**"}.get(kind, "") + p["name"]
                     + ("" if p["required"] or kind.startswith("var") else "=…"))
    return f"{entry['name']}({', '.join(words)})"


# What emit_broadcast of src/model/infer.c does for the operations of these classes.
BROADCASTING = ("binary", "compare")
BROADCAST = ("of two tensors, any axis of length 1 is repeated to the other one's length; axes that one lacks in "
             "front count as 1")


def limits_of(op):
    """The limits of an operation, and how it broadcasts."""
    own = [op["limits"]] if op.get("limits") else []
    return "; ".join(own + ([BROADCAST] if op["class"] in BROADCASTING else []))


def operation_page(op, examples):
    """The page of an operation of ops.def."""
    example = examples.get(op["name"]) or usual_example(op)
    result = op.get("result", "")
    parts = ["computes it" if op["class"] != "python" else "composes it of other operations, as the product does"]
    wide = op.get("wide", "").split()
    if any("A2" in word for word in wide):
        parts.append("16-bit numbers in FP32, as the device does")
    if op["class"] in ("view", "reshape", "unsqueeze"):
        parts = ["no copy: the result shares its source's memory"]
    if op["state"] != "built":
        parts = ["not simulated: raises NotImplementedError"]
    if "limits" in op:
        parts.append("refuses what the limits exclude, with the product's error code")
    return {"name": op["name"], "kind": "operation", "group": op["group"], "call": "pypto." + op["call"]
            if op["name"].rpartition(".")[0] == "" else f"pypto.{op['name'].rpartition('.')[0]}.{op['call']}",
            "meaning": op["meaning"],
            "dtypes": make_sim_ops.page_dtypes(op), "axes": op.get("rank", "").replace("-", "–"),
            "result": {"dtype": "as asked", "-": "none"}.get(result, result), "limits": limits_of(op),
            "simulator": "; ".join(parts), "example": example}


def constant_page(entry):
    """Meaning and example of a constant, an enumeration or a module, or nothing."""
    name = entry["name"]
    if name.startswith("DT_"):
        host = TORCH.get(name[3:])
        meaning = f"The data type {name[3:]}" + (f", torch.{host}." if host else "; torch has none like it.")
        return meaning, f"print(pypto.{name})"
    if entry["kind"] == "enum":
        return "One of " + ", ".join(entry["members"]) + ".", f"print(pypto.{name}.{entry['members'][0]})"
    if entry["kind"] == "module":
        return f"The module pypto.{name}.", f"print(pypto.{name}.__name__)"
    if name.startswith("ROUND_"):
        return "A rounding of scales, for quant_mx.", f"print(pypto.{name})"
    return None, None


def entry_page(entry, examples, ignored):
    """The page of another name."""
    name = entry["name"]
    example = examples.get(name)
    meaning, line = constant_page(entry)
    if example is None:
        if line is None:
            raise SystemExit(f"api_examples.def: no example for {name}")
        example = {"in": [], "out": [], "body": [], "script": [line], "host": []}
    if "like" in example:
        example = dict(examples[example["like"]], meaning=example.get("meaning", meaning))
    meaning = examples.get(name, {}).get("meaning", meaning)
    if meaning is None:
        raise SystemExit(f"api_examples.def: no meaning for {name}")
    call = "pypto." + (signature(entry) if entry["kind"] in ("function", "class") and "params" in entry else name)
    return {"name": name, "kind": entry["kind"], "group": "", "call": call, "meaning": meaning,
            "dtypes": "", "axes": "", "result": "", "limits": "",
            "simulator": "checks the arguments and changes nothing" if name in ignored else "implemented",
            "example": example}


def ignored_names(path):
    """The names of IGNORED in runtime/pypto/_coverage.py."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "IGNORED":
            return {name for names in ast.literal_eval(node.value).values() for name in names}
    raise SystemExit(f"{path}: no IGNORED")


def versions_of(entry):
    """Which versions have the name; empty when all do."""
    if entry.get("since", "9.1") != "9.1":
        return f"since PyPTO {entry['since']}"
    return f"until PyPTO {entry['until']}" if entry.get("until", "9.2") != "9.2" else ""


def pages(ops, api, example_file, coverage):
    examples, ignored = read_examples(example_file), ignored_names(coverage)
    with open(api, encoding="utf-8") as file:
        entries = {entry["name"]: entry for entry in json.load(file)["attributes"]
                   if entry["origin"] == "api"}
    found = {op["name"]: operation_page(op, examples) for op in ops
             if not op["group"].startswith("Steps")}
    for name, entry in entries.items():
        found.setdefault(name, None)
        found[name] = found[name] or entry_page(entry, examples, ignored)
        found[name]["versions"] = versions_of(entry)
    unknown = set(examples) - set(found)
    if unknown:
        raise SystemExit(f"api_examples.def: no such names: {sorted(unknown)}")
    return [found[name] for name in sorted(found)]


def main():
    ops, api, example_file, coverage, out = sys.argv[1:]
    lines = ["/* Made by scripts/make_api_pages.py; do not edit. */", '#include "rules/data/api_page.h"', "",
             "const ApiPage api_pages[] = {"]
    made = pages(make_sim_ops.read(ops), api, example_file, coverage)
    for page in made:
        page["soc"] = SOCS.get(page["example"].get("soc", ""), "")
        page["example"] = program(page["example"])
        fields = ",\n     ".join(f".{key} = {quoted(page[key])}" for key in FIELDS + ("versions",)
                                 if page.get(key))
        lines.append(f"    {{{fields}}},")
    lines += ["};", f"const size_t api_page_count = {len(made)};", ""]
    with open(out, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) != 6:
        raise SystemExit(__doc__)
    main()

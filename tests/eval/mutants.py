#!/usr/bin/env python3
"""Single mistakes in the sample programs: what the simulator refuses and what the linter finds of it.

    mutants.py PYPTO_LINT EVAL_DRIVE [--most N] [--pypto 9.1|9.2] [--list]

Fails when the linter surely finds what the simulator accepts, says it with another code or other words, finds
anything but advice in a program without a mistake, or finds less than the share that is asked for with --least.
"""
import argparse
import ast
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from verdicts import ROOT, refusals

SAMPLES = ROOT / "examples" / "sim"
DTYPES = {"DT_FP32": "DT_INT8", "DT_BF16": "DT_INT32", "DT_FP16": "DT_INT64", "DT_INT32": "DT_FP16",
          "DT_INT8": "DT_FP32", "DT_BOOL": "DT_FP32", "DT_INT64": "DT_FP32"}
REDUCTIONS = {"sum", "amax", "amin", "prod", "argmax", "argmin", "cumsum"}


def api_name(node):
    """The name below pypto of a call, or None."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and \
            function.value.id == "pypto":
        return function.attr
    return None


class Source:
    """A program and the places in it."""

    def __init__(self, text):
        self.text = text
        self.tree = ast.parse(self.text)
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.kernels = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)
                        and any("frontend" in ast.unparse(one) for one in node.decorator_list)]

    def span(self, node):
        return (self.starts[node.lineno - 1] + node.col_offset,
                self.starts[node.end_lineno - 1] + node.end_col_offset)

    def replaced(self, node, text):
        start, end = self.span(node)
        return self.text[:start] + text + self.text[end:]

    def part(self, node):
        start, end = self.span(node)
        return self.text[start:end]


def without(source, items, i):
    """A list of arguments or entries without the i-th."""
    return ", ".join(source.part(item) for k, item in enumerate(items) if k != i)


def of_call(source, call, name):
    """(kind, text) of each mistake that one call can have."""
    arguments, keywords = call.args, call.keywords
    if name in ("set_vec_tile_shapes", "set_cube_tile_shapes"):
        yield "tile removed", source.replaced(call, "None")
    if name == "set_vec_tile_shapes" and len(arguments) > 1:
        yield "tile entry dropped", source.replaced(
            call, f"pypto.{name}({without(source, arguments, len(arguments) - 1)})")
    if name == "set_cube_tile_shapes":
        lists = [entry for entry in arguments if isinstance(entry, ast.List) and entry.elts]
        for entry in lists[:1]:
            yield "cube tile 24", source.replaced(entry.elts[0], "24")
    for keyword in keywords:
        if keyword.arg in ("a_trans", "b_trans") and isinstance(keyword.value, ast.Constant):
            yield "transpose flipped", source.replaced(keyword.value, str(not keyword.value.value))
        if keyword.arg and name not in ("loop", "loop_unroll", "options"):
            start, _ = source.span(keyword)
            yield "keyword misspelt", source.text[:start] + "x" + source.text[start:]
    if name == "matmul" and not any(k.arg == "b_trans" for k in keywords):
        start, end = source.span(call)
        yield "transpose flipped", source.text[:end - 1] + ", b_trans=True" + source.text[end - 1:]
    if name == "cast" and len(arguments) > 1 and isinstance(arguments[1], ast.Attribute) and \
            arguments[1].attr in DTYPES:
        yield "cast dtype", source.replaced(arguments[1], "pypto." + DTYPES[arguments[1].attr])
    if name == "view" and len(arguments) == 3:
        for entry in arguments[1:]:
            if isinstance(entry, ast.List) and len(entry.elts) > 1:
                yield "window entry dropped", source.replaced(
                    entry, f"[{without(source, entry.elts, len(entry.elts) - 1)}]")
    if name in REDUCTIONS and len(arguments) > 1:
        yield "axis out of range", source.replaced(arguments[1], "7")
    if name == "assemble" and len(arguments) == 3:
        yield "assembled dtype", source.replaced(
            arguments[0], f"pypto.cast({source.part(arguments[0])}, pypto.DT_INT32)")
    if name not in ("frontend", "Tensor", "tensor"):
        yield "operation misspelt", source.replaced(call.func, f"pypto.{name}x")


def mutants(path):
    """(program, kind, line, text) of the single mistakes in kernels of a program."""
    return of_text(path.stem, path.read_text(encoding="utf-8"))


def of_text(name_of_program, text):
    """The same for the text of a program."""
    source = Source(text)
    if source.kernels:
        yield name_of_program, "unchanged", 0, text
    for kernel in source.kernels:
        for node in ast.walk(kernel):
            name = api_name(node)
            if name is not None and name not in ("Tensor",):
                for kind, text in of_call(source, node, name):
                    yield name_of_program, kind, node.lineno, text
            if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Call) and \
                    len(node.annotation.args) > 1:
                dtype = node.annotation.args[1]
                if isinstance(dtype, ast.Attribute) and dtype.attr in DTYPES:
                    yield name_of_program, "parameter dtype", node.lineno, source.replaced(
                        dtype, "pypto." + DTYPES[dtype.attr])


def chosen(samples, most):
    """At most so many mistakes of each kind, the same ones each time."""
    by_kind = collections.defaultdict(list)
    for path in sorted(samples.glob("*.py")):
        for mutant in mutants(path):
            by_kind[mutant[1]].append(mutant)
    generator = random.Random(7)
    for kind in sorted(by_kind):
        count = len(by_kind[kind]) if kind == "unchanged" else min(most, len(by_kind[kind]))
        yield from generator.sample(by_kind[kind], count)


def findings(program, folder, names):
    """{name: [(line, rule, certain, text)]} of the linter."""
    done = subprocess.run([program, *[str(folder / (name + ".py")) for name in names]],
                          stdout=subprocess.PIPE, encoding="utf-8", check=True)
    found, current = {}, None
    for line in done.stdout.splitlines():
        head = re.match(r"\S*/(\w+)\.py: \d+ kernels", line)
        one = re.match(r"  (\d+): (KS\d\d) (certain|likely) (.*)", line)
        if head:
            current = found.setdefault(head.group(1), [])
        elif one and current is not None:
            current.append((int(one.group(1)), one.group(2), one.group(3) == "certain", one.group(4)))
    return found


def other_words(found, code, said):
    """The first sure finding that has a code, when none has what the simulator says. That one need not be
    sure: other hardware may take what this one refuses."""
    # Parameters are numbered apart where the linter does not know the rank of one.
    said = re.sub(r"\bdim_\d+_", "dim_", said)
    first = None
    for finding in found:
        words = re.match(r"(.*?) \((F[0-9A-Z]{5})[,)]", finding[3])
        if words and words.group(2) == code and re.sub(r"\bdim_\d+_", "dim_", words.group(1)) in said:
            return None
        first = first or (finding if words and finding[2] else None)
    return first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("drive")
    parser.add_argument("--most", type=int, default=8)
    parser.add_argument("--pypto", default="9.2")
    parser.add_argument("--least", type=int, default=0, help="per cent")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--samples", type=pathlib.Path, default=SAMPLES, help="folder with the programs")
    options = parser.parse_args()
    cases = list(chosen(options.samples, options.most))
    table, wrong = collections.defaultdict(lambda: [0, 0]), []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in options.samples.glob("*.py"):
            (folder / path.name).write_bytes(path.read_bytes())
        names = [f"m{i:04}" for i in range(len(cases))]
        for mutant, case in zip(names, cases):
            (folder / (mutant + ".py")).write_text(case[3], encoding="utf-8")
        refused = refusals(options.binary, folder, names, options.pypto)
        found = findings(options.drive, folder, names)
    for mutant, (program, kind, line, _) in zip(names, cases):
        if kind == "unchanged":
            told = [one for one in found.get(mutant, ()) if one[1] != "KS19"]
            if refused[mutant][0] is None and told:
                wrong.append((program, kind, refused[mutant], told))
            continue
        (code, said), sure = refused[mutant], [one for one in found.get(mutant, ()) if one[2]]
        is_refused = code is not None and code != "TOO LARGE"
        table[kind][0] += is_refused
        table[kind][1] += is_refused and bool(found.get(mutant))
        if not is_refused and sure:
            wrong.append(("false alarm:", program, kind, line, sure))
        # A run ends at a launch that does not fit; the linter has words of its own for that, and goes on.
        if is_refused and kind != "parameter dtype" and other_words(found.get(mutant, ()), code, said):
            wrong.append(("other words:", program, kind, line, found[mutant], said[-600:]))
        if options.list and is_refused and not found.get(mutant):
            print(f"missed: {program}:{line} {kind}: {code}")
    for kind, (all_of, some) in sorted(table.items()):
        print(f"{kind:24} {some:4} of {all_of}")
    total, hit = (sum(row[i] for row in table.values()) for i in (0, 1))
    print(f"{'all':24} {hit:4} of {total}")
    for one in wrong:
        print(*one)
    return 1 if wrong or hit * 100 < total * options.least else 0


if __name__ == "__main__":
    sys.exit(main())

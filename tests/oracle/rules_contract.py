"""Rules about the module contract: OL50 (wrapper parameters) and OL51 (outputs are written)."""

import ast
import os
import re

from frontmatter import load_yaml
from model import FUNCS, PLAIN, bare_callee, calls, subtree

TARGET_KEYS = ("target", "dst", "out")
IN_PLACE = ("index_add_", "index_add__ub", "index_put_", "scatter_", "axpy_")
METHODS = ("move", "assemble", "index_add_", "scatter_", "axpy_")
FILLERS = ("zeros", "ones", "empty", "full", "tensor", "zeros_like", "empty_like", "ones_like")
RESHAPES = ("reshape", "view", "contiguous", "clone", "detach")
STEPS = 4
ACCUMULATING = object()


# The contract --------------------------------------------------------------------------

def interfaces(op):
    data = load_yaml(op.text("eval/module_interfaces.yaml"))
    return data if isinstance(data, dict) else None


def names_in(entries):
    if not isinstance(entries, list):
        return []
    return [e["name"] for e in entries if isinstance(e, dict) and isinstance(e.get("name"), str)]


def suffix_of(op, rel):
    match = re.match(re.escape(op.name) + r"_module([0-9]+)_impl\.py\Z", os.path.basename(rel))
    return match.group(1) if match else None


def module_ids(suffix):
    ids = []
    at = 0
    while at < len(suffix):
        wanted = str(len(ids) + 1)
        if not suffix.startswith(wanted, at):
            return []
        at += len(wanted)
        ids.append(int(wanted))
    return ids


def modules_of(contract, ids):
    modules = contract.get("modules")
    return [m for m in (modules if isinstance(modules, list) else [])
            if isinstance(m, dict) and type(m.get("id")) is int and m["id"] in ids]


def primary_of(contract, ids):
    primary = contract.get("primary_inputs")
    if not isinstance(primary, list):
        return []
    used = set()
    for module in modules_of(contract, ids):
        inputs = module.get("inputs")
        used |= set(names_in([i for i in inputs if isinstance(i, dict)
                              and i.get("source") == "primary"] if isinstance(inputs, list)
                             else []))
    return [n for n in names_in(primary) if n in used]


# OL50 ----------------------------------------------------------------------------------

def wrapper_of(op, file, suffix):
    table = {}
    for function in file.functions:
        table[function.name] = function
    if suffix is not None:
        return table.get("%s_module%s_wrapper" % (op.name, suffix))
    for name in ("host_wrapper", op.name + "_wrapper"):
        if name in table:
            return table[name]
    return next((table[n] for n in table if n.startswith(("launch_", "run_"))), None)


def ol50(op, out):
    contract = interfaces(op)
    if contract is None or not op.scan:
        return "SKIP"
    unsure = False
    for file in op.scan:
        suffix = suffix_of(op, file.rel)
        if suffix is not None and not module_ids(suffix):
            # does the name alone count, or is an unparsable file passed over first?
            unsure = unsure or file.tree is None
            out.line("FAIL", file.rel, 0, tag="suffix")
        elif file.tree is not None:
            check_wrapper(op, file, suffix, contract, out)
    return "OPEN" if unsure else "PASS"


def check_wrapper(op, file, suffix, contract, out):
    if suffix is None:
        primary = contract.get("primary_inputs", [])
        if not isinstance(primary, list):
            return
        expected = names_in(primary)
    else:
        expected = primary_of(contract, module_ids(suffix))
    wrapper = wrapper_of(op, file, suffix)
    if wrapper is None:
        out.line("FAIL", file.rel, 0, tag="wrapper")
        return
    a = wrapper.args
    if [p.arg for p in a.posonlyargs + a.args + a.kwonlyargs] != expected:
        out.at("FAIL", file, wrapper, tag="order")


# OL51 ----------------------------------------------------------------------------------

def pypto_function(call):
    """Name F of a call `pypto.F(...)` with the literal owner, else None."""
    func = call.func
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) \
            and func.value.id == "pypto":
        return func.attr
    return None


def method(call):
    """(receiver, method) of a call on a plain name other than `pypto`."""
    func = call.func
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) \
            and func.value.id != "pypto":
        return func.value.id, func.attr
    return None, None


def plain(nodes):
    return {n.id for n in nodes if isinstance(n, ast.Name)}


def keyword_values(call, keys):
    return [k.value for k in call.keywords if k.arg in keys]


def is_row(node):
    return isinstance(node, (ast.List, ast.Tuple))


def subscripted(node):
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return node.value.id
    return None


def written_names(node):
    """Names that one node writes, by the table of forms."""
    if isinstance(node, ast.Assign):
        return {subscripted(t) for t in node.targets} - {None}
    if isinstance(node, ast.AugAssign):
        return {subscripted(node.target)} - {None}
    if not isinstance(node, ast.Call):
        return set()
    function, arguments = pypto_function(node), node.args
    if function == "assemble":
        found = arguments[2:3]
        if len(arguments) == 2 and is_row(arguments[0]):
            found = arguments[1:]
        return plain(found + keyword_values(node, TARGET_KEYS))
    if function == "move":
        return plain(arguments[1:2] + keyword_values(node, TARGET_KEYS))
    if function in IN_PLACE:
        return plain(arguments[:1] + keyword_values(node, ("input", "y")))
    receiver, name = method(node)
    return {receiver} if name in METHODS else set()


def writes(node):
    """(name, source) pairs of one node, as the second check sees them."""
    if isinstance(node, ast.Assign):
        name = subscripted(node.targets[0]) if len(node.targets) == 1 else None
        return [(name, node.value)] if name else []
    if isinstance(node, ast.AugAssign):
        name = subscripted(node.target)
        return [(name, node.value)] if name else []
    if not isinstance(node, ast.Call):
        return []
    function, arguments = pypto_function(node), node.args
    if function == "assemble":
        return assemble_writes(arguments)
    if function in IN_PLACE:
        return [(n, ACCUMULATING)
                for n in plain(arguments[:1] + keyword_values(node, ("input", "y")))]
    receiver, name = method(node)
    if name in ("move", "assemble"):
        return [(receiver, arguments[0])] if arguments else []
    return [(receiver, ACCUMULATING)] if name in IN_PLACE else []


def assemble_writes(arguments):
    if len(arguments) >= 3 and isinstance(arguments[2], ast.Name):
        return [(arguments[2].id, arguments[0])]
    if len(arguments) >= 2 and is_row(arguments[0]) and isinstance(arguments[1], ast.Name):
        return [(arguments[1].id, e.elts[0]) for e in arguments[0].elts if is_row(e) and e.elts]
    return []


def reached(file, kernel):
    """The kernel and the top-level functions it reaches, or None when they are too many."""
    table = file.graph_m()
    order, seen = [kernel], {kernel.name}
    for function in order:
        for call in calls(function):
            name = bare_callee(call)
            if name in table and name not in seen:
                seen.add(name)
                order.append(table[name])
    return order if len(order) <= 9 else None


class Locals:
    """Local names of a kernel that still stand for the expression they were given."""

    def __init__(self, file, kernel, inputs):
        self.inputs = inputs
        self.table = {}
        self.unsure = set()
        changed = set()
        placed = {}
        named = {f.name for f in file.functions}
        for node in subtree(kernel):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 \
                    and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if placed.setdefault(name, 0) > node.lineno:
                    self.unsure.add(name)  # "the last one": in the text or in the tree?
                placed[name] = node.lineno
                self.table[name] = node.value
            elif isinstance(node, ast.AugAssign):
                changed |= plain([node.target])
            if isinstance(node, ast.Call):
                receiver, name = method(node)
                if name in METHODS + IN_PLACE:
                    changed.add(receiver)
                passed = plain(node.args + [k.value for k in node.keywords])
                if bare_callee(node) in file.graph_m():
                    changed |= passed
                elif bare_callee(node) in named:
                    self.unsure |= passed  # a method or `async def` of that name
            changed |= written_names(node)
        for name in changed:
            self.table.pop(name, None)
            self.unsure.discard(name)

    def trivial(self, source, steps=0):
        if source is ACCUMULATING:
            return False
        if isinstance(source, ast.Name):
            if source.id in self.inputs:
                return True
            if source.id not in self.table or steps == STEPS:
                return False
            if source.id in self.unsure:
                raise LookupError(source.id)
            return self.trivial(self.table[source.id], steps + 1)
        if isinstance(source, ast.Subscript):
            return subscripted(source) in self.inputs
        if isinstance(source, ast.Call):
            function = pypto_function(source)
            if function in FILLERS:
                return True
            if function in ("view", "reshape"):
                return bool(plain(source.args[:1]) & self.inputs)
            receiver, name = method(source)
            return name in RESHAPES and receiver in self.inputs
        return False


def check_kernel(file, kernel, expected, out):
    """Report trivial outputs of one kernel; False when the pages leave the verdict open."""
    names = [p.arg for p in kernel.args.args]
    if len(names) < len(expected):
        return True
    outputs = expected if set(expected) <= set(names) else names[-len(expected):]
    scope = Locals(file, kernel, set(names) - set(outputs))
    functions = reached(file, kernel)
    if functions is None:
        return False
    found = {}
    for function in functions:
        for node in subtree(function):
            for name, source in writes(node):
                found.setdefault(name, []).append((node.lineno, source))
    for name in dict.fromkeys(outputs):
        places = found.get(name, [])
        try:
            if places and all(scope.trivial(s) for _, s in places):
                out.line("FAIL", file.rel, places[0][0], tag="b:" + name,
                         any_of=sorted({line for line, _ in places}))
        except LookupError:
            return False
    return True


def ol51(op, out):
    contract = interfaces(op)
    if contract is None or not op.scan:
        return "SKIP"
    sure = True
    for file in op.parsed:
        suffix = suffix_of(op, file.rel)
        if suffix is None:
            expected = names_in(contract.get("final_outputs"))
        else:
            ids = module_ids(suffix)
            last = modules_of(contract, ids[-1:])
            expected = names_in(last[0].get("outputs")) if last else []
        if not expected:
            continue
        written = set().union(*(written_names(n) for n in file.nodes))
        if len(written) < len(expected):
            if file.kernels:
                out.at("FAIL", file, file.kernels[0], tag="a")
            else:
                out.line("FAIL", file.rel, 0, tag="a")
            continue
        for kernel in file.kernels:
            sure = check_kernel(file, kernel, expected, out) and sure
    return "PASS" if sure else "OPEN"


RULES = {"OL50": ol50, "OL51": ol51}

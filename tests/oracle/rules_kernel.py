"""Rules about the kernel entry, its body and the imports of implementation files:
OL01-OL08 and OL16."""

import ast

from model import FUNCS, PLAIN, attr_callee, bare_callee, calls, subtree


def ordinary(function):
    return function.args.args


def ol01(op, out):
    if not op.parsed:
        return "SKIP"
    for file in op.parsed:
        if len(file.kernels) > 1:
            out.at("FAIL", file, file.kernels[0], tag="many")
        if len(file.kernels) == file.aliased:
            mark = first_jit_like(file)
            if mark is None:
                out.line("FAIL", file.rel, 1, tag="none")
            elif is_chain(mark):
                out.at("FAIL", file, mark, tag="none")
            else:  # `@f().jit`: the end of a chain, or no chain at all
                out.line("FAIL", file.rel, mark.lineno, tag="none", any_line=True)
    return "PASS"


def is_chain(node):
    while isinstance(node, (ast.Call, ast.Attribute)):
        called = isinstance(node, ast.Call)
        node = node.func if called else node.value
        if not called and isinstance(node, ast.Call):
            return False
    return isinstance(node, ast.Name)


def first_jit_like(file):
    found = []
    for node in file.nodes:
        for decorator in getattr(node, "decorator_list", []):
            core = decorator
            while isinstance(core, ast.Call):
                core = core.func
            if ((isinstance(core, ast.Attribute) and core.attr == "jit")
                    or (isinstance(core, ast.Name) and core.id == "jit")):
                found.append(decorator)
    return min(found, key=lambda n: (n.lineno, n.col_offset), default=None)


def ol02(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            names = {p.arg for p in ordinary(kernel)}
            for node in subtree(kernel):
                targets = []
                if isinstance(node, ast.Assign):
                    targets = node.targets
                elif isinstance(node, ast.AugAssign):
                    targets = [node.target]
                for target in targets:
                    if isinstance(target, ast.Name) and target.id in names:
                        out.at("FAIL", file, node, target)
    return "PASS" if op.with_kernel else "SKIP"


def ol03(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            for node in subtree(kernel):
                if isinstance(node, ast.Return):
                    out.at("FAIL", file, node)
    return "PASS" if op.with_kernel else "SKIP"


def ol04(op, out):
    wanted = ("set_vec_tile_shapes", "set_cube_tile_shapes")
    for file in op.with_kernel:
        reached = [f for k in file.kernels for f in file.reach_m(k)]
        if not any((attr_callee(c) or file.owned_call(c)) in wanted for f in reached for c in calls(f)):
            out.at("FAIL", file, file.kernels[0])
    return "PASS" if op.with_kernel else "SKIP"


def ol05(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            for parameter in ordinary(kernel):
                if parameter.annotation is None:
                    out.at("FAIL", file, kernel, parameter, tag=parameter.arg)
    return "PASS" if op.with_kernel else "SKIP"


def is_number(kernel, node):
    """A literal of a number, perhaps with a sign, or a parameter annotated int or float."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Name):
        return any(a.arg == node.id and isinstance(a.annotation, ast.Name) and a.annotation.id in ("int", "float")
                   for a in kernel.args.args)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def innermost(file, call):
    return min((k for k in file.kernels if call in calls(k)), key=lambda k: len(subtree(k)))


def is_plain(file, call):
    """Computed by Python while the graph is built; the Python linter reports it all the same."""
    kernel = innermost(file, call)
    return bool(call.args) and not call.keywords and all(is_number(kernel, a) for a in call.args)


def ol06(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            for call in calls(kernel):
                if bare_callee(call) in ("min", "max") and (op.old or not is_plain(file, call)):
                    out.at("FAIL", file, call)
    return "PASS" if op.with_kernel else "SKIP"


def is_pypto_module(name):
    return name == "pypto" or name.startswith("pypto.")


def ol07(op, out):
    for file in op.parsed:
        before = len(out.findings)
        plain = False
        for node in file.tree.body:
            if isinstance(node, ast.Import):
                for item in node.names:
                    if item.name == "pypto" and item.asname is None:
                        plain = True
                    elif is_pypto_module(item.name):
                        out.at("FAIL", file, node, item, tag="item")
            elif isinstance(node, ast.ImportFrom) and is_pypto_module(node.module or ""):
                out.at("FAIL", file, node, tag="from")
        if not plain and len(out.findings) == before:
            if file.tree.body:
                out.at("FAIL", file, file.tree.body[0], tag="missing")
            else:
                out.line("FAIL", file.rel, 1, tag="missing")
    return "PASS" if op.parsed else "SKIP"


def ol08(op, out):
    for file in op.parsed:
        if file.suffix_wrappers():
            continue
        top = [n for n in file.tree.body if isinstance(n, FUNCS)]
        if file.kernels:
            out.at("FAIL", file, file.kernels[0])
        elif top:
            # "last top-level function": whether an async def counts is left open
            out.at("FAIL", file, top[-1])
            if not isinstance(top[-1], PLAIN):
                out.findings[-1]["any_line"] = True
        else:
            out.line("FAIL", file.rel, 1)
    return "PASS" if op.parsed else "SKIP"


def ol16(op, out):
    golden = op.name + "_golden"
    for file in op.parsed:
        for node in file.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == golden:
                out.at("FAIL", file, node)
            elif isinstance(node, ast.Import):
                for item in node.names:
                    if item.name == golden:
                        out.at("FAIL", file, node, item, tag="item")
    return "PASS" if op.parsed else "SKIP"


RULES = {"OL01": ol01, "OL02": ol02, "OL03": ol03, "OL04": ol04, "OL05": ol05,
         "OL06": ol06, "OL07": ol07, "OL08": ol08, "OL16": ol16}

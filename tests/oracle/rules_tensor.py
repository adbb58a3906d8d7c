"""Rules about tensor annotations, tile shapes and views: OL25, OL26, OL28, OL29,
OL48 and OL52."""

import ast

from model import calls, subtree, texts

MAX_NAMES = 9
NEED_FP32 = {"sigmoid", "softmax", "sin", "cos"}
TILE_CALLS = ("set_vec_tile_shapes", "set_cube_tile_shapes")


def tensor_parameters(file, kernel):
    """(parameter, form, arguments) of the ordinary parameters with arguments to look at."""
    for parameter in kernel.args.args:
        if parameter.annotation is None:
            continue
        form, arguments = file.tensor_form(parameter.annotation)
        if form in ("call", "bracket"):
            yield parameter, form, arguments


def ol25(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            for parameter, form, arguments in tensor_parameters(file, kernel):
                if form == "bracket" and any(isinstance(a, ast.Dict) for a in arguments):
                    continue
                first = arguments[0] if arguments else None
                if first is None:
                    out.at("FAIL", file, parameter.annotation, tag="empty")
                elif isinstance(first, ast.List) and not first.elts:
                    out.at("FAIL", file, parameter.annotation, tag="shape")
                elif len(arguments) == 1:
                    out.at("WARN", file, parameter.annotation, tag="dtype")
    return "PASS" if op.with_kernel else "SKIP"


def ol26(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            scalar_seen = False
            for parameter in kernel.args.args:
                if parameter.annotation is None:
                    continue
                if file.tensor_form(parameter.annotation)[0] is None:
                    scalar_seen = True
                elif scalar_seen:
                    out.at("FAIL", file, kernel, parameter, tag=parameter.arg)
    return "PASS" if op.with_kernel else "SKIP"


def ol28(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            if not any(file.owned_call(c) in NEED_FP32 for c in calls(kernel)):
                continue
            for parameter, _, arguments in tensor_parameters(file, kernel):
                if len(arguments) >= 2 and not any("DT_FP32" in t for t in texts(arguments[1])):
                    out.at("WARN", file, kernel, arguments[1], tag=parameter.arg)
    return "PASS" if op.with_kernel else "SKIP"


def ol29(op, out):
    examined = False
    for file in op.with_kernel:
        primary = file.primary_kernels()
        shapes = [arguments[:1] for k in primary
                  for _, _, arguments in tensor_parameters(file, k)]
        if not shapes:
            continue
        examined = True
        if not any(file.is_dynamic(s) for first in shapes for s in first):
            out.at("WARN", file, primary[0])
    return "PASS" if examined else "SKIP"


# Tile shapes ---------------------------------------------------------------------------

def binding(statement):
    """(name, expression) of a plain or annotated assignment to one name, else None."""
    if (isinstance(statement, ast.Assign) and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)):
        return statement.targets[0].id, statement.value
    if (isinstance(statement, ast.AnnAssign) and statement.value is not None
            and isinstance(statement.target, ast.Name)):
        return statement.target.id, statement.value
    return None


def lookup_table(file, kernel, line):
    table = dict(b for b in map(binding, file.tree.body) if b)
    local = [n for n in subtree(kernel) if binding(n) and n.lineno < line]
    for statement in sorted(local, key=lambda n: n.lineno):
        name, value = binding(statement)
        table[name] = value
    return table


def resolves(node, table):
    used = 0
    while isinstance(node, ast.Name):
        used += 1
        if used > MAX_NAMES or node.id not in table:
            return False
        node = table[node.id]
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def cube_axes(call):
    for index, name in enumerate("mkn"):
        if index < len(call.args):
            yield call.args[index]
        else:
            for keyword in call.keywords:
                if keyword.arg == name:
                    yield keyword.value
                    break


def ol48(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            for call in calls(kernel):
                if file.owned_call(call) in TILE_CALLS:
                    check_tile_call(file, kernel, call, out)
    return "PASS" if op.with_kernel else "SKIP"


def check_tile_call(file, kernel, call, out):
    table = lookup_table(file, kernel, call.lineno)
    for argument in call.args:
        for value in argument.elts if isinstance(argument, ast.List) else [argument]:
            if not resolves(value, table):
                out.at("FAIL", file, call, value, tag="constant:%d:%d"
                       % (value.lineno, value.col_offset))
    if file.owned_call(call) != "set_cube_tile_shapes":
        return
    for axis in cube_axes(call):
        if not isinstance(axis, ast.List):
            continue
        where = ":%d:%d" % (axis.lineno, axis.col_offset)
        if len(axis.elts) != 2:
            out.at("FAIL", file, call, axis, tag="length" + where)
            continue
        if not all(isinstance(e, ast.Constant) and type(e.value) is int for e in axis.elts):
            continue
        low, high = axis.elts[0].value, axis.elts[1].value
        if low <= 0 or high <= 0:
            out.at("FAIL", file, call, axis, tag="positive" + where)
            continue
        if low > high:
            out.at("FAIL", file, call, axis, tag="order" + where)
        if high % low:
            out.at("FAIL", file, call, axis, tag="multiple" + where)


# Views ---------------------------------------------------------------------------------

def argument(call, index, name):
    if index < len(call.args):
        return call.args[index]
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return None


def known_length(node):
    return len(node.elts) if isinstance(node, (ast.List, ast.Tuple)) else None


def ol52(op, out):
    for file in op.parsed:
        for call in calls(file.tree):
            if file.owned_call(call) != "view":
                continue
            shape = known_length(argument(call, 1, "shape"))
            offsets = argument(call, 2, "offsets")
            valid = argument(call, 3, "valid_shape")
            if shape is None:
                continue
            if known_length(offsets) not in (None, shape):
                out.at("FAIL", file, call, offsets, tag="offsets")
            if known_length(valid) not in (None, shape, 0):
                out.at("FAIL", file, call, valid, tag="valid_shape")
    return "PASS" if op.scan else "SKIP"


RULES = {"OL25": ol25, "OL26": ol26, "OL28": ol28, "OL29": ol29, "OL48": ol48, "OL52": ol52}

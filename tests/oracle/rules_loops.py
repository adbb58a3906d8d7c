"""Rules about loops: OL23, OL45, OL46, OL47, OL49, OL56 and OL57."""

import ast

from markdown import python_blocks
from model import attr_callee, bare_callee, calls, subtree, texts

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def has_loop_structure(node):
    for n in subtree(node):
        if isinstance(n, (ast.For, ast.AsyncFor, ast.While)):
            return True
        if isinstance(n, ast.Call):
            if any(k.arg in ("unroll_list", "submit_before_loop") for k in n.keywords):
                return True
            if any("loop" in text.lower() for text in texts(n.func)):
                return True
    return False


def ol23(op, out):
    out.parse_errors(op.unparsable)
    for file in op.with_kernel:
        primary = file.primary_kernels()
        if not any(has_loop_structure(k) for k in primary):
            out.at("WARN", file, primary[0])
    return "PASS" if op.with_kernel else "SKIP"


def is_range_call(node):
    return isinstance(node, ast.Call) and bare_callee(node) == "range"


def calls_kernel(file, node):
    found = [c for c in calls(node)
             if bare_callee(c) in file.kernel_names or attr_callee(c) in file.kernel_names]
    return min(found, key=lambda c: (c.lineno, c.col_offset), default=None)


def ol45(op, out):
    for file in op.with_kernel:
        for function in filter(op.is_layer_k, file.functions):
            for node in subtree(function):
                if isinstance(node, ast.For) and is_range_call(node.iter):
                    launch = calls_kernel(file, node)
                    if launch is not None:
                        out.at("FAIL", file, node, launch)
    return "PASS" if op.scan else "SKIP"


def is_layer_i(function):
    return "_kernel_impl" in function.name or function.name.endswith("_impl")


def loop_count(call):
    """The literal count of a pypto.loop call, None when unknown."""
    if call.args and isinstance(call.args[0], ast.Constant) \
            and isinstance(call.args[0].value, int):
        return int(call.args[0].value)
    return None


def ol46(op, out):
    for file in op.parsed:
        for function in filter(is_layer_i, file.functions):
            loops = [c for c in calls(function) if file.owned_call(c) == "loop"]
            once = [c for c in loops if loop_count(c) == 1]
            if once and len(once) < len(loops):
                for call in once:
                    out.at("WARN", file, call)
    return "PASS" if op.scan else "SKIP"


def ol47(op, out):
    tile = ("set_vec_tile_shapes", "set_cube_tile_shapes")
    for file in op.parsed:
        for function in filter(is_layer_i, file.functions):
            settings = [s for s in function.body if isinstance(s, (ast.Expr, ast.Assign))
                        and file.owned_call(s.value) in tile]
            steps = [c for c in calls(function) if (bare_callee(c) or "").startswith("pypto_")]
            if settings and len(steps) >= 2:
                out.at("INFO", file, settings[0], tag=function.name)
    return "PASS" if op.scan else "SKIP"


def unroll_keyword(loop):
    return next((k for k in loop.iter.keywords if k.arg == "unroll_list"), None)


def ol49(op, out):
    for file in op.with_kernel:
        for kernel in file.kernels:
            for loop in filter(file.is_loop_statement, subtree(kernel)):
                keyword = unroll_keyword(loop)
                inner = any(file.is_loop_statement(n) for s in loop.body + loop.orelse
                            for n in subtree(s))
                if keyword is not None and inner:
                    out.at("FAIL", file, loop.iter, keyword)
    return "PASS" if op.with_kernel else "SKIP"


def check_unroll_values(file, root, out):
    for loop in filter(file.is_loop_statement, subtree(root)):
        keyword = unroll_keyword(loop)
        if keyword and isinstance(keyword.value, (ast.List, ast.Tuple)) \
                and len(keyword.value.elts) >= 2:
            out.at("FAIL", file, loop.iter, keyword.value)


def ol56(op, out):
    design = op.document("DESIGN.md")
    if design is not None and (op.file is None or op.file.split("/")[-1] == "DESIGN.md"):
        for block in python_blocks("DESIGN.md", design):
            check_unroll_values(block, block.tree, out)
    for file in op.with_kernel:
        for kernel in file.kernels:
            check_unroll_values(file, kernel, out)
    return "PASS" if design is not None or op.with_kernel else "SKIP"


def graph_functions(op, file):
    table = file.graph_n()
    names = file.reach_n()
    names |= {n for n, f in table.items() if file.has_pypto_call(f)}
    return [table[n] for n in sorted(names) if not op.is_layer_k(table[n])]


def ol57(op, out):
    out.parse_errors(op.unparsable)
    for file in op.with_kernel:
        for function in graph_functions(op, file):
            for statement in function.body:
                for node in subtree(statement):
                    if bad_loop(file, node):
                        out.at("FAIL", file, node)
    return "PASS" if op.with_kernel else "SKIP"


def bad_loop(file, node):
    if isinstance(node, ast.While):
        return True
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return not (file.owned_call(node.iter) in ("loop", "loop_unroll")
                    or is_range_call(node.iter))
    return isinstance(node, COMPREHENSIONS) and file.has_pypto_call(node)


RULES = {"OL23": ol23, "OL45": ol45, "OL46": ol46, "OL47": ol47, "OL49": ol49,
         "OL56": ol56, "OL57": ol57}

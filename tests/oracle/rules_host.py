"""Rules about host code and tests: OL15, OL17, OL18, OL58, OL60 and OL62."""

import ast
import os

from model import FUNCS, Undecided, attr_callee, bare_callee, calls, subtree
from report import last_token
from rules_tensor import binding

MAX_LOOKUPS = 6
CREATORS = ("zeros", "empty", "ones", "full")
TORCH_ALLOWED = set("""
empty zeros ones full empty_like zeros_like ones_like full_like tensor as_tensor from_numpy
arange eye randn rand randint normal randn_like rand_like reshape cat stack chunk split unbind
movedim swapaxes swapdims broadcast_to flatten squeeze unsqueeze permute transpose pad tril triu
tril_indices triu_indices meshgrid repeat tile set_device manual_seed device get_default_dtype
set_default_dtype no_grad set_grad_enabled is_available device_count current_device""".split())
METHOD_ARITHMETIC = set("""
matmul mm bmm dot mv einsum exp expm1 log log1p log2 log10 softmax log_softmax sum mean median std
var prod cumsum cumprod rsqrt sqrt sigmoid tanh relu gelu silu pow neg abs maximum minimum amax
amin argmax argmin where clamp clamp_min clamp_max erf sin cos tan sign floor ceil round
reciprocal addmm baddbmm addbmm scatter scatter_add gather index_select index_add norm dist cross
outer masked_fill add sub mul div""".split())
EXEMPT_ROOTS = {"np", "numpy", "math", "os", "sys", "self", "kwargs"}
NOT_PRODUCTION = {"_validate", "_make_inputs", "main", "_self_test", "_demo", "_test"}


# Golden and test file ------------------------------------------------------------------

def ol15(op, out):
    file = op.source(op.name + "_golden.py")
    if file.tree is None:
        return "SKIP"
    for node in file.tree.body:
        if isinstance(node, ast.Import):
            for item in node.names:
                if item.name == "pypto" or item.name.startswith("pypto."):
                    out.at("FAIL", file, node, tag="import:" + item.name)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pypto"):
            out.at("FAIL", file, node, tag="from")
    for node in file.nodes:
        if isinstance(node, ast.Attribute) and node.attr == "T":
            out.at("FAIL", file, node, last_token(file, node), tag="T")
        elif isinstance(node, ast.Call) and attr_callee(node) == "t" and not node.args:
            out.at("FAIL", file, node, tag="t")
    return "PASS"


def ol17(op, out):
    file = op.source("test_%s.py" % op.name)
    if file.tree is None:
        return "SKIP"
    for kernel in file.kernels:
        out.at("FAIL", file, kernel)
    return "PASS"


def ol18(op, out):
    file = op.source("test_%s.py" % op.name)
    if file.tree is None:
        return "SKIP"
    names = []
    for node in file.nodes:
        if isinstance(node, ast.Import):
            names += [item.name for item in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    top = [n for n in file.tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    for wanted in (op.name + "_impl", op.name + "_golden"):
        if not any(n == wanted or n.endswith("." + wanted) for n in names):
            if top:
                out.at("FAIL", file, top[-1], tag=wanted)
            else:
                out.line("FAIL", file.rel, 1, tag=wanted)
    return "PASS"


# OL58 ----------------------------------------------------------------------------------

def parameters(function):
    a = function.args
    extra = [p for p in (a.vararg, a.kwarg) if p]
    return {p.arg for p in a.posonlyargs + a.args + a.kwonlyargs + extra}


def stored_names(target):
    return {n.id for n in ast.walk(target)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def other_bindings(function):
    """Names bound in the wrapper by anything but an assignment to one plain name."""
    names = set()
    for n in subtree(function):
        if isinstance(n, ast.Assign):
            for target in n.targets:
                if isinstance(target, (ast.Tuple, ast.List)):
                    names |= stored_names(target)
        elif isinstance(n, ast.NamedExpr):
            names.add(n.target.id)
        elif isinstance(n, (ast.For, ast.AsyncFor)):
            names |= stored_names(n.target)
        elif isinstance(n, (ast.With, ast.AsyncWith)):
            for item in n.items:
                if item.optional_vars is not None:
                    names |= stored_names(item.optional_vars)
        elif isinstance(n, ast.ExceptHandler):
            names.add(n.name)
        elif isinstance(n, (ast.Import, ast.ImportFrom)):
            names |= {item.asname or item.name.split(".")[0] for item in n.names}
        elif isinstance(n, FUNCS + (ast.ClassDef,)) and n is not function:
            names.add(n.name)
        elif isinstance(n, (ast.MatchAs, ast.MatchStar)):
            names.add(n.name)
        elif isinstance(n, ast.MatchMapping):
            names.add(n.rest)
    return names


def origin_known(name, known, table):
    for _ in range(MAX_LOOKUPS):
        if name in known:
            return True
        if name not in table:
            return False
        value = table[name]
        if not isinstance(value, ast.Name):
            return True
        name = value.id
    return False


def looks_like_output(name):
    return name in ("out", "output") or name.startswith("out_") or name.endswith("_out")


def ol58(op, out):
    out.parse_errors(op.unparsable)
    wrappers = False
    for file in op.parsed:
        for function in filter(op.is_layer_k, file.functions):
            wrappers = True
            check_wrapper(file, function, out)
    return "PASS" if wrappers else "SKIP"


def check_wrapper(file, function, out):
    known = parameters(function) | other_bindings(function)
    table = dict(b for b in map(binding, subtree(function)) if b)
    for call in calls(function):
        if file.owned_call(call) in CREATORS:
            out.at("FAIL", file, call, tag="create")
        if bare_callee(call) in file.kernel_names or attr_callee(call) in file.kernel_names:
            for value in call.args + [k.value for k in call.keywords]:
                if (isinstance(value, ast.Name) and looks_like_output(value.id)
                        and not origin_known(value.id, known, table)):
                    out.at("FAIL", file, value, tag="unallocated")


# OL60 ----------------------------------------------------------------------------------

def ol60(op, out):
    tests = ["test_%s.py" % op.name] if op.exists("test_%s.py" % op.name) else []
    tests += op.module_entries("test_%s_module" % op.name, ".py")
    stems = {os.path.basename(f.rel)[:-3]: f for f in op.scan if f.rel.endswith(".py")}
    used = False
    for test in map(op.source, tests):
        if test.tree is None:
            continue
        pairs = {(node.module, item.asname or item.name)
                 for node in test.nodes if isinstance(node, ast.ImportFrom)
                 for item in node.names if node.module in stems and item.name != "*"}
        for stem, name in sorted(pairs):
            sites = [c for c in calls(test.tree) if bare_callee(c) == name]
            if not sites:
                continue
            used = True
            first = min(sites, key=lambda c: (c.lineno, c.col_offset))
            if not reaches_kernel(stems[stem], name):
                out.at("FAIL", test, first, tag=stem + ":" + name)
    return "PASS" if used else "SKIP"


def reaches_kernel(file, name):
    """True when nothing is to be reported for NAME of an implementation file."""
    if file.tree is None:
        return True
    if not file.kernels:
        return False
    function = file.graph_m().get(name)
    if function is None or name in file.kernel_names:
        return True
    return any(bare_callee(c) in file.kernel_names
               for f in file.reach_m(function) for c in calls(f))


# OL62 ----------------------------------------------------------------------------------

def root(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def is_main_guard(node):
    return (isinstance(node, ast.If) and isinstance(node.test, ast.Compare)
            and isinstance(node.test.left, ast.Name) and node.test.left.id == "__name__")


def production(file):
    for statement in file.tree.body:
        if is_main_guard(statement):
            continue
        if isinstance(statement, FUNCS) and statement.name in NOT_PRODUCTION:
            continue
        yield from subtree(statement)


def jit_graph_nodes(op, file):
    """Ids of the nodes in which arithmetic on framework tensors is expected.

    Graph N is keyed by name: the name of a kernel stands for the last function that has it.
    """
    table = file.graph_n()
    reached = {n: table[n] for n in file.reach_n()}
    inside = {id(n) for f in list(reached.values()) + file.kernels for n in subtree(f)}
    from_outside = {bare_callee(n) for n in production(file)
                    if isinstance(n, ast.Call) and id(n) not in inside}
    graph = list(file.kernels)
    graph += [f for n, f in reached.items()
              if not op.is_layer_k(f) and n not in from_outside]
    return {id(n) for f in graph for n in subtree(f)}


TELLING = {"device", "contiguous", "is_contiguous", "new_empty", "new_zeros", "cpu", "npu"}
CREATION = {"empty", "empty_like", "zeros", "zeros_like", "ones", "ones_like"}
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


def is_creation(node):
    return (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and node.func.attr in CREATION and root(node.func) == "torch")


def tensor_names(file):
    """Names that something in the file says may be torch tensors."""
    found = set()
    for node in file.nodes:
        if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Attribute):
            found.add(node.arg)
        elif isinstance(node, ast.Attribute) and node.attr in TELLING:
            found.add(root(node))
        elif isinstance(node, ast.Assign) and is_creation(node.value):
            found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return found - {None}


def may_be_tensors(node, names):
    """An operator between torch tensors is reported; the page of the rule says what tells them from
    numbers, which is not done again here."""
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
    elif isinstance(node, ast.AugAssign):
        sides = (node.target, node.value)
    else:
        return False
    return isinstance(node.op, ARITHMETIC) and any(
        is_creation(n) or (isinstance(n, ast.Name) and n.id in names)
        for side in sides for n in subtree(side))


def ol62(op, out):
    for file in op.parsed:
        graph = jit_graph_nodes(op, file)
        names = tensor_names(file)
        if any(may_be_tensors(n, names) for n in production(file) if id(n) not in graph):
            raise Undecided
        exempt = EXEMPT_ROOTS | file.aliases
        for node in production(file):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
                if id(node) not in graph:
                    out.at("FAIL", file, node, tag="@")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                tag = host_arithmetic(node.func, exempt, id(node) in graph)
                if tag:
                    out.at("FAIL", file, node, last_token(file, node.func), tag=tag)
    return "PASS" if op.scan else "SKIP"


def host_arithmetic(callee, exempt, in_graph):
    owner = root(callee.value)
    if owner == "torch" and callee.attr not in TORCH_ALLOWED:
        return "torch"
    if owner in ("F", "functional"):
        return "functional"
    if callee.attr in METHOD_ARITHMETIC and owner not in exempt and not in_graph:
        return "method"
    return None


RULES = {"OL15": ol15, "OL17": ol17, "OL18": ol18, "OL58": ol58, "OL60": ol60, "OL62": ol62}

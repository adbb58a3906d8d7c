"""Facts about one Python file and one operator directory that the rules share.

Everything here is computed with the standard `ast` module of CPython, so it is
independent of the parser under test.  A File object is one parsed source; an
Operator object knows the name, the scan set and the documents of a directory.
"""

import ast
import json
import os
import warnings

warnings.simplefilter("ignore")

STUB_MARK = "PYPTO_PENDING_STUB"
STUB_CHARS = 512
FUNCS = (ast.FunctionDef, ast.AsyncFunctionDef)
PLAIN = ast.FunctionDef


def normalise(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


def subtree(node):
    """Nodes below and including NODE, breadth first; cached on the node."""
    found = getattr(node, "_subtree", None)
    if found is None:
        found = list(ast.walk(node))
        node._subtree = found
    return found


def calls(node):
    return [n for n in subtree(node) if isinstance(n, ast.Call)]


def bare_callee(call):
    return call.func.id if isinstance(call.func, ast.Name) else None


def attr_callee(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def is_jit_decorator(node):
    if isinstance(node, ast.Call):
        node = node.func
    return (isinstance(node, ast.Attribute) and node.attr == "jit"
            and isinstance(node.value, ast.Attribute) and node.value.attr == "frontend"
            and isinstance(node.value.value, ast.Name) and node.value.value.id == "pypto")


def is_kernel(node):
    return isinstance(node, PLAIN) and any(is_jit_decorator(d) for d in node.decorator_list)


def imported_names(nodes):
    """What imports of pypto bind, wherever they stand: name -> dotted path."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            found.update({a.asname: a.name for a in node.names
                          if a.asname and (a.name + ".").startswith("pypto.")})
        elif isinstance(node, ast.ImportFrom) and not node.level and (node.module + ".").startswith("pypto."):
            found.update({a.asname or a.name: f"{node.module}.{a.name}" for a in node.names if a.name != "*"})
    return found


def is_aliased_kernel(node, imported):
    """Is a decorator `pypto.frontend.jit` or `pypto.jit`, once the first name is replaced by what was
    imported?"""
    if not isinstance(node, PLAIN):
        return False
    for decorator in node.decorator_list:
        chain = decorator.func if isinstance(decorator, ast.Call) else decorator
        rest = ""
        while isinstance(chain, ast.Attribute):
            rest, chain = f".{chain.attr}{rest}", chain.value
        if not isinstance(chain, ast.Name):
            continue
        if chain.id + rest == "pypto.jit" or \
                imported.get(chain.id, "") + rest in ("pypto.jit", "pypto.frontend.jit"):
            return True
    return False


def texts(node):
    """Identifiers, attribute names, keyword names and string constants inside NODE."""
    for n in subtree(node):
        if isinstance(n, ast.Name):
            yield n.id
        elif isinstance(n, ast.Attribute):
            yield n.attr
        elif isinstance(n, ast.keyword) and n.arg is not None:
            yield n.arg
        elif isinstance(n, ast.Constant) and isinstance(n.value, str):
            yield n.value


class Undecided(Exception):
    """The rule pages allow two verdicts."""


class ParseFailure(Exception):
    def __init__(self, line, message):
        super().__init__(message)
        self.line = line
        self.message = message


def parse_text(text):
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise ParseFailure(error.lineno or 1, error.msg) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ParseFailure(1, str(error)) from None


def decode(data):
    """Text of a Python file with LF line ends and without a byte order mark."""
    if b"\0" in data:
        raise ParseFailure(data[:data.index(b"\0")].count(b"\n") + 1, "NUL byte")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParseFailure(data[:error.start].count(b"\n") + 1, "invalid UTF-8") from None
    return normalise(text[1:] if text.startswith("\ufeff") else text)


class File:
    """One Python source: .tree is None when it is absent or unparsable, .error tells which."""

    def __init__(self, path, rel, literal=False):
        """LITERAL: only `@pypto.frontend.jit` makes a kernel, as for the old command line."""
        self.rel = rel
        self.literal = literal
        self.tree = None
        self.error = None
        self.lines = []
        if not os.path.isfile(path):
            return
        with open(path, "rb") as handle:
            data = handle.read()
        if not data:
            return
        try:
            text = decode(data)
            self.lines = text.split("\n")
            self._adopt(parse_text(text))
        except ParseFailure as error:
            self.error = error

    @classmethod
    def from_block(cls, rel, tree, text, offset):
        """A Python block of a document; its lines count from OFFSET."""
        block = cls.__new__(cls)
        block.rel = rel
        block.literal = True
        block.error = None
        block.lines = [""] * offset + text.split("\n")
        ast.increment_lineno(tree, offset)
        block._adopt(tree)
        return block

    def _adopt(self, tree):
        self.tree = tree
        self.nodes = subtree(tree)
        self.imported = {} if self.literal else imported_names(self.nodes)
        literal = [n for n in self.nodes if is_kernel(n)]
        self.kernels = literal if self.literal else [
            n for n in self.nodes if is_kernel(n) or is_aliased_kernel(n, self.imported)]
        self.aliased = len(self.kernels) - len(literal)
        self.kernel_names = {k.name for k in self.kernels}
        self.functions = [n for n in self.nodes if isinstance(n, FUNCS)]
        self.aliases = alias_set(tree)
        self.dynamic = None

    def column(self, node):
        """1-based code point column of a node's start."""
        line = self.lines[node.lineno - 1] if node.lineno <= len(self.lines) else ""
        raw = line.encode("utf-8")[:node.col_offset]
        return len(raw.decode("utf-8", "replace")) + 1

    # Owners ---------------------------------------------------------------------------

    def owned(self, node):
        """The attribute name when NODE is `<alias of pypto>.<attr>`, else None."""
        if (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
                and node.value.id in self.aliases):
            return node.attr
        return None

    def owned_call(self, node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self.imported:
            name = self.imported.get(node.func.id, "").partition("pypto.")[2]
            return name if name and "." not in name else None
        return self.owned(node.func) if isinstance(node, ast.Call) else None

    def has_pypto_call(self, node):
        return any(self.owned_call(c) is not None for c in calls(node))

    def is_loop_statement(self, node):
        return isinstance(node, ast.For) and self.owned_call(node.iter) == "loop"

    # Functions ------------------------------------------------------------------------

    def suffix_wrappers(self):
        return [n for n in self.tree.body if isinstance(n, PLAIN) and n.name.endswith("_wrapper")]

    def primary_kernels(self):
        wanted = {bare_callee(c) for w in self.suffix_wrappers() for c in calls(w)}
        wanted &= self.kernel_names
        wanted = wanted or self.kernel_names
        return [k for k in self.kernels if k.name in wanted]

    def graph_m(self):
        return {n.name: n for n in self.tree.body if isinstance(n, PLAIN)}

    def reach_m(self, start):
        """Functions explored from START over top-level plain functions, START first."""
        table = self.graph_m()
        seen = {start.name}
        order = [start]
        for function in order:
            for call in calls(function):
                name = bare_callee(call)
                if name in table and name not in seen:
                    seen.add(name)
                    order.append(table[name])
        return order

    def graph_n(self):
        return {n.name: n for n in self.functions}

    def reach_n(self):
        """Names of functions reachable from the kernels over functions at any depth."""
        table = self.graph_n()
        order = [k.name for k in self.kernels]
        seen = set(order)
        for name in order:
            for call in calls(table[name]):
                callee = bare_callee(call)
                if callee in table and callee not in seen:
                    seen.add(callee)
                    order.append(callee)
        return seen

    # Tensor annotations ---------------------------------------------------------------

    def tensor_form(self, annotation):
        """(form, positional arguments); form is bare, call or bracket, or None."""
        if self._names_tensor(annotation):
            return "bare", []
        if isinstance(annotation, ast.Call) and self._names_tensor(annotation.func):
            return "call", annotation.args
        if isinstance(annotation, ast.Subscript) and self._names_tensor(annotation.value):
            inner = annotation.slice
            return "bracket", inner.elts if isinstance(inner, ast.Tuple) else [inner]
        return None, []

    def _names_tensor(self, node):
        return (self.owned(node) == "Tensor"
                or (isinstance(node, ast.Name) and node.id == "Tensor"))

    def is_dynamic(self, node):
        if self.dynamic is None:
            self.dynamic = {"DYNAMIC", "DYN"} | {
                s.targets[0].id for s in self.tree.body
                if isinstance(s, ast.Assign) and len(s.targets) == 1
                and isinstance(s.targets[0], ast.Name) and self._is_dynamic_mark(s.value)}
        return any(self.owned(n) in ("DYNAMIC", "DYN")
                   or (isinstance(n, ast.Name) and n.id in self.dynamic)
                   for n in subtree(node))

    def _is_dynamic_mark(self, node):
        return (self.owned(node) in ("DYNAMIC", "DYN")
                or (isinstance(node, ast.Name) and node.id in ("DYNAMIC", "DYN")))


def alias_set(tree):
    found = {"pypto"}
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            for item in statement.names:
                if item.name == "pypto" or item.name.startswith("pypto."):
                    found.add(item.asname or "pypto")
    return found


def phase_suffix(phase):
    return "".join(str(k) for k in range(1, int(phase[1:]) + 1))


class Operator:
    """An operator directory seen through one run: stage and scope included."""

    def __init__(self, path, stage, file=None, phase=None, npu=False, old=False):
        """OLD: the verdicts of the old command line."""
        self.path = path
        self.old = old
        self.npu = npu
        self.stage = stage
        self.file = file
        self.phase = phase
        self.name = self._operator_name()
        self._cache = {}
        self.scan = [self.source(rel) for rel in self._scan_names()]
        self.parsed = [f for f in self.scan if f.tree is not None]
        self.with_kernel = [f for f in self.parsed if f.kernels]
        self.unparsable = [f for f in self.scan if f.error is not None]

    def full(self, rel):
        return os.path.join(self.path, rel)

    def exists(self, rel):
        return os.path.isfile(self.full(rel))

    def source(self, rel):
        if rel not in self._cache:
            self._cache[rel] = File(self.full(rel), rel, self.old)
        return self._cache[rel]

    def document(self, rel):
        """Text of a document with LF line ends, or None when there is none."""
        return self.text(rel) if self.exists(rel) else None

    def text(self, rel):
        """Text of any file with LF line ends; empty when missing, unreadable or not UTF-8."""
        if not self.exists(rel):
            return ""
        with open(self.full(rel), "rb") as handle:
            try:
                return normalise(handle.read().decode("utf-8"))
            except UnicodeDecodeError:
                if rel.endswith(".py"):
                    raise Undecided from None  # judged as text, or without usable content?
                return ""

    def module_entries(self, prefix, suffix):
        folder = self.full("modules")
        if not os.path.isdir(folder):
            return []
        return ["modules/" + n for n in sorted(os.listdir(folder))
                if n.startswith(prefix) and n.endswith(suffix)
                and os.path.isfile(os.path.join(folder, n))]

    def is_layer_k(self, function):
        name = function.name
        return (name in ("host_wrapper", self.name + "_wrapper")
                or (name.startswith(self.name + "_module") and name.endswith("_wrapper"))
                or name.startswith("launch_") or name.startswith("run_"))

    def _operator_name(self):
        try:
            with open(self.full(".orchestrator_state.json"), encoding="utf-8") as handle:
                state = json.load(handle)
            name = state.get("operator_name") if isinstance(state, dict) else None
            if isinstance(name, str) and name:
                return name
        except (OSError, ValueError):
            pass
        return os.path.basename(os.path.abspath(self.path))

    def _is_stub(self, rel):
        try:
            with open(self.full(rel), encoding="utf-8") as handle:
                return STUB_MARK in handle.read()[:STUB_CHARS]
        except (OSError, UnicodeDecodeError):
            return False

    def _scan_names(self):
        if self.file is not None:
            names = [self.file]
        elif self.phase is not None:
            names = ["modules/%s_module%s_impl.py" % (self.name, phase_suffix(self.phase))]
        else:
            names = [self.name + "_impl.py"]
            names += self.module_entries(self.name + "_module", "_impl.py")
        return [n for n in names if self.exists(n) and not self._is_stub(n)]

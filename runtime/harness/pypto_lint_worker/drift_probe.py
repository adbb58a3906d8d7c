"""The probe file: a copy of the implementation below _debug/ whose kernels write watched expressions
into buffers of their own. For devices, which nothing can look into while a kernel runs."""
import ast
import os
import tempfile

from . import callers, watches
from .failures import Contract

BUFFERS = "__pypto_lint_probes__"
LAYOUT = "probe_layout"  # {number of the watch: (rows of one snapshot, iterations)}
_PREFIX = "probe_"


def buffer_name(number):
    """Of a watch: the kernel's parameter, and the keyword of the hand-over."""
    return _PREFIX + str(number)


def numbers_of(names):
    """The watches that these keywords hand over buffers for."""
    return [int(name[len(_PREFIX):]) for name in names
            if name.startswith(_PREFIX) and name[len(_PREFIX):].isdigit()]


def debug_folder(op_dir):
    """_debug/ of the operator, which must lie in it."""
    folder = os.path.join(op_dir, "_debug")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Contract("_debug/ cannot be made: %s" % error.strerror) from None
    if os.path.realpath(folder) != os.path.join(os.path.realpath(op_dir), "_debug"):
        raise Contract("_debug/ leads out of the operator's folder")
    return folder


class Kernel:
    """A decorated function with watched statements in it."""

    def __init__(self, function, text):
        self.function, self.watched = function, []
        self.tensors = [argument for argument in function.args.args
                        if argument.annotation is not None
                        and "Tensor" in ast.dump(argument.annotation)]
        annotation = self.tensors[-1].annotation if self.tensors else None
        while isinstance(annotation, (ast.Call, ast.Subscript, ast.Attribute)):
            annotation = getattr(annotation, "func", None) or annotation.value
        self.package = annotation.id if isinstance(annotation, ast.Name) else None


def why_not(plan, number):
    """Why a watch cannot be probed; None: it can."""
    for site in plan.sites[number]:
        kernel = Kernel(site.function, plan.text)
        if not callers.is_kernel(site.function):
            return "on a device only statements of a kernel itself can be watched"
        if not kernel.tensors or kernel.package in (None, "Tensor"):
            return "a probe needs a kernel whose parameters are annotated as pypto.Tensor"
        if len(plan.indices(site)) > 2:
            return "on a device at most one loop around the iteration axis can be followed"
    return None


def generate(plan, layout, columns):
    """The text of the probe file. `columns` are those of each buffer."""
    edits = []  # (line, column, text), at places of the original
    kernels = {}
    for number in layout:
        for site in plan.sites[number]:
            kernel = kernels.setdefault(site.function.name, Kernel(site.function, plan.text))
            if number not in kernel.watched:
                kernel.watched.append(number)
            rows, extent = layout[number]
            words = (site.node, kernel.package, plan.watches[number].expression.strip())
            edits.append(_store(words, _index(plan.indices(site), extent), rows, number))
    for kernel in kernels.values():
        last = kernel.tensors[-1].annotation
        edits.append((last.end_lineno, last.end_col_offset, "".join(
            ", %s: %s.Tensor([%s.DYNAMIC, %d], %s.DT_FP32)"
            % ((buffer_name(number), kernel.package, kernel.package, columns[number],
                kernel.package)) for number in kernel.watched)))
    edits += _launches(ast.parse(plan.text), kernels)
    head = "# Made by pypto-lint bisect from %s: changes are lost.\n" % os.path.basename(plan.path)
    return watches.spliced(plan.text, edits) + "\n\n" + head + BUFFERS + " = {}\n"


def _index(indices, extent):
    if not indices:
        return "0"
    return indices[0] if len(indices) == 1 else "(%s * %d + %s)" % (indices[0], extent, indices[1])


def _store(words, index, rows, number):
    node, package, expression = words
    return (node.end_lineno, node.end_col_offset,
            "; %s.assemble(%s.cast((%s), %s.DT_FP32), [%s * %d, 0], %s)"
            % (package, package, expression, package, index, rows, buffer_name(number)))


def _launches(tree, kernels):
    """The buffers as further arguments where the kernels are called."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or \
                call.func.id not in kernels:
            continue
        kernel = kernels[call.func.id]
        if len(call.args) < len(kernel.tensors) or \
                any(isinstance(argument, ast.Starred) for argument in call.args):
            raise Contract("line %d: a probe needs a launch with its tensors as positional "
                           "arguments" % call.lineno)
        last = call.args[len(kernel.tensors) - 1]
        yield (last.end_lineno, last.end_col_offset, "".join(
            ", %s[%d]" % (BUFFERS, number) for number in kernel.watched))


def write(plan, text):
    """The path of the file, which is replaced at once."""
    folder = debug_folder(os.path.dirname(os.path.dirname(plan.path))
                          if os.path.basename(os.path.dirname(plan.path)) == "modules"
                          else os.path.dirname(plan.path))
    stem = os.path.splitext(os.path.basename(plan.path))[0]
    path = os.path.join(folder, stem + "_probe.py")
    # A file of a new name: one that the repository has there could be a link to anywhere.
    descriptor, fresh = tempfile.mkstemp(prefix=stem, suffix=".new", dir=folder)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(fresh, 0o644)
        os.replace(fresh, path)
    except BaseException:
        os.unlink(fresh)
        raise
    return path

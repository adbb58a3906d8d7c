"""How a watched statement was reached: the calls that lead to it within its file, and the loops around
them. A kernel's loop may call functions that compute. Only the frames of the running program show in which
iteration a statement of such a function runs."""
import ast

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor)


def is_kernel(function):
    """Does a decorator make it a kernel?"""
    return any("jit" in ast.dump(decorator) for decorator in function.decorator_list)


class Callers:
    """The functions and loops of a file by their lines. `loop_of` makes a watches.Loop from a node."""

    def __init__(self, path, tree, loop_of):
        self._path, self._functions, self._loops = path, [], []
        for node in ast.walk(tree):  # outer ones before those within
            if isinstance(node, _FUNCTIONS):
                self._functions.append((node.lineno, node.end_lineno, is_kernel(node)))
            elif isinstance(node, _LOOPS):
                loop = loop_of(node)
                if loop.index is not None:
                    self._loops.append((node.body[0].lineno, node.body[-1].end_lineno, loop))

    def _function_at(self, line):
        """(line of its def, is it a kernel?) of the innermost function."""
        found = (0, False)
        for first, last, kernel in self._functions:
            if first <= line <= last:
                found = (first, kernel)
        return found

    def _is_kernel(self, frame):
        return frame.f_code.co_filename == self._path and self._function_at(frame.f_lineno)[1]

    def way(self, frame):
        """(a tuple that identifies the calls that led to the frame of a watched statement, [(loop, index)] of
        the loops around these calls, outermost first). Callers of a kernel only launch it and do not count."""
        calls, loops = [frame.f_code.co_name], []
        while frame is not None and not self._is_kernel(frame):
            frame = frame.f_back
            if frame is not None and frame.f_code.co_filename == self._path:
                calls.append(frame.f_lineno)
                loops[:0] = self._loops_of(frame)
        return tuple(calls), loops

    def _loops_of(self, frame):
        start, _ = self._function_at(frame.f_lineno)
        found = [(loop, frame.f_locals.get(loop.index)) for first, last, loop in self._loops
                 if start < first and first <= frame.f_lineno <= last]
        return [(loop, index) for loop, index in found if index is not None]


class Numbers:
    """Numbers iterations, also those of a loop whose index is not an integer (`for tile in tiles`). There a
    new object as the index begins a new iteration."""

    def __init__(self):
        self._last = {}

    def key(self, number, indices):
        """The indices of a watch's snapshot as integers."""
        return tuple(index if isinstance(index, int) else self._count((number, place), index)
                     for place, index in enumerate(indices))

    def _count(self, where, index):
        last, count = self._last.get(where, (None, -1))
        if index is not last:
            count += 1
        self._last[where] = (index, count)
        return count

"""Following torch: keeps the Origins of memory (origins.py) right for each of its operations.

What torch only moves (views, copies, casts, cat, pad …) keeps its Origins. What it computes is TORCH,
or INDEX when it was computed from integers alone.
"""
import sys

from .origins import CONSTANT, INDEX, INPUT, KERNEL, OTHER, TORCH, UNDEFINED, storage_of

_ALLOCATE = frozenset("empty empty_like empty_strided new_empty new_empty_strided empty_quantized "
                      "empty_with_format".split())
_FILL = frozenset("fill zero zeros_like ones_like full_like new_zeros new_ones new_full rand_like "
                  "randn_like normal uniform random".split())
# Their results are elements of their operands, unchanged or cast.
_SAME_PLACES = frozenset("clone _to_copy contiguous detach alias lift lift_fresh lift_fresh_copy "
                         "tril triu _conj _unsafe_view view_as npu_dtype_cast npu_format_cast "
                         "_reshape_alias resolve_conj resolve_neg positive _npu_dtype_cast".split())
_MOVE = frozenset("cat concat stack hstack vstack constant_pad_nd flip roll rot90 repeat "
                  "repeat_interleave slice_scatter select_scatter diagonal_scatter diag_embed "
                  "expand_copy permute_copy view_copy slice_copy select_copy t_copy "
                  "transpose_copy squeeze_copy unsqueeze_copy unfold_copy as_strided_copy "
                  "reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d "
                  "pixel_shuffle pixel_unshuffle channel_shuffle copy block_diag".split())
# Operands after the first (for `where`: the first) choose the elements.
_CHOOSE = frozenset("index index_select gather take take_along_dim index_put _index_put_impl "
                    "index_copy index_fill scatter masked_select masked_scatter masked_fill "
                    "where".split())
_MAKES_CONSTANTS = frozenset("constant_pad_nd masked_fill index_fill scatter".split())


def tensors_of(torch, value, depth=0):
    """All tensors in the arguments or results of an operation."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)) and depth < 4:
        for item in value:
            yield from tensors_of(torch, item, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        yield from tensors_of(torch, list(value.values()), depth + 1)


def _replaced(torch, value, codes, depth=0):
    """The value with tensors replaced by their Origins."""
    if isinstance(value, torch.Tensor):
        return codes(value)
    if isinstance(value, (tuple, list)) and depth < 4:
        return type(value)([_replaced(torch, item, codes, depth + 1) for item in value])
    return value


class Follower:
    """Keeps the Origins right for each operation of torch."""

    def __init__(self, origins, place):
        self.origins, self.torch, self.place = origins, origins.torch, place
        self.conversions = []

    def follow(self, func, args, kwargs, result):
        """After the operation has run."""
        name = func.overloadpacket.__name__
        in_place = name.endswith("_") and not name.endswith("__")
        plain = name[:-1] if in_place else name
        results = list(tensors_of(self.torch, result))
        operands = list(tensors_of(self.torch, (args, kwargs)))
        if kwargs.get("out") is not None:
            in_place = True
        if plain == "set" or not results:
            return
        if in_place:
            self._into(plain, args, kwargs, results)
            return
        held = {storage_of(operand).data_ptr() for operand in operands if operand.numel()}
        for made in results:
            if made.numel() and storage_of(made).data_ptr() not in held:
                self._new(plain, func, args, operands, made)

    # ---- new memory ----

    def _new(self, name, func, args, operands, made):
        origins = self.origins
        if name in _ALLOCATE:
            origins.begin(made, UNDEFINED).made = self.made_by(name)
        elif not operands or name in _FILL:
            origins.begin(made, CONSTANT).made = self.made_by(name)
        elif name in _SAME_PLACES or name in _MOVE or name in _CHOOSE:
            values, codes = self._moved(name, func, args, operands, made)
            memory = origins.begin(made, OTHER)
            self._inherit(memory, values, name, codes)
            origins.put(made, codes)
            origins.collapse(memory)
            if memory.shared and origins.has(made, KERNEL):
                origins.seal(made)
            memory.shared = False
        else:
            memory = origins.begin(made, self.computed(operands))
            memory.made = self.made_by(name)

    def made_by(self, name):
        """(operation, file, line) of the current operation."""
        return (name,) + self.place()

    def computed(self, operands):
        """The Origin of a computed result. Integers computed from integers are places and sizes, all
        else is arithmetic."""
        for operand in operands:
            if operand.is_floating_point() or operand.is_complex() or \
                    self.origins.has(operand, TORCH):
                return TORCH
        return INDEX

    def _operands(self, name, args, operands):
        """(operands whose elements are moved, operands that choose elements) of a move."""
        if name == "where":
            return [t for t in tensors_of(self.torch, args[1:])], [args[0]]
        if name not in _CHOOSE and name != "repeat_interleave":
            return operands, []
        values, choosers = [], []
        for number, operand in enumerate(operands):
            is_value = number == 0 or (operand.dtype == operands[0].dtype and
                                       number == len(operands) - 1 and
                                       name in ("index_put", "_index_put_impl", "index_copy",
                                                "scatter", "masked_scatter"))
            (values if is_value else choosers).append(operand)
        return values, choosers

    def _moved(self, name, func, args, operands, made):
        """(operands whose elements are in the result, the result's Origins)."""
        origins, torch = self.origins, self.torch
        values, choosers = self._operands(name, args, operands)
        for value in values:
            if origins.memory(value).shared:
                origins.check(value)
        if any(origins.has(chooser, TORCH) for chooser in choosers) or \
                (name.startswith(("index_put", "_index_put")) and True in args[3:4]):
            return operands, TORCH  # a computed choice of elements is no layout
        found = [origins.codes(value) for value in values]
        alone = {memory.code if codes is None else None for memory, codes in found}
        constant = name in _MAKES_CONSTANTS
        if len(alone) == 1 and None not in alone and not (constant and origins.exact):
            return values, alone.pop()
        if not origins.exact:
            return values, self._mixed(alone)
        if name in _SAME_PLACES:
            memory, codes = found[0]
            return values, memory.code if codes is None else codes
        exchanged = {id(value): torch.full(tuple(value.shape), memory.code, dtype=torch.uint8)
                     if codes is None else codes for value, (memory, codes) in zip(values, found)}
        arguments = list(_replaced(torch, list(args), lambda t: exchanged.get(id(t), t)))
        if constant:
            arguments = self._with_constant(name, arguments)
        codes = func(*arguments)
        return values, codes if tuple(codes.shape) == tuple(made.shape) else self._mixed(alone)

    @staticmethod
    def _with_constant(name, arguments):
        if name == "constant_pad_nd":
            return arguments[:2] + [CONSTANT]
        return [CONSTANT if number == len(arguments) - 1 and isinstance(a, (int, float, bool))
                else a for number, a in enumerate(arguments)]

    @staticmethod
    def _mixed(codes):
        """One Origin for several: the most severe."""
        for code in (TORCH, KERNEL, INDEX, OTHER, INPUT, CONSTANT):
            if code in codes:
                return code
        return UNDEFINED

    def _inherit(self, memory, values, name, codes):
        """Passes names and places on with the elements."""
        memory.made = self.made_by(name) if isinstance(codes, int) and codes == TORCH else None
        for value in values:
            source = self.origins.memory(value)
            memory.shared = memory.shared or source.shared
            if source.made is not None and (memory.made is None or
                                            self.origins.has(value, TORCH)):
                memory.made = source.made
            if source.name is not None and memory.name is None:
                memory.name = source.name
            if self.origins.has(value, KERNEL):
                known = memory.via + source.via + (name,)
                memory.via = tuple(dict.fromkeys(known))

    # ---- existing memory ----

    def _into(self, name, args, kwargs, results):
        """An operation in place, or with out=."""
        origins, target = self.origins, results[0]
        if not target.numel() or name in ("resize", "resize_as", "requires_grad", "detach",
                                          "squeeze", "unsqueeze", "transpose", "t", "as_strided"):
            return
        memory = origins.memory(target)
        others = [t for t in tensors_of(self.torch, (args, kwargs)) if t is not target]
        if name in _FILL:
            code = CONSTANT
            if name == "fill" and others:
                code = self._mixed({origins.memory(others[0]).code})
        elif name in _SAME_PLACES or name in _MOVE or name in _CHOOSE:
            code = self._placed(name, args, kwargs, target, others, memory)
        else:
            code = self.computed([target] + others)
        moves = name in _SAME_PLACES or name in _MOVE or name in _CHOOSE
        if isinstance(code, int) and code in (TORCH, INDEX) and (memory.made is None or not moves):
            memory.made = self.made_by(name)
        if code is not None:
            origins.put(target, code)
        if memory.sum is not None:
            memory.sum = origins.words(target)
        origins.collapse(memory)

    def _placed(self, name, args, kwargs, target, others, memory):
        """Origins of the target of a move in place; None when they do not change."""
        origins = self.origins
        if name == "copy" and others:
            self._inherit(memory, others[:1], "copy_", None)
            source, codes = origins.codes(others[0])
            return source.code if codes is None else codes.expand(target.shape)
        if kwargs.get("out") is not None:
            values, choosers = self._operands(name, args, others)
            self._inherit(memory, values, name, None)
            if any(origins.has(chooser, TORCH) for chooser in choosers):
                return TORCH
            return self._mixed({origins.memory(value).code if origins.memory(value).map is None
                                else KERNEL for value in values})
        whole = [target] + others
        values, choosers = self._operands(name, list(args), whole)
        if any(origins.has(chooser, TORCH) for chooser in choosers):
            return TORCH
        self._inherit(memory, values[1:], name + "_", None)
        return self._chosen(name, args, target, values)

    def _chosen(self, name, args, target, values):
        """Repeats index_put_ and similar operations on the Origins."""
        origins, torch = self.origins, self.torch
        if name.startswith(("index_put", "_index_put")) and True in args[3:4]:
            return TORCH
        if not origins.exact:
            return None if len(values) < 2 else self._mixed(
                {origins.memory(value).code for value in values})
        memory = origins.memory(target)
        origins.map_of(memory)
        window = origins.window(memory, target).clone()
        exchanged = {id(target): window}
        for value in values[1:]:
            source, codes = origins.codes(value)
            exchanged[id(value)] = torch.full(tuple(value.shape), source.code, dtype=torch.uint8) \
                if codes is None else codes
        arguments = list(_replaced(torch, list(args), lambda t: exchanged.get(id(t), t)))
        if len(values) < 2:
            arguments = self._with_constant(name, arguments)
        getattr(torch.ops.aten, name + "_")(*arguments)
        return window


def user_place(own):
    """(file, line) of the innermost frame that is neither torch's nor in one of the folders `own`."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(own) and "/torch/" not in name and not name.startswith("<"):
            return name, frame.f_lineno
        frame = frame.f_back
    return "", 0

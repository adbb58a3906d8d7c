"""A kernel description as the Python source a user would write."""

DTYPE = {"F32": "FP32", "F16": "FP16", "BF16": "BF16", "I8": "INT8", "U8": "UINT8", "I16": "INT16",
         "I32": "INT32", "I64": "INT64", "BOOL": "BOOL"}
SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "gt": ">", "ge": ">=",
           "lt": "<", "le": "<=", "eq": "==", "ne": "!=", "remainder": "%"}
# attributes written as positional arguments, in order; the others become keywords
POSITIONAL = {"view": ("shape", "offsets"), "reshape": ("shape",),
              "full": ("shape", "fill", "dtype"), "softmax": ("dim",),
              "transpose": ("dim0", "dim1"), "permute": ("dims",), "unsqueeze": ("dim",),
              "expand_clone": ("shape",), "cast": ("dtype",), "pad": ("padding",),
              "topk": ("k",), "cumsum": ("dim",), "sum": ("dim",), "amax": ("dim",),
              "amin": ("dim",), "prod": ("dim",), "one_hot": ("num_classes",), "argmax": ("dim",),
              "argmin": ("dim",), "argsort": ("dim",), "tril": ("diagonal",),
              "triu": ("diagonal",), "matmul": ("dtype",),
              "gathermask": ("pattern_mode",), "var": ("dim",), "cumprod": ("dim",),
              "unpack": ("dtype",),
              "tril_": ("diagonal",), "triu_": ("diagonal",), "mrgsort": ("mergesize",),
              "experimental.transposed_batchmatmul": ("dtype",)}
KEYWORD = {"valid": "valid_shape"}
INDENT = "    "


def dtype(name):
    return "pypto.DT_" + DTYPE[name]


def expression(e):
    if isinstance(e, int):
        return str(e) if e >= 0 else "(%d)" % e
    if e[0] == "v":
        return e[1]
    if e[0] == "dim":
        return "%s.shape[%d]" % (e[1], e[2])
    if e[0] in ("begin", "end"):
        return "pypto.is_loop_%s(%s)" % (e[0], e[1])
    if e[0] in ("min", "max"):
        return "%s(%s, %s)" % (e[0], expression(e[1]), expression(e[2]))
    return "(%s %s %s)" % (expression(e[1]), e[0], expression(e[2]))


def entries(values):
    return "[%s]" % ", ".join(expression(e) for e in values)


def _attribute(key, value):
    if key == "dtype":
        return dtype(value)
    if key == "mode":
        return "pypto.CastMode.CAST_" + value
    if key == "saturate":
        return "pypto.SaturationMode." + ("ON" if value else "OFF")
    if key in ("shape", "offsets", "valid", "dims", "padding"):
        return entries(value)
    if key == "fill" and isinstance(value, list):
        return expression(value)
    return repr(value)


def _call(op, args, attributes):
    attributes = {k: v for k, v in attributes.items() if k != "form"}
    texts = [a[1] if a[0] == "t" else repr(a[1]) for a in args]
    if op in SPECIAL:
        return SPECIAL[op](texts, attributes)
    if op == "concat":
        texts = ["[%s]" % ", ".join(texts)]
    if op == "matmul" and len(texts) > 2:
        attributes["extend_params"] = texts.pop()
    if op in ("gather", "index_select", "scatter", "index_add", "scatter_", "index_add_"):
        texts.insert(1, str(attributes.pop("dim")))
        attributes = {k: v for k, v in attributes.items() if v is not None}
    for key in POSITIONAL.get(op, ()):
        texts.append(_attribute(key, attributes.pop(key)))
    for key, value in attributes.items():
        if value is None:
            continue
        if key == "extend_params":
            texts.append("extend_params={'bias_tensor': %s}" % value)
        else:
            texts.append("%s=%s" % ({"saturate": "satmode"}.get(key, KEYWORD.get(key, key)),
                                    _attribute(key, value)))
    return texts


def _paged(texts, a):
    return texts + [str(a["block_size"]), "-2"]


def _paged_operand(texts, a):
    return texts + [str(a["block_size"]), str(a["size"]), "True", "False"]


def _quantisation(texts, a):
    zero = ["zero_points=" + t for t in texts[2:]]
    return texts[:2] + [dtype(a["dtype"]), str(a["axis"])] + zero


# Calls that need more than the tables: from the texts of the operands to those of all arguments.
SPECIAL = {
    "zeros": lambda t, a: [str(n) for n in a["shape"]] + ["dtype=" + dtype(a["dtype"])],
    "ones": lambda t, a: [str(n) for n in a["shape"]] + ["dtype=" + dtype(a["dtype"])],
    "uniform": lambda t, a: [repr(a["shape"]), "[%d], [0, %d], [1]" % (a["key"], a["counter"]),
                             dtype(a["dtype"])],
    "experimental.nop": lambda t, a: ["[%s]" % ", ".join(t)],
    "index_put_": lambda t, a: [t[0], "(%s,)" % ", ".join(t[2:]), t[1],
                                "accumulate=%s" % a["accumulate"]],
    "quantize": _quantisation, "dequantize": _quantisation,
    "experimental.gather_in_ub": _paged, "experimental.gather_in_l1": _paged_operand}


def operation(targets, op, args, attributes):
    form = attributes.get("form")
    if op == "view_type":
        return "%s = pypto.view(%s, dtype=%s)" % (targets[0], args[0][1], dtype(attributes["dtype"]))
    if "through" in attributes:
        return "%s = pypto.cast(pypto.cast(%s, pypto.DT_%s), %s)" % (
            targets[0], args[0][1], attributes["through"], dtype("F32"))
    left = ", ".join(targets)
    if form == "operator":
        sides = [a[1] if a[0] == "t" else repr(a[1]) for a in args]
        return "%s = %s %s %s" % (left, sides[0], SYMBOLS[op], sides[1])
    if form == "minus":
        return "%s = -%s" % (left, args[0][1])
    if form == "slice":
        spans = ["%s:%s + %d" % (expression(o), expression(o), n)
                 for o, n in zip(attributes["offsets"], attributes["shape"])]
        return "%s = %s[%s]" % (left, args[0][1], ", ".join(spans))
    if form == "matmul":
        return "%s = %s @ %s" % (left, args[0][1], args[1][1])
    texts = _call(op, args, attributes)
    if form == "method":
        return "%s = %s.%s(%s)" % (left, texts[0], op, ", ".join(texts[1:]))
    return "%s = pypto.%s(%s)" % (left, op, ", ".join(texts))


def _inplace(_target, op, args, attributes):
    texts = _call(op, args, attributes)
    if attributes.get("form") == "method":
        return "%s.%s(%s)" % (texts[0], op, ", ".join(texts[1:]))
    return "pypto.%s(%s)" % (op, ", ".join(texts))


def _assemble(source, offsets, target, form):
    if form[0] == "slice":
        spans = ["%s:%s + %d" % (expression(o), expression(o), n) for o, n in zip(offsets, form[1])]
        return "%s[%s] = %s" % (target, ", ".join(spans), source)
    if form[0] == "method":
        return "%s.assemble(%s, %s)" % (target, source, entries(offsets))
    return "pypto.assemble(%s, %s, %s)" % (source, entries(offsets), target)


def _bounds(start, stop, step):
    if step != 1:
        return "%s, %s, %s" % (expression(start), expression(stop), expression(step))
    if start != 0:
        return "%s, %s" % (expression(start), expression(stop))
    return expression(stop)


def _loop(s, depth):
    if s[0] == "loop":
        _, index, start, stop, step, options, body = s
        extra = "".join(", %s=%r" % item for item in sorted(options.items()))
        head = "for %s in pypto.loop(%s%s):" % (index, _bounds(start, stop, step), extra)
    elif s[0] == "unrolled":
        _, index, count, start, stop, step, factors, body = s
        head = "for %s, %s in pypto.loop_unroll(%s, unroll_list=%r):" % (
            index, count, _bounds(start, stop, step), factors)
    else:
        _, index, count, body = s
        head = "for %s in range(%s):" % (index, expression(count))
    return [INDENT * depth + head] + block(body, depth + 1)


def _simple(s):
    kind = s[0]
    if kind == "tile":
        return "pypto.set_vec_tile_shapes(%s)" % ", ".join(str(n) for n in s[1])
    if kind == "cube":
        return "pypto.set_cube_tile_shapes(%r, %r, %r)" % tuple(s[1:])
    if kind == "declare":
        return "%s = pypto.tensor(%r, %s)" % (s[1], list(s[3]), dtype(s[2]))
    if kind == "let":
        return "%s = %s" % (s[1], expression(s[2]))
    if kind == "move":
        return "%s[:] = %s" % (s[1], s[2]) if len(s[1]) % 2 else "%s.move(%s)" % (s[1], s[2])
    if kind == "assemble":
        return _assemble(*s[1:])
    if kind == "read":
        return "%s = %s[%s]" % (s[1], s[2], ", ".join(expression(e) for e in s[3]))
    if kind == "write":
        return "%s[%s] = %s" % (s[1], ", ".join(expression(e) for e in s[2]), expression(s[3]))
    if kind == "update":
        return "%s = pypto.scatter_update(%s, -2, %s, %s)" % tuple(s[1:])
    if kind == "inplace":
        return _inplace(*s[1:])
    if kind == "atomic":
        return "pypto.atomic_add(%s, %s, %s)" % (s[1], entries(s[2]), s[3])
    if kind == "alias":
        return "%s = pypto.reshape(%s, %r, inplace=True)" % (s[1], s[2], list(s[3]))
    if kind == "raw":
        return s[1]
    return operation(*s[1:])


def block(statements, depth):
    lines = []
    for s in statements:
        if s[0] in ("loop", "unrolled", "repeat"):
            lines += _loop(s, depth)
        elif s[0] == "if":
            lines.append(INDENT * depth + "if %s:" % expression(s[1]))
            lines += block(s[2], depth + 1)
            if s[3]:
                lines.append(INDENT * depth + "else:")
                lines += block(s[3], depth + 1)
        else:
            lines += [INDENT * depth + line for line in _simple(s).split("\n")]
    return lines or [INDENT * depth + "pass"]


def source(kernel, target):
    """The file's text: one kernel, called `kernel`."""
    parameters = []
    for p in kernel.parameters:
        shape = ", ".join("pypto.DYNAMIC" if i in p.dynamic else str(n)
                          for i, n in enumerate(p.shape))
        parameters.append("%s: pypto.Tensor([%s], %s)" % (p.name, shape, dtype(p.dtype)))
    head = ["import pypto", "", "", target.decorator(), "def kernel(" + (",\n" + " " * 11).join(
        parameters) + "):"]
    return "\n".join(head + block(kernel.body, 1)) + "\n"

"""Small implementation files and contracts for the rules about wrappers and written outputs."""

INPUTS = ["a", "b", "gate", "x"]
SOURCES = ["$I", "$L", "$L", "$I[0]", "$L[0]", "pypto.zeros([8])", "pypto.full([8], 0.0)",
           "pypto.tensor([8])", "pypto.empty_like($I)", "pypto.view($I, [8], [0])",
           "pypto.reshape($I, [8])", "pypto.view($L, [8], [0])", "$I.reshape(8)", "$I.view(8)",
           "$I.contiguous()", "$I.clone()", "$I.detach()", "$I.clone().detach()", "$I.T",
           "pypto.exp($I)", "pypto.add($I, $L)", "$I + 1", "-$I", "0", "pypto.cast($I, t)",
           "pt.zeros([8])", "zeros([8])", "pypto.zeros_like", "pypto.arange(4)", "$I.to(8)",
           "pypto.ones_like($L)", "pypto.reshape([8], $I)", "pypto.view(input=$I)", "($I)",
           "$I if c else $L", "[$I]", "self.x", "$O", "pypto.tensor.zeros([8])"]
WRITES = ["$O[:] = $S", "$O[0] = $S", "$O[:] += $S", "$O = $S", "$O += $S", "$O[0][1] = $S",
          "pypto.assemble($S, [0], $O)", "pypto.assemble($S, [0], $O, 1)",
          "pypto.assemble([($S, [0]), ($S, [1])], $O)", "pypto.assemble(($S, [0]), $O)",
          "pypto.assemble([($S, [0])], $O, parallel)", "pypto.assemble([($S, [0])], [0], $O)",
          "pypto.assemble($S, $O)", "pypto.assemble($S, [0], out=$O)",
          "pypto.assemble($S, [0], target=$O)", "pypto.assemble($S, dst=$O)",
          "pypto.move($S, $O)", "pypto.move($S, dst=$O)", "$O.move($S)", "$O.assemble($S, [0])",
          "$O.move()", "pypto.index_add_($O, 0, i, $S)", "pypto.index_add__ub($O, 0, i, $S)",
          "pypto.index_put_($O, i, $S)", "pypto.scatter_($O, 0, i, $S)", "pypto.axpy_($O, $S, 2)",
          "pypto.axpy_(y=$O, x=$S)", "pypto.scatter_(input=$O, src=$S)", "$O.index_add_(0, i, $S)",
          "$O.scatter_(0, i, $S)", "$O.axpy_($S)", "$O.index_put_(i, $S)",
          "$O.index_add__ub(i, $S)", "$O.copy_($S)", "m[:] = $O[:] = $S", "$O[:], m = $S, 1",
          "($O[:]) = $S", "$O[:]: int = $S", "self.o[:] = $S", "helper($S, $O)", "fill($O)",
          "for i in pypto.loop(4):\n        $O[i] = $S", "if c:\n        $O[:] = $S",
          "shutil.move($S, $O)", "del $O[0]", "pypto.assemble([], $O)", "pypto.assemble([$S], $O)",
          "pypto.assemble([()], $O)", "pass"]
LOCALS = ["$L = $S", "$L = $S", "$L: int = $S", "$L = m = $S", "$L, m = $S, 1", "$L[0] = $I",
          "$L += 1", "$L.move($I)", "$L.assemble($I, [0])", "$L.index_put_(0, $I)",
          "pypto.assemble($I, [0], $L)", "pypto.move($I, $L)", "pypto.axpy_($L, $I)",
          "helper($L, $I)", "fill(x=$L)", "other($L)", "obj.fill($L)", "$L.copy_($I)"]
HELPERS = ["def helper(s, o):\n    o[:] = s\n", "def fill(y):\n    y[:] = pypto.exp(y)\n",
           "def helper(x, z):\n    fill(x)\n    z[:] = x\n\ndef fill(y):\n    y[:] = x\n",
           "def fill(o):\n    helper(o, o)\n\ndef helper(x, y):\n    y.move(x)\n    fill(x)\n",
           "async def fill(y):\n    y[:] = 1\n", "class C:\n    def fill(self, y):\n"
           "        y[:] = pypto.exp(y)\n", "def fill(o):\n    pass\n"]


def fill(rng, text, inputs, outputs, names):
    while "$S" in text:
        text = text.replace("$S", rng.choice(SOURCES), 1)
    for mark, pool in (("$I", inputs), ("$O", outputs), ("$L", names)):
        while mark in text:
            text = text.replace(mark, rng.choice(pool or ["q"]), 1)
    return text


def kernel(rng, name, inputs, outputs, odd):
    order = inputs + outputs
    if rng.random() < odd * 0.2:
        rng.shuffle(order)
    shape = rng.choice(["[pypto.DYNAMIC, 8]", "[8, 16]", "[_N, 8]", "[DYN, 8]", "[cfg.DYNAMIC, 8]",
                        "[x + pypto.DYN]", "pt.DYNAMIC", "shape=[pypto.DYNAMIC]", "()"])
    form = rng.choice(["pypto.Tensor(%s, pypto.DT_FP32)"] * 3 + [
        "pt.Tensor(%s)", "Tensor(%s)", "np.Tensor(%s)", "'pypto.Tensor(%s)'", "pypto.Tensor",
        "pypto.Tensor[%s, pypto.DT_FP32]"])
    if "shape=" in shape and "[%s" in form:
        shape = "[8]"
    note = (form % shape if "%s" in form else form) if "'" not in form else form % "8"
    dynamic = rng.randrange(len(order)) if order else 0
    parameters = ["%s: %s" % (p, note if i == dynamic else "pypto.Tensor([8, 16], pypto.DT_FP32)")
                  for i, p in enumerate(order)]
    if parameters and rng.random() < odd * 0.15:
        parameters.insert(rng.randint(0, len(parameters)), rng.choice(["*", "/"]))
        if parameters[0] == "/" or parameters[-1] == "*":
            parameters = [p for p in parameters if p not in ("*", "/")]
    names = ["t", "u", "v", "row_max", "row_sum"]
    body = []
    for index in range(rng.randint(0, 4)):
        body.append(names[index] + " = $S" if rng.random() < 0.7 else rng.choice(LOCALS))
    if rng.random() < odd * 0.15:
        body = ["t = %s" % rng.choice(inputs or ["q"]), "u = t", "v = u", "row_max = v",
                "row_sum = row_max"][:rng.randint(3, 5)]
        body += ["w = %s" % body[-1].split(" ")[0]] if rng.random() < 0.5 else []
        body.append("%s[:] = %s" % (rng.choice(outputs or ["q"]), body[-1].split(" ")[0]))
    for output in outputs:
        if rng.random() > odd * 0.2:
            text = rng.choice(WRITES[:8] if rng.random() > odd else WRITES)
            body.append(text.replace("$O", output))
            if rng.random() < odd * 0.2:
                body.append(rng.choice(WRITES))
    if rng.random() < odd * 0.3:
        rng.shuffle(body)
    body = [fill(rng, line, inputs, outputs, names) for line in body] or ["pass"]
    return "@pypto.frontend.jit\ndef %s(%s):\n    %s\n" % (name, ", ".join(parameters),
                                                         "\n    ".join(body))


def wrapper(rng, op, suffix, inputs, odd):
    right = "%s_module%s_wrapper" % (op, suffix) if suffix else op + "_wrapper"
    name = right
    if rng.random() < odd * 0.3:
        name = rng.choice(["host_wrapper", "launch_x", "run_it", op + "_wrapper", "other_wrapper",
                           op + "_module2_wrapper", right])
    parameters = list(inputs)
    roll = rng.random()
    if roll < odd * 0.1:
        rng.shuffle(parameters)
    elif roll < odd * 0.2:
        parameters.append(rng.choice(["out=None", "debug", "*, mode=1", "**kwargs", "*args"]))
    elif roll < odd * 0.3 and parameters:
        parameters.pop(rng.randrange(len(parameters)))
    elif roll < odd * 0.4 and parameters:
        parameters.insert(rng.randint(0, len(parameters)), rng.choice(["*", "self"]))
        if parameters[-1] == "*":
            parameters.pop()
    elif roll < odd * 0.5 and parameters:
        parameters.insert(rng.randint(1, len(parameters)), "/")
    elif roll < odd * 0.6 and parameters:
        parameters[-1] += "=None"
    head = "async def" if rng.random() < odd * 0.08 else "def"
    lines = ["%s %s(%s):" % (head, name, ", ".join(parameters)),
             "    return k(%s)" % ", ".join(inputs)]
    if rng.random() < odd * 0.15:
        lines = ["if True:"] + ["    " + line for line in lines]
    if rng.random() < odd * 0.15:
        lines += ["class Late:", "    def %s(self, %s): pass" % (name, ", ".join(inputs[1:]))]
    if rng.random() < odd * 0.1:
        lines.insert(0, "@deco")
    return "\n".join(lines) + "\n"


def implementation(rng, op, suffix, inputs, outputs, odd):
    parts = ["import pypto" + (" as pt\nimport pypto" if rng.random() < 0.3 else "")]
    if rng.random() < 0.5:
        parts.append(rng.choice(["_N = pypto.DYNAMIC", "_N = DYN", "_N = M = pypto.DYN",
                                 "_N, M = pypto.DYN, 1", "M = pypto.DYN\n_N = M", "_N = 8",
                                 "if 1:\n    _N = pypto.DYN"]))
    if rng.random() < 0.5:
        parts.append(rng.choice(HELPERS))
    if rng.random() > odd * 0.1:
        parts.append(kernel(rng, "k", inputs, outputs, odd))
    if rng.random() < odd * 0.25:
        parts.append(kernel(rng, "k2", inputs, outputs, odd))
    if rng.random() > odd * 0.1:
        parts.append(wrapper(rng, op, suffix, inputs, odd))
    if rng.random() < odd * 0.3:
        parts.append(rng.choice(["# pypto.loop(3)", "s = 'pypto.loop(2)'", "def lp():\n"
                                 "    for i in pypto.loop(2): pass", "pt.loop(3)",
                                 "x.pypto.loop(1)",
                                 "def w():\n    while True: break"]))
    if rng.random() < odd * 0.3:
        rng.shuffle(parts)
    return "\n\n".join(parts) + "\n"


def contract(rng, op, inputs, outputs, odd):
    """YAML text: primary inputs, two modules, final outputs; then damaged."""
    cut = max(1, len(inputs) // 2)
    flow = "  - {name: %s, shape: \"[R, C]\", dtype: float32}"
    lines = ["schema_version: 1", "op: " + op, "primary_inputs:"] + [flow % n for n in inputs]
    lines += ["modules:", "  - id: 1", "    name: one", "    inputs:"]
    lines += ["      - {name: %s, source: primary}" % n for n in inputs[:cut]]
    lines += ["    outputs:"] + ["      - name: %s" % n for n in outputs]
    lines += ["  - id: 2", "    inputs:", "      - {name: %s, source: module_1}" % outputs[0]]
    lines += ["      - {name: %s, source: primary}" % n for n in inputs[cut:]]
    lines += ["    outputs:"] + ["      - {name: %s}" % n for n in outputs]
    lines += ["final_outputs:"] + ["  - {name: %s, source: module_2}" % n for n in outputs]
    return damage(rng, "\n".join(lines) + "\n", odd)


DAMAGE = [("primary_inputs:", "primary_input:"), ("final_outputs:", "final_output:"),
          ("modules:", "module:"), ("id: 2", "id: '2'"), ("id: 1", "id: 7"),
          ("name: a,", "name: 1,"),
          ("name: x", "name: no"), ("source: primary", "source: Primary"), ("- {name", "- [name"),
          ("op:", "op: x: "), ("schema_version", "\tschema_version"), ("{name: a", "{nam: a"),
          ("primary_inputs:\n", "primary_inputs: null\nrest:\n"),
          ("outputs:\n", "outputs: {}\nz:\n"),
          ("primary_inputs:\n", "primary_inputs: {a: 1}\nrest:\n"), ("  - ", "- "), ("\n", "\n\n"),
          ("modules:\n", "modules: 3\nrest:\n"), ("\n", "  # note\n"), ("name:", "'name':"),
          ("source: primary", "source: &p primary"),
          ("final_outputs:\n", "final_outputs: []\nq:\n"),
          ("primary_inputs:\n", "primary_inputs: []\nq:\n"), ("{name: y", "{name: z"),
          ("{name: b", "{name: 'b'"), ("- {name: b, ", "- b\n  - {"), ("inputs:", "input:")]


def damage(rng, text, odd):
    if rng.random() < odd * 0.08:
        return rng.choice(["", "[]\n", "text\n", "{}\n", "a: 1\n---\nb: 2\n", "x: [\n", "null\n",
                           "- a\n", "primary_inputs: []\n", "final_outputs: [{name: y}]\n",
                           "a: !x 1",
                           "---\n" + text, text + "...\n", "# c\n" + text,
                           "%YAML 1.1\n---\n" + text])
    for _ in range(rng.choice([0, 1, 2])):
        if rng.random() < odd * 0.6:
            old, new = rng.choice(DAMAGE)
            text = text.replace(old, new, 1 if rng.random() < 0.5 else -1)
    return text

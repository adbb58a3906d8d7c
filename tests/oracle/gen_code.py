"""Composes implementation files from the snippet pools."""

import pool_code as code
import pool_defs as defs
import pool_expr as expr
import pool_stmt as stmt
import pool_syntax as syntax
import pool_wrappers as wrappers

INDENT = "    "


def indent(text, by=INDENT):
    return "\n".join(by + line if line.strip() else line for line in text.split("\n"))


class Writer:
    """Random text of one file; `odd` (0..1) is how often an odd snippet is taken."""

    def __init__(self, rng, odd):
        self.rng = rng
        self.odd = odd

    def strange(self, scale=1.0):
        return self.rng.random() < self.odd * scale

    # Statements -----------------------------------------------------------------------

    def expression(self):
        if self.rng.random() < 0.25:
            return self.rng.choice(expr.HOT)
        return self.rng.choice(expr.EXPRS)

    def statement(self):
        rng = self.rng
        e = self.expression()
        forms = ["x = %s", "y = %s", "dst[:] = %s", "%s", "%s", "dst.move(%s)", "v: int = %s",
                 "z[%s] += 1", "call(%s, key=1)", "q = (\n    %s\n)", "assert %s, 1",
                 "w = lambda v: %s", "x = y = %s", "x, *y = (%s), 1", "x = (%s) + (src)"]
        if self.strange():
            forms += ["return %s", "return", "src = %s", "dst += %s", "n = out = %s",
                      "(dst) = %s", "dst: int = %s", "a, dst = %s", "TILE = %s", "yield %s",
                      "print((dst := (%s)))", "del x[%s]", "raise %s", "dst @= (%s)", "scale -= 1"]
        text = rng.choice(forms)
        return text % e if "%s" in text else text

    def filled(self, template, quotes=True):
        """TEMPLATE with every hole replaced by an expression."""
        while "$E" in template:
            e = self.expression()
            if quotes or ("'" not in e and "\\" not in e):
                template = template.replace("$E", e, 1)
        return template

    def deep(self):
        """Long chains and nests that are still within what CPython accepts."""
        rng, e = self.rng, self.expression()
        depth = rng.choice([20, 40, 80])
        kind = rng.randrange(9)
        if kind == 0:
            return "x = " + "(" * depth + e + ")" * depth
        if kind == 1:
            return "x = " + "[" * depth + e + "]" * depth
        if kind == 2:
            return "x = " + " + ".join(["y"] * depth * 2) + " + (" + e + ")"
        if kind == 3:
            return "x = y" + ".real" * depth * 2 + ".sum(%s)" % e
        if kind == 4:
            return "x = y" + "()" * depth + "[%s]" % e
        if kind == 5:
            return "\n".join("%s a == %d:\n    %s" % ("elif" if i else "if", i, e)
                             for i in range(depth)) + "\nelse:\n    " + e
        if kind == 6:
            return "\n".join(" " * i + "if a:" for i in range(depth // 2)) \
                + "\n" + " " * (depth // 2) + e
        if kind == 7:
            return "x = " + "not " * depth + "(" + e + ")"
        return "x = f(%s)" % ", ".join(["1"] * depth * 4 + [e])

    def syntax(self):
        if self.rng.random() < 0.01:
            return self.deep()
        if self.rng.random() < 0.2:
            return self.filled(self.rng.choice(syntax.FSTRINGS), quotes=False)
        if self.rng.random() < 0.15:
            return self.rng.choice(syntax.NESTS)
        return self.filled(self.rng.choice(syntax.SYNTAX))

    def block(self, depth, size):
        rng = self.rng
        parts = []
        for _ in range(rng.randint(1, size)):
            roll = rng.random()
            if depth < 4 and roll < 0.24:
                parts.append(self.compound(depth))
            elif roll < 0.28 and self.strange():
                parts.append(rng.choice(syntax.TILE_FORMS))
            elif roll < 0.36:
                parts.append(rng.choice(stmt.TILE_CALLS if self.strange() else
                                        stmt.TILE_CALLS[:3]))
            elif roll < 0.42 and self.strange():
                parts.append(rng.choice(stmt.LOCALS))
            elif roll < 0.55 and self.strange():
                parts.append(self.syntax())
            elif roll < 0.42 + 0.5 * min(1, self.odd + 0.2):
                parts.append(self.statement())
            else:
                parts.append(rng.choice(["dst[:] = pypto.mul(src, 2.0)", "pass",
                                         "pypto_scale(src, dst)", "part = pypto.abs(src)",
                                         "# nothing to do\npass", "x = 1; y = 2"]))
        return "\n".join(parts)

    def compound(self, depth):
        rng = self.rng
        body = indent(self.block(depth + 1, 3))
        roll = rng.random()
        if roll < 0.55:
            head = rng.choice(stmt.LOOPS if self.strange() else stmt.LOOPS[:5])
            text = head + "\n" + body
            if rng.random() < 0.15 and not head.startswith("with"):
                text += "\nelse:\n" + indent(self.block(depth + 1, 2))
            return text
        if roll < 0.65:
            return "if %s:\n%s" % (self.expression(), body)
        if roll < 0.75:
            return "def %s(x, dst=%s):\n%s" % (
                rng.choice(["inner", "helper", "run_inner", "nested_impl", "$OP_wrapper"]),
                "1", body)
        if roll < 0.82:
            return "try:\n%s\nexcept (A, B) as %s:\n    pass" % (body, rng.choice(["e", "dst"]))
        if roll < 0.87:
            return "match src:\n    case [x, 1] if n:\n%s\n    case _:\n        pass" % (
                indent(body))
        if roll < 0.91:
            return "class Inner:\n" + body
        if roll < 0.95:
            return "async def later():\n" + body
        return "with (ctx() as c,\n      other()):\n" + body

    # Functions ------------------------------------------------------------------------

    def parameters(self):
        rng = self.rng
        if not self.strange():
            return rng.choice([
                "src: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32),\n"
                "        dst: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)",
                "src: pypto.Tensor([ROWS, 64], pypto.DT_BF16), "
                "dst: pypto.Tensor[[ROWS, 64], pypto.DT_BF16], n: int",
                "src: pypto.Tensor([8, 64], pypto.DT_FP16), dst: pypto.Tensor([8, 64], "
                "pypto.DT_FP16), n: int = 4"])
        names = rng.sample(code.PARAM_NAMES, rng.randint(0, 6))
        parts, defaults = [], False
        slash = rng.randrange(1, len(names)) if len(names) > 2 and rng.random() < 0.15 else -1
        star = rng.randrange(len(names)) if names and rng.random() < 0.25 else -1
        for index, name in enumerate(names):
            text = name
            if index == star:
                parts.append(rng.choice(["*", "*args", "*args: pypto.Tensor()"]))
            if rng.random() < 0.85:
                text += ": " + rng.choice(code.ANNOTATIONS[:4] if rng.random() < 0.4
                                          else code.ANNOTATIONS)
            defaults = defaults or rng.random() < 0.06
            if defaults:
                text += " = " + rng.choice(["1", "None", "max(1, 2)", "pypto.zeros(1)"])
            parts.append(text)
            if index + 1 == slash and (star < 0 or star > index):
                parts.append("/")
        if rng.random() < 0.1:
            parts.append("**kwargs")
        return rng.choice([", ", ",\n        "]).join(parts)

    def kernel(self, names):
        rng = self.rng
        name = rng.choice(code.KERNEL_NAMES[:3] if not self.strange(0.5) else code.KERNEL_NAMES)
        names.append(name)
        decorator = "@pypto.frontend.jit"
        if self.strange():
            decorator = rng.choice(code.DECORATORS[:6] if rng.random() < 0.75
                                   else code.DECORATORS)
        if self.strange(0.1):
            decorator += "\n" + rng.choice(code.DECORATORS)
        head = "async def" if self.strange(0.05) else "def"
        returns = rng.choice([" -> None", ' -> "x"', " -> pypto.Tensor([4])", " -> max(1, 2)"]) \
            if self.strange(0.1) else ""
        body = indent(self.block(1, 9))
        if rng.random() < 0.2 and not self.strange():
            body = "    pypto_scale(src, dst)"
        text = "%s\n%s %s(%s)%s:\n%s" % (decorator, head, name, self.parameters(), returns, body)
        if self.strange(0.12):
            text = rng.choice(["class Holder:\n", "def factory():\n", "if True:\n"]) + indent(text)
        return text

    def wrapper(self):
        rng = self.rng
        name = rng.choice(wrappers.WRAPPER_NAMES if self.strange(0.6)
                          else wrappers.WRAPPER_NAMES[:3])
        head = "async def" if self.strange(0.06) else "def"
        parameters = "src"
        if self.strange(0.6):
            parameters = rng.choice(["src", "src, out", "src, /, out", "out, /, src", "*out, src",
                                     "src, *, output=None", "src, **b_out", "src, n, xs=None"])
        body = rng.choice(wrappers.CLEAN_WRAPPERS if not self.strange() else wrappers.WRAPPERS)
        if self.strange(0.3):
            body += "\n" + indent(self.block(2, 3))
        return "%s %s(%s):\n%s" % (head, name, parameters, body)

    # Files ----------------------------------------------------------------------------

    def implementation(self):
        rng = self.rng
        parts = [rng.choice(code.CLEAN_IMPORTS)]
        if self.strange(0.5):
            parts[0] = rng.choice(code.IMPORTS)
        for _ in range(rng.randint(0, 2) if self.strange() else 0):
            parts.append(rng.choice(code.IMPORTS))
        for _ in range(rng.randint(0, 3)):
            parts.append(rng.choice(code.CONSTS if self.strange() else code.CONSTS[:2]))
        middle = [defs.CLEAN_HELPERS[0]] if not self.strange(0.4) else []
        for _ in range(rng.randint(0, 3)):
            middle.append(rng.choice(defs.HELPERS if self.strange() else defs.CLEAN_HELPERS))
        kernels = 1 if not self.strange(0.4) else rng.choice([0, 1, 2, 2, 3])
        names = []
        middle += [self.kernel(names) for _ in range(kernels)]
        middle += [self.wrapper() for _ in range(1 if not self.strange(0.4) else
                                                 rng.randint(0, 2))]
        if self.strange():
            rng.shuffle(middle)
        parts += middle
        for _ in range(rng.randint(1, 3) if self.strange(0.3) else 0):
            parts.append(self.syntax())
        if self.strange(0.8):
            parts.append(rng.choice(defs.TAILS))
        text = ("\n\n" if rng.random() < 0.9 else "\n").join(parts) + "\n"
        # sometimes the whole file calls its kernel by the name it really has
        if names and names[0] != "$OP_npu" and rng.random() < 0.7:
            text = text.replace("$OP_npu", names[0])
        return text

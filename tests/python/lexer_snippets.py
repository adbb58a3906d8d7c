"""Snippets for lexer_differential.py: what the lexer must accept, what it must reject, and some of the
messages. Each verdict holds for at least one Python from 3.8 to 3.13 (ACCEPT) or for all (REJECT)."""

ACCEPT = [
    # numbers
    "0_0", "00", "0_0_0", "09.", "09e1", "09j", "0b_1", "0x_f", "0XfF", "0B1", "0O7", "1.e5", ".5", "1..real",
    "1.5_5", "1_0_0", "0e0", "0.j", "1e-5", "1E+5", "1j", "1_000.000_1e1_0j", "1if x else y", "1 if 1else 2",
    "[1for x in y]", "0x1for x in y", "1or 2", "1and 2", "1is 2", "1not in x", "1in x", "00or 1", "0if 1 else 2",
    "0b1or 2", "0b1and 2", "0o7if 1 else 2", "1jif 1 else 2", "1.if 1 else 2", "1e5if 1 else 2", "1_0if 1else 2",
    "raise 1from x", "with 1as x:pass", "[1async for x in y]", "0" * 5000, "1" * 4300, "0x" + "1" * 5000,
    "1" * 5000 + ".", "1" * 5000 + "j",
    # strings
    "''", "'\\''", "'\\\\'", "r'\\'' ''", "rb'\\''", "bR''", "Rb''", "u''", "U''", "b''", "F''", "fR''", "Rf''",
    "'a' 'b'", "b'a' b'b'", "'a' f'b'", "u'' ''", "'\\d\\400\\777\\8'", "'\\x41\\u0041\\U00000041\\U0010ffff'",
    "'\\ud800'", "'\\N{AMPERSAND}'", "'\\N{space}'", "r'\\x\\u\\N'", "b'\\N\\u\\U'", "b'\\x41'", "br'\\x'", "'é'",
    "'a\\\nb'", "'''a\nb'''", "'''a'b''c\\'''d'''", "''''a'''", "''''''", '"""a"""', "'a\\\rb'",
    "'a\\\r\nb'", "'a\\\\\\\r\nb'", "'''a\r\nb\rc'''", "r'a\\\r\nb'", "b'a\\\nb'", "'\\\n'", "'''\\\n'''",
    # f-strings
    "f''", "f'{a}'", "f'{{}}'", "f'{{{a}}}'", "f'{a!r}'", "f'{a !r}'", "f'{a!r }'", "f'{a!s:>{w}.{p}}'", "f'{a=}'",
    "f'{a = !r:x}'", "f'{a:{b}{c}}'", "f'{a:{b:{c}}}'", "f'{a!=b}'", "f'{a==b}'", "f'{a<=b}'", "f'{a>=b}'", "f'{a:=5}'",
    "f'{(a:=5)}'", "f'{a::b}'", "f'{a[1:2]}'", "f'{ {1:2}}'", "f'{ {1:2}[1]}'", "f'{(lambda x:1)}'", "f'{f(a=1)}'",
    "f'{[lambda:1]}'", "f'{*a,}'", "f'{yield}'", "f'{a,}'", "f'{x:{{}}}'", "f'{x:}}}'", "f'\\{6}'", "f'\\{{6}}'",
    "rf'\\{6}'", "f'\\N{AMPERSAND}{a}'", "f'{x:\\N{AMPERSAND}}'", "f'{x:\\x41}'", "f'{x:\\\n}'", "rf'{x:\\d}'", "rf'\\N{a}'",
    "f'\\\n'", "f'{x:\\}'", "rf'{x:\\}'", "f'{x:\\{a}}'", "f'{x}\\''", "rf'{x}\\''", "f'{a}' f'{b}' 'c'",
    "f'{f'{f'{1}'}'}'", "f'{'a'}'", "f'{a['b']}'", "f'{a:{'x'}}'", "f'{a:{\"x\"}}'", "f'{'\\n'.join(a)}'", "f'{a\n}'", "f'{\na\n}'",
    "f'{a#c\n}'", "f'{a # ' \" }\n}'", "f'{a\\\n}'", "f'''{\na\n}'''", "f'''{a:\n}'''", "f'''{a!r\n:x}'''", "f'{a:x\n}'",
    "f'''{a}'b\"{'c'}'''", "f'''{\"\"\"a\"\"\"}'''", "f'{f\"{a}\"}'", "f\"{x:{'>'}}\"", "f'{a if b else c}'", "f'{not a}'",
    "f'{a or b:x}'", "f'{a}{b!r}{c:x}{d=}'", "f'{{' '}}'", "f'{\"}\"}'", "f'{\"{\"}'", "f'{a[\"}\"]}'", "f'{b\"a\"}'",
    "f'{a:%H:%M}'", "f'{a:!r}'", "f'{a:#x}'", "f'{a:{b!r:x}}'", "f'{a:{b}c{d}}'", "F'{a}'", "f'{x.y(1)[2]}'", "f'{1_0}'",
    "f'{0x1f:x}'", "f'{1if x else y}'", "f'{a!r:}'", "f'{a:}'", "f'é{a}é'", "f'{é}'", "f'{lambda_}'", "f'{x:lambda}'",
    # names and characters
    "é = 1", "变量 = 1", "ℙ = 1", "x℘ = 1", "a· = 1", "ﬁ = 1", "ª = 1", "a١ = 1", "_x1 = 1", "'，' # ，。", "print(x)", "exec(x)",
    # lines, indentation, continuation
    "", "\n", "   ", "# c", "  # c\nx", "x \\\n  ", "x = 1 + \\\n  2", "\\\n    x", "if a:\n\\\n    x", "if a:\n    \\\n  x",
    "a\n\\\r\nx", "\\\r\n\\\r\nx", "if a:\n    x\n    \\\r\n  y", "if a:\r\n  \\\r\n    x\r\n  y", "if a:\n\t\\\r\n\tx\n\ty",
    "if a:\n    x\n\\\n    y", "\\\n\\\nx", "1 \\\n# c\n2", "x=(\n\\\n1)", "# \\\nx", "x = 1 \x0c+ 2", "(\x0c)", "\x0cx", "  \x0cx",
    "if 1:\n  x\n    \n\n#c\n    #d\n  y", "if 1:\n#c\n  x\n#c\n", "if 1: pass\n  # c\nx", "if 1:\n\tx\n\ty", "if 1:\n\tif 2:\n\t    x\ny",
    "if 1:\n        x\nelse:\n  y", "if a:\r\n  x\r\ny\r\n", "if a:\r  x\ry", "if a: # c\n  x", "if (a\n  and b):\n  x", "if a: x; y",
    "x = [\n1,\n  2,\n# c\n]", "x = {\n'a': 1,\n}", "class A: pass", "def f(a: int = 1) -> int:\n  pass", "try:\n  x\nexcept:\n  y\nfinally:\n  z",
    "x: int = 1", "x: int", "lambda: 1", "f = lambda x: x", "x[1:2]", "x[a:\nb]", "{1:\n2}", "(lambda:\n1)", "(yield\n)", "(x\nfor x in y\nif x)",
    "@a\ndef f(): pass", "@a\n\n# c\ndef f(): pass", "async def f():\n  await x\n  async with a: pass", "while 1:\n  break\nelse:\n  x",
    "match x:\n  case 1:\n    pass", "match 'x':\n  case 'y': pass", "match = 1", "match (x)", "match[x] = 1", "case = 1", "type X = int", "type = 1",
    "type X[T] = int", "x = 1 if y else 2", "x = not y", "from . import (a,\nb)", "print >>f, x", "if x:\n  pass;", "x;", "a @ b", "a @= b",
    "a //= b", "a **= b", "a >>= b", "a <<= b", "(a := 1)", "x = ...", "a<b>c", "a << -b", "a<-b>c", "{**a}", "f(*a, **b)", "a if b else-c",
    "(" * 100 + ")" * 100, "x = \\\n(1,\n2)", "if x:\n  y = '''\nz\n'''\n  w", "def f():\n  '''a\n'''\n  return 1", "global x", "del x",
    "return 'a'", "return b'a'", "raise x from 'a'", "assert x, 'a'", "import a as b", "'a' in 'b'", "'a' if 'b' else 'c'", "x = 'a' 'b' % 'c'",
    "for x in 'a': pass", "yield 'a'", "await x", "None", "x is None", "return None", "not None", "while True: pass", "[x for x in 'a' if 'b']",
]

# Accepted, although the older judges do not know it: nothing at present.
NEWER = []

REJECT = [
    # numbers
    "0_", "0_7", "09", "0777", "0b", "0b_", "0b12", "0b2", "0o8", "0o78", "0xg", "0x", "0x_", "0xé", "1e", "1e+", "1e5_", "1e_5", "1__0", "1_", "1._5",
    "1_.5", "1j1", "1jj", "1o", "1n", "1L", "0xL", "12abc", "0or 1", "0e", "0.e", "1.real", "1andx", "1ife", "1elsex", "1lambda", "0_if 1 else 2",
    "1" * 4301, "1_" * 4300 + "1", "1é", "1€", "1١", "1\xa0", "1 2", "x 1", "1 x", "0b1.0",
    # strings
    "'", "'a", "'a\nb'", "'a\\", "'a\\\\\nb'", "'''", "'''a", "'''a''", '"""a"', "r'\\'", "'a\\'", "b'é'", "rb'é'", "b'''\né'''", "b'\\x4'", "b'\\x'", "'\\x'",
    "'\\x4'", "'\\x4g'", "'\\u123'", "'\\U0010fff'", "'\\U00110000'", "'\\Uffffffff'", "'C:\\Users'", "'\\N'", "'\\N{}'", "'\\N{a'", "'\\Na'", "'\\N{LATIN_SMALL}'",
    "ub''", "bu''", "ur''", "ru''", "bf''", "fb''", "uf''", "fu''", "rrb''", "bb''", "t''", "x''", "'' b''", "b'' f''", "('a'\n#c\nb'c')", "print 'x'", "print x",
    "exec 'x'", "'a'x", "(a)'b'", "'a'1", "'a''", "'''a''''",
    # f-strings
    "f'", "f'{", "f'{a", "f'{a'", "f'{a\"'", "f'{a:'", "f'{a:x", "f'{a:{b}'", "f'{a!r'", "f'}'", "f'{{}'", "f'{a}}'", "f'{x!r:}}'", "f'{}'", "f'{ }'", "f'{=}'", "f'{!r}'",
    "f'{:x}'", "f'{a=b}'", "f'{a!}'", "f'{a!x}'", "f'{a!rr}'", "f'{a! r}'", "f'{a!r!s}'", "f'{a!r=}'", "f'{lambda x:1}'", "f'{lambda:1}'", "f'{a]}'", "f'{(a}'", "f'{a[}'",
    "f'{a)}'", "f'{(}'", "f'\\x{a}'", "f'\\N'", "f'\\N{AMPERSAND'", "f'{x:\\x4}'", "f'{#c\n}'", "f'{a#c}'", "f'{a:{b:{c:{d}}}}'", "f'{a b}'", "f'{a $}'", "f'{'a}'",
    "f'''{a", "f'''{a'''", "f'''a", "f'a\nb'", "f'{a:{\n}}'", "f'''{}'''", "print(f'{a', 'b')", "f'{08}'", "f'{a['b}'", "x = f'{a\ny = 1", "f'{a ? b}'", "f'{\nimport x}'",
    # brackets
    "(", ")", "[", "]", "{", "}", "(]", "[)", "{)", "([)]", "(a", "a)", "f(a[1)", "x = (1,\n", "x = (1\ny = 2\n", "(" * 201 + ")" * 201, "x = [1, 2\ndef f(): pass",
    # characters
    "$", "?", "`a`", "a ! b", "!", "x\x0b", "x\x1a", "\x00x".replace("\x00", "\x01"), "x\x7f", "€ = 1", "· = 1", "１", "print(１)", "١ = 1", "x = “a”", "f（x)", "x，y", "x\u3000= 1",
    "x\xa0= 1", "\u200bx", "x\u200b", "a €", "é€", "x = 1 \ufeff", "a <> b",
    # lines, indentation, continuation
    "x \\", "x \\\n", "\\", "\\\n", "x \\ \n", "x \\a", "x = 1 \\ # c\n", " x", "\tx", "x\n  y", "if a:\nx", "if a:", "if a:\n# c\n", "if a:\n  x\n y", "if a:\n  x\n    y",
    "def f():\npass", "def f():\n", "class A:\nx", "if a: x\n  y", "if 1:\n \tx\n\ty", "if 1:\n\tx\n        y", "if 1:\n        x\n\ty", "if 1:\n  if 2:\n    x\n   y",
    "else:\nx", "try:\nx\nexcept: pass", "x:\n  y", "lambda:\n", "x = lambda:\n  1", "if a\n  x", "while a", "def f()", "class A\n  x", "for x in y", "with a", "else\n  x",
    "match x:\ncase 1: pass", "\x0c x", "\n".join("  " * i + "if x:" for i in range(101)) + " x",
]

# The lexer's one error for a text.
MESSAGES = [
    ("x = 08\n", "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"),
    ("foo(a, b\nx = 1\ndef f():\n    pass\n", "'(' was never closed"),
    ("foo(a, b\n", "'(' was never closed"),
    ("foo(a]\nx = 1\n", "closing parenthesis ']' does not match opening parenthesis '('"),
    ("foo(\na]\nx = 1\n", "closing parenthesis ']' does not match opening parenthesis '(' on line 1"),
    ("foo)\n", "unmatched ')'"),
    ("print('abc)\nx = (1,\n2)\n", "unterminated string literal (detected at line 1)"),
    ("x = '''a\nb\n(", "unterminated triple-quoted string literal (detected at line 3)"),
    ("print(f'{a')\ny = 1\n", "f-string: expecting '}'"),
    ("print(f\"{a\", 'b')\ny = 1\n", "f-string: expecting '}'"),
    ("x = f'{a\ny = 'b'\nz = 1\n", "f-string: expecting '}'"),
    ("x = f'a}'\n", "f-string: single '}' is not allowed"),
    ("x = f'{}'\n", "f-string: valid expression required before '}'"),
    ("x = f'{a!x}'\n", "f-string: invalid conversion character 'x': expected 's', 'r', or 'a'"),
    ("x = f'abc\ny = 1\n", "unterminated f-string literal (detected at line 1)"),
    ("def f():\npass\n", "expected an indented block"),
    ("x = 1\n    y = 2\n    z = 3\nw = 4\n", "unexpected indent"),
    ("if a:\n        x\n    y\n    z\nw\n", "unindent does not match any outer indentation level"),
    ("if a:\n\tx\n        y\n", "inconsistent use of tabs and spaces in indentation"),
    ("if a\n    x\ny\n", "expected ':'"),
    ("if x：\n    y\nz\n", "invalid character '：' (U+FF1A)"),
    ("print（'a'）\nx\n", "invalid character '（' (U+FF08)"),
    ("x\xa0= 1\n", "invalid non-printable character U+00A0"),
    ("x = 1 \\ \ny\n", "unexpected character after line continuation character"),
    ("x = a ? b : c\n", "invalid character '?' (U+003F)"),
    ("print 'a'\n", "Missing parentheses in call to 'print'. Did you mean print(...)?"),
    ("x = ['a'\n'b' c]\n", "invalid syntax. Perhaps you forgot a comma?"),
    ("p = 'C:\\Users'\n", "(unicode error) 'unicodeescape' codec can't decode bytes: truncated \\UXXXXXXXX escape"),
    ("x = b'é'\n", "bytes can only contain ASCII literal characters"),
    ("x = 12abc\n", "invalid decimal literal"),
    ("x = 0o8\n", "invalid digit '8' in octal literal"),
]

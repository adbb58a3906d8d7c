"""Mutations of Python text: on the tree (result parses), on tokens, on the layout."""

import ast
import re

from model import ParseFailure, parse_text

# Text that newer grammars accept and this interpreter rejects; such mutants prove nothing.
VERSION_DEPENDENT = re.compile(
    r"""\b[rR]?[fFtT][rR]?['"]|\btype\s+\w+\s*[\[=]|\b(def|class)\s+\w+\s*\[|except\b[^:]*,""")
TOKEN = re.compile(r"\n[ \t]*|[ \t]+|\w+|\"[^\"\n]*\"|'[^'\n]*'|#[^\n]*|\S")
JUNK = ["(", ")", "[", "]", "{", "}", ":", ",", "=", ":=", "*", "**", "@", ".", "->", "def", "if",
        "else", "for", "in", "lambda", "return", "async", "await", "None", "\\", "'", '"', '"""',
        "\n", "\n    ", "\n\t", " ", ";", "not", "is", "0x", "1_", "08", "?", "$", "!", "import",
        "from", "as", "yield", "pass", "del", "\u00a0", "\u4e2d", "...", "match", "case", "~", "="]


def parses(text):
    try:
        parse_text(text)
        return True
    except ParseFailure:
        return False


def on_tree(rng, text, rounds):
    """TEXT after ROUNDS random edits of its tree; unchanged where an edit is not possible."""
    for _ in range(rounds):
        try:
            tree = parse_text(text)
        except ParseFailure:
            return text
        try:
            rng.choice(EDITS)(rng, tree)
            changed = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        except (SyntaxError, ValueError, AttributeError, TypeError, RecursionError):
            continue
        if parses(changed) and len(changed) < 40000:
            text = changed
    return text


def blocks(tree):
    found = []
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            value = getattr(node, field, None)
            if isinstance(value, list) and value:
                found.append(value)
    return found


def delete_statement(rng, tree):
    block = rng.choice(blocks(tree) or [[]])
    if block:
        del block[rng.randrange(len(block))]
        if not block:
            block.append(ast.Pass())


def duplicate_statement(rng, tree):
    source, target = (rng.choice(blocks(tree) or [[ast.Pass()]]) for _ in range(2))
    statement = ast.parse(ast.unparse(ast.fix_missing_locations(rng.choice(source)))).body
    at = rng.randint(0, len(target))
    target[at:at] = statement


def swap_statements(rng, tree):
    one, two = (rng.choice(blocks(tree) or [[ast.Pass()]]) for _ in range(2))
    i, j = rng.randrange(len(one)), rng.randrange(len(two))
    a = ast.parse(ast.unparse(ast.fix_missing_locations(one[i]))).body[0]
    b = ast.parse(ast.unparse(ast.fix_missing_locations(two[j]))).body[0]
    one[i], two[j] = b, a


def expressions(tree):
    """(parent, field, index) of every expression in load position."""
    places = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.JoinedStr, ast.FormattedValue, ast.MatchValue, ast.MatchClass)):
            continue
        for field, value in ast.iter_fields(node):
            for index, child in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(child, ast.expr) and isinstance(getattr(child, "ctx", ast.Load()),
                                                              ast.Load):
                    places.append((node, field, index if isinstance(value, list) else None))
    return places


def replace_expression(rng, tree):
    places = expressions(tree)
    if not places:
        return
    node, field, index = rng.choice(places)
    other, other_field, other_index = rng.choice(places)
    value = getattr(other, other_field)
    value = value if other_index is None else value[other_index]
    copy = ast.parse("(" + ast.unparse(value) + ")", mode="eval").body \
        if not isinstance(value, (ast.Starred, ast.Slice)) else ast.Constant(1)
    if index is None:
        setattr(node, field, copy)
    else:
        getattr(node, field)[index] = copy


def rename(rng, tree):
    names = [n for n in ast.walk(tree) if isinstance(n, (ast.Name, ast.Attribute, ast.arg))]
    if len(names) < 2:
        return
    one, two = rng.choice(names), rng.choice(names)
    text = {ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg"}
    setattr(one, text[type(one)], getattr(two, text[type(two)]))


def change_function(rng, tree):
    found = [(b, i) for b in blocks(tree) for i, s in enumerate(b)
             if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not found:
        return
    block, i = rng.choice(found)
    function = block[i]
    roll = rng.random()
    if roll < 0.3:
        kind = ast.FunctionDef if isinstance(function, ast.AsyncFunctionDef) \
            else ast.AsyncFunctionDef
        block[i] = kind(**dict(ast.iter_fields(function)))
    elif roll < 0.5 and function.decorator_list:
        function.decorator_list.pop()
    elif roll < 0.7:
        function.decorator_list.append(ast.parse("pypto.frontend.jit", mode="eval").body)
    elif roll < 0.85 and function.args.args:
        function.args.args.append(function.args.args.pop(0))
    else:
        names = [b[i].name for b, i in found]
        function.name = rng.choice(names + ["helper", "run_x", "late_wrapper", "deep_impl"])


def wrap_statement(rng, tree):
    block = rng.choice(blocks(tree) or [[]])
    if not block:
        return
    i = rng.randrange(len(block))
    shell = ast.parse(rng.choice([
        "if x:\n pass", "for i in range(3):\n pass", "for i in pypto.loop(4):\n pass",
        "while x:\n pass", "try:\n pass\nfinally:\n pass", "def helper():\n pass",
        "with a as b:\n pass", "class C:\n pass", "async def h(x):\n pass"])).body[0]
    shell.body[:] = [block[i]]
    block[i] = shell


EDITS = [delete_statement, duplicate_statement, swap_statements, replace_expression,
         replace_expression, rename, rename, change_function, wrap_statement]


def on_tokens(rng, text, rounds):
    """TEXT after token edits; most results do not parse."""
    tokens = TOKEN.findall(text)
    for _ in range(rounds):
        if len(tokens) < 3:
            break
        i = rng.randrange(len(tokens))
        roll = rng.random()
        if roll < 0.3:
            del tokens[i]
        elif roll < 0.45:
            tokens.insert(i, tokens[rng.randrange(len(tokens))])
        elif roll < 0.6:
            j = rng.randrange(len(tokens))
            tokens[i], tokens[j] = tokens[j], tokens[i]
        else:
            tokens.insert(i, rng.choice(JUNK))
    changed = "".join(tokens)
    if not parses(changed) and VERSION_DEPENDENT.search(changed):
        return text
    return changed


DATA_TOKEN = re.compile(r"\n *|[ \t]+|\w+|\S")
DATA_JUNK = [":", ": ", " :", "- ", "-", "'", '"', "[", "]", "{", "}", ",", ", ", "#", " #", "&a ",
             "*a", "!", "!!str ", "|", ">", "|-", ">+", "%", "@", "`", "? ", "?", "\n", "\n  ",
             "\n- ", "~", "=", "<<", "<<: ", "---", "...", "1e3", "0x1F", "1_0", ".5", "5.", "08",
             "017", "0b1", "1:30", "yes", "null", "None", "true", "\\", "\\n", "\u4e2d", "-1", "+2",
             ".inf", "2026-01-31", "2026-13-01", "1.0e+3", "(", ")", "*", "**", "##", "# ", "## ",
             "```", "||", "| ", "\u274c", "\u2705", "TODO", "[x]", "[ ]", "\t", "\u3000", " "]


def on_data(rng, text, rounds):
    """TEXT of a document, YAML or JSON file after token edits."""
    tokens = DATA_TOKEN.findall(text)
    for _ in range(rounds):
        if len(tokens) < 3:
            break
        i = rng.randrange(len(tokens))
        roll = rng.random()
        if roll < 0.25:
            del tokens[i]
        elif roll < 0.4:
            tokens.insert(i, tokens[rng.randrange(len(tokens))])
        elif roll < 0.5:
            j = rng.randrange(len(tokens))
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif roll < 0.6:
            tokens[i] = rng.choice(DATA_JUNK)
        else:
            tokens.insert(i, rng.choice(DATA_JUNK))
    return "".join(tokens)


def on_layout(rng, text):
    """Same program in another layout, where the edit does not hit a string."""
    roll = rng.randrange(8)
    if roll == 0:
        changed = text.replace("    ", "\t")
    elif roll == 1:
        changed = text.replace(" = ", " = \\\n  ")
    elif roll == 2:
        changed = re.sub(r"(?m)$", lambda m: rng.choice(["", "  # \u4e2d\u6587 note", " "]), text)
    elif roll == 3:
        changed = text.replace("\n\n", "\n\f\n\n# caf\u00e9 \u2028 \x85 \U0001f600\n")
    elif roll == 4:
        changed = text.replace("(", "(  # open\n        ")
    elif roll == 5:
        changed = text.replace(", ", " ,\n  ")
    elif roll == 6:
        changed = text.replace("part", "\u90e8\u5206").replace('"rows"', '"\u884c\U0001f600"')
    else:
        changed = text.rstrip("\n")
    return changed if parses(changed) == parses(text) else text


def insert_snippet(rng, text, snippet):
    """TEXT with SNIPPET put before a top-level statement or in place of a simple line."""
    lines = text.split("\n")
    top = [i for i, line in enumerate(lines)
           if re.match(r"(def|class|import|from|@)\b|@", line)
           and not (i and lines[i - 1].startswith("@"))]
    inner = [i for i, line in enumerate(lines)
             if re.fullmatch(r" +(pass|return \w+|x = \w+)", line)]
    if inner and rng.random() < 0.6:
        i = rng.choice(inner)
        pad = lines[i][:len(lines[i]) - len(lines[i].lstrip())]
        lines[i:i + 1] = [pad + part if part else part for part in snippet.split("\n")]
    else:
        i = rng.choice(top + [len(lines)])
        lines[i:i] = snippet.split("\n")
    return "\n".join(lines)

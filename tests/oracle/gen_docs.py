"""Composes golden, tests, DESIGN.md and MEMORY.md."""

import pool_expr
import pool_text as pool


def golden(rng, odd):
    parts = [pool.GOLDEN[0]]
    if rng.random() < odd:
        parts = [rng.choice(pool.GOLDEN) for _ in range(rng.randint(1, 3))]
    if rng.random() < odd * 0.4:
        parts.append("def more(src):\n    return %s" % rng.choice(pool_expr.EXPRS))
    return "\n".join(parts) + "\n"


def test(rng, odd):
    imports = list(pool.TEST_IMPORTS[:2])
    if rng.random() < odd:
        imports = [rng.choice(pool.TEST_IMPORTS) for _ in range(rng.randint(0, 5))]
        imports += [line for line in pool.TEST_IMPORTS[:2] if rng.random() < 0.5]
    if rng.random() < odd * 0.3:
        imports.append("import pypto")
    bodies = [pool.TEST_BODIES[0]]
    if rng.random() < odd:
        bodies = [rng.choice(pool.TEST_BODIES) for _ in range(rng.randint(0, 4))]
    if rng.random() < odd * 0.1:
        imports = ["if True:\n    " + line for line in imports]
    return "\n".join(imports) + "\n\n" + "\n\n".join(bodies) + "\n"


def design(rng, odd):
    parts = ["# Design", "Text with `pypto.nope`."]
    for _ in range(rng.randint(0, 4)):
        opening, closing = pool.FENCES[0]
        block = pool.CODE_BLOCKS[6]
        if rng.random() < odd:
            opening, closing = rng.choice(pool.FENCES)
            block = rng.choice(pool.CODE_BLOCKS)
        elif rng.random() < odd:
            block = rng.choice(pool.CODE_BLOCKS)
        lines = [opening, block, closing]
        if rng.random() < odd * 0.1:
            lines.pop(1)
        parts.append("\n".join(lines))
        if rng.random() < 0.5:
            parts.append("between")
    return "\n".join(parts) + ("\n" if rng.random() < 0.8 else "")


def memory(rng, odd):
    parts = []
    if rng.random() < 0.3:
        parts.append(rng.choice(pool.FRONT).rstrip("\n") if rng.random() < odd
                     else pool.FRONT[0].rstrip("\n"))
    parts += ["# Memory", "", "some text"]
    if rng.random() < odd * 0.1:
        return "\n".join(parts) + "\n"
    parts.append(rng.choice(pool.TITLES) if rng.random() < odd * 0.6 else pool.TITLES[0])
    if rng.random() < 0.7:
        parts.append("")
    count = rng.randint(1, 5) if rng.random() > odd * 0.3 else rng.choice([0, 19, 20, 21, 24])
    for _ in range(count):
        item = rng.choice(pool.ITEMS if rng.random() < odd else pool.ITEMS[:3] + pool.ITEMS[8:9])
        parts.append(item)
        if "[-]" in item and rng.random() < 0.8:
            if rng.random() < odd * 0.2:
                parts.append(rng.choice(["", "   ", "  continued"]))
            parts.append(rng.choice(pool.NOTES) if rng.random() < odd else pool.NOTES[2])
        elif rng.random() < 0.1 * odd:
            parts.append(rng.choice(pool.NOTES + [""]))
    if rng.random() < odd * 0.25:
        parts.append(rng.choice(pool.PLACEHOLDERS))
    for _ in range(rng.randint(1, 3) if rng.random() < odd * 0.25 else 0):
        parts.append(rng.choice(pool.TABLES))
    for _ in range(rng.randint(0, 2)):
        parts.append(rng.choice(pool.OTHER_TITLES))
        parts.append(rng.choice(pool.ITEMS + pool.TABLES))
    return "\n".join(parts) + rng.choice(["\n", "", "\n\n"])

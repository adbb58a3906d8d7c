"""Compares the program's reading of YAML headers with PyYAML's safe loader.

usage: yaml_differential.py VALUE_DUMP [--rounds N] [--seed S] [--show N]

Headers are made from building blocks of the documents that are linted and from scalars that
resolve in odd ways, then changed at random. Known and accepted differences are counted, every other
one is a failure.
"""
import argparse
import os
import random
import sys

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dump_values import canonical, from_dump, run_dump, same  # noqa: E402

SCALARS = """
~ null Null NULL none None true True TRUE tRUE yes Yes YES on ON off Off no NO y n Y N 0 00 007
017 08 0o17 0x1F 0X1F 0x_ 0b101 0b_ 0b2 -0x1f +12 -12 1_000 _1 1__0 1_ 0_ 1:30 1:77 0:30
190:20:30.15 1:30. -1:30 1:5 1:60 1.0 1. .5 -.5 +.5 5. 1e3 1e-3 1.0e3 1.0e-3 1.e+3 1.5E+10 .5e-3
1_0.5 ._5 .inf -.Inf +.INF .nan -.nan .NaN .iNf . - .. ... 2026-01-31 2026-1-3 2026-13-01
2026-02-30 2024-02-29 2026-01-31T10:00:00Z 2026-01-31t10:00:00+08:00 2026-01-31␣10:00:00
2026-01-31T24:00:00Z 2026-01-31T12:60:00Z 2026-01-31T12:00:60Z 2026-01-31T23:59:59+24:00 2026-01-31T1:59:59.5+23:59 "q" 'q'
"" '' "a\\nb" "\\u4e2d" 'it''s' abc a:b a:␣ 中文 動態 [64,␣256] = << <<: @x %x `x` !x ! !!str !!int
!!float !!bool !!null *a &a #c x#y x␣#c | > - ? , [ ] { } [] {} {op} {a:1} {"a":1} {a,b} [a,b,]
[1,[2,3]] {a:␣{b:␣1}} bfloat16 1024 0.001
""".split()
SCALARS = [s.replace("␣", " ") for s in SCALARS]

BLOCKS = """schema_version: 1
op_name: gatefuse
supported_dtypes: [bfloat16, float16]
supported_dtypes:
- bfloat16
- float16
supported_dtypes:
  - bfloat16   # comment
p0_shapes: [[64, 256], [1024, 128],]
p0_shapes:
  - - 1
    - 2
  - [3, 4]
p0_shapes:
- {x: [8, 64], scale: [8, 1]}
tolerance: {atol: 0.002, rtol: 1e-3}
tolerance:
  atol: 0.002
  rtol: 0.002
tolerance:
\tatol: 1
base: &b {a: 1, b: 2}
more: {<<: *b, c: 3, a: 4}
more:
  <<: [*b, {z: 1}]
  k: v
text: |
  line one
   line two

  line three
text: >-
  folded
  text
plain: first
  second
  third
quoted: "one
  two"
'single': 'one

  two'
? complex
: value
? [a, b]
: c
list: [a, *b, &c d, *c]
a: b: c
- item
key
: novalue
dup: 1
dup: 2
1: number
true: boolean
~: nothing
set: !!set {a, b}
om: !!omap [a: 1, b: 2]
t: !!str 12
i: !!int "12"
f: !!float 1e3
u: !unknown x
%YAML 1.1
--- doc
...
# only a comment
c: {a: [1, 2], 'b': {"c":d}}
dynamic_axes: []
description: it's "quoted" inside, and: colon
path: C:\\dir
url: http://example.org/a#b
x: [a,
 b]""".split("\n")

ALPHABET = list(" \n\t:-,[]{}'\"#&*!|>%@`?=<~01.5eabx_中\u3000\u2028\x85\x07\\")
ALPHABET += ["\n  ", ": ", "- "]


def make_header(rng):
    lines = []
    for _ in range(rng.randint(1, 6)):
        choice = rng.random()
        if choice < 0.45:
            start = rng.randrange(len(BLOCKS))
            lines += BLOCKS[start:start + rng.randint(1, 3)]
        elif choice < 0.8:
            key = rng.choice(["a: ", "k: ", "- ", "  b: ", "d: [", "e: {x: ", ""])
            lines.append(key + rng.choice(SCALARS))
        else:
            key = rng.choice(["k%d: " % rng.randint(0, 9), ""])
            joint = rng.choice([": ", ", ", " ", "]"])
            lines.append(key + rng.choice(SCALARS) + joint + rng.choice(SCALARS))
    text = "\n".join(lines)
    if rng.random() < 0.6:
        for _ in range(rng.randint(1, 4)):
            at = rng.randint(0, len(text))
            action = rng.random()
            if action < 0.4:
                text = text[:at] + rng.choice(ALPHABET) + text[at:]
            elif action < 0.7:
                text = text[:at] + text[at + rng.randint(1, 4):]
            else:
                text = text[:at] + rng.choice(SCALARS) + text[at:]
    return text


def reference(text, loader):
    try:
        value = yaml.load(text, Loader=loader)
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, OverflowError):
        return ["error"]
    return canonical(value)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=12)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    texts = [make_header(rng) for _ in range(options.rounds)]
    texts += ["k: " + s for s in SCALARS] + SCALARS
    wrong, scanner, valid = [], 0, 0
    for text, node in zip(texts, run_dump(options.program, "yaml", texts)):
        ours = from_dump(node)
        try:
            expected = reference(text, yaml.SafeLoader)
        except RecursionError:
            continue
        valid += expected != ["error"]
        if same(ours, expected):
            continue
        # The two scanners, libyaml and PyYAML's own, differ in a few corners. Construction is ours alone.
        if hasattr(yaml, "CSafeLoader") and same(ours, reference(text, yaml.CSafeLoader)):
            scanner += 1
            continue
        # Tags that ask for a number are obeyed for well-formed numbers only, and a tag on what is
        # merged is not passed over.
        if ours == ["error"] and any(tag in text for tag in ("!!int", "!!float", "<<: !!")):
            continue
        wrong.append((text, ours, expected))
    print("%d headers, %d valid, %d differences of the scanners, %d wrong"
          % (len(texts), valid, scanner, len(wrong)))
    for text, ours, expected in wrong[:options.show]:
        print("----\n%r\n  ours     %s\n  expected %s" % (text, ours, expected))
    return 1 if wrong or scanner * 50 > len(texts) else 0


if __name__ == "__main__":
    sys.exit(main())

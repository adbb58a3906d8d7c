"""Values of Python and of value_dump in one form, for the differential tests."""
import datetime
import json
import math
import subprocess


def canonical(value, depth=0):
    """A form that does not depend on the order of a mapping, with numbers as keys by value."""
    if depth > 60:
        raise RecursionError
    kind = type(value)
    if value is None:
        return ["null"]
    if kind is bool:
        return ["bool", int(value)]
    if kind is int:
        if abs(value) > 2**63 - 1:
            return ["big", "%.6e" % value]
        return ["int", value]
    if kind is float:
        if math.isnan(value):
            return ["real", "nan"]
        if math.isinf(value):
            return ["real", "inf" if value > 0 else "-inf"]
        return ["real", "%.15g" % value]
    if kind is str:
        return ["string", value]
    if isinstance(value, (datetime.date, bytes)):
        return ["opaque"]
    if kind is dict:
        pairs = [[key_form(k, depth + 1), canonical(v, depth + 1)] for k, v in value.items()]
        return ["mapping", sorted(pairs, key=repr)]
    if kind in (set, frozenset):
        return ["set", sorted((key_form(v, depth + 1) for v in value), key=repr)]
    return ["tuple" if kind is tuple else "list", [canonical(v, depth + 1) for v in value]]


def key_form(key, depth):
    if isinstance(key, (bool, int, float)):
        huge = isinstance(key, int) and abs(key) >= 10**300
        return ["huge"] if huge else ["number", "%.12g" % key]
    return canonical(key, depth)


def from_dump(node):
    kind = node[0]
    if kind in ("null", "error"):
        return [kind]
    if kind == "bool":
        return ["bool", node[1]]
    if kind == "int":
        return ["int", node[1]]
    if kind == "big":
        return ["big", "%.6e" % node[1]]
    if kind == "real":
        return ["real", node[1] if isinstance(node[1], str) else "%.15g" % node[1]]
    if kind == "string":
        return ["string", node[1]]
    if kind == "mapping":
        return ["mapping", sorted(([dump_key(k), from_dump(v)] for k, v in node[1:]), key=repr)]
    if kind == "set":
        return ["set", sorted((dump_key(v) for v in node[1:]), key=repr)]
    return [kind, [from_dump(v) for v in node[1:]]]


def dump_key(node):
    if node[0] in ("bool", "int", "big"):
        return ["number", "%.12g" % node[1]]
    if node[0] == "real":
        return ["number", "%.12g" % float(node[1])]
    return from_dump(node)


def same(ours, reference):
    if reference == ["opaque"]:
        return ours[0] == "string"
    if type(ours) is list and type(reference) is list:
        return len(ours) == len(reference) and all(same(a, b) for a, b in zip(ours, reference))
    return ours == reference


def run_dump(program, mode, texts):
    data = b"".join(b"%d\n%s" % (len(t.encode()), t.encode()) for t in texts)
    done = subprocess.run([program, mode], input=data, stdout=subprocess.PIPE, check=True)
    lines = done.stdout.decode().split("\n")[:-1]
    assert len(lines) == len(texts), (len(lines), len(texts))
    return [json.loads(line, parse_constant=float) for line in lines]

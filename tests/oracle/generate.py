#!/usr/bin/env python3
"""Random operator directories for differential tests; the same seed gives the same ones.

    generate.py --coverage N [--seed S]     how often each rule reaches each status
    generate.py --write DIR [--count N]     write the directories
"""

import argparse
import collections
import json
import os
import random
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import gen_docs  # noqa: E402
import gen_operator  # noqa: E402
import mutate  # noqa: E402
import oracle  # noqa: E402
import pool_grammar  # noqa: E402
from gen_code import Writer  # noqa: E402
from pool_expr import HOT  # noqa: E402

STUB = "# PYPTO_PENDING_STUB\n"
# Rules the phase gate runs; what other rules do under --phase is not laid down.
PHASE_RULES = [r for r in oracle.PYTHON_RULES
               if r not in ("OL15", "OL17", "OL18", "OL60", "OL61")]
PHASE_GATE = [r for r in oracle.ORDER if r in PHASE_RULES
              or r in ("OL37", "OL50", "OL51", "OL53", "OL54")]
# With a document as file scope only these have a defined meaning.
DOCUMENT_RULES = ["OL15", "OL17", "OL18", "OL56", "OL55"]
OPERATOR_PROFILES = ["documents", "operator", "phase"]
PROFILES = ["clean"] * 3 + ["edge"] * 9 + ["tree"] * 5 + ["broken"] * 3


class Case:
    """One directory and the run on it: files by relative name, stage, scope, rules."""

    def __init__(self, index, profile):
        self.index = index
        self.profile = profile
        self.files = {}
        self.stage = 5
        self.file = None
        self.phase = None
        self.rules = oracle.PYTHON_RULES
        self.folder = "rowscale"
        self.npu = False
        self.focus = []

    def write(self, parent):
        """Write the directory below PARENT and return its path."""
        root = os.path.join(parent, self.folder)
        for rel, data in self.files.items():
            path = os.path.join(root, rel)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as handle:
                handle.write(data)
        os.makedirs(root, exist_ok=True)
        return root

    def options(self):
        found = ["--stage", str(self.stage)]
        if self.file:
            found += ["--file", self.file]
        if self.phase:
            found += ["--phase", self.phase]
        return found + ["--rules", ",".join(self.rules)]

    def expected(self, root):
        return oracle.check(root, self.stage, self.file, self.phase, self.rules, self.npu)


def make_case(seed, index, profile=None):
    rng = random.Random("%s:%d" % (seed, index))
    profile = profile or rng.choice(PROFILES)
    case = Case(index, profile)
    if profile in OPERATOR_PROFILES:
        gen_operator.fill_case(rng, case, oracle.ORDER, PHASE_GATE)
        return case
    odd = {"clean": 0.0, "edge": rng.choice([0.1, 0.25, 0.5, 0.8, 1.0])}.get(
        profile, rng.choice([0.05, 0.3, 0.7]))
    name = "rowscale"
    if rng.random() < 0.06:
        name = rng.choice(["rs_op", "rowscale_v2", "x"])
        case.files[".orchestrator_state.json"] = json.dumps({"operator_name": name}).encode()
        if rng.random() < 0.3:
            case.folder = "elsewhere"
    elif rng.random() < 0.05:
        case.files[".orchestrator_state.json"] = rng.choice(
            [b'{"operator_name": ""}', b"{broken", b'{"operator_name": 3}', b"[]"])
    implementations = implementation_files(rng, case, name, odd)
    documents(rng, case, name, odd, implementations)
    scope(rng, case, implementations, name)
    for rel in sorted(case.files):
        case.files[rel] = case.files[rel].replace(b"$OP", name.encode())
    return case


def implementation_files(rng, case, name, odd):
    writer = Writer(rng, odd)
    names = ["%s_impl.py" % name] if rng.random() < 0.93 else []
    if rng.random() < 0.45:
        names += ["modules/%s_module%s_impl.py" % (name, s)
                  for s in rng.sample(["1", "12", "123", "_x", "1a"], rng.randint(1, 3))]
    for rel in names:
        text = writer.implementation().replace("$OP", name)
        if "module" in rel and rng.random() < 0.7:
            suffix = rel.split("_module")[-1].split("_")[0]
            text = text.replace(name + "_wrapper", "%s_module%s_wrapper" % (name, suffix))
        case.files[rel] = finish(rng, case, text)
    if rng.random() < 0.03:
        case.files["modules/other_module1_impl.py"] = b"import nothing\n"
    return names


def finish(rng, case, text):
    """Bytes of a Python file after the mutations of the profile."""
    if case.profile == "tree":
        text = mutate.on_tree(rng, text, rng.randint(1, 8))
    elif case.profile == "broken" and rng.random() < 0.5:
        text = mutate.on_tokens(rng, text, rng.randint(1, 3))
    elif case.profile == "broken" and rng.random() < 0.5:
        text = mutate.insert_snippet(rng, text, rng.choice(pool_grammar.REFUSED))
    elif case.profile in ("broken", "edge") and rng.random() < 0.2:
        text = mutate.insert_snippet(rng, text, rng.choice(pool_grammar.ACCEPTED)
                                     .replace("$E", rng.choice(HOT).replace("$OP", "rowscale")))
    if rng.random() < 0.12:
        text = mutate.on_layout(rng, text)
    roll = rng.random()
    if roll < 0.02:
        text = STUB + text
    elif roll < 0.03:
        text = "#" + "\u4e2d" * rng.choice([480, 491, 492, 493, 500]) + STUB[1:] + text
    elif roll < 0.04:
        return b""
    elif roll < 0.045:
        text = rng.choice(["\n", "# empty\n", '"""doc"""\n', "pass", "import pypto"])
    data = text.encode("utf-8")
    if rng.random() < 0.05 and STUB not in text:
        data = data.replace(b"\n", rng.choice([b"\r\n", b"\r"]))
    if rng.random() < 0.02:
        data = b"\xef\xbb\xbf" + data
    if case.profile == "broken" and rng.random() < 0.04 and STUB[2:-1] not in text:
        at = rng.randrange(len(data) + 1)
        data = data[:at] + rng.choice([b"\0", b"\xff", b"\xc3("]) + data[at:]
    return data


def documents(rng, case, name, odd, implementations):
    def want(chance):
        return rng.random() < chance

    if want(0.8):
        case.files["%s_golden.py" % name] = finish(rng, case, gen_docs.golden(rng, odd)
                                                   .replace("$OP", name))
    if want(0.8):
        case.files["test_%s.py" % name] = finish(rng, case, gen_docs.test(rng, odd)
                                                 .replace("$OP", name))
    modules = [os.path.basename(i)[:-3] for i in implementations if "module" in i]
    for stem in modules + ["%s_module1_impl" % name, "%s_module_b_impl" % name]:
        if want(0.3 if stem in modules else 0.07):
            text = gen_docs.test(rng, odd).replace("$OP", name)
            text = text.replace("from %s_impl" % name, "from %s" % stem)
            if want(0.5):
                text = text.replace(name + "_wrapper", stem[:-4] + "wrapper")
            rel = "modules/test_%s.py" % stem[:-5]
            case.files[rel] = finish(rng, case, text)
    if want(0.7):
        case.files["DESIGN.md"] = document(rng, gen_docs.design(rng, odd))
    if want(0.7):
        case.files["MEMORY.md"] = document(rng, gen_docs.memory(rng, odd))


def document(rng, text):
    data = text.encode("utf-8")
    return data.replace(b"\n", rng.choice([b"\r\n", b"\r"])) if rng.random() < 0.06 else data


def scope(rng, case, implementations, name):
    case.stage = rng.choice([5] * 14 + [6] * 4 + [4, 7])
    if rng.random() < 0.03:
        case.stage = rng.choice([1, 2, 3])
    roll = rng.random()
    if roll < 0.18 and implementations:
        case.file = rng.choice(implementations)
    elif roll < 0.19:
        case.file = "modules/%s_module9_impl.py" % name
    elif roll < 0.21 and "DESIGN.md" in case.files:
        case.file = "DESIGN.md"
        case.rules = DOCUMENT_RULES
    elif roll < 0.34:
        case.phase = rng.choice(["M1", "M1", "M2", "M3", "M10"])
        case.rules = PHASE_RULES


def coverage(seed, count, profile):
    statuses = {r: collections.Counter() for r in oracle.ORDER}
    tags = {r: collections.Counter() for r in oracle.ORDER}
    unparsable = 0
    for index in range(count):
        case = make_case(seed, index, profile)
        parent = tempfile.mkdtemp(prefix="oracle-")
        try:
            result = case.expected(case.write(parent))
        finally:
            shutil.rmtree(parent)
        for rule in result["rules"]:
            statuses[rule["id"]][rule["status"]] += 1
        for finding in result["findings"]:
            tags[finding["rule"]][finding["tag"].split(":")[0]] += 1
        unparsable += any(f["tag"] == "parse" for f in result["findings"])
    print("%d directories, %d with an unparsable implementation file" % (count, unparsable))
    print("rule   FAIL  WARN  INFO  PASS  SKIP  OPEN   findings by sub-check")
    for rule in oracle.ORDER:
        row = statuses[rule]
        detail = " ".join("%s=%d" % (t or "-", n) for t, n in tags[rule].most_common(12))
        print("%s  %s   %s" % (rule, " ".join("%5d" % row[s] for s in (
            "FAIL", "WARN", "INFO", "PASS", "SKIP", "OPEN")), detail[:120]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--coverage", type=int, metavar="N")
    parser.add_argument("--write", metavar="DIR")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--profile", choices=sorted(set(PROFILES + OPERATOR_PROFILES)))
    args = parser.parse_args()
    if args.coverage:
        coverage(args.seed, args.coverage, args.profile)
    elif args.write:
        for index in range(args.count):
            case = make_case(args.seed, index, args.profile)
            root = case.write(os.path.join(args.write, "%05d" % index))
            print(root, case.profile, " ".join(case.options()[:-2]))
    else:
        parser.error("one of --coverage and --write is needed")


if __name__ == "__main__":
    main()

"""Cases made of existing Python files, such as the standard library.

Generated snippets only hold syntax someone thought of.  Here every file below a
folder becomes an implementation, golden or test file after some identifiers were
replaced by ones the rules look at; the layout stays as it was written.
"""

import os
import random
import re

import generate
import mutate

MAX_BYTES = 120000
METHODS = ("zeros ones full empty view loop loop_unroll cast add sub mul div sigmoid softmax nope "
           "set_vec_tile_shapes set_cube_tile_shapes Element Tensor DYNAMIC abs matmul").split()
ATTRIBUTES = "T t sum exp matmul min view t mean set_vec_tile_shapes DT_FP32".split()
BARE = "min max range rowscale_npu pypto_step helper range enumerate F torch".split()
DEFS = ("{}_impl {}_wrapper run_{} launch_{} pypto_{} rowscale_wrapper rowscale_npu "
        "host_wrapper main").split()


def files_below(folder):
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(place, n) for n in sorted(names) if n.endswith(".py")
                  and 0 < os.path.getsize(os.path.join(place, n)) < MAX_BYTES]
    return found


def rewrite(rng, text):
    """TEXT with identifiers of the framework strewn in; same number of tokens per line."""
    rate = rng.choice([0.03, 0.1, 0.3])

    def sometimes(make):
        return lambda match: make(match) if rng.random() < rate else match.group(0)

    text = re.sub(r"\bself\.\w+(?=\()", sometimes(lambda m: "pypto." + rng.choice(METHODS)), text)
    text = re.sub(r"\bself(?=\.)", sometimes(lambda m: rng.choice(["pypto", "torch", "F"])), text)
    text = re.sub(r"(?<=[\w\])])\.[a-z]\w*",
                  sometimes(lambda m: "." + rng.choice(ATTRIBUTES)), text)
    text = re.sub(r"\b(?:len|isinstance|str|print|getattr|type|list|zip|enumerate|repr)(?=\()",
                  sometimes(lambda m: rng.choice(BARE)), text)
    text = re.sub(r"\bdef (\w+)", sometimes(
        lambda m: "def " + rng.choice(DEFS).format(m.group(1))), text)
    text = re.sub(r"(?m)^([ \t]*)def ", sometimes(
        lambda m: m.group(1) + "@pypto.frontend.jit\n" + m.group(0)), text)
    text = re.sub(r"\bself(?=,)", sometimes(lambda m: "src"), text)
    return text


def make_case(seed, index, paths, profile=None):
    rng = random.Random("%s:corpus:%d" % (seed, index))
    path = paths[index % len(paths)]
    case = generate.Case(index, profile or rng.choice(["edge", "edge", "broken"]))
    case.folder = "rowscale"
    case.origin = path
    with open(path, "rb") as handle:
        data = handle.read()
    text = rewrite(rng, data.decode("utf-8", "surrogateescape"))
    if case.profile == "broken":
        text = mutate.on_tokens(rng, text, rng.randint(1, 2))
    data = text.encode("utf-8", "surrogateescape")
    for rel in ("rowscale_impl.py", "rowscale_golden.py", "test_rowscale.py"):
        case.files[rel] = data
    return case

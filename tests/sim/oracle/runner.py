"""Runs kernels under the simulator: `runner.py JOBS RESULTS`. JOBS is a pickled list of (source
file, [(dtype, array), …]); one pickle per kernel is appended to RESULTS, so that what was done
before a crash is known: ("ok", arrays) or ("error", code, text)."""
import os
import pickle
import re
import sys
import warnings

import numpy as np
import torch

from rounding import bf16_from_bits, bf16_to_bits


def tensor(dtype, array):
    array = np.array(array, order="C")
    if dtype == "BF16":
        return torch.from_numpy(bf16_to_bits(array).reshape(array.shape)).view(torch.bfloat16)
    return torch.from_numpy(array)


def array(dtype, tensor_):
    if dtype == "BF16":
        return bf16_from_bits(tensor_.view(torch.int16).numpy()).reshape(tuple(tensor_.shape))
    return tensor_.numpy()


def run(path, arguments):
    names = {"__name__": "kernel", "__file__": path}
    tensors = [tensor(*a) for a in arguments]
    try:
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), names)
        names["kernel"](*tensors)
    except Exception as error:  # every kind of failure is a result here
        text = "%s: %s" % (type(error).__name__, error)
        code = getattr(error, "code", None)
        if not code:
            found = re.search(r"ErrCode: (F\w{5})", text)
            code = found.group(1) if found else type(error).__name__
        return "error", str(code), text
    return "ok", [array(a[0], t) for a, t in zip(arguments, tensors)]


def main():
    warnings.simplefilter("ignore")
    with open(sys.argv[1], "rb") as file:
        jobs = pickle.load(file)
    sys.stdout = sys.stderr = open(os.devnull, "w")
    with open(sys.argv[2], "wb") as results:
        for path, arguments in jobs:
            pickle.dump(run(path, arguments), results)
            results.flush()


main()

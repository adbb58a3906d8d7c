"""Runs kernels under the simulator, one after the other: reads pickled (source text, [(dtype, array), …]) from its
input, and answers each with ("ok", arrays) or ("error", code, text). The environment says which version and chip."""
import linecache
import os
import pickle
import re
import signal
import sys
import warnings

import numpy as np
import torch

from rounding import bf16_from_bits, bf16_to_bits

PATIENCE = 120  # seconds for one kernel; who needs more ends by the signal, which counts as a crash


def tensor(dtype, array):
    array = np.array(array, order="C")
    if dtype == "BF16":
        return torch.from_numpy(bf16_to_bits(array).reshape(array.shape)).view(torch.bfloat16)
    return torch.from_numpy(array)


def array(dtype, tensor_):
    if dtype == "BF16":
        return bf16_from_bits(tensor_.view(torch.int16).numpy()).reshape(tuple(tensor_.shape))
    return tensor_.numpy()


def run(path, text, arguments):
    names = {"__name__": "kernel", "__file__": path}
    tensors = [tensor(*a) for a in arguments]
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    try:
        exec(compile(text, path, "exec"), names)
        names["kernel"](*tensors)
    except Exception as error:  # every kind of failure is a result here
        text = "%s: %s" % (type(error).__name__, error)
        code = getattr(error, "code", None)
        if not code:
            found = re.search(r"ErrCode: (F\w{5})", text)
            code = found.group(1) if found else type(error).__name__
        return "error", str(code), text
    finally:
        linecache.cache.pop(path, None)
    return "ok", [array(a[0], t) for a, t in zip(arguments, tensors)]


def main():
    warnings.simplefilter("ignore")
    jobs, results = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # what a kernel prints must not get between the results
    os.dup2(silence, 2)
    number = 0
    while True:
        try:
            text, arguments = pickle.load(jobs)
        except EOFError:
            return
        number += 1
        signal.alarm(PATIENCE)
        result = run("kernel_%d.py" % number, text, arguments)
        signal.alarm(0)  # the next kernel may be long in coming
        pickle.dump(result, results)
        results.flush()


main()

"""What the stand-in for torch_npu costs small torch calls, and what a kernel of many operations costs.

    pypto-lint run tests/bench/sim_small_calls.py [--gates]

References that are Python loops make millions of such calls. With --gates the program ends with status 1
when a figure is beyond its gate. Times are the best of several rounds: other load makes them longer,
never shorter.
"""
import sys
import time

import torch

import pypto

F32 = pypto.DT_FP32
_CALLS = 20000
_ROUNDS = 9


def best(*functions):
    """µs a call of each function, the best round; turn about, so that other load meets all of them."""
    found = [float("inf")] * len(functions)
    for _ in range(_ROUNDS):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            found[i] = min(found[i], time.perf_counter() - start)
    return [seconds / _CALLS * 1e6 for seconds in found]


def add(a, b):
    def run():
        for _ in range(_CALLS):
            a + b
    return run


def shape(a, _):
    def run():
        for _ in range(_CALLS):
            a.shape
    return run


def item(a, _):
    def run():
        for _ in range(_CALLS):
            a[0, 0].item()
    return run


def write(a, _):
    def run():
        for _ in range(_CALLS):
            a[0, 0] = 1.0
    return run


def function(a, _):
    exp = torch.exp

    def run():
        for _ in range(_CALLS):
            exp(a)
    return run


# name → (what is called, most µs on the device, most µs more than on the CPU below the stand-in)
CALLS = {"a + b": (add, 2.5, None), "a.shape": (shape, None, 0.5), "a[0, 0].item()": (item, None, 1.5),
         "a[0, 0] = 1.0": (write, None, None), "torch.exp(a)": (function, None, None)}


def bare_item(a):
    """The cost of a[0, 0].item() without the stand-in: its own subscription is left out."""
    get = getattr(torch.Tensor.__getitem__, "__wrapped__", torch.Tensor.__getitem__)

    def run():
        for _ in range(_CALLS):
            get(a, (0, 0)).item()
    return run


def small_calls():
    """Prints the table; True when all gates are kept."""
    good = True
    a, b = torch.ones(4, 4, device="npu"), torch.ones(4, 4, device="npu")
    c, d = torch.ones(4, 4), torch.ones(4, 4)
    print("%-16s %8s %8s %8s" % ("µs a call", "npu", "CPU", "times"))
    for name, (make, most, most_more) in CALLS.items():
        here, there = best(make(a, b), bare_item(c) if make is item else make(c, d))
        kept = (most is None or here <= most) and (most_more is None or here - there <= most_more)
        good = good and kept
        print("%-16s %8.2f %8.2f %8.2f%s" % (name, here, there, here / there,
                                             "" if kept else "  beyond its gate"))
    return good


@pypto.frontend.jit
def many_operations(x: pypto.Tensor([16, 16], F32), y: pypto.Tensor([16, 16], F32), count):
    pypto.set_vec_tile_shapes(16, 16)
    t = x
    for _ in range(count):
        t = t * 0.5
        t = t + x
        t = pypto.maximum(t, x)
    y[:] = t


def many(count=50000, most=5.0):
    """A kernel of 3 · count operations, recorded and run."""
    x, y = torch.ones(16, 16, device="npu"), torch.zeros(16, 16, device="npu")
    start = time.perf_counter()
    many_operations(x, y, count)
    first = time.perf_counter() - start
    start = time.perf_counter()
    many_operations(x, y, count)
    again = time.perf_counter() - start
    print("%d operations: recorded and run %.2f s, run again %.2f s%s"
          % (3 * count, first, again, "" if first <= most else "  beyond its gate"))
    return first <= most


def main():
    """All figures."""
    good = small_calls()
    good = many() and good
    return 1 if "--gates" in sys.argv[1:] and not good else 0


if __name__ == "__main__":
    sys.exit(main())

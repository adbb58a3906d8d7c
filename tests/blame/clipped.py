"""Bugs in the form of bugs.py in an operator that clips by a norm: a lower bound instead of an upper one, which leaves a
single scale for all elements."""
from more_operators import _empty
from operators import PROGRAMS, Program

C = "clipped_average"

PROGRAMS.update({
    C: Program(
        ["grad", "average"],
        "    norm = torch.linalg.vector_norm(grad)\n"
        "    grad = grad * torch.clamp(1.0 / (norm + 1e-6), max=1.0)\n"
        "    return average.lerp(grad, 0.1)",
        _empty("new_average", "grad") + "    clipped_average_kernel(grad, average, new_average)\n    return new_average",
        "    return {'grad': torch.randn(sizes['rows'], 64), 'average': torch.randn(sizes['rows'], 64)}",
        [{"rows": 16}, {"rows": 48}], 1e-5),
})

CLIPPED = [
    ("c_most", C, "case1", "pypto.minimum(ratio, 1.0)", "pypto.maximum(ratio, 1.0)"),
    ("c_most_once", C, "case0", "pypto.minimum(ratio, 1.0)", "pypto.maximum(ratio, 1.0)"),
]

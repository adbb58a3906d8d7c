"""Bugs in the form of bugs.py in kernels that compute their results in another way than the references: numbers that nothing
suggests, masks, roundings, steps in the wrong place, repeated windows, and scalars that come from integer inputs."""
import larger  # noqa: F401  (past_rows)
import pooled  # noqa: F401  (decayed_pairs, pooled_mix)
from more_operators import _empty
from operators import PROGRAMS, Program

D, L, M, N, Q = "decayed_pairs", "smooth_loss", "pooled_mix", "paged_norms", "rms_quant"

PROGRAMS.update({
    N: Program(
        ["pool", "table", "lengths"],
        "    made = []\n"
        "    for pages, length in zip(table.long(), lengths.tolist()):\n"
        "        rows = pool.view(-1, 8, 32)[pages].reshape(-1, 32)[:length]\n"
        "        made.append(torch.linalg.vector_norm(rows, dim=0) / length ** 0.5)\n"
        "    return torch.stack(made)",
        _empty("norms", "pool", shape="[table.shape[0], 32]") +
        "    paged_norms_kernel(pool, table, lengths, norms)\n    return norms",
        "    return {'pool': torch.randn(96, 32), 'table': torch.randperm(12).view(3, 4).int(),\n"
        "            'lengths': torch.tensor([sizes['first'], 29, 9]).int()}",
        [{"first": 21}], 1e-4),
})

# Numbers that the reference does not have. Several numbers are computed from the constant.
NUMBERS = [
    ("d_softness", D, "case0", "softplus), 4.0)", "softplus), 3.3)"),
    ("l_constant", L, "case0", "SMOOTH = 0.1", "SMOOTH = 0.15"),
    ("l_share", L, "case0", "spread * SMOOTH", "spread * 0.17"),
    ("l_term", L, "case0", "hit = log_mass - picked", "hit = log_mass - picked + 0.3"),
]
# The mask could also be on the decay alone.
MASKS = [("d_mask", D, "case0", "return pypto.tril(pypto.mul(scores, fade), 0)", "return pypto.mul(scores, fade)", "fade = ")]
# A result that is rounded to 16 bits.
ROUNDED = [
    ("d_twice", D, "case0", "return pypto.tril(pypto.mul(scores, fade), 0)",
     "return pypto.cast(pypto.cast(pypto.tril(pypto.mul(scores, fade), 0), pypto.DT_BF16), pypto.DT_FP32)"),
]
# A factor that is applied after the maximum instead of before it. The line of the maximum is also a right answer.
MOVED = [
    ("q_late", Q, "case0", "normal = wide * inverse * gamma\n        largest = pypto.amax(pypto.abs(normal), -1, keepdim=True)\n"
     "        scale = largest * (1.0 / 127.0)\n        ratio = normal / scale",
     "normal = wide * inverse\n        largest = pypto.amax(pypto.abs(normal), -1, keepdim=True)\n"
     "        scale = largest * (1.0 / 127.0)\n        ratio = normal * gamma / scale", "largest = pypto"),
]
REPEATED = [("m_bias", M, "case0", "pypto.view(bias, [1, MIXED], [0, MIXED])", "pypto.view(bias, [1, 1], [0, MIXED])")]
UNREAD = [("d_keys", D, "case0", "pypto.view(key, [ROWS, KEY], [first, 0])", "pypto.view(query, [ROWS, KEY], [first, 0])")]
# Scalars that come from tensors: a page, the number of rows in a page, a divisor; also the number of rows in a window.
READ = [
    ("n_table", N, "case0", "table[item, page] * PAGE", "table[0, page] * PAGE"),
    ("n_last", N, "case0", "pypto.min(length - page * PAGE, PAGE)", "pypto.min(length, PAGE)"),
    ("n_share", N, "case0", "pypto.full([1, 1], length, pypto.DT_FP32)", "pypto.full([1, 1], pages, pypto.DT_FP32)"),
    ("m_members", M, "case0", "members = pypto.sum(ones, 0, keepdim=True)",
     "members = pypto.full([1, 1], WINDOW, pypto.DT_FP32)"),
]

"""Bugs in the form of bugs.py that no guess about the records of a run explains, but an edit of the text does."""
B, R, S = "attention_backward", "gru_cell", "swiglu_ffn"

_LOOP = "    for step in pypto.loop(x.shape[0] // BATCH, name=\"steps\", idx_name=\"step\"):\n"
EDITED = [
    ("r_from_one", R, "case1", "pypto.loop(x.shape[0] // BATCH,", "pypto.loop(1, x.shape[0] // BATCH,"),
    ("r_start_each", R, "case1", "    state = start\n" + _LOOP, _LOOP + "        state = start\n",
     _LOOP),
    ("s_other_weight", S, "case0", "pypto.matmul(part, gate_weight, pypto.DT_FP32)",
     "pypto.matmul(part, down_weight, pypto.DT_FP32, b_trans=True)"),
    ("s_twice", S, "case0", "gate = pypto.matmul(part, gate_weight, pypto.DT_FP32)",
     "gate = pypto.sigmoid(pypto.matmul(part, gate_weight, pypto.DT_FP32))"),
    ("b_other_state", B, "L2_canonical", "pypto.mul(row_grad, fade)", "pypto.mul(row_sum, fade)"),
]

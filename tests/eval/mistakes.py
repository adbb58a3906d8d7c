#!/usr/bin/env python3
"""Single mistakes as kernel authors make them: the linter finds what the simulator refuses, and nothing else.

    mistakes.py PYPTO_LINT --pypto 9.1|9.2 [--list]

The programs are in mistakes/; a mistake replaces one text in one of them. The simulator alone says which of them
are mistakes. A refusal must have a finding that fails, apart from those in NOT_FOUND, and what runs must have none.
"""
import argparse
import pathlib
import sys
import tempfile

from verdicts import checked, refusals

PROGRAMS = pathlib.Path(__file__).parent / "mistakes"
MISTAKES = {
    "attention_rows": [
        ("k of the product", "[tiles.block, DIM], [index * tiles.block, 0])\n        scores",
         "[tiles.block, DIM // 2], [index * tiles.block, 0])\n        scores"),
        ("flag of the second operand", ", b_trans=True) * scale", ") * scale"),
        ("flag of the first operand", "b_trans=True", "a_trans=True, b_trans=True"),
        ("axis of amax", "pypto.amax(scores, -1, keepdim=True)", "pypto.amax(scores, 2, keepdim=True)"),
        ("axis is not kept", "pypto.amax(scores, -1, keepdim=True)", "pypto.amax(scores, -1)"),
        ("rows instead of columns", "pypto.sum(weights, -1, keepdim=True)", "pypto.sum(weights, 0, keepdim=True)"),
        ("weights are not cast", "pypto.cast(weights, q.dtype)", "weights"),
        ("result is not cast", "pypto.cast(acc / total, out.dtype)", "acc / total"),
        ("cast by keyword", "pypto.cast(weights, q.dtype)", "pypto.cast(weights, dtype=q.dtype)"),
        ("sum of another length", "top = pypto.full([rows, 1]", "top = pypto.full([rows, DIM]"),
        ("start of another type", "acc = pypto.full([rows, DIM], 0.0, pypto.DT_FP32)",
         "acc = pypto.full([rows, DIM], 0.0, pypto.DT_BF16)"),
        ("cube tile of a class", "cube_k = [64, 64]", "cube_k = [64, 96]"),
        ("cube tile of two lists", "set_cube_tile_shapes(self.cube_m, self.cube_k, [32, 32])",
         "set_cube_tile_shapes(self.cube_m, self.cube_k)"),
        ("cube tile of odd size", "self.cube_m, [32, 32], [64, 64]", "self.cube_m, [32, 32], [72, 72]"),
        ("no cube tile", "        pypto.set_cube_tile_shapes(self.cube_m, self.cube_k, [32, 32])\n", ""),
        ("vector tile of a class", "self.vector = (rows, block)", "self.vector = (rows,)"),
        ("vector tile for output", "pypto.set_vec_tile_shapes(self.rows, DIM)", "pypto.set_vec_tile_shapes(DIM)"),
        ("vector tile too large", "self.vector = (rows, block)", "self.vector = (rows * 64, block * 64)"),
        ("tiles of a class are not set", "        tiles.for_scores()\n", ""),
        ("no tile for the start", "    pypto.set_vec_tile_shapes(rows, DIM)\n    top", "    top"),
        ("method misspelt", "tiles.for_output()", "tiles.for_outputs()"),
        ("attribute misspelt", "rows = tiles.rows", "rows = tiles.row"),
        ("argument forgotten", "attend(rows, k, v, out, step, tiles, 2)", "attend(rows, k, v, out, step, tiles)"),
        ("argument too many", "block_scores(q, key, scale)", "block_scores(q, key, scale, True)"),
        ("arguments swapped", "attend(rows, k, v, out, step, tiles, 2)", "attend(rows, k, v, step, out, tiles, 2)"),
        ("offset of one entry", "[start, 0], out)", "[start], out)"),
        ("offset outside", "[start, 0], out)", "[start, DIM], out)"),
        ("window of one entry", "pypto.view(q, [16, DIM], [step, 0])", "pypto.view(q, [16], [step, 0])"),
        ("window without offsets", "pypto.view(q, [16, DIM], [step, 0])", "pypto.view(q, [16, DIM])"),
        ("blocks beyond the keys", "tiles, 2)", "tiles, 3)"),
        ("window of symbolic size", "pypto.view(q, [16, DIM], [step, 0])",
         "pypto.view(q, [length - step, DIM], [step, 0])"),
        ("python range over a symbol", "pypto.loop(0, length, 16, name=\"ROWS\", idx_name=\"step\")",
         "range(0, length, 16)"),
        ("int of a symbol", "length = q.shape[0]", "length = int(q.shape[0])"),
        ("step of zero", "pypto.loop(0, length, 16", "pypto.loop(0, length, 0"),
        ("step of a float", "pypto.loop(0, length, 16", "pypto.loop(0, length, 32 / 2"),
        ("if on a symbol in a helper", "    rows = tiles.rows\n", "    rows = tiles.rows\n    start = min(start, 16, 8)\n"),
        ("condition of two", "    tiles = Tiles(16)\n",
         "    tiles = Tiles(16)\n    if q.shape[0] > 0 and q.shape[0] < 99:\n        tiles = Tiles(16)\n"),
        ("text for the root", "1.0 / math.sqrt(DIM)", "1.0 / math.sqrt(\"DIM\")"),
        ("math on a tensor", "fade = pypto.exp(top - new_top)", "fade = math.exp(top - new_top)"),
        ("torch on a tensor", "fade = pypto.exp(top - new_top)", "fade = torch.exp(top - new_top)"),
        ("torch dtype", "pypto.cast(acc / total, out.dtype)", "pypto.cast(acc / total, torch.bfloat16)"),
        ("function of torch", "pypto.maximum(top, ", "pypto.max(top, "),
        ("keyword of torch", "pypto.sum(weights, -1, keepdim=True)", "pypto.sum(weights, dim=-1, keepdims=True)"),
        ("method of torch", "acc = acc * fade + part", "acc = acc.mul_(fade) + part"),
        ("transpose of torch", "pypto.matmul(q, k, pypto.DT_FP32, b_trans=True)", "pypto.matmul(q, k.T, pypto.DT_FP32)"),
        ("operand of three axes", "block_scores(q, key, scale)", "block_scores(pypto.unsqueeze(q, 0), key, scale)"),
        ("result of the wrong type", "value, pypto.DT_FP32)", "value, pypto.DT_INT32)"),
        ("no type of the result", "value, pypto.DT_FP32)", "value)"),
        ("parameter of another type", "v: pypto.Tensor([2 * BLOCK, DIM], pypto.DT_BF16)",
         "v: pypto.Tensor([2 * BLOCK, DIM], pypto.DT_FP16)"),
        ("parameter of another size", "k: pypto.Tensor([2 * BLOCK, DIM]", "k: pypto.Tensor([BLOCK, DIM]"),
        ("output of another type", "out = torch.empty_like(q)", "out = torch.empty_like(q, dtype=torch.float32)"),
        ("output of another size", "out = torch.empty_like(q)", "out = torch.empty(q.shape[0], 1, dtype=q.dtype)"),
        ("output is forgotten", "attention_kernel(q, k, v, out)", "attention_kernel(q, k, v)"),
        ("operands swapped", "attention_kernel(q, k, v, out)", "attention_kernel(k, q, v, out)"),
        ("operand is not contiguous", "attention_kernel(q, k, v, out)", "attention_kernel(q, k.t().t(), v.t(), out)"),
        ("type in the test", "v = torch.randn(2 * BLOCK, DIM, dtype=torch.bfloat16)", "v = torch.randn(2 * BLOCK, DIM)"),
        ("size in the test", "k = torch.randn(2 * BLOCK, DIM,", "k = torch.randn(BLOCK, DIM,"),
        ("axes in the test", "q = torch.randn(32, DIM,", "q = torch.randn(1, 32, DIM,"),
        ("output is rebound", "    pypto.assemble(pypto.cast(acc / total, out.dtype), [start, 0], out)",
         "    out = pypto.cast(acc / total, out.dtype)"),
        ("division by zero", "range(blocks)", "range(blocks // 0)"),
        ("list beyond its end", "self.cube_m, [32, 32], [64, 64]", "[self.cube_m[2]] * 2, [32, 32], [64, 64]"),
    ],
    "expert_mlp": [
        ("keyword of a partial", "out_dtype=pypto.DT_FP32)", "dtype=pypto.DT_FP32)"),
        ("partial without its keyword", "functools.partial(project, out_dtype=pypto.DT_FP32)",
         "functools.partial(project)"),
        ("partial of a flag", "functools.partial(project, out_dtype=pypto.DT_FP32)",
         "functools.partial(project, out_dtype=pypto.DT_FP32, trans=True)"),
        ("partial of the wrong type", "functools.partial(project, out_dtype=pypto.DT_FP32)",
         "functools.partial(project, out_dtype=pypto.DT_INT32)"),
        ("options of a dict", "\"limit\": 7.0}", "\"limits\": 7.0}"),
        ("field misspelt", "rows, hidden, inner = config.rows", "rows, hidden, inner = config.row"),
        ("field of a frozen class", "Experts(Config(rows=16))", "Experts(Config(row=16))"),
        ("vector tile of a field", "lambda: [8, 128]", "lambda: [128]"),
        ("vector tile of five entries", "lambda: [8, 128]", "lambda: [1, 1, 8, 128, 1]"),
        ("vector tile of no list", "*config.vector", "config.vector"),
        ("type of a field", "dtype: object = pypto.DT_FP16", "dtype: object = pypto.DT_BF16"),
        ("cast to no type", "pypto.cast(mixed, config.dtype)", "pypto.cast(mixed, config)"),
        ("cast forgotten", "            mixed = pypto.cast(mixed, config.dtype)\n", ""),
        ("slice of one axis too many", "(expert + 1) * inner, :]", "(expert + 1) * inner, :, :]"),
        ("slice with a step", "(expert + 1) * inner, :]", "(expert + 1) * inner:2, :]"),
        ("slice of the wrong rows", "w_down[expert * inner:(expert + 1) * inner, :]",
         "w_down[expert * inner:(expert + 1) * hidden, :]"),
        ("number of unpacked values", "rows, hidden, inner = config.rows, config.hidden, config.inner",
         "rows, hidden = config.rows, config.hidden, config.inner"),
        ("list beyond its end", "gates[expert]", "gates[expert + 1]"),
        ("list of lists", "gates[expert]", "gates[expert:]"),
        ("offset of the assemble", "[expert * rows, 0], y)", "[expert * rows * 2, 0], y)"),
        ("operands of the assemble", "product(mixed, down), [expert * rows, 0], y", "y, [expert * rows, 0], product(mixed, down)"),
        ("rows of the result", "y: pypto.Tensor([config.experts * rows, hidden]", "y: pypto.Tensor([rows, hidden]"),
        ("type of the result", "y: pypto.Tensor([config.experts * rows, hidden], pypto.DT_FP32)",
         "y: pypto.Tensor([config.experts * rows, hidden], config.dtype)"),
        ("tile of a manager", "with narrow_tile(8, 64):", "with narrow_tile(8):"),
        ("manager misspelt", "with narrow_tile(8, 64):", "with narrow_tiles(8, 64):"),
        ("option of a manager", "pypto.options(vec_tile_shapes=list(entries))", "pypto.options(vector_tile_shapes=list(entries))"),
        ("manager without argument", "labelled(\"halves\", 4)", "labelled(\"halves\")"),
        ("value of a manager", "yield rows * 2", "yield rows * 4"),
        ("list of a helper", "for number in range(2):\n        parts", "for number in range(3):\n        parts"),
        ("window in a helper", "[rows, tensor.shape[1]], [number * rows, 0]", "[rows, tensor.shape[1]], [number * rows]"),
        ("attribute of a list", "halves = []", "halves = ()"),
        ("axis of the concat", "for half in halves], 0)", "for half in halves], 1)"),
        ("concat of a tensor", "pypto.concat([half * factor for half in halves], 0)", "pypto.concat(halves[0], 0)"),
        ("concat of generators", "[half * factor for half in halves]", "[half + factor_ for half in halves]"),
        ("kernel without an output", "y[:] = scaled(x, 0.5)", "scaled(x, 0.5)"),
        ("number of the launch", "y[:16], torch.empty(16, 64)", "y[:16], torch.empty(16, 64), 3"),
        ("rows of the launch", "scale_kernel(y[:16]", "scale_kernel(y[:8]"),
        ("columns of the launch", "scale_kernel(y[:16]", "scale_kernel(y[:16, :32]"),
        ("key of the weights", "weights[\"up\"], weights[\"gate\"]", "weights[\"up\"], weights[\"gates\"]"),
        ("order of the weights", "weights[\"gate\"], weights[\"down\"], y", "weights[\"down\"], weights[\"gate\"], y"),
        ("shape of the weights", "down=(c.experts * c.inner, c.hidden)", "down=(c.hidden, c.experts * c.inner)"),
        ("type of the weights", "torch.rand(*shape, dtype=torch.float16)", "torch.rand(*shape)"),
        ("type of the input", ".to(torch.float16)", ""),
        ("numbers for tensors", "self.kernel(x, weights[\"up\"]", "self.kernel(1.0, weights[\"up\"]"),
        ("list for a tensor", "self.kernel(x, weights[\"up\"]", "self.kernel([x], weights[\"up\"]"),
        ("method of the experts", "experts.weights()", "experts.weight()"),
        ("minimum of a list", "pypto.minimum(gated, limit)", "pypto.minimum(gated, [limit])"),
        ("keyword only", "product(x, pypto.view(w_up", "project(x, pypto.view(w_up"),
        ("sum of none", "pypto.sum(window, 0, keepdim=True)", "pypto.sum(window, None, keepdim=True)"),
        ("sum over rows", "pypto.sum(window, 0, keepdim=True)", "pypto.sum(window, 1, keepdim=True)"),
        ("sum over rows is dropped", "pypto.sum(window, 0, keepdim=True)", "pypto.sum(window, 0)"),
        ("result is not returned", "        return joined + pypto.sum", "        joined + pypto.sum"),
    ],
    "paged_update": [
        ("offset by a tensor", "[slot, 0], cache)", "[slots, 0], cache)"),
        ("element of a row", "slot = slots[row]", "slot = slots[row, 0]"),
        ("element of floats", "slot = slots[row]", "slot = x[row, 0]"),
        ("element as a window", "slot = slots[row]", "slot = slots[row:row + 1]"),
        ("if on an element", "        one = pypto.view(x,", "        if not slot:\n            slot = 0\n        one = pypto.view(x,"),
        ("cast before the cache", "pypto.cast(turned, pypto.DT_FP16)", "turned"),
        ("cosine of another width", "cos[row:row + 1, :]", "cos[row:row + 1, 0:16]"),
        ("cosine of two rows", "cos[row:row + 1, :], sin[row:row + 1, :]", "cos[row:row + 2, :], sin[row:row + 2, :]"),
        ("cosine of one axis", "cos[row:row + 1, :]", "cos[row, :]"),
        ("half as a float", "half = x.shape[1] // 2", "half = x.shape[1] / 2"),
        ("half of the rows", "half = x.shape[1] // 2", "half = x.shape[2] // 2"),
        ("concat of three axes", "+ left * sin], -1)", "+ left * sin], 2)"),
        ("concat of one", "pypto.concat([left * cos - right * sin, right * cos + left * sin], -1)",
         "pypto.concat([left * cos - right * sin], -1)"),
        ("cache of another type", "cache: pypto.Tensor([4 * PAGE, WIDTH], pypto.DT_FP16),\n):",
         "cache: pypto.Tensor([4 * PAGE, WIDTH], pypto.DT_BF16),\n):"),
        ("tile of one entry", "    rows = x.shape[0]\n    pypto.set_vec_tile_shapes(PAGE, WIDTH)",
         "    rows = x.shape[0]\n    pypto.set_vec_tile_shapes(WIDTH)"),
        ("tile of a symbol", "    rows = x.shape[0]\n    pypto.set_vec_tile_shapes(PAGE, WIDTH)",
         "    rows = x.shape[0]\n    pypto.set_vec_tile_shapes(rows, WIDTH)"),
        ("computed on all rows", "    for row in pypto.loop(rows,", "    x_all = x * 2.0\n    for row in pypto.loop(rows,"),
        ("full of a symbol", "    for row in pypto.loop(rows,",
         "    zeros = pypto.full([rows, WIDTH], 0.0, pypto.DT_FP32)\n    for row in pypto.loop(rows,"),
        ("list by a symbol", "slot = slots[row]", "slot = [0, 1, 2][row]"),
        ("format of a symbol", "slot = slots[row]", "slot = slots[row]\n        pypto.set_semantic_label(f\"row {row:d}\")"),
        ("unrolled by floats", "unroll_list=[2, 1]", "unroll_list=[2.5, 1]"),
        ("unrolled by a number", "unroll_list=[2, 1]", "unroll_list=2"),
        ("mode of the run", "\"run_mode\": 1", "\"run_mode\": 3"),
        ("never written total", "            total[:] = summed\n", "            total[:] = total * summed\n"),
        ("total of another type", "pypto.tensor([1, WIDTH], pypto.DT_FP32, \"total\")",
         "pypto.tensor([1, WIDTH], pypto.DT_FP16, \"total\")"),
        ("total of another shape", "pypto.tensor([1, WIDTH], pypto.DT_FP32, \"total\")",
         "pypto.tensor([PAGE, WIDTH], pypto.DT_FP32, \"total\")"),
        ("total without a type", "pypto.tensor([1, WIDTH], pypto.DT_FP32, \"total\")", "pypto.tensor([1, WIDTH], \"total\")"),
        ("total is rebound", "            total[:] = summed\n", "            total = summed\n"),
        ("condition without cond in and", "pypto.cond(page == 0)", "page == 0 and count > 0"),
        ("condition of a tensor", "pypto.cond(page == 0)", "pypto.cond(total == 0)"),
        ("mean of a wrong page", "mean[page:page + 1, :]", "mean[page:page + 2, :]"),
        ("mean of another rank", "mean[page:page + 1, :]", "mean[page, :]"),
        ("valid shape of one axis", "valid_shape=[count, WIDTH]", "valid_shape=[count]"),
        ("valid shape by place", "valid_shape=[count, WIDTH])", "[count, WIDTH])"),
        ("misspelt valid shape", "valid_shape=[count", "valid_shapes=[count"),
        ("sum of halves", "pypto.sum(pypto.cast(rows, pypto.DT_FP32), 0, keepdim=True)", "pypto.sum(rows, 0, keepdim=True)"),
        ("index of floats", "index: pypto.Tensor([4, 8], pypto.DT_INT32)", "index: pypto.Tensor([4, 8], pypto.DT_FP32)"),
        ("index of two axes", "table, 0, line)", "table, 2, line)"),
        ("index without an axis", "pypto.index_select(table, 0, line)", "pypto.index_select(table, line)"),
        ("reshape of another count", "[i, 0]), [8])", "[i, 0]), [16])"),
        ("rows of the slice", "out[i * 8:(i + 1) * 8, :] = rows", "out[i * 8:(i + 1) * 4, :] = rows"),
        ("loop of a float", "for i in pypto.loop(4):", "for i in pypto.loop(32 / 8):"),
        ("loop of two targets", "for i in pypto.loop(4):", "for i, j in pypto.loop(4):"),
        ("slots of longs", "slots = torch.arange(rows, dtype=torch.int32)", "slots = torch.arange(rows)"),
        ("slots of two axes", "slots = torch.arange(rows, dtype=torch.int32)", "slots = torch.arange(rows, dtype=torch.int32)[:, None]"),
        ("fewer slots", "slots = torch.arange(rows, dtype=torch.int32)", "slots = torch.arange(rows - 1, dtype=torch.int32)"),
        ("cache of floats", "cache = torch.zeros(4 * PAGE, WIDTH, dtype=torch.half)", "cache = torch.zeros(4 * PAGE, WIDTH)"),
        ("index is not contiguous", ".reshape(4, 8)", ".reshape(8, 4).t()"),
        ("angle of the wrong width", "torch.rand(rows, WIDTH // 2)", "torch.rand(rows, WIDTH)"),
        ("page of a helper", "    pypto.set_vec_tile_shapes(8, WIDTH)\n", "    pypto.set_vec_tile_shapes(8, WIDTH)\n    clear(out, 8, 2 * WIDTH)\n"),
        ("rows of a helper", "    pypto.set_vec_tile_shapes(8, WIDTH)\n", "    pypto.set_vec_tile_shapes(8, WIDTH)\n    clear(out, 32, WIDTH)\n"),
    ],
    "norm_chain": [
        ("name of a step", "STEPS = (\"rms\", \"layer\", \"rms\")", "STEPS = (\"rms\", \"layers\", \"rms\")"),
        ("sum without keepdim", "mean = pypto.sum(x, 1, keepdim=True) / width", "mean = pypto.sum(x, 1) / width"),
        ("sum of a symbolic axis", "x.shape[-1]", "x.shape[-3]"),
        ("negative axis", "pypto.sum(x * x, -1, keepdim=True)", "pypto.sum(x * x, -3, keepdim=True)"),
        ("function of two", "value = step(value, eps)", "value = step(value)"),
        ("text for a number", "eps=1e-6", "eps=\"1e-6\""),
        ("none for a number", "chain(STEPS)", "chain(STEPS, None)"),
        ("closure misspelt", "norm = chain(STEPS)", "norms = chain(STEPS)"),
        ("tile of a closure", "pypto.set_vec_tile_shapes(rows // 2, cols)", "pypto.set_vec_tile_shapes(rows / 2, cols)"),
        ("tile of zero", "pypto.set_vec_tile_shapes(rows // 2, cols)", "pypto.set_vec_tile_shapes(rows // 32, cols)"),
        ("tile of odd columns", "pypto.set_vec_tile_shapes(rows // 2, cols)", "pypto.set_vec_tile_shapes(rows // 2, cols - 1)"),
        ("gamma of rows", "gamma: pypto.Tensor([1, cols]", "gamma: pypto.Tensor([3, cols]"),
        ("gamma of another type", "gamma: pypto.Tensor([1, cols], pypto.DT_FP32)", "gamma: pypto.Tensor([1, cols], pypto.DT_BF16)"),
        ("cast of the part", "pypto.cast(pypto.view(x, [rows, cols], [start, 0]), pypto.DT_FP32)",
         "pypto.view(x, [rows, cols], [start, 0])"),
        ("part of another size", "pypto.view(x, [rows, cols], [start, 0])", "pypto.view(x, [rows, cols - 16], [start, 0])"),
        ("part out of the rows", "[start, 0]), pypto.DT_FP32)", "[start, cols]), pypto.DT_FP32)"),
        ("accumulator is read before", "        acc[:] = pypto.full([rows, 1], 0.0, pypto.DT_FP32)\n", ""),
        ("accumulator is rebound", "acc[:] = acc + pypto.sum(", "acc = acc + pypto.sum("),
        ("accumulator of columns", "acc = pypto.tensor([rows, 1], pypto.DT_FP32, \"acc\")",
         "acc = pypto.tensor([rows, cols], pypto.DT_FP32, \"acc\")"),
        ("sum of columns", "pypto.sum(result, -1, keepdim=True)", "pypto.sum(result, 0, keepdim=True)"),
        ("result is not cast", "= pypto.cast(result, pypto.DT_BF16)", "= result"),
        ("result by another name", "y[start:start + rows, :] = pypto.cast(result,", "y[start:start + rows, :] = pypto.cast(results,"),
        ("output out of the loop", "        total[:] = acc * 1.0", "        total[:] = result * 1.0"),
        ("output moved", "total[:] = acc * 1.0", "total[:] = acc * gamma"),
        ("rows of the slice", "y[start:start + rows, :]", "y[start:start + 1, :]"),
        ("power of a symbol", "start = half * rows", "start = half ** rows"),
        ("true division of a symbol", "start = half * rows", "start = half * 1.5"),
        ("text of a symbol", "start = half * rows", "start = half * \"16\""),
        ("name of the inner index", "idx_name=\"inner\"", "idx_name=\"outer\""),
        ("three axes in a tile of two", "            pypto.set_vec_tile_shapes(1, 32, 64)\n\n", "\n"),
        ("first tile of two", "pypto.set_vec_tile_shapes(1, 32, 64)\n    for", "pypto.set_vec_tile_shapes(32, 64)\n    for"),
        ("second tile is forgotten", "            pypto.set_vec_tile_shapes(1, 64)\n", "            pypto.set_vec_tile_shapes(64)\n"),
        ("transpose of one axis", "pypto.transpose(item, 1, 2)", "pypto.transpose(item, 1)"),
        ("transpose of the wrong axes", "pypto.transpose(item, 1, 2)", "pypto.transpose(item, 0, 2)"),
        ("transpose of a fourth axis", "pypto.transpose(item, 1, 2)", "pypto.transpose(item, 1, 3)"),
        ("transpose is left out", "pypto.transpose(item, 1, 2)", "item"),
        ("offset of two entries", "[number, 0, 0], z)", "[number, 0], z)"),
        ("offset of the view", "[number, 0, 0])", "[number, 0])"),
        ("clip of mixed numbers", "pypto.clip(mean, -1.0, 1.0)", "pypto.clip(mean, -1, 1.0)"),
        ("clip of texts", "pypto.clip(mean, -1.0, 1.0)", "pypto.clip(mean, \"-1\", 1.0)"),
        ("mean of the other axis", "pypto.sum(item, 1) / 32.0", "pypto.sum(item, 2) / 32.0"),
        ("unknown size", "for size in SIZES:", "for size in (\"small\", \"huge\"):"),
        ("size of three", "\"wide\": (8, 128)", "\"wide\": (8, 128, 1)"),
        ("inputs in a list", "kernel(*inputs, *outputs)", "kernel(inputs, outputs)"),
        ("inputs reversed", "kernel(*inputs, *outputs)", "kernel(*outputs, *inputs)"),
        ("input of another type", "torch.rand(2 * rows, cols).bfloat16()", "torch.rand(2 * rows, cols).half()"),
        ("gamma in the launch", "torch.ones(1, cols)]", "torch.ones(cols)]"),
        ("total in the launch", "torch.zeros(rows, 1)]", "torch.zeros(rows)]"),
        ("pooled output", "torch.zeros(4, 64, 32))", "torch.zeros(4, 32, 64))"),
        ("permuted input", "pooled_kernel(x, torch", "pooled_kernel(x.permute(0, 2, 1), torch"),
        ("while on a symbol", "            number = outer * 2 + inner\n", "            number = outer * 2 + inner\n            while number > 3:\n                number = number - 1\n"),
        ("return in a loop", "            number = outer * 2 + inner\n", "            number = outer * 2 + inner\n            return\n"),
        ("print of a tensor's value", "            number = outer * 2 + inner\n", "            number = outer * 2 + inner\n            print(float(x[0, 0, 0]))\n"),
    ],
    "router_quant": [
        ("top-k of too many", "TOKENS, EXPERTS, TOP = 16, 32, 8", "TOKENS, EXPERTS, TOP = 16, 32, 40"),
        ("top-k of the rows", "pypto.topk(biased, TOP, -1)", "pypto.topk(biased, TOP, 0)"),
        ("top-k of one result", "_, index = pypto.topk(biased, TOP, -1)", "index = pypto.topk(biased, TOP, -1)"),
        ("top-k of three results", "_, index = pypto.topk", "_, index, _ = pypto.topk"),
        ("results swapped", "_, index = pypto.topk", "index, _ = pypto.topk"),
        ("gather of the bias", "pypto.gather(scores, 1, index)", "pypto.gather(bias, 1, index)"),
        ("gather of another axis", "pypto.gather(scores, 1, index)", "pypto.gather(scores, 2, index)"),
        ("gather arguments", "pypto.gather(scores, 1, index)", "pypto.gather(scores, index, 1)"),
        ("bias of another width", "bias: pypto.Tensor([1, EXPERTS]", "bias: pypto.Tensor([1, TOP]"),
        ("bias of one axis", "bias: pypto.Tensor([1, EXPERTS]", "bias: pypto.Tensor([EXPERTS]"),
        ("chosen of floats", "chosen: pypto.Tensor([TOKENS, TOP], pypto.DT_INT32)", "chosen: pypto.Tensor([TOKENS, TOP], pypto.DT_FP32)"),
        ("weights of another width", "weights: pypto.Tensor([TOKENS, TOP]", "weights: pypto.Tensor([TOKENS, EXPERTS]"),
        ("weights are rebound", "    weights[:] = picked", "    weights = picked"),
        ("sigmoid of integers", "logits: pypto.Tensor([TOKENS, EXPERTS], pypto.DT_FP32)", "logits: pypto.Tensor([TOKENS, EXPERTS], pypto.DT_INT32)"),
        ("no tile", "    pypto.set_vec_tile_shapes(TOKENS, EXPERTS)\n", ""),
        ("amax of floats in a helper", "pypto.amax(pypto.abs(x), -1, keepdim=True)", "pypto.amax(pypto.abs(x), -1, True, 0)"),
        ("cast of floats to bytes", "whole = pypto.cast(pypto.round(x / scale), pypto.DT_FP16)", "whole = pypto.round(x / scale)"),
        ("cast mode", "pypto.cast(whole, pypto.DT_INT8)", "pypto.cast(whole, pypto.DT_INT8, pypto.CastMode.ROUND)"),
        ("round with digits", "pypto.round(x / scale)", "pypto.round(x / scale, \"2\")"),
        ("one result of a helper", "q, scale = quantize(rows)", "q = quantize(rows)"),
        ("three results of a helper", "q, scale = quantize(rows)", "q, scale, zero = quantize(rows)"),
        ("product of bytes as floats", "pypto.matmul(q, w, pypto.DT_INT32)", "pypto.matmul(q, w, pypto.DT_FP32)"),
        ("product of mixed operands", "pypto.matmul(q, w, pypto.DT_INT32)", "pypto.matmul(rows, w, pypto.DT_FP32)"),
        ("product flipped", "pypto.matmul(q, w, pypto.DT_INT32)", "pypto.matmul(w, q, pypto.DT_INT32)"),
        ("scale of integers", "pypto.cast(product, pypto.DT_FP32) * scale", "product * scale"),
        ("cube tile of bytes", "[16, 16], [64, 128], [64, 64]", "[16, 16], [16, 128], [64, 64]"),
        ("cube tile upside down", "[16, 16], [64, 128], [64, 64]", "[16, 16], [128, 64], [64, 64]"),
        ("cube tile is no multiple", "[16, 16], [64, 128], [64, 64]", "[16, 16], [64, 96], [64, 64]"),
        ("cube tile too large", "[16, 16], [64, 128], [64, 64]", "[16, 16], [64, 128], [4096, 4096]"),
        ("cube tile of numbers", "[16, 16], [64, 128], [64, 64]", "16, 128, 64"),
        ("cube tile of three entries", "[16, 16], [64, 128], [64, 64]", "[16, 16, 16], [64, 128], [64, 64]"),
        ("cube tile is forgotten", "            pypto.set_cube_tile_shapes([16, 16], [64, 128], [64, 64])\n", ""),
        ("vector tile is forgotten", "            pypto.set_vec_tile_shapes(16, k)\n", ""),
        ("vector tile of texts", "pypto.set_vec_tile_shapes(16, k)", "pypto.set_vec_tile_shapes(16, \"k\")"),
        ("rows of the view", "pypto.view(x, [16, k], [turn * 16, 0])", "pypto.view(x, [16, n], [turn * 16, 0])"),
        ("rows of the output", "y[turn * 16:(turn + 1) * 16, :]", "y[turn * 16:(turn + 1) * 16]"),
        ("columns of the output", "y[turn * 16:(turn + 1) * 16, :]", "y[turn * 16:(turn + 1) * 16, 0:32]"),
        ("axes of the scale", "w_scale: pypto.Tensor([1, n]", "w_scale: pypto.Tensor([n, 1]"),
        ("unit of the guard", "check(m, 16)", "check(m, 48)"),
        ("guard of a text", "check(m, 16)", "check(m, \"16\")"),
        ("unpacked shape", "m, k, n = shape", "m, k = shape"),
        ("field of the shape", "shape.m, shape.n)", "shape.m, shape.o)"),
        ("fields of the shape", "Shape(x.shape[0], x.shape[1], w.shape[1])", "Shape(x.shape[0], x.shape[1])"),
        ("order of the shape", "Shape(x.shape[0], x.shape[1], w.shape[1])", "Shape(x.shape[1], x.shape[0], w.shape[1])"),
        ("rank in the wrapper", "if x.dim() != 2 or", "if x.dim() != 3 or"),
        ("scale in the test", "torch.rand(64).unsqueeze(0)", "torch.rand(64)"),
        ("weights in the test", "(128, 64)).to(torch.int8)", "(128, 64))"),
        ("weights of another size", "(128, 64)).to(torch.int8)", "(64, 64)).to(torch.int8)"),
        ("weights of another order", "(128, 64)).to(torch.int8)", "(64, 128)).to(torch.int8).t()"),
        ("chosen in the test", "dtype=torch.int32)\n    route", "dtype=torch.int64)\n    route"),
        ("logits in the test", "torch.rand(TOKENS, EXPERTS)", "torch.rand(TOKENS, EXPERTS, dtype=torch.float64)"),
        ("one tensor too few", "weights, chosen)\n\n", "weights)\n\n"),
        ("keyword of a launch", "weights, chosen)\n\n", "weights, chosen=chosen)\n\n"),
    ],
}
# What the linter does not find yet: mistakes of host code, what one chip refuses (a warning), and what only
# the sizes of a run show.
NOT_FOUND = {version: set((
    "text for the root;field misspelt;cast to no type;key of the weights;"
    "method of the experts;cosine of two rows;name of a step;"
    "transpose of the wrong axes;unknown size;size of three;guard of a text;field of the shape;"
    "rank in the wrapper;" + more).split(";"))
    for version, more in (("9.1", "total is rebound"), ("9.2", "output is rebound"))}


def programs():
    """{name: (description, text)}: each program as it is, and with each of its mistakes."""
    made = {}
    for program, mistakes in MISTAKES.items():
        text = (PROGRAMS / (program + ".py")).read_text(encoding="utf-8")
        made[program] = "unchanged", text
        for number, (what, old, new) in enumerate(mistakes):
            assert text.count(old) >= 1, (program, what)
            made["%s_%02d" % (program, number)] = what, text.replace(old, new, 1)
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--pypto", default="9.2")
    parser.add_argument("--list", action="store_true", help="what each of them says")
    options = parser.parse_args()
    made = programs()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for one, (_, text) in made.items():
            (folder / (one + ".py")).write_text(text, encoding="utf-8")
        refused = refusals(options.binary, folder, list(made), options.pypto)
        found = checked(options.binary, folder, options.pypto)
    wrong, counts = [], {"refused": 0, "found": 0}
    for one, (what, _) in made.items():
        code, said = refused[one]
        fails = found.get(one, [])
        if options.list:
            print("%s, %s: %s; %s" % (one, what, code, fails or "nothing"))
        counts["refused"] += code is not None
        counts["found"] += code is not None and bool(fails)
        known = what in NOT_FOUND[options.pypto]
        if code is None and fails:
            wrong.append("%s, %s: it runs, and the linter says %s" % (one, what, fails))
        elif code is not None and bool(fails) == known:
            wrong.append("%s, %s: %s\n    %s" % (
                one, what, "it is found now" if known else "not found", said.strip()[-700:]))
    print("\n".join(wrong + ["%d programs, %d refused, %d of them found" % (
        len(made), counts["refused"], counts["found"])]))
    return 1 if wrong or counts["refused"] < len(made) * 3 // 4 else 0


if __name__ == "__main__":
    sys.exit(main())

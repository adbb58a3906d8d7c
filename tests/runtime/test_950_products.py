"""Products and convolutions of the Ascend 950 over types of eight and four bits, against the references in
NumPy: cases by hand, then random ones. The environment must say PTOSIM_SOC=950PR."""
import os
import signal
import threading
import time

import numpy as np

import references
from ascend950 import (BF16, D, E2M1, E4M3, E5M2, E8M0, F16, FOUR, HF8, I32, I8, KINDS, NAMES, U8,
                       OperationTest, codes, tensor)
from support import F32, main, pypto, torch

ROUNDS = 40


class SmallMatmul(OperationTest):
    """matmul of 8-bit floats: the formats as their definitions say, sums as in F32."""

    def test_random(self):
        rng = np.random.default_rng(21)
        pairs = [(E4M3, E4M3), (E5M2, E5M2), (E4M3, E5M2), (E5M2, E4M3), (HF8, HF8)]
        for case in range(ROUNDS):
            left, right = pairs[case % len(pairs)]
            out = (F32, F16, BF16)[case % 3]
            m, n = (int(v) for v in rng.integers(1, 40, 2))
            k = int(rng.choice([32, 64, 96]))
            a_trans, b_trans = bool(rng.integers(2)), bool(rng.integers(2))
            a_codes, a = codes(rng, left, (m, k))
            b_codes, b = codes(rng, right, (k, n))
            bias = rng.integers(-8, 8, (1, n)).astype(np.float32)
            bias_dtype = (F32, F16, BF16)[case // 3 % 3]
            result, = self.run_kernel(
                lambda p, q, r: D.matmul(p, q, out, a_trans=a_trans, b_trans=b_trans,
                                         extend_params={"bias_tensor": r}),
                [(left, tensor(a_codes.T if a_trans else a_codes)),
                 (right, tensor(b_codes.T if b_trans else b_codes)),
                 (bias_dtype, tensor(bias).to(KINDS[bias_dtype]))], [(out, [m, n])])
            step = {F32: 1e-5, F16: 1e-3, BF16: 8e-3}[out]
            size = np.abs(a) @ np.abs(b) + np.abs(bias)
            wrong = np.abs(result.double().numpy() - (a @ b + bias)) > step * size + 1e-9
            self.assertFalse(wrong.any())

    def test_quantised_result(self):
        rng = np.random.default_rng(22)
        a_codes, a = codes(rng, E4M3, (16, 32))
        b_codes, b = codes(rng, E4M3, (32, 16))
        result, = self.run_kernel(
            lambda p, q: D.matmul(p, q, I8, extend_params={"scale": 0.125}),
            [(E4M3, tensor(a_codes)), (E4M3, tensor(b_codes))], [(I8, [16, 16])])
        exact = a @ b * 0.125
        self.assertLessEqual(np.abs(result.numpy() - np.clip(exact, -128, 127)).max(), 0.501)

    def test_other_mixes_are_refused(self):
        self.fails("F00002", "Non-FP8 inputs require identical dtypes", self.run_kernel,
                   lambda p, q: D.matmul(p, q, F32),
                   [(E4M3, torch.zeros(16, 32).byte()), (HF8, torch.zeros(32, 16).byte())],
                   [(F32, [16, 16])])


class FourBits(OperationTest):
    """DT_FP4: two elements in each byte of a torch tensor; the kernel has an axis twice as long."""

    def test_to_16_bits_and_back(self):
        rng = np.random.default_rng(40)
        for dtype, values in FOUR.items():
            pairs = np.arange(256, dtype=np.uint8).reshape(4, 64)
            wide, = self.run_kernel(lambda x: D.cast(x, BF16), [(dtype, tensor(pairs))],
                                    [(BF16, [4, 128])])
            self.equal(wide.float(), tensor(values[references.unpack_pairs(pairs)].astype(np.float32)))
            numbers = references.to_bf16(rng.normal(0, 2, (7, 96)).astype(np.float32))
            numbers[0, :5] = [1e9, -1e9, 0.0, -0.25, 2.5]  # ties: 0.25 to 0 or exact, 2.5 to 2 or beyond
            packed, = self.run_kernel(lambda x: D.cast(x, dtype),
                                      [(BF16, tensor(numbers).to(torch.bfloat16))], [(dtype, [7, 96])])
            expected = references.nearest(numbers, values[:8], 8)
            self.assertEqual(references.unpack_pairs(packed.numpy()).tolist(), expected.tolist())

    def test_windows_and_moves(self):
        pairs = np.arange(64, dtype=np.uint8).reshape(2, 32)

        def body(x):
            return pypto.concat([pypto.cast(x[:, 3:33], BF16), pypto.cast(x[:, 0:2], BF16)], 1)
        result, = self.run_kernel(body, [(E2M1, tensor(pairs))], [(BF16, [2, 32])])
        values = references.E2M1[references.unpack_pairs(pairs)]
        self.equal(result.float(), tensor(np.concatenate([values[:, 3:33], values[:, :2]], 1)
                                          .astype(np.float32)))

    def test_quantised(self):
        rng = np.random.default_rng(41)
        for case in range(ROUNDS):
            rows, columns = int(rng.integers(1, 8)), int(rng.choice([128, 256]))
            keywords = {"mode": (D.ROUND_UP, D.ROUND_DOWN)[case % 2]}
            if case % 3 == 1:
                keywords["axis"], rows = -2, int(rng.choice([64, 128]))
            scale = [rows // 64, columns, 2] if case % 3 == 1 else [rows, columns // 64, 2]
            dtype = (F32, F16, BF16)[case // 3 % 3]
            values = rng.normal(0, 1, (rows, columns)) * 2.0 ** rng.integers(-9, 9, (rows, columns))
            values = references.ROUND[NAMES[dtype]](values.astype(np.float32))
            found = self.run_kernel(
                lambda x: D.quant_mx(x, E2M1, **keywords), [(dtype, tensor(values).to(KINDS[dtype]))],
                [(E2M1, [rows, columns]), (E8M0, scale)], tile=(64, columns))
            expected = references.quant_mx(values, keywords.get("axis", -1), case % 2 == 0, "E2M1")
            self.assertEqual(found[1].tolist(), expected[1].tolist())
            self.assertEqual(references.unpack_pairs(found[0].numpy()).tolist(), expected[0].tolist())

    def test_by_hand(self):
        values = np.zeros((1, 64), np.float32)
        values[0, :3] = [1.0, -0.5, 7.0]  # 2^2 ≤ 7 < 2^3: the scale is 1, 7 becomes 6
        elements, scales = self.run_kernel(
            lambda x: D.quant_mx(x, quant_dtype=E2M1), [(F32, tensor(values))],
            [(E2M1, [1, 64]), (E8M0, [1, 1, 2])], tile=(1, 64))
        self.assertEqual(elements[0, :3].tolist(), [0x2 | 0x9 << 4, 0x7, 0])
        self.assertEqual(scales.tolist(), [[[127, 0]]])

    def test_products(self):
        rng = np.random.default_rng(42)
        for case in range(ROUNDS):
            m, n, k = (2 * int(v) for v in (rng.integers(1, 24), rng.integers(1, 24), rng.choice([32, 48, 64])))
            left, right = (rng.choice(list(FOUR), 2) if case % 4 else (E2M1, E2M1))
            a, b = (rng.integers(0, 16, shape).astype(np.uint8) for shape in ((m, k), (n, k)))
            pairs = -(-k // 64)
            scale_a = rng.integers(117, 137, (m, pairs, 2)).astype(np.uint8)
            scale_b = rng.integers(117, 137, (pairs, n, 2)).astype(np.uint8)
            result, = self.run_kernel(
                lambda p, q, s, t: D.scaled_mm(p, q, F32, s, t, b_trans=True),
                [(left, tensor(references.pack_pairs(a))), (right, tensor(references.pack_pairs(b))),
                 (E8M0, tensor(scale_a)), (E8M0, tensor(scale_b))], [(F32, [m, n])])
            x, y = FOUR[left][a], FOUR[right][b].T
            size = references.scaled_mm(np.abs(x), np.abs(y), scale_a, scale_b)
            difference = result.double().numpy() - references.scaled_mm(x, y, scale_a, scale_b)
            self.assertFalse((np.abs(difference) > 1e-5 * size + 1e-7).any())

    def test_what_is_not_simulated_says_so(self):
        pairs = tensor(np.zeros((4, 32), np.uint8))
        self.fails("F00005", "elements of 4 bits", self.run_kernel, lambda x: D.view(x, dtype=U8),
                   [(E2M1, pairs)], [(U8, [4, 32])])
        values = tensor(np.ones((64, 96), np.float32))
        self.fails("FC0000", "DT_FP4_E2M1X2 the last axis", self.run_kernel,
                   lambda x: D.quant_mx(x, E2M1, axis=-2), [(F32, values)],
                   [(E2M1, [64, 96]), (E8M0, [1, 96, 2])], tile=(64, 96))


class ScaledMatmul(OperationTest):
    def product(self, a, b, scale_a, scale_b, out=F32, bias=None, flags=(), cube=(64, 128, 64)):
        """Codes as stored."""
        def operation(p, q, s, t, *more):
            return D.scaled_mm(p, q, out, s, t, **dict.fromkeys(flags, True),
                               extend_params={"bias_tensor": more[0]} if more else None)
        m = a[1].shape[1 if "a_trans" in flags else 0]
        n = b[1].shape[0 if "b_trans" in flags else 1]
        inputs = [(d, tensor(x)) for d, x in (a, b, (E8M0, scale_a), (E8M0, scale_b))]
        inputs += [] if bias is None else [(F32, tensor(bias))]
        return self.run_kernel(operation, inputs, [(out, [m, n])], cube=cube)[0]

    def test_by_hand(self):
        """Ones of E4M3 are 0x38; the second block of 32 counts twice in a and half in b."""
        ones = np.full((16, 64), 0x38, np.uint8)
        scale_a = np.full((16, 1, 2), 127, np.uint8)
        scale_a[:, :, 1] = 128
        scale_b = np.full((1, 16, 2), 127, np.uint8)
        both = self.product((E4M3, ones), (E4M3, ones.T), scale_a, scale_b)
        self.assertEqual(set(both.flatten().tolist()), {32.0 + 64.0})
        scale_b[:, 3, 1] = 126
        one = self.product((E4M3, ones), (E4M3, ones.T), scale_a, scale_b)
        self.assertEqual(one[0, :5].tolist(), [96.0, 96.0, 96.0, 64.0, 96.0])

    def test_random(self):
        rng = np.random.default_rng(23)
        for case in range(ROUNDS):
            left, right = (rng.choice([0, 1], 2))
            left, right = (E4M3, E5M2)[left], (E4M3, E5M2)[right]
            m, n = (int(v) for v in rng.integers(1, 48, 2))
            k = int(rng.choice([32, 64, 96, 160, 192]))
            pairs = -(-k // 64)
            a_codes, a = codes(rng, left, (m, k))
            b_codes, b = codes(rng, right, (k, n))
            scale_a = rng.integers(117, 137, (m, pairs, 2)).astype(np.uint8)
            scale_b = rng.integers(117, 137, (pairs, n, 2)).astype(np.uint8)
            flags = [f for f in ("a_trans", "b_trans", "scale_a_trans", "scale_b_trans")
                     if rng.integers(2)]
            out = (F32, F16, BF16)[case % 3]
            bias = rng.normal(0, 4, (1, n)).astype(np.float32) if case % 2 else None
            result = self.product(
                (left, a_codes.T if "a_trans" in flags else a_codes),
                (right, b_codes.T if "b_trans" in flags else b_codes),
                scale_a.swapaxes(0, 1) if "scale_a_trans" in flags else scale_a,
                scale_b.swapaxes(0, 1) if "scale_b_trans" in flags else scale_b, out, bias, flags)
            expected = references.scaled_mm(a, b, scale_a, scale_b)
            size = references.scaled_mm(np.abs(a), np.abs(b), scale_a, scale_b)
            if bias is not None:
                expected, size = expected + bias, size + np.abs(bias)
            step = {F32: 1e-5, F16: 1e-3, BF16: 8e-3}[out]
            found = result.double().numpy()
            if out is F16:
                large = np.abs(expected) > 65000
                self.assertTrue((np.abs(found[large]) > 64900).all())
                found, expected = np.where(large, 0, found), np.where(large, 0, expected)
            self.assertFalse((np.abs(found - expected) > step * size + 1e-7).any())

    def test_leading_axes(self):
        rng = np.random.default_rng(43)
        for case in range(ROUNDS // 2):
            lead = [int(n) for n in rng.integers(1, 4, case % 2 + 1)]
            m, n, k = int(rng.integers(1, 20)), int(rng.integers(1, 20)), int(rng.choice([64, 96, 128]))
            pairs = -(-k // 64)
            a_codes, a = codes(rng, E4M3, (*lead, m, k))
            b_codes, b = codes(rng, E5M2, (*lead, k, n))
            scale_a = rng.integers(117, 137, (*lead, m, pairs, 2)).astype(np.uint8)
            scale_b = rng.integers(117, 137, (*lead, pairs, n, 2)).astype(np.uint8)
            flags = [f for f in ("a_trans", "b_trans", "scale_a_trans", "scale_b_trans")
                     if rng.integers(2)]
            stored = [a_codes.swapaxes(-1, -2) if "a_trans" in flags else a_codes,
                      b_codes.swapaxes(-1, -2) if "b_trans" in flags else b_codes,
                      scale_a.swapaxes(-2, -3) if "scale_a_trans" in flags else scale_a,
                      scale_b.swapaxes(-2, -3) if "scale_b_trans" in flags else scale_b]
            result, = self.run_kernel(
                lambda p, q, s, t: D.scaled_mm(p, q, F32, s, t, **dict.fromkeys(flags, True)),
                list(zip((E4M3, E5M2, E8M0, E8M0), map(tensor, stored))), [(F32, [*lead, m, n])],
                tile=(4,) * len(lead) + (32, 128))
            expected = references.scaled_mm(a, b, scale_a, scale_b)
            size = references.scaled_mm(np.abs(a), np.abs(b), scale_a, scale_b)
            self.assertFalse((np.abs(result.double().numpy() - expected) > 1e-5 * size + 1e-7).any())

    def test_refusals(self):
        a, scale = np.zeros((16, 64), np.uint8), np.zeros((16, 1, 2), np.uint8)
        other = scale.swapaxes(0, 1)
        self.fails("F0000C", "kL0(32) must be aligned to 64", self.product, (E4M3, a), (E4M3, a.T),
                   scale, other, cube=(64, 32, 64))
        self.fails("F0000B", "scale_b must be [K / 64, other axis, 2]", self.product, (E4M3, a),
                   (E4M3, a.T), scale, scale)
        self.fails("F00002", "out_dtype must be", self.product, (E4M3, a), (E4M3, a.T), scale, other,
                   out=I32)


class Microscaling(OperationTest):
    def quantised(self, values, dtype=F32, tile=(64, 256), **keywords):
        rows, columns = values.shape
        axis = keywords.get("axis", -1)
        scale = [rows // 64, columns, 2] if axis == -2 else [rows, columns // 64, 2]
        found = self.run_kernel(lambda x: D.quant_mx(x, **keywords),
                                [(dtype, tensor(values).to(KINDS[dtype]))],
                                [(E4M3, [rows, columns]), (E8M0, scale)], tile=tile)
        return [t.numpy() for t in found]

    def test_by_hand(self):
        values = np.zeros((1, 64), np.float32)
        values[0, :3] = [1.0, -0.5, 500.0]   # 2^8 ≤ 500 < 2^9: the scale is 1, 500 becomes 448
        values[0, 32:34] = [3.0, 1.75]       # 2^1 ≤ 3: the scale is 2^-7, 3 · 128 = 384
        elements, scales = self.quantised(values, tile=(1, 64))
        self.assertEqual(scales.tolist(), [[[127, 120]]])
        self.assertEqual(elements[0, :3].tolist(), [0x38, 0xB0, 0x7E])
        self.assertEqual(references.E4M3[elements[0, 32:34]].tolist(), [384.0, 224.0])
        _, scales = self.quantised(values, tile=(1, 64), mode=D.ROUND_UP)
        self.assertEqual(scales.tolist(), [[[128, 120]]])

    def test_random(self):
        rng = np.random.default_rng(24)
        for case in range(ROUNDS):
            rows, columns = int(rng.integers(1, 8)), int(rng.choice([128, 256]))
            keywords = {"mode": (D.ROUND_UP, D.ROUND_DOWN)[case % 2]}
            tile = (64, columns)
            if case % 3 == 1:
                keywords.update(axis=-2)
                rows = int(rng.choice([64, 128]))
            elif case % 3 == 2:
                keywords.update(performance_mode=False)
                columns, tile = int(rng.choice([64, 192])), (4, 64)
            dtype = (F32, F16, BF16)[case // 3 % 3]
            values = rng.normal(0, 1, (rows, columns)) * 2.0 ** rng.integers(-9, 9, (rows, columns))
            values = references.ROUND[NAMES[dtype]](values.astype(np.float32))
            values[:, :32] *= case % 5 > 0  # blocks of zeros, too
            elements, scales = self.quantised(values, dtype, tile, **keywords)
            expected = references.quant_mx(values, keywords.get("axis", -1), case % 2 == 0)
            self.assertEqual(scales.tolist(), expected[1].tolist())
            self.assertEqual(elements.tolist(), expected[0].tolist())

    def test_a_block_with_infinity_is_nan(self):
        values = np.ones((1, 64), np.float32)
        values[0, 40] = np.inf
        elements, scales = self.quantised(values, tile=(1, 64))
        self.assertEqual(scales.tolist(), [[[119, 255]]])
        self.assertTrue(np.isnan(references.E4M3[elements[0, 32:]]).all())

    def test_refusals(self):
        values = np.ones((4, 64), np.float32)
        for text, keywords in (("multiple of 256 bytes", {"dtype": F16}),
                               ("the last tile axis must be the whole axis", {"tile": (4, 32)}),
                               ("axis must be -1 or -2", {"axis": 7 - 8 - 2}),
                               ("multiples of 64", {"axis": -2})):
            with self.subTest(text):
                tile = {"tile": (4, 64), **keywords}
                if keywords.get("axis") == -3:
                    self.fails("F00002", "", self.quantised, values, **tile)
                else:
                    self.fails("FC0000", text, self.quantised, values, **tile)
        self.fails("FC0001", "not DT_FP8E5M2", self.quantised, values, tile=(4, 64), quant_dtype=E5M2)

    def test_a_product_of_quantised_matrices(self):
        """quant_mx and scaled_mm agree about where scales lie."""
        rng = np.random.default_rng(25)
        a = rng.normal(0, 1, (16, 128)).astype(np.float32)
        b = rng.normal(0, 1, (16, 128)).astype(np.float32)

        def body(p, q):
            left, left_scale = D.quant_mx(p)
            right, right_scale = D.quant_mx(q)
            return D.scaled_mm(left, right, F32, left_scale, right_scale, b_trans=True,
                               scale_b_trans=True)
        result, = self.run_kernel(body, [(F32, tensor(a)), (F32, tensor(b))], [(F32, [16, 16])])
        (left, left_scale), (right, right_scale) = (
            references.quant_mx(values, -1, False) for values in (a, b))
        expected = references.scaled_mm(references.E4M3[left], references.E4M3[right].T, left_scale,
                                        right_scale.swapaxes(0, 1))
        self.close(result, expected, rtol=1e-5, atol=1e-4)
        self.assertGreater(np.corrcoef(expected.ravel(), (a @ b.T).ravel())[0, 1], 0.99)


class Convolution(OperationTest):
    def convolve(self, values, weight, strides, paddings, dilations, shape, dtype=F32, out=F32,
                 bias=None, tiles=True, scales=None, **keywords):
        def body(x, w, *more):
            impl = pypto.pypto_impl
            if isinstance(tiles, tuple):
                pypto.set_conv_tile_shapes(impl.TileL1Info(**tiles[0]), impl.TileL0Info(**tiles[1]))
            elif tiles:
                pypto.set_conv_tile_shapes(impl.TileL1Info(1, 1, 16, 16))
            extend = dict(keywords.pop("extend", {}))
            more = list(more)
            if bias is not None:
                extend["bias_tensor"] = more.pop(0)
            if scales is not None:
                extend["scale_tensor"] = more.pop(0)
            return D.conv(x, w, out, strides, paddings, dilations, extend_params=extend, **keywords)
        inputs = [(dtype, tensor(a).to(KINDS[dtype])) for a in (values, weight)]
        inputs += [] if bias is None else [(F32, tensor(bias))]
        if scales is not None:
            inputs.append((D.DT_UINT64, tensor(scales.view(np.uint32).astype(np.int64))))
        return self.run_kernel(body, inputs, [(out, list(shape))])[0]

    def test_by_hand(self):
        """A difference of neighbours in one dimension."""
        result = self.convolve(np.array([[[1, 4, 9, 16]]], np.float32),
                               np.array([[[-1, 1]]], np.float32), [1], [1], [1], (1, 1, 5))
        self.assertEqual(result.tolist(), [[[1.0, 3.0, 5.0, 7.0, -16.0]]])

    def test_random(self):
        rng = np.random.default_rng(32)
        for case in range(ROUNDS):
            axes, groups = case % 3 + 1, int(rng.choice([1, 1, 2, 3]))
            inner, outer = (int(n) for n in rng.integers(1, 4, 2))
            kernel = rng.integers(1, 4, axes)
            strides, dilations = rng.integers(1, 4, axes), rng.integers(1, 3, axes)
            sides = [[int(rng.integers(0, k)) for _ in range(2)] for k in kernel]
            size = [int(d * (k - 1) + 1 + rng.integers(0, 5)) for k, d in zip(kernel, dilations)]
            dtype = (F32, F16, BF16)[case // 3 % 3]
            round_ = references.ROUND[NAMES[dtype]]
            values = round_(rng.normal(0, 1, (2, inner * groups, *size)).astype(np.float32))
            weight = round_(rng.normal(0, 1, (outer * groups, inner, *kernel)).astype(np.float32))
            bias = rng.normal(0, 1, (outer * groups,)).astype(np.float32) if case % 2 else None
            expected = references.conv(values, weight, strides, sides, dilations, groups)
            if bias is not None:
                expected += bias.reshape(-1, *[1] * axes)
            extend = {}
            if case % 5 == 0:
                extend = {"relu_type": pypto.pypto_impl.ConvReLuType.RELU, "scale": 0.5}
                expected = np.maximum(expected, 0) * 0.5
            scales = None
            if case % 5 == 1:  # each channel its own, of ten bits
                scales = (rng.integers(1, 1024, outer * groups) / 256).astype(np.float32)
                expected = expected * scales.reshape(-1, *[1] * axes)
            out = dtype if case % 2 else F32
            result = self.convolve(
                values, weight, [int(n) for n in strides], [n for pair in sides for n in pair],
                [int(n) for n in dilations], expected.shape, dtype, out, bias, groups=groups,
                extend=extend, scales=scales)
            step = {F32: 1e-5, F16: 2e-3, BF16: 1e-2}[out]
            self.close(result.float(), expected, rtol=step, atol=step)

    def test_refusals(self):
        values, weight = np.ones((1, 4, 8, 8), np.float32), np.ones((2, 4, 3, 3), np.float32)

        def refused(code, text, strides=(1, 1), paddings=(0, 0), dilations=(1, 1), **keywords):
            self.fails(code, text, self.convolve, values, weight, list(strides), list(paddings),
                       list(dilations), (1, 2, 6, 6), **keywords)
        refused("FC6200", "one element for each channel", scales=np.ones(3, np.float32))
        refused("FC6200", "strides must be 1 to 63", strides=(64, 1))
        refused("FC6200", "dilations must be 1 to 63", dilations=(0, 1))
        refused("FC6200", "less than the kernel", paddings=(3, 0))
        refused("FC6200", "groups must be", groups=3)
        refused("FC6200", "channels / groups", groups=2)
        refused("FC6200", "must fit into the padded input", dilations=(5, 1))
        refused("F00002", "transposed convolutions are not supported", transposed=True)
        refused("F00003", "tile shape not set", tiles=False)
        refused("F00002", "'strides' must be a list of 2", strides=(1,))


    def test_a_long_one_can_be_stopped(self):
        """A second or more of work; the signal comes early in it."""
        values = np.ones((1, 128, 48, 48), np.float32)
        weight = np.ones((128, 128, 3, 3), np.float32)

        class Stopped(Exception):
            pass

        def stop(*_):
            stopped.append(time.monotonic())
            raise Stopped
        stopped = []
        old = signal.signal(signal.SIGTERM, stop)
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM))
        try:
            timer.start()
            with self.assertRaises(Stopped):
                for _ in range(20):
                    self.convolve(values, weight, [1, 1], [1, 1, 1, 1], [1, 1], (1, 128, 48, 48))
            self.assertLess(time.monotonic() - stopped[0], 2.0)  # 0.2 s on a quiet machine
        finally:
            timer.cancel()
            signal.signal(signal.SIGTERM, old)

    def test_tiles(self):
        values, weight = np.ones((1, 32, 64, 64), np.float32), np.ones((64, 32, 3, 3), np.float32)

        def convolve(l1=None, l0=None):
            result = self.convolve(values, weight, [1, 1], [0, 0], [1, 1], (1, 64, 62, 62), F16,
                                   tiles=(l1 or {}, l0 or {}))
            self.assertEqual(set(result.flatten().tolist()), {288.0})
        convolve({"tileHin": 16, "tileWin": 64, "tileCinFmap": 32, "tileCinWeight": 32, "tileN": 64},
                 {"tileH": 4, "tileW": 16, "tileK": 128, "tileN": 64})
        # input 64 · 64 · 32 · 2 = 262144, weight 64 · 32 · 9 · 2 = 36864: fits into 524288
        convolve({"tileHin": 500, "tileWin": 64, "tileCinFmap": 32, "tileCinWeight": 32, "tileN": 999})
        for l0, text in (({"tileH": 16, "tileW": 16, "tileK": 256}, "131072 + 0 = 131072 bytes of MEM_L0A"),
                         ({"tileK": 512, "tileN": 128}, "131072 bytes of MEM_L0B"),
                         ({"tileH": 32, "tileW": 32, "tileN": 128}, "524288 bytes of MEM_L0C")):
            self.fails("FC6101", text, convolve, None, l0)
        big = np.ones((2, 64, 64, 64), np.float32)
        self.fails("FC6101", "1048576 + 73728 = 1122304 bytes of MEM_L1, which has 524288", self.convolve,
                   big, np.ones((64, 64, 3, 3), np.float32), [1, 1], [0, 0], [1, 1], (2, 64, 62, 62), F16,
                   tiles=({"tileHin": 64, "tileWin": 64, "tileCinFmap": 64, "tileCinWeight": 64,
                           "tileN": 64, "tileBatch": 2}, {}))
        self.fails("F00002", "'tileHin' is out of range", convolve, {"tileHin": 1 << 20})
        from pypto import _diagnose
        del _diagnose.told[:]
        convolve({"tileCinFmap": 24})  # 16 channels of 2 bytes are a whole block
        self.assertIn("conv-tile", [found[2] for found in _diagnose.told])


if __name__ == "__main__":
    main()

"""Operations of the Ascend 950, and those that no sample program uses, against the references in NumPy:
cases by hand, then random ones. The environment must say PTOSIM_SOC=950PR."""
import numpy as np

import references
from ascend950 import BF16, D, F16, I32, NAMES, OperationTest, tensor
from support import F32, main, pypto, torch

ROUNDS = 40


class OnlineSoftmax(OperationTest):
    def step(self, scores, scale):
        rows, columns = scores.shape
        return self.run_kernel(
            lambda s: D.experimental.online_softmax(s, scale), [(F32, tensor(scores))],
            [(BF16, [rows, columns]), (F32, [1, columns]), (F32, [1, columns])], tile=(64, 64))

    def test_by_hand(self):
        exps, most, total = self.step(np.array([[0, 2], [2, 2]], np.float32), 0.5)
        self.assertEqual(most.tolist(), [[1.0, 1.0]])
        self.assertEqual(exps.tolist(), [[0.3671875, 1.0], [1.0, 1.0]])  # e^-1 = 0.36788 in BF16
        self.close(total, np.array([[1.3678794, 2.0]]))  # summed before it is rounded

    def test_random(self):
        rng = np.random.default_rng(18)
        for _ in range(ROUNDS):
            scores = rng.normal(0, 4, (rng.integers(1, 64), rng.integers(1, 80))).astype(np.float32)
            scale = float(rng.choice([1.0, 0.125, 0.088388, -0.5]))
            exps, most, total = self.step(scores, scale)
            expected = references.online_softmax(scores, scale)
            self.equal(exps.float(), tensor(expected[0]))
            self.equal(most, tensor(expected[1]))
            self.close(total, expected[2])

    def test_only_the_valid_part_counts(self):
        scores = np.arange(12, dtype=np.float32).reshape(4, 3)

        def step(s):
            part = pypto.view(s, [4, 3], [0, 0], valid_shape=[2, 3])
            return D.experimental.online_softmax(part, 1.0)[1:]
        most, total = self.run_kernel(step, [(F32, tensor(scores))], [(F32, [1, 3])] * 2)
        self.close(most, scores[1:2])
        self.close(total, references.online_softmax(scores[:2], 1.0)[2])

    def test_a_block_must_fit_a_tile(self):
        self.fails("FC0000", "must lie in one tile", self.run_kernel,
                   lambda s: D.experimental.online_softmax(s, 1.0), [(F32, torch.zeros(64, 16))],
                   [(BF16, [64, 16]), (F32, [1, 16]), (F32, [1, 16])], tile=(32, 16))

    def state(self, rng, rows, columns):
        return [rng.normal(0, 3, (1, columns)), rng.uniform(1, 9, (1, columns)),
                rng.normal(0, 2, (rows, columns))]

    def test_update(self):
        rng = np.random.default_rng(19)
        for _ in range(ROUNDS):
            rows, columns = int(rng.integers(1, 40)), int(rng.integers(1, 40))
            arrays = [a.astype(np.float32) for a in
                      self.state(rng, rows, columns) + self.state(rng, rows, columns)]
            results = self.run_kernel(
                D.experimental.online_softmax_update, [(F32, tensor(a)) for a in arrays],
                [(F32, [1, columns]), (F32, [1, columns]), (F32, [rows, columns])])
            for result, expected in zip(results, references.online_softmax_update(*arrays)):
                self.close(result, expected)

    def test_a_state_without_keys_weighs_nothing(self):
        empty = [np.full((1, 2), -np.inf), np.zeros((1, 2)), np.zeros((3, 2))]
        full = [np.full((1, 2), 5.0), np.full((1, 2), 2.0), np.ones((3, 2))]
        inputs = [(F32, tensor(a.astype(np.float32))) for a in empty + full]
        outputs = [(F32, [1, 2]), (F32, [1, 2]), (F32, [3, 2])]
        for result, expected in zip(self.run_kernel(D.experimental.online_softmax_update, inputs,
                                                    outputs), full):
            self.close(result, expected)
        inputs = [(F32, tensor(a.astype(np.float32))) for a in empty + empty]
        for result, expected in zip(self.run_kernel(D.experimental.online_softmax_update, inputs,
                                                    outputs), empty):
            self.equal(result, tensor(expected.astype(np.float32)))

    def test_two_blocks_are_one_softmax(self):
        """What the operations are for: attention over two blocks of keys."""
        rng = np.random.default_rng(20)
        keys, columns, width = 32, 16, 8
        scores = rng.normal(0, 2, (2 * keys, columns)).astype(np.float32)
        values = rng.normal(0, 1, (width, 2 * keys)).astype(np.float32)
        weights = np.exp(scores.astype(np.float64) - scores.max(0))
        expected = values @ weights / weights.sum(0)
        states = []
        for part in (slice(0, keys), slice(keys, None)):
            exps, most, total = self.step(scores[part], 1.0)
            states += [most, total, tensor((values[:, part] @ exps.float().numpy()))]
        _, total, out = self.run_kernel(
            D.experimental.online_softmax_update, [(F32, t) for t in states],
            [(F32, [1, columns]), (F32, [1, columns]), (F32, [width, columns])])
        self.close(out / total, expected, rtol=2e-2, atol=2e-2)  # BF16 weights

    def test_shapes_that_do_not_fit(self):
        row, out = (F32, torch.zeros(1, 8)), (F32, torch.zeros(4, 8))
        outputs = [(F32, [1, 8]), (F32, [1, 8]), (F32, [4, 8])]
        self.fails("FC0000", "must have one shape", self.run_kernel,
                   D.experimental.online_softmax_update,
                   [row, row, out, (F32, torch.zeros(1, 4)), row, out], outputs)
        self.fails("FC0000", "a column for each query", self.run_kernel,
                   D.experimental.online_softmax_update, [row, row, (F32, torch.zeros(8, 4))] * 2,
                   outputs)


class Shuffling(OperationTest):
    def test_interleave_and_back(self):
        rng = np.random.default_rng(30)
        for _ in range(ROUNDS // 4):
            rows, columns = int(rng.integers(1, 9)), 2 * int(rng.integers(1, 20))
            a, b = rng.normal(0, 1, (2, rows, columns)).astype(np.float32)
            both = np.stack([a, b], -1).reshape(rows, 2 * columns)
            inputs, outputs = [(F32, tensor(a)), (F32, tensor(b))], [(F32, [rows, columns])] * 2
            tile = (8, columns)
            halves = self.run_kernel(D.interleave, inputs, outputs, tile=tile)
            self.equal(torch.cat(halves, 1), tensor(both))
            line = np.concatenate([a, b], 1)
            parts = self.run_kernel(D.deinterleave, inputs, outputs, tile=tile)
            self.equal(parts[0], tensor(line[:, 0::2]))
            self.equal(parts[1], tensor(line[:, 1::2]))
            parts = self.run_kernel(D.deinterleave, inputs[:1], [(F32, [rows, columns // 2])] * 2,
                                    tile=tile)
            self.equal(parts[0], tensor(a[:, 0::2]))
            self.equal(parts[1], tensor(a[:, 1::2]))

    def test_scatter_in_place(self):
        """Rows of a matrix that an index names become those of another."""
        rng = np.random.default_rng(31)
        values, rows = rng.normal(0, 1, (2, 8, 16)).astype(np.float32)
        order = rng.permutation(8).astype(np.int64)
        index = np.repeat(order[:, None], 16, 1)

        def body(x, i, s):
            mine = pypto.clone(x)
            pypto.scatter_(mine, 0, i, s)
            return mine
        result, = self.run_kernel(
            body, [(F32, tensor(values)), (D.DT_INT64, tensor(index)), (F32, tensor(rows))],
            [(F32, [8, 16])], tile=(8, 16))
        expected = values.copy()
        expected[order] = rows
        self.equal(result, tensor(expected))


class Sorting(OperationTest):
    def pairs(self, result):
        array = result.numpy()
        return array[..., 0::2], np.ascontiguousarray(array[..., 1::2]).view(np.int32)

    def test_random(self):
        rng = np.random.default_rng(26)
        for case in range(ROUNDS):
            shape = (int(rng.integers(1, 5)), int(rng.choice([7, 32, 64, 96, 100])))
            values = rng.choice([1.5, -2.0, 0.25, 7.0, np.inf], shape) + rng.integers(0, 4, shape)
            values = values.astype(np.float32)
            index = rng.integers(0, 1000, shape).astype(np.int32) if case % 2 else None
            inputs = [(F32, tensor(values))] + ([] if index is None else [(I32, tensor(index))])
            result, = self.run_kernel(D.sort32, inputs, [(F32, [shape[0], 2 * shape[1]])],
                                      tile=(4, 256))
            found, expected = self.pairs(result), references.sort32(values, index)
            np.testing.assert_array_equal(found[0], expected[0])
            np.testing.assert_array_equal(found[1], expected[1])

    def test_merging(self):
        """sort32 and two rounds of mrgsort order a line of up to 512 as a stable sort does."""
        rng = np.random.default_rng(27)
        for columns in (32, 96, 128, 160, 512):
            values = rng.integers(0, 50, (3, columns)).astype(np.float32)
            result, = self.run_kernel(
                lambda x: D.mrgsort(D.mrgsort(D.sort32(x), 32), 128), [(F32, tensor(values))],
                [(F32, [3, 2 * columns])], tile=(4, 1024))
            order = np.argsort(-values, -1, kind="stable")
            found = self.pairs(result)
            np.testing.assert_array_equal(found[1], order)
            np.testing.assert_array_equal(found[0], np.take_along_axis(values, order, -1))

    def test_one_round_merges_four_runs(self):
        values = np.arange(256, dtype=np.float32)[None]
        result, = self.run_kernel(lambda x: D.mrgsort(D.sort32(x), 32), [(F32, tensor(values))],
                                  [(F32, [1, 512])], tile=(1, 512))
        self.assertEqual(self.pairs(result)[0][0].tolist(),
                         [*range(127, -1, -1), *range(255, 127, -1)])

    def test_refusals(self):
        line = (F32, torch.zeros(1, 33))
        self.fails("FC0000", "must be even", self.run_kernel, lambda x: D.mrgsort(x, 32), [line],
                   [(F32, [1, 33])])
        self.fails("F00002", "mergesize must be at least 1", self.run_kernel,
                   lambda x: D.mrgsort(x, 0), [(F32, torch.zeros(1, 64))], [(F32, [1, 64])])
        self.fails("FC0000", "must have the shape of the input", self.run_kernel, D.sort32,
                   [line, (I32, torch.zeros(1, 32).int())], [(F32, [1, 66])])


class Random(OperationTest):
    def draw(self, function, shape, key, counter, dtype=F32, tile=None):
        result, = self.run_kernel(
            lambda: function(shape, [key], [0, counter], [1], dtype), [], [(dtype, shape)], tile=tile or shape[:-1] + [-(-shape[-1] // 4) * 4])
        return result

    def test_known_answers(self):
        """The published test vectors of the generator, for the reference itself."""
        self.assertEqual([format(int(w), "08x") for w in references.philox(4, 0, 0)],
                         ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"])

    def test_uniform(self):
        rng = np.random.default_rng(28)
        for case in range(ROUNDS // 2):
            shape = [int(n) for n in rng.integers(1, 20, case % 3 + 1)]
            key, counter = (int(n) for n in rng.integers(0, 2 ** 63, 2))
            dtype = (F32, F16, BF16)[case % 3]
            result = self.draw(D.uniform, shape, key, counter, dtype)
            np.testing.assert_array_equal(
                result.double().numpy(), references.uniform(shape, key, counter, NAMES[dtype]))

    def test_normal(self):
        rng = np.random.default_rng(29)
        for case in range(ROUNDS // 2):
            shape = [int(n) for n in rng.integers(1, 20, case % 3 + 1)]
            key, counter = (int(n) for n in rng.integers(0, 2 ** 63, 2))
            result = self.draw(D.normal, shape, key, counter, tile=shape)
            self.close(result, references.normal(shape, key, counter))

    def test_it_is_random(self):
        values = self.draw(D.uniform, [64, 64], 5, 0, tile=[64, 64])
        self.assertTrue(0 <= values.min() and values.max() < 1)
        self.assertLess(abs(values.mean().item() - 0.5), 0.02)
        values = self.draw(D.normal, [64, 64], 5, 0, tile=[64, 64])
        self.assertLess(abs(values.mean().item()), 0.06)
        self.assertLess(abs(values.std().item() - 1), 0.05)

    def test_refusals(self):
        self.fails("FC0000", "must be a multiple of 4", self.draw, D.uniform, [4, 4], 1, 0,
                   tile=[4, 6])
        self.fails("FC0000", "the tile must be the shape", self.draw, D.normal, [4, 8], 1, 0,
                   tile=[4, 4])
        self.fails("FC0001", "does not support DT_INT32", self.draw, D.uniform, [4, 4], 1, 0, I32)


if __name__ == "__main__":
    main()

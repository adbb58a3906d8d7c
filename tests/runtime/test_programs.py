"""Programs as users of PyPTO 9.2 write them: state in names, helpers, conditions of data. torch says what comes out."""
from support import F32, KernelTest, main, pypto, torch

T = pypto.Tensor
F16, I32, DYNAMIC = pypto.DT_FP16, pypto.DT_INT32, pypto.DYNAMIC


def random(rows, columns=64, seed=0):
    torch.manual_seed(seed)
    return torch.randn(rows, columns)


def integers(*values):
    return torch.tensor(values, dtype=torch.int32)


class Layer:
    """Methods of all kinds as helpers."""

    def __init__(self, weight):
        self.weight = weight

    @staticmethod
    def positive(t):
        return pypto.maximum(t, 0.0)

    @classmethod
    def doubled(cls, t):
        return t * 2.0

    @property
    def scale(self):
        return self.weight

    def forward(self, t, i):
        if i > 1:
            made = t * self.scale
        else:
            made = t
        return self.positive(self.doubled(made))


def guarded(t, factors, k):
    """Runs as it is: it has a `try`."""
    try:
        return t * factors[k]
    except IndexError:
        return t


def summed(*tensors, scale=1.0, **more):
    """Runs as it is: star arguments."""
    total = tensors[0] * scale
    for t in tensors[1:]:
        total = total + t
    for value in more.values():
        total = total + value
    return total


class Programs(KernelTest):
    def close(self, result, expected, tolerance=1e-4):
        self.assertEqual(tuple(result.shape), tuple(expected.shape))
        self.assertTrue(torch.allclose(result.float(), expected.float(), rtol=tolerance, atol=tolerance),
                        (result.float() - expected.float()).abs().max())

    def test_attention_over_pages(self):
        heads, groups, depth, page = 4, 2, 64, 16

        @pypto.jit
        def kernel(q: T[[8, depth], F16], keys: T[[DYNAMIC, depth], F16], values: T[[DYNAMIC, depth], F16],
                   table: T[[2, 4], I32], lengths: T[[2], I32], out: T[[8, depth], F16]):
            pypto.set_cube_tile_shapes([16, 16], [64, 64], [16, 16])
            pypto.set_vec_tile_shapes(16, 64)
            for b in pypto.loop(2, name="batch"):
                length = lengths[b]
                for g in pypto.loop(groups, name="group"):
                    rows = pypto.view(q, [2, depth], [b * heads + g * 2, 0])
                    top = pypto.full([2, 1], -60000.0, F32)
                    total = pypto.full([2, 1], 0.0, F32)
                    acc = pypto.full([2, depth], 0.0, F32)
                    for j in pypto.loop((length + page - 1) // page, name="page"):
                        start = (table[b, j] * groups + g) * page
                        valid = [pypto.min(length - j * page, page), depth]
                        key = pypto.view(keys, [page, depth], [start, 0], valid_shape=valid)
                        value = pypto.view(values, [page, depth], [start, 0], valid_shape=valid)
                        s = pypto.matmul(rows, key, F32, b_trans=True) * (1.0 / depth ** 0.5)
                        new_top = pypto.maximum(top, pypto.amax(s, -1, True))
                        p, old = pypto.exp(s - new_top), pypto.exp(top - new_top)
                        total = total * old + pypto.sum(p, -1, True)
                        acc = acc * old + pypto.matmul(pypto.cast(p, F16), value, F32)
                        top = new_top
                    pypto.assemble(pypto.cast(acc / total, F16), [b * heads + g * 2, 0], out)
        q, keys, values = random(8).half(), random(256, seed=1).half(), random(256, seed=2).half()
        table, lengths = torch.tensor([[3, 1, 0, 5], [2, 7, 4, 6]], dtype=torch.int32), integers(37, 16)
        out = torch.zeros(8, depth).half()
        kernel(q, keys, values, table, lengths, out)
        expected = torch.zeros(8, depth)
        paged = [t.float().view(8, groups, page, depth) for t in (keys, values)]
        for b in range(2):
            for h in range(heads):
                key, value = (torch.cat([t[table[b, j], h // 2] for j in range(4)])[:lengths[b]] for t in paged)
                scores = torch.softmax(q[b * heads + h].float() @ key.T / depth ** 0.5, -1)
                expected[b * heads + h] = scores @ value
        self.close(out, expected, 2e-2)

    def test_experts_with_a_running_offset(self):
        @pypto.jit
        def kernel(x: T[[DYNAMIC, 64], F32], counts: T[[3], I32], w: T[[192, 64], F32], y: T[[DYNAMIC, 64], F32]):
            pypto.set_cube_tile_shapes([16, 16], [64, 64], [64, 64])
            pypto.set_vec_tile_shapes(16, 64)
            offset = 0
            for e in pypto.loop(3):
                count = counts[e]
                weights = pypto.view(w, [64, 64], [e * 64, 0])
                for t in pypto.loop((count + 15) // 16):
                    at = offset + t * 16
                    part = pypto.view(x, [16, 64], [at, 0], valid_shape=[min(count - t * 16, 16), 64])
                    pypto.assemble(pypto.matmul(part, weights, F32), [at, 0], y)
                offset += count
        x, w, y = random(27), random(192, seed=3), torch.zeros(27, 64)
        kernel(x, integers(5, 0, 22), w, y)
        self.close(y, torch.cat([x[:5] @ w[:64], x[5:] @ w[128:]]), 1e-2)

    def test_linear_attention_state(self):
        @pypto.jit
        def kernel(q: T[[DYNAMIC, 32], F32], k: T[[DYNAMIC, 32], F32], v: T[[DYNAMIC, 32], F32],
                   out: T[[DYNAMIC, 32], F32], last: T[[32, 32], F32]):
            pypto.set_cube_tile_shapes([16, 16], [32, 32], [32, 32])
            pypto.set_vec_tile_shapes(16, 32)
            state = pypto.full([32, 32], 0.0, F32)
            for c in pypto.loop(q.shape[0] // 16):
                rows = slice(c * 16, (c + 1) * 16)
                inner = pypto.tril(pypto.matmul(q[rows, :], k[rows, :], F32, b_trans=True))
                out[rows, :] = pypto.matmul(q[rows, :], state, F32) + pypto.matmul(inner, v[rows, :], F32)
                state = state + pypto.matmul(k[rows, :], v[rows, :], F32, a_trans=True)
            last[:] = state
        q, k, v = random(64, 32), random(64, 32, 1), random(64, 32, 2)
        out, last = torch.zeros(64, 32), torch.zeros(32, 32)
        kernel(q, k, v, out, last)
        self.close(out, torch.tril(q @ k.T) @ v, 1e-2)
        self.close(last, k.T @ v, 1e-2)

    def test_segments_with_an_offset_of_data(self):
        @pypto.jit
        def kernel(lengths: T[[4], I32], x: T[[DYNAMIC, 64], F32], y: T[[4, 64], F32]):
            pypto.set_vec_tile_shapes(16, 64)
            start = 0
            for b in pypto.loop(4):
                count, total = lengths[b], pypto.full([1, 64], 0.0, F32)
                for j in pypto.loop(count):
                    total = total + x[start + j:start + j + 1, :]
                y[b:b + 1, :] = total
                start = start + count
        x, y = random(10), torch.zeros(4, 64)
        kernel(integers(3, 0, 5, 2), x, y)
        self.close(y, torch.stack([x[:3].sum(0), x[:0].sum(0), x[3:8].sum(0), x[8:].sum(0)]))

    def test_conditions_of_data_in_great_number(self):
        @pypto.jit
        def kernel(mask: T[[16], I32], x: T[[256, 64], F32], y: T[[16, 64], F32], many: T[[4], I32]):
            pypto.set_vec_tile_shapes(16, 64)
            total, at, count = pypto.full([16, 64], 0.0, F32), 0, 0
            for j in range(16):
                if mask[j] == 1:
                    total = total + x[at:at + 16, :]
                    count = count + 1
                else:
                    total = total * 0.5
                if count > 3:
                    total = total + 1.0
                at = at + 16
            y[:] = total
            many[0] = count
        mask = integers(1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 0)
        x, y, many = random(256), torch.zeros(16, 64), torch.zeros(4, dtype=torch.int32)
        kernel(mask, x, y, many)
        total, count = torch.zeros(16, 64), 0
        for j in range(16):
            total = total + x[j * 16:(j + 1) * 16] if mask[j] == 1 else total * 0.5
            count += int(mask[j] == 1)
            total = total + 1 if count > 3 else total
        self.close(y, total)
        self.assertEqual(many[0].item(), count)

    def test_parameters_that_are_rebound(self):
        @pypto.jit
        def swapped(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 64)
            x, y = y * 1.0, x * 1.0

        @pypto.jit
        def on_one_side(n: T[[1], I32], x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 64)
            if n[0] > 0:
                y = x * 2.0
            for _ in pypto.loop(3):
                y = y + 1.0
        x, y = random(16), random(16, seed=2)
        first, second = x.clone(), y.clone()
        swapped(x, y)
        self.close(x, second)
        self.close(y, first)
        for n in (0, 1):
            y = torch.ones(16, 64)
            on_one_side(integers(n), x, y)
            self.close(y, x * 2 + 3 if n else torch.ones(16, 64) + 3)

    def test_helpers_of_all_kinds(self):
        layer, factors = Layer(3.0), [0.0, 1.0, 2.0]

        @pypto.jit
        def kernel(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 64)
            for i in pypto.loop(4):
                part = layer.forward(x[i * 16:(i + 1) * 16, :], i)
                total = part
                for k in range(5):
                    total = total + guarded(part, factors, k)
                y[i * 16:(i + 1) * 16, :] = summed(total, part, scale=2.0, more=1.0)
        x, y = random(64), torch.zeros(64, 64)
        kernel(x, y)
        part = torch.relu(2 * x * torch.tensor([1.0, 1.0, 3.0, 3.0]).repeat_interleave(16)[:, None])
        self.close(y, 2 * (part + 5 * part) + part + 1)

    def test_conditions_joined_with_operators(self):
        @pypto.jit
        def kernel(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(16, 64)
            for i in pypto.loop(4):
                for j in pypto.loop(2):
                    if (i == 1) & (j == 0) | (i == 3):
                        y[i * 16:(i + 1) * 16, :] = x[i * 16:(i + 1) * 16, :] * 2.0
                    if ~((i > 0) | (j > 0)):
                        y[0:16, :] = x[0:16, :] * 5.0
                    if 1 & (i == 2):
                        y[32:48, :] = x[32:48, :] * 7.0
        x, y = random(64), torch.zeros(64, 64)
        kernel(x, y)
        self.close(y, x * torch.tensor([5.0, 2.0, 7.0, 2.0]).repeat_interleave(16)[:, None])

    def test_bytes_of_rows(self):
        @pypto.jit
        def kernel(x: T[...], y: T[...]):
            pypto.set_vec_tile_shapes(8, 64)
            for i in pypto.loop(4):
                y[i * 2048:(i + 1) * 2048] = pypto.pack(x[i * 16:(i + 1) * 16, :])
        x, y = random(64).bfloat16(), torch.zeros(64 * 64 * 2, dtype=torch.uint8)
        kernel(x, y)
        self.equal(y, x.view(torch.int16).flatten().view(torch.uint8))


if __name__ == "__main__":
    main()

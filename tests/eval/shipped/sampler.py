"""Sampling: temperature, top-k, top-p mask, greedy, penalties, log-probabilities."""
import torch
import torch_npu  # noqa: F401
import pypto

VOCAB = 512
K = 64


class SamplerTiles:
    rows = 1
    vocab = VOCAB
    LOGITS = (rows, vocab)


@pypto.frontend.jit
def top_p_kernel(
    logits: pypto.Tensor([pypto.DYNAMIC, VOCAB], pypto.DT_FP32),
    temperature: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
    top_p: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
    probs: pypto.Tensor([pypto.DYNAMIC, K], pypto.DT_FP32),
    tokens: pypto.Tensor([pypto.DYNAMIC, K], pypto.DT_INT32),
):
    batch = logits.shape[0]
    for b in pypto.loop(batch, name="LOOP_B", idx_name="b"):
        pypto.set_vec_tile_shapes(*SamplerTiles.LOGITS)
        row = logits[b:b + 1, :] / temperature[b:b + 1, :]
        value, index = pypto.topk(row, K, -1)
        pypto.set_vec_tile_shapes(1, K)
        p = pypto.softmax(value, -1)
        below = pypto.cumsum(p, 1) - p
        keep = pypto.lt(below, pypto.view(top_p, [1, 1], [b, 0]))
        masked = pypto.where(keep, p, 0.0)
        probs[b:b + 1, :] = masked / pypto.sum(masked, -1, keepdim=True)
        tokens[b:b + 1, :] = index


@pypto.frontend.jit
def greedy_kernel(logits: pypto.Tensor([pypto.DYNAMIC, VOCAB], pypto.DT_FP32),
                  token: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_INT32)):
    pypto.set_vec_tile_shapes(1, VOCAB)
    for b in pypto.loop(logits.shape[0]):
        token[b:b + 1, :] = pypto.argmax(logits[b:b + 1, :], -1, keepdim=True)


@pypto.frontend.jit
def penalty_kernel(
    logits: pypto.Tensor([8, VOCAB], pypto.DT_FP32),
    counts: pypto.Tensor([8, VOCAB], pypto.DT_INT32),
    penalties: pypto.Tensor([8, 3], pypto.DT_FP32),
    out: pypto.Tensor([8, VOCAB], pypto.DT_FP32),
):
    pypto.set_vec_tile_shapes(4, VOCAB)
    for i in pypto.loop(2):
        rows = pypto.view(logits, [4, VOCAB], [i * 4, 0])
        count = pypto.cast(pypto.view(counts, [4, VOCAB], [i * 4, 0]), pypto.DT_FP32)
        columns = []
        for k in range(3):
            columns.append(pypto.view(penalties, [4, 1], [i * 4, k]))
        frequency, presence, repetition = columns[0], columns[1], columns[2]
        seen = pypto.gt(count, 0.0)
        scaled = pypto.where(pypto.gt(rows, 0.0), rows / repetition, rows * repetition)
        rows = pypto.where(seen, scaled, rows)
        rows = rows - count * frequency
        rows = rows - pypto.where(seen, presence + rows * 0.0, 0.0)
        out[i * 4:i * 4 + 4, :] = rows


@pypto.frontend.jit
def logprob_kernel(
    logits: pypto.Tensor([pypto.DYNAMIC, VOCAB], pypto.DT_FP16),
    target: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_INT32),
    loss: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
):
    rows = logits.shape[0]
    step = 4
    pypto.set_vec_tile_shapes(step, VOCAB)
    for i in pypto.loop(0, rows, step, name="rows"):
        count = (rows - i).min(step)
        x = pypto.cast(pypto.view(logits, [step, VOCAB], [i, 0], valid_shape=[count, VOCAB]), pypto.DT_FP32)
        top = pypto.amax(x, -1, keepdim=True)
        log_sum = pypto.log(pypto.sum(pypto.exp(x - top), -1, keepdim=True)) + top
        label = pypto.view(target, [step, 1], [i, 0], valid_shape=[count, 1])
        picked = pypto.gather(x, 1, label)
        pypto.assemble(log_sum - picked, [i, 0], loss)


class Sampler(torch.nn.Module):
    def __init__(self, vocab=VOCAB, k=K):
        super(Sampler, self).__init__()
        self.vocab = vocab
        self.k = k

    def forward(self, logits, temperature=None, top_p=None):
        assert logits.ndim == 2, f"expected 2 axes, got {logits.ndim}"
        batch, vocab = logits.shape
        if vocab != self.vocab:
            raise ValueError("vocabulary")
        if temperature is None:
            token = torch.empty((batch, 1), dtype=torch.int32, device=logits.device)
            greedy_kernel(logits, token)
            return token
        probs = logits.new_empty(batch, self.k)
        tokens = torch.empty((batch, self.k), dtype=torch.int32, device=logits.device)
        if top_p is None:
            top_p = torch.ones_like(temperature)
        top_p_kernel(logits.float(), temperature.view(batch, 1), top_p.view(batch, 1), probs, tokens)
        return probs, tokens


if __name__ == "__main__":
    sampler = Sampler()
    x = torch.randn(3, VOCAB, device="npu:0")
    sampler(x)
    sampler(x, torch.full((3,), 0.7, device="npu:0"))
    sampler(x, torch.full((3,), 0.7, device="npu:0"), torch.full((3,), 0.9, device="npu:0"))
    x = torch.randn(8, VOCAB, device="npu:0")
    penalty_kernel(x, torch.randint(0, 3, x.shape, dtype=torch.int32).to("npu:0"), torch.rand(8, 3).add(0.5).to("npu:0"), torch.zeros_like(x))
    for n in (4, 7):
        logprob_kernel(torch.randn(n, VOCAB).half().to("npu:0"), torch.randint(VOCAB, (n, 1)).int().to("npu:0"),
                       torch.zeros(n, 1).to("npu:0"))

"""PyPTO 9.2: atomic_add of rows into a table, several of them into the same one."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
WORDS = 10
WIDTH = 48


@pypto.jit
def gradient_kernel(
    words: pypto.Tensor([pypto.DYNAMIC], pypto.DT_INT32),
    gradient: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
    table: pypto.Tensor([WORDS, WIDTH], pypto.DT_FP32),
    counts: pypto.Tensor([WORDS, 8], pypto.DT_INT32),
):
    pypto.set_vec_tile_shapes(1, WIDTH)
    for token in pypto.loop(words.shape[0], name="tokens", idx_name="token"):
        word = words[token]
        row = pypto.view(gradient, [1, WIDTH], [token, 0])
        pypto.atomic_add(row * 1.0, [word, 0], table)
        pypto.atomic_add(pypto.full([1, 8], 1, pypto.DT_INT32), [word, 0], counts)


def main():
    torch.manual_seed(13)
    checks = Checks("embedding_gradient")
    for tokens in (1, 37):
        words = torch.randint(0, WORDS - 1, (tokens,))  # the last word never occurs
        gradient = torch.randint(-8, 9, (tokens, WIDTH)).float()  # sums are exact in every order
        start = torch.randn(WORDS, WIDTH).round()
        table, counts = start.to(DEVICE), torch.zeros(WORDS, 8, dtype=torch.int32, device=DEVICE)
        gradient_kernel(words.to(torch.int32).to(DEVICE), gradient.to(DEVICE), table, counts)
        embedding = torch.nn.Embedding(WORDS, WIDTH)
        embedding(words).backward(gradient)
        checks.equal(f"{tokens} tokens", table, start + embedding.weight.grad)
        often = torch.bincount(words, minlength=WORDS).to(torch.int32)
        checks.equal(f"{tokens} tokens, counts", counts, often[:, None].expand(WORDS, 8))
    checks.finish()


if __name__ == "__main__":
    main()

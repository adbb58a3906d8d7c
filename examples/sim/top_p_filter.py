"""Nucleus sampling: the likeliest words whose sum reaches p stay, the others get no probability."""
# The softmax is of a tensor in F32.
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
ROWS = 12
WORDS = 64
SHARE = 0.7


@pypto.frontend.jit
def top_p_kernel(
    logits: pypto.Tensor([ROWS, WORDS], pypto.DT_FP32),
    y: pypto.Tensor([ROWS, WORDS], pypto.DT_FP32),
    order: pypto.Tensor([ROWS, WORDS], pypto.DT_INT32),
):
    pypto.set_vec_tile_shapes(ROWS, WORDS)
    likely = pypto.softmax(logits, -1)
    places = pypto.argsort(likely, -1, descending=True)
    ranked = pypto.gather(likely, 1, places)
    # What comes before a word decides, so that the first one always stays.
    before = pypto.cumsum(ranked, -1) - ranked
    kept = pypto.where(before < SHARE, ranked, 0.0)
    kept = kept / pypto.sum(kept, -1, keepdim=True)
    y[:] = pypto.scatter(pypto.zeros(ROWS, WORDS), 1, places, kept)
    order[:] = places


def main():
    torch.manual_seed(23)
    checks = Checks("top_p_filter")
    logits = torch.randn(ROWS, WORDS) * 3
    y = torch.zeros(ROWS, WORDS, device=DEVICE)
    order = torch.zeros(ROWS, WORDS, dtype=torch.int32, device=DEVICE)
    top_p_kernel(logits.to(DEVICE), y, order)
    expected = torch.zeros(ROWS, WORDS)
    for row, likely in enumerate(logits.softmax(-1)):
        total = 0.0
        for word in likely.argsort(descending=True).tolist():
            if total >= SHARE:
                break
            expected[row, word] = likely[word]
            total += likely[word].item()
    checks.close("probabilities", y, expected / expected.sum(-1, keepdim=True))
    checks.equal("order", order, logits.argsort(-1, descending=True).to(torch.int32))
    checks.finish()


if __name__ == "__main__":
    main()

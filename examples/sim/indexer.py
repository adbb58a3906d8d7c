"""An indexer: scores of all keys, summed over weighted heads, and the places of the largest."""
import torch
import torch_npu  # noqa: F401  (registers the device)

import pypto
from checking import Checks

DEVICE = "npu:0"
HEADS = 8
WIDTH = 64
KEYS = 128
CHOSEN = 16


@pypto.frontend.jit
def indexer_kernel(
    query: pypto.Tensor([pypto.DYNAMIC, HEADS, WIDTH], pypto.DT_BF16),
    key: pypto.Tensor([KEYS, WIDTH], pypto.DT_BF16),
    weight: pypto.Tensor([pypto.DYNAMIC, HEADS], pypto.DT_FP32),
    chosen: pypto.Tensor([pypto.DYNAMIC, CHOSEN], pypto.DT_INT32),
):
    pypto.set_cube_tile_shapes([16, 16], [64, 64], [128, 128])
    for token in pypto.loop(query.shape[0], name="tokens", idx_name="token"):
        pypto.set_vec_tile_shapes(HEADS, KEYS)
        scores = pypto.relu(pypto.matmul(query[token], key, pypto.DT_FP32, b_trans=True))
        factors = pypto.reshape(weight[token:token + 1, :], [HEADS, 1])
        total = pypto.sum(scores * factors, 0, keepdim=True)
        pypto.set_vec_tile_shapes(1, KEYS)
        _, places = pypto.topk(total, CHOSEN, -1, True)
        chosen[token:token + 1, :] = places


def main():
    torch.manual_seed(13)
    checks = Checks("indexer")
    for tokens in (1, 6):
        query = torch.randn(tokens, HEADS, WIDTH).to(torch.bfloat16)
        key = torch.randn(KEYS, WIDTH).to(torch.bfloat16)
        weight = torch.rand(tokens, HEADS)
        chosen = torch.zeros(tokens, CHOSEN, dtype=torch.int32, device=DEVICE)
        indexer_kernel(query.to(DEVICE), key.to(DEVICE), weight.to(DEVICE), chosen)
        scores = torch.einsum("thd,kd->thk", query.float(), key.float()).relu()
        total = (scores * weight.unsqueeze(-1)).sum(1)
        picked = total.gather(1, chosen.cpu().long())  # equal sums may stand in another order
        checks.close(f"{tokens} tokens", picked, total.topk(CHOSEN)[0], 1e-4, 1e-4)
    checks.finish()


if __name__ == "__main__":
    main()

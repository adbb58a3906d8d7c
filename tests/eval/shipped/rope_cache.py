"""Rotary embedding in several layouts and writing into caches."""
import torch
import torch_npu  # noqa: F401
import pypto
from mla_ops import rotate_half, rope_2d

TILES = {}


def register(name, *tile):
    TILES[name] = list(tile)
    TILES.setdefault("order", []).append(name)


register("rope", 16, 64)
register("rope3", 1, 8, 64)
register("cache", 1, 64)


def set_tile(name):
    pypto.set_vec_tile_shapes(*TILES[name])


def interleaved(x):
    """(x0, x1, x2, x3) -> (x0, x2, x1, x3)"""
    rows, width = x.shape
    pairs = pypto.reshape(x, [rows, width // 2, 2])
    pypto.set_vec_tile_shapes(rows, width // 2, 2)
    turned = pypto.transpose(pairs, 1, 2)
    pypto.set_vec_tile_shapes(rows, 2, width // 2)
    flat = pypto.reshape(turned, [rows, width])
    pypto.set_vec_tile_shapes(rows, width)
    return flat


@pypto.frontend.jit
def rope_kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_BF16), cos: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_BF16),
                sin: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_BF16), y: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_BF16)):
    set_tile("rope")
    for i, rows in pypto.loop_unroll(0, x.shape[0] // 16, name="ROPE", unroll_list=[2, 1]):
        shape, offset = [16 * rows, 64], [i * 16, 0]
        xt, ct, st = (pypto.view(x, shape, offset), pypto.view(cos, shape, offset),
                      pypto.view(sin, shape, offset))
        pypto.assemble(rope_2d(xt, ct, st), offset, y)


@pypto.frontend.jit
def rope_heads_kernel(
    x: pypto.Tensor([32, 8, 64], pypto.DT_FP16),
    cos: pypto.Tensor([32, 64], pypto.DT_FP16),
    sin: pypto.Tensor([32, 64], pypto.DT_FP16),
    y: pypto.Tensor([32, 8, 64], pypto.DT_FP16),
):
    set_tile("rope3")
    for t in pypto.loop(0, 32, 1, idx_name="t"):
        row = pypto.cast(x[t:t + 1, :, :], pypto.DT_FP32)
        set_tile("cache")
        c = pypto.unsqueeze(pypto.cast(cos[t:t + 1, :], pypto.DT_FP32), 1)
        s = pypto.unsqueeze(pypto.cast(sin[t:t + 1, :], pypto.DT_FP32), 1)
        set_tile("rope3")
        y[t:t + 1, :, :] = pypto.cast(row * c + rotate_half(row) * s, pypto.DT_FP16)


@pypto.frontend.jit
def interleaved_kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([16, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for _ in pypto.loop(1):
        y[:] = rotate_half(interleaved(x))


@pypto.frontend.jit
def cache_write_kernel(
    k: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_BF16),
    slot: pypto.Tensor([pypto.DYNAMIC], pypto.DT_INT32),
    cache: pypto.Tensor([128, 64], pypto.DT_BF16),
):
    set_tile("cache")
    for t in pypto.loop(k.shape[0], name="tokens", idx_name="t"):
        where = slot[t]
        pypto.assemble(pypto.view(k, [1, 64], [t, 0]) * 1.0, [where, 0], cache)


@pypto.frontend.jit
def cache_scatter_kernel(
    k: pypto.Tensor([16, 64], pypto.DT_FP16),
    slot: pypto.Tensor([1, 16], pypto.DT_INT64),
    cache: pypto.Tensor([128, 64], pypto.DT_FP16),
):
    pypto.set_vec_tile_shapes(16, 64)
    for _ in pypto.loop(1):
        cache[:] = pypto.scatter_update(cache, -2, slot, k)


@pypto.frontend.jit
def cache_index_put_kernel(
    k: pypto.Tensor([16, 64], pypto.DT_FP16),
    slot: pypto.Tensor([16], pypto.DT_INT32),
    cache: pypto.Tensor([128, 64], pypto.DT_FP16),
):
    pypto.set_vec_tile_shapes(16, 64)
    pypto.index_put_(cache, (slot,), k, False)


def rope(x, cos, sin):
    """x [tokens, 64]"""
    if x.numel() == 0:
        return x
    x = x.contiguous()
    y = torch.empty_like(x)
    rope_kernel(x, cos, sin, y)
    return y


def make_angles(tokens, width=64, dtype=torch.bfloat16, device="npu:0"):
    inv = 1.0 / (10000 ** (torch.arange(0, width, 2).float() / width))
    angles = torch.outer(torch.arange(tokens).float(), inv)
    both = torch.cat((angles, angles), dim=-1)
    return both.cos().to(dtype).to(device), both.sin().to(dtype).to(device)


def main():
    for tokens in (16, 48):
        cos, sin = make_angles(tokens)
        rope(torch.randn(tokens, 64).bfloat16().to("npu:0"), cos, sin)
    cos, sin = make_angles(32, dtype=torch.float16)
    x = torch.randn(32, 8, 64, dtype=torch.half, device="npu:0")
    rope_heads_kernel(x, cos, sin, torch.zeros_like(x))
    x = torch.randn(16, 64, device="npu:0")
    interleaved_kernel(x, torch.empty_like(x))
    cache = torch.zeros(128, 64, dtype=torch.bfloat16, device="npu:0")
    slot = torch.randperm(128)[:5].to(torch.int32).to("npu:0")
    cache_write_kernel(torch.randn(5, 64).to(torch.bfloat16).to("npu:0"), slot, cache)
    half_cache = cache.to(torch.float16)
    k = torch.randn(16, 64, dtype=torch.float16, device="npu:0")
    cache_scatter_kernel(k, torch.randperm(128)[:16].reshape(1, 16).to("npu:0"), half_cache)
    cache_index_put_kernel(k, torch.randperm(128)[:16].int().to("npu:0"), half_cache)


if __name__ == "__main__":
    main()

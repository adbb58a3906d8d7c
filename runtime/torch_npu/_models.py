"""Operators of torch_npu that references of whole models use, by their definitions: rotary
embeddings, attention, experts."""
import math

import torch

__all__ = ["npu_fused_infer_attention_score", "npu_fusion_attention", "npu_grouped_matmul",
           "npu_incre_flash_attention", "npu_interleave_rope", "npu_moe_gating_top_k_softmax",
           "npu_prompt_flash_attention", "npu_rotary_mul", "npu_scaled_masked_softmax"]


# ---- rotary embeddings ----

def npu_rotary_mul(x, r1, r2, rotary_mode="half"):
    """x · r1 + rotated x · r2, with r1 the cosines and r2 the sines."""
    wide = x.float()
    if rotary_mode == "half":
        first, second = wide.chunk(2, -1)
        turned = torch.cat((-second, first), -1)
    elif rotary_mode == "interleave":
        turned = torch.stack((-wide[..., 1::2], wide[..., ::2]), -1).flatten(-2)
    else:
        raise ValueError("npu_rotary_mul: rotary_mode is 'half' or 'interleave', not %r"
                         % (rotary_mode,))
    return (wide * r1.float() + turned * r2.float()).to(x.dtype)


def npu_interleave_rope(x, cos, sin):
    """Even and odd positions are sorted into halves, then npu_rotary_mul."""
    pairs = x.unflatten(-1, (x.shape[-1] // 2, 2))
    return npu_rotary_mul(pairs.transpose(-1, -2).flatten(-2), cos, sin)


# ---- attention ----

def _heads(x, layout, heads):
    """[batch, heads, length, width], whatever the layout."""
    if layout == "BNSD":
        return x
    if layout == "BSND":
        return x.transpose(1, 2)
    if layout == "BSH":
        return x.unflatten(-1, (heads, x.shape[-1] // heads)).transpose(1, 2)
    if layout == "SBH":
        return x.unflatten(-1, (heads, x.shape[-1] // heads)).permute(1, 2, 0, 3)
    raise NotImplementedError("attention of the simulator's torch_npu knows the layouts BNSD, BSND, "
                              "BSH and SBH, not %r" % (layout,))


def _from_heads(x, layout):
    if layout == "BNSD":
        return x
    if layout == "BSND":
        return x.transpose(1, 2).contiguous()
    if layout == "BSH":
        return x.transpose(1, 2).flatten(-2)
    return x.permute(2, 0, 1, 3).flatten(-2)


def _attention(query, key, value, mask, bias, scale):
    """(result, largest, sum) of heads; all in F32 but the result."""
    groups = query.shape[1] // key.shape[1]
    key, value = (part.repeat_interleave(groups, 1).float() for part in (key, value))
    scores = torch.matmul(query.float(), key.transpose(-1, -2)) * scale
    if bias is not None:
        scores = scores + bias.float()
    if mask is not None:
        hidden = mask.to(torch.bool)
        scores = scores.masked_fill(hidden, float("-inf"))
    largest = scores.amax(-1, keepdim=True)
    powers = torch.exp(scores - largest)
    total = powers.sum(-1, keepdim=True)
    return (torch.matmul(powers, value) / total).to(query.dtype), largest, total


def npu_fusion_attention(query, key, value, head_num, input_layout, pse=None, padding_mask=None,
                         atten_mask=None, scale=1.0, keep_prob=1.0, pre_tockens=2147483647,
                         next_tockens=2147483647, inner_precise=0, prefix=None, sparse_mode=0,
                         **_others):
    """(attention, largest, sum, an empty tensor, seed, offset, length of the mask). The mask is
    True where a key is hidden."""
    del padding_mask, pre_tockens, next_tockens, inner_precise, prefix
    if keep_prob != 1.0 or sparse_mode not in (0, 1):
        raise NotImplementedError("npu_fusion_attention of the simulator's torch_npu has neither "
                                  "dropout nor sparse modes beyond 1")
    q = _heads(query, input_layout, head_num)
    kv_heads = key.shape[-1] // q.shape[-1] if input_layout in ("BSH", "SBH") else head_num
    result, largest, total = _attention(q, _heads(key, input_layout, kv_heads),
                                        _heads(value, input_layout, kv_heads), atten_mask, pse,
                                        scale)
    return (_from_heads(result, input_layout), largest.expand(*largest.shape[:-1], 8),
            total.expand(*total.shape[:-1], 8), torch.zeros(0), 0, 0, 0)


def npu_prompt_flash_attention(query, key, value, *, atten_mask=None, pse_shift=None, num_heads=1,
                               scale_value=1.0, input_layout="BSH", num_key_value_heads=0,
                               **_others):
    """Attention of a whole prompt."""
    kv_heads = num_key_value_heads or num_heads
    return _from_heads(_attention(
        _heads(query, input_layout, num_heads), _heads(key, input_layout, kv_heads),
        _heads(value, input_layout, kv_heads), atten_mask, pse_shift, scale_value)[0], input_layout)


def npu_incre_flash_attention(query, key, value, *, scale_value=1.0, **others):
    """Attention of one new position."""
    return npu_prompt_flash_attention(query, key, value, scale_value=scale_value, **others)


def npu_fused_infer_attention_score(query, key, value, *, scale=1.0, softmax_lse_flag=False,
                                    block_table=None, actual_seq_lengths=None,
                                    actual_seq_lengths_kv=None, num_heads=1, input_layout="BSH",
                                    num_key_value_heads=0, atten_mask=None, pse_shift=None, **_others):
    """(attention, logarithms of the sums)"""
    if block_table is not None or actual_seq_lengths is not None or \
            actual_seq_lengths_kv is not None:
        raise NotImplementedError("npu_fused_infer_attention_score of the simulator's torch_npu takes "
                                  "no block table and no lengths")
    kv_heads = num_key_value_heads or num_heads
    result, largest, total = _attention(
        _heads(query, input_layout, num_heads), _heads(key, input_layout, kv_heads),
        _heads(value, input_layout, kv_heads), atten_mask, pse_shift, scale)
    return _from_heads(result, input_layout), \
        largest + torch.log(total) if softmax_lse_flag else torch.zeros(1)


def npu_scaled_masked_softmax(x, mask, scale=1.0, fixed_triu_mask=False):
    """softmax of x · scale; what the mask names counts as -10000."""
    wide = x.float() * scale
    if fixed_triu_mask:
        mask = torch.ones(x.shape[-2:], device=x.device).triu(1).to(torch.bool)
    return torch.softmax(wide.masked_fill(mask.to(torch.bool), -10000.0), -1).to(x.dtype)


# ---- experts ----

def npu_moe_gating_top_k_softmax(x, finished=None, k=1):
    """(weights, experts, rows): the k largest of the softmax of each row."""
    weights, experts = torch.topk(torch.softmax(x.float(), -1), k, -1)
    experts = experts.to(torch.int32)
    if finished is not None:
        experts = torch.where(finished.to(torch.bool)[..., None],
                              torch.full_like(experts, x.shape[-1]), experts)
    count = math.prod(x.shape[:-1])
    rows = torch.arange(count * k, dtype=torch.int32, device=x.device).reshape(k, count).t()
    return weights.to(x.dtype), experts, rows.reshape(experts.shape).contiguous()


def npu_grouped_matmul(x, weight, *, bias=None, group_list=None, split_item=0, group_type=None,
                       group_list_type=0, output_dtype=None, **others):
    """A product for each group: x[i] · weight[i] + bias[i]. One x is split by rows as group_list
    says, which holds ends (group_list_type 0) or counts (1)."""
    del group_type
    if any(value is not None for name, value in others.items() if "scale" in name or
           "offset" in name):
        raise NotImplementedError("npu_grouped_matmul of the simulator's torch_npu does not "
                                  "quantise")
    weights = list(weight[0].unbind(0)) if len(weight) == 1 and weight[0].dim() == 3 \
        else list(weight)
    parts = list(x)
    if len(parts) == 1 and len(weights) > 1:
        parts = _rows_of_groups(parts[0], group_list, group_list_type)
    biases = list(bias) if bias else [None] * len(weights)
    if len(biases) == 1 and biases[0] is not None and biases[0].dim() == 2:
        biases = list(biases[0].unbind(0))
    results = []
    for part, matrix, added in zip(parts, weights, biases):
        product = torch.matmul(part, matrix)
        product = product if added is None else product + added.to(product.dtype)
        results.append(product if output_dtype is None else product.to(output_dtype))
    return [torch.cat(results)] if split_item in (2, 3) else results


def _rows_of_groups(x, group_list, group_list_type):
    ends = [int(end) for end in group_list]
    if group_list_type == 1:
        counts = ends
    else:
        counts = [end - start for start, end in zip([0] + ends[:-1], ends)]
    return list(torch.split(x[:sum(counts)], counts))

"""`from torch_npu.contrib import transfer_to_npu`: "cuda" means "npu" from here on."""
import torch

from .. import npu
from .._device import current, take_cuda

take_cuda()

torch.Tensor.cuda = lambda self, device=None, **_others: self.npu(
    current() if device is None else device)
torch.nn.Module.cuda = lambda self, device=None: self.npu(device)
for _name in ("is_available", "device_count", "current_device", "set_device", "synchronize",
              "empty_cache", "manual_seed", "manual_seed_all", "Stream", "Event", "stream",
              "current_stream"):
    setattr(torch.cuda, _name, getattr(npu, _name))

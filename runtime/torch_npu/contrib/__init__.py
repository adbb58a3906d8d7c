"""torch_npu.contrib: what programs import to have their CUDA calls moved to the device."""

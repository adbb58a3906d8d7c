"""Communication between devices, which fails: the simulator has one device."""
from .operation import _missing

__all__ = ["create_shmem_tensor", "create_shmem_signal", "shmem_view", "shmem_put", "shmem_get",
           "shmem_signal", "shmem_wait_until", "shmem_barrier_all", "shmem_clear_data",
           "shmem_clear_signal", "my_symbolic_pe"]

globals().update({name: _missing(name) for name in __all__})


class ShmemTensor:
    """Never made here: what would make one raises."""

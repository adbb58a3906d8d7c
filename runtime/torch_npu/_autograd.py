"""Functions of autograd: gradients and saved tensors are on the device of the tensors they belong to.
torch makes new objects for them, which lack the mark of the device."""
import torch
from torch.autograd import Function
from torch.autograd.function import BackwardCFunction, FunctionCtx

from ._device import index_of, mark

_saved = torch._C._FunctionBase.saved_tensors


def _mark_all(tensors, indexes):
    for tensor, index in zip(tensors, indexes):
        if index is not None and isinstance(tensor, torch.Tensor):
            mark(tensor, index)
    return tensors


def _save(real):
    def save_for_backward(self, *tensors):
        self._npu_saved = [index_of(tensor) for tensor in tensors]
        real(self, *tensors)
    return save_for_backward


def _saved_tensors(self):
    return _mark_all(_saved.__get__(self), getattr(self, "_npu_saved", ()))


def _apply(real):
    def apply(cls, *args, **kwargs):
        result = (real.__get__(None, cls) if real else super(Function, cls).apply)(*args, **kwargs)
        outputs = result if isinstance(result, tuple) else (result,)
        for output in outputs:
            if isinstance(output, torch.Tensor) and isinstance(output.grad_fn, BackwardCFunction):
                output.grad_fn._npu_outputs = [index_of(each) for each in outputs]
        return result
    return classmethod(apply)


def _backward(real):
    def apply(self, *gradients):
        return real(self, *_mark_all(gradients, getattr(self, "_npu_outputs", ())))
    return apply


def install():
    """Replaces the methods of torch.autograd.Function and of its contexts."""
    FunctionCtx.save_for_backward = _save(FunctionCtx.save_for_backward)
    BackwardCFunction.saved_tensors = property(_saved_tensors)
    BackwardCFunction.apply = _backward(BackwardCFunction.apply)
    Function.apply = _apply(vars(Function).get("apply"))

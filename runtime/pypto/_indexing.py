"""Subscripts of tensors: windows, element access, assignment."""
from ._cook import cook


def get(tensor, key):
    """t[key]"""
    return cook("__getitem__", tensor, key)


def put(tensor, key, value):
    """t[key] = v"""
    cook("__setitem__", tensor, key, value)


def move(tensor, source):
    """t[:] = v, t.move(v)"""
    cook("move", tensor, source)


def read_element(tensor, entries):
    """t[i, j]: a symbolic scalar that is known when the kernel runs."""
    return cook("__getitem__", tensor, tuple(entries))

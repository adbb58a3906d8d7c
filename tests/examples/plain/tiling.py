"""Helpers that the other files import: tiles by dtype, and small pieces of graphs."""
from enum import IntEnum

import pypto


class Block(IntEnum):
    ROWS = 16
    COLS = 64


class TileShape:
    """What `set_cube_tile_shapes` takes, for square products."""

    def __init__(self, l0, l1):
        self.l0 = l0
        self.l1 = l1

    def axes(self):
        return [self.l0, self.l1]


CUBE = TileShape(16, 64)


def ceil_div(a, b):
    return (a + b - 1) // b


def rows_left(total, start, tile):
    return pypto.min(total - start, tile)


def sigmoid_fp32(x):
    return 1.0 / (pypto.exp(x * -1.0) + 1.0)

"""A reference may compute at once what the kernel computes block by block. Its tensor is cut into these
blocks, in the order of the iterations."""

_MOST_TRIED = 16  # wrong blocks that are compared with other parts


def cut(whole, shapes):
    """The tensor, cut along one axis into blocks of these shapes. None if they do not make it up."""
    rank = len(shapes[0])
    if any(len(shape) != rank for shape in shapes):
        return None
    for tensor in _forms(whole, rank):
        for axis in range(rank):
            sizes = [shape[axis] for shape in shapes]
            others = [shape[:axis] + shape[axis + 1:] for shape in shapes]
            rest = list(tensor.shape[:axis]) + list(tensor.shape[axis + 1:])
            if sum(sizes) == tensor.shape[axis] and all(other == rest for other in others):
                return list(tensor.split(sizes, axis))
    return None


def cut_by_outer_loops(whole, keys, shapes):
    """The same if outer loops run over the leading axes, such as batches and heads."""
    outers = sorted({key[:-1] for key in keys})
    leading = next((axis for axis in range(1, whole.dim())
                    if whole.shape[:axis].numel() == len(outers)), None)
    if len(outers) < 2 or leading is None:
        return None
    found = [None] * len(keys)
    for number, outer in enumerate(outers):
        places = [place for place, key in enumerate(keys) if key[:-1] == outer]
        parts = cut(whole.flatten(0, leading - 1)[number], [shapes[place] for place in places])
        if parts is None:
            return None
        for place, part in zip(places, parts):
            found[place] = part
    return found


def _forms(whole, rank):
    """The tensor with `rank` axes: as it is, without axes of one element, with such an axis added at the
    beginning or the end (a sum without keepdim), or with its rows joined."""
    short = whole.squeeze()
    for tensor in (whole, short, whole.unsqueeze(0), whole.unsqueeze(-1), short.unsqueeze(-1)):
        if tensor.dim() == rank:
            yield tensor
    if whole.dim() > rank > 0:
        yield whole.reshape([-1] + list(whole.shape[whole.dim() - rank + 1:]))


def is_in_another_order(mine, theirs, is_close):
    """Do more of the kernel's blocks match another part of the reference than their own? Then its loop
    takes them in another order, and no iteration can be judged."""
    wrong = [place for place, pair in enumerate(zip(mine, theirs)) if not is_close(*pair)]
    moved = sum(any(other != place and mine[place].shape == theirs[other].shape and
                    is_close(mine[place], theirs[other]) for other in range(len(theirs)))
                for place in wrong[:_MOST_TRIED])
    return moved > len(mine) - len(wrong)

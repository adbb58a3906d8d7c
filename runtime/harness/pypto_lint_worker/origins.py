"""Origins: for each element of a wrapper's tensors where it comes from, kept beside the memory.

Every known memory has one Origin as a whole, or a map with a byte for each of its bytes. A launch
marks what it writes; following.py keeps the Origins right while torch moves and computes.
"""

# The simulator writes KERNEL into maps: PtsArgument.written.
UNDEFINED, KERNEL, CONSTANT, INPUT, TORCH, INDEX, OTHER = range(7)


class Memory:
    """One storage: where it is, and the Origins of its bytes."""

    __slots__ = ("base", "size", "weak", "code", "map", "made", "via", "name", "sum",
                 "shared")

    def __init__(self, base, size, weak, code):
        self.base, self.size, self.weak = base, size, weak
        self.code, self.map = code, None  # a map takes precedence
        self.made = None  # (operation, file, line) that allocated or computed it
        self.via = ()     # operations that moved what launches wrote
        self.name = None  # of the input
        self.sum = None   # of its words after the last launch that wrote it
        self.shared = False  # other libraries than torch can write to it


def storage_of(tensor):
    """The storage of a tensor, in all versions of torch."""
    if hasattr(tensor, "untyped_storage"):
        return tensor.untyped_storage()
    return tensor.storage().untyped()


class Origins:
    """All known memory. Not `exact`: only whole memories are followed, as on a device."""

    def __init__(self, torch, exact=True):
        from torch.multiprocessing.reductions import StorageWeakRef
        self.torch, self.exact = torch, exact
        self._weak = StorageWeakRef
        self._known = {}
        self._sums = set()  # (size, sum) of what launches wrote

    # ---- memory ----

    def memory(self, tensor, code=OTHER):
        """The Memory of a tensor; a new one gets this Origin."""
        storage = storage_of(tensor)
        base, size = storage.data_ptr(), storage.nbytes()
        found = self._known.get(base)
        if found is not None and found.size >= size and not self._is_gone(found):
            return found
        for other in self._known.values():  # inside another memory: from_numpy of a part
            if other.base <= base and base + size <= other.base + other.size and size \
                    and not self._is_gone(other):
                return other
        found = Memory(base, size, self._weak(storage), code)
        self._known[base] = found
        return found

    def seal(self, tensor):
        """After a launch: from now on a change outside torch is noticed."""
        memory = self.memory(tensor)
        memory.sum = self.words(tensor)
        self._sums.add((memory.size, memory.sum))

    def share(self, tensor):
        """Numpy or another library gets the memory."""
        memory = self.memory(tensor)
        if memory.sum is None and self.has(tensor, KERNEL):
            self.seal(tensor)
        memory.shared = True

    def check(self, tensor):
        """Memory that was changed outside torch loses its Origins. Returns the Memory."""
        memory = self.memory(tensor)
        if memory.sum is not None and memory.sum != self.words(tensor):
            memory.code, memory.map, memory.sum = OTHER, None, None
            memory.made = ("change outside torch", "", 0)
        return memory

    def was_written(self, tensor):
        """Did a launch write the same words elsewhere? Then another library, such as numpy, moved
        them."""
        memory = self.memory(tensor)
        return (memory.size, self.words(tensor)) in self._sums

    def _is_gone(self, memory):
        return memory.weak.expired()

    def begin(self, tensor, code):
        """A new memory; an older one at its address is forgotten."""
        storage = storage_of(tensor)
        made = Memory(storage.data_ptr(), storage.nbytes(), self._weak(storage), code)
        self._known[made.base] = made
        if len(self._known) > 4096:
            self._known = {base: kept for base, kept in self._known.items()
                           if not self._is_gone(kept)}
        return made

    # ---- Origins of elements ----

    def map_of(self, memory):
        """The memory's map, which is made if there is none."""
        if memory.map is None:
            memory.map = self.torch.full((max(memory.size, 1),), memory.code,
                                         dtype=self.torch.uint8)
        return memory.map

    def collapse(self, memory):
        """Drops a map whose Origins are all the same."""
        if memory.map is not None and memory.size:
            first = int(memory.map[0])
            if bool((memory.map[:memory.size] == first).all()):
                memory.code, memory.map = first, None

    def codes(self, tensor):
        """(memory, Origins of the elements as a tensor of the same shape). None instead of the
        tensor: all have memory.code."""
        memory = self.memory(tensor)
        return memory, None if memory.map is None else self.window(memory, tensor)

    def window(self, memory, tensor):
        """The bytes of the map for the first byte of each element."""
        size = tensor.element_size()
        return self.torch.as_strided(self.map_of(memory), tuple(tensor.shape),
                                     [step * size for step in tensor.stride()],
                                     tensor.data_ptr() - memory.base)

    def put(self, tensor, codes):
        """Sets the Origins of a tensor's elements: one for all, or a tensor of Origins."""
        memory = self.memory(tensor)
        if isinstance(codes, int) and (not self.exact or tensor.numel() * tensor.element_size()
                                       >= memory.size):
            memory.code, memory.map = codes, None
            return memory
        if not self.exact:
            return memory
        first, size = self.window(memory, tensor), tensor.element_size()
        if isinstance(codes, int):
            first.fill_(codes)
        elif codes is not first:
            first.copy_(codes)
        if size > 1:
            rest = self.torch.as_strided(
                memory.map, tuple(tensor.shape) + (size - 1,),
                [step * size for step in tensor.stride()] + [1],
                tensor.data_ptr() - memory.base + 1)
            rest.copy_(first.unsqueeze(-1).expand(rest.shape))
        return memory

    def has(self, tensor, code):
        """Does an element have this Origin?"""
        memory, codes = self.codes(tensor)
        return memory.code == code if codes is None else bool((codes == code).any())

    def words(self, tensor):
        """A checksum of a storage that does not depend on the order of its words."""
        torch, storage = self.torch, storage_of(tensor)
        size = storage.nbytes() // 8 * 8
        whole = torch.tensor([], dtype=torch.uint8).set_(storage, 0, (storage.nbytes(),))
        if whole.data_ptr() % 8:
            return int(whole.sum(dtype=torch.int64))
        return int(whole[:size].view(torch.int64).sum()) + int(whole[size:].sum())

"""The kernel's process of the kind `bisect`: runs the implementation with its expressions watched, and
hands the snapshots over as outputs."""
import os
import shutil
import sys
import tempfile

from . import arguments, callers, drift_probe, loading, watches
from .failures import Contract

MOST_SNAPSHOTS = 8192
MOST_BYTES = 512 << 20
_DTYPES = {"FP32": "float32", "FP16": "float16", "BF16": "bfloat16", "INT8": "int8",
           "INT16": "int16", "INT32": "int32", "INT64": "int64", "UINT8": "uint8",
           "BOOL": "bool", "DOUBLE": "float64"}


class Snapshots:
    """What the hook saw. Values of kernels are written by the simulator, as files in a folder of their
    own below _debug/; tensors of the host are kept."""

    def __init__(self, packages, op_dir, plan):
        self._torch, self._plan, self._kept = packages.torch, plan, {}
        self._ways, self._numbers, self.several, self.order = {}, callers.Numbers(), set(), []
        debug = drift_probe.debug_folder(op_dir)
        try:
            self.folder = tempfile.mkdtemp(prefix="bisect-", dir=debug)
        except OSError as error:
            raise Contract("_debug/ cannot be written: %s" % error.strerror) from None

    def hook(self, number, value, *indices):
        """Called after each watched statement."""
        from pypto import _recording
        from pypto.runtime import save
        from pypto.tensor import Tensor
        way, indices = self._plan.reached(sys._getframe(1), indices)
        if number not in self.order:
            self.order.append(number)
        if isinstance(value, Tensor) and _recording.active() is not None:
            words = "".join(".$%d" % place for place in range(len(indices)))
            name = "w%d.%d%s" % (number, self._way(way), words)
            save(value, os.path.join(self.folder, name), 1, indices)
        elif isinstance(value, self._torch.Tensor):
            key = self._numbers.key(number, indices)
            self._kept[number, key, self._way(way)] = value.detach().to("cpu", copy=True)

    def _way(self, way):
        return self._ways.setdefault(way, len(self._ways))

    def collect(self):
        """[(number, key, dtype, tensor)] in order. Adds to `several` the watches that were reached in
        several ways in the same iteration."""
        found = {}
        for number, key, *rest in self._all():
            if (number, key) in found:
                self.several.add(number)
            found[number, key] = rest
        return [place + tuple(found[place]) for place in sorted(found)]

    def _all(self):
        found = [(number, key, str(tensor.dtype).split(".")[-1], tensor)
                 for (number, key, _), tensor in self._kept.items()]
        names = [name[:-5] for name in os.listdir(self.folder) if name.endswith(".data")]
        size = sum(os.path.getsize(os.path.join(self.folder, name + ".data")) for name in names)
        if len(names) + len(found) > MOST_SNAPSHOTS or size > MOST_BYTES:
            raise Contract("there are %d snapshots of %d bytes, more than %d or %d: watch fewer "
                           "expressions, or choose a smaller case"
                           % (len(names) + len(found), size, MOST_SNAPSHOTS, MOST_BYTES))
        for name in names:
            number, _, *key = name[1:].split(".")
            found.append((int(number), tuple(int(part) for part in key)) + self._read(name))
        return found

    def _read(self, name):
        path = os.path.join(self.folder, name)
        with open(path + ".txt", encoding="ascii") as file:
            word, _, shape = file.read().strip().partition(" ")
        dtype = _DTYPES.get(word.replace("DT_", ""))
        with open(path + ".data", "rb") as file:
            data = bytearray(file.read())
        extents = [int(part) for part in shape.strip("[]").split(",") if part.strip()]
        if dtype is None:
            return word, None
        kind = getattr(self._torch, dtype)
        tensor = self._torch.frombuffer(data, dtype=kind) if data else \
            self._torch.zeros(0, dtype=kind)
        return dtype, tensor.reshape(extents)

    def close(self):
        """Removes the files."""
        shutil.rmtree(self.folder, ignore_errors=True)


def work(run, call):
    """Imports the implementation, has `call` call its wrapper once, writes what was seen."""
    run.enter("implementation")
    run.packages.open()
    loading.prepare_path(run.job["op_dir"])
    path = run.job["impl"]
    plan = watches.Plan(path, [watches.Watch(entry) for entry in run.job["watches"]],
                        run.job.get("axis"))
    name = os.path.splitext(os.path.basename(path))[0]
    if run.job.get("probe"):
        _probe(run, plan, name, call)
        return
    seen = Snapshots(run.packages, run.job["op_dir"], plan)
    try:
        module = loading.load_text(path, name, plan.instrumented(), [(watches.HOOK, seen.hook)])
        _launch(run, module, run.receiver.load(0), call)
        found = seen.collect()
    finally:
        seen.close()
    run.writer.add(0, [None if tensor is None else tensor.to(run.torch.float64)
                       for _, _, _, tensor in found])
    run.snapshots = {"taken": [[number, list(key), dtype] +
                               [None if tensor is None else list(tensor.shape)]
                               for number, key, dtype, tensor in found],
                     "several": sorted(seen.several), "order": seen.order}


def _launch(run, module, values, call):
    wrapper = loading.function_of(module, run.job["wrapper_function"])
    run.enter("wrapper")
    names = arguments.of_wrapper(wrapper, run.names, run.chosen)
    run.packages.seed(run.orders["seed"])
    call(run, wrapper, names, values, {})


def _probe(run, plan, name, call):
    """The same by a probe file, whose kernels fill the buffers that the judge hands over."""
    values = run.receiver.load(0)
    buffers = {number: values[drift_probe.buffer_name(number)]
               for number in drift_probe.numbers_of(run.orders["keywords"])}
    layout = {number: values[drift_probe.LAYOUT][number] for number in buffers}
    columns = {number: buffer.shape[1] for number, buffer in buffers.items()}
    path = drift_probe.write(plan, drift_probe.generate(plan, layout, columns))
    module = loading.load_module(path, name)
    setattr(module, drift_probe.BUFFERS, buffers)
    _launch(run, module, values, call)
    run.writer.add(0, list(buffers.values()))
    run.snapshots = {}

"""The packages of a mode: the bundled simulator, or the installed pypto and torch_npu."""
import contextlib
import functools
import os
import platform
import sys

from . import arithmetic, failures, provenance

_SIMULATED = "+ptosim"  # how the simulator's versions end


class Packages:
    """torch and pypto of this process, and their counters."""

    def __init__(self, mode, torch, pypto, torch_npu):
        self.mode, self.torch, self.pypto, self.torch_npu = mode, torch, pypto, torch_npu
        self.counters = None
        self.kernel = None  # process.Kernel, for kinds of jobs that need one
        if mode == "sim":
            from pypto import _state
            self.counters = _state.counters

    def environment(self):
        """Versions and hardware."""
        simulated = self.mode == "sim"
        return {
            "python": platform.python_version(),
            "torch": _version(self.torch), "pypto": _version(self.pypto),
            "torch_npu": _version(self.torch_npu),
            "backend": "ptosim" if simulated else "pypto",
            "soc": os.environ.get("PTOSIM_SOC") or "910B1" if simulated else self._device_name(),
            "profile": os.environ.get("PTOSIM_PROFILE") or "device" if simulated else None,
            "sim_values": simulated,
        }

    def open(self):
        """Makes the device of this process the current one. Must not be called before a fork, because
        neither side could use the device then."""
        if self.mode == "npu":
            _open_device(self.torch)

    @contextlib.contextmanager
    def counting(self, result):
        """Puts the launches and operations of the block into the result, if the backend counts them."""
        counters = self.counters
        before = None if counters is None else (counters.launches, counters.ops)
        try:
            yield
        finally:
            if counters is not None:
                result.launches = counters.launches - before[0]
                result.ops = counters.ops - before[1]

    def synchronize(self):
        """Waits for the device, which reports errors late."""
        npu = getattr(self.torch, "npu", None)
        if self.mode == "npu" and hasattr(npu, "synchronize"):
            npu.synchronize()

    def seed(self, number):
        """Seeds all generators from which inputs may be drawn."""
        import random
        number = number % 2**63 if isinstance(number, int) else 42
        random.seed(number)
        self.torch.manual_seed(number)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(number % 2**32)

    def _device_name(self):
        try:
            return str(self.torch.npu.get_device_name(0))
        except Exception:  # a name is not worth a failure
            return None


def _version(module):
    version = getattr(module, "__version__", None)
    return None if version is None else str(version)


def load(mode):
    """Imports what the mode needs; Unavailable when it cannot run here."""
    if mode not in ("sim", "npu"):
        raise failures.Contract("no mode is called %r" % (mode,))
    os.environ["PTOSIM_RUN_MODE"] = mode.upper()
    os.environ["PTOSIM_OUTPUT"] = "0"  # no files in the operator's folder
    if mode == "npu" and not os.environ.get("ASCEND_HOME_PATH"):
        raise failures.Unavailable("ASCEND_HOME_PATH is not set: there is no CANN")
    if mode == "sim":
        os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"
    torch = _import("torch")
    torch_npu = _import("torch_npu")  # before pypto, as torch itself loads it
    pypto = _import("pypto")
    simulated = str(getattr(pypto, "__version__", "")).endswith(_SIMULATED)
    if simulated != (mode == "sim"):
        raise failures.Unavailable(
            "mode %s found %s pypto (%s)" % (mode, "the simulator's" if simulated else "another",
                                             getattr(pypto, "__version__", "no version")))
    if mode == "npu":
        _force_run_mode(torch, pypto, mode)
    arithmetic.extension()
    _remove_folder_for_remote_modules()
    return Packages(mode, torch, pypto, torch_npu)


def _remove_folder_for_remote_modules():
    """torch 2 makes a temporary folder when its compiler is imported, and removes it when Python exits. Our processes end
    by os._exit, so that each would leave one."""
    module = sys.modules.get("torch.distributed.nn.jit.instantiator")
    folder = getattr(module, "_TEMP_DIR", None)
    if folder is not None:
        folder.cleanup()


def _import(name):
    import importlib
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise failures.Unavailable("import %s: %s: %s" % (
            name, failures.type_name(error), str(error)[:500])) from error


def _open_device(torch):
    """Makes the device of this worker the current one."""
    try:
        available = torch.npu.is_available()
    except Exception as error:
        raise failures.Unavailable("torch.npu.is_available(): %s" % str(error)[:500]) from error
    if not available:
        raise failures.Unavailable("torch.npu.is_available() is false: no device")
    text = os.environ.get("TILE_FWK_DEVICE_ID", "0")
    try:
        if hasattr(torch.npu, "set_device"):
            torch.npu.set_device(int(text) if text.isdigit() else 0)
    except Exception as error:
        raise failures.Unavailable("torch.npu.set_device(%s): %s"
                                   % (text, str(error)[:500])) from error


def _run_mode(pypto, mode):
    return getattr(getattr(pypto, "RunMode", None), mode.upper(), None)


def _force_run_mode(torch, pypto, mode):
    """Puts the mode into the options of every call of a kernel, whatever the kernel asks for. The
    class of kernels is found by decorating a function, which parses nothing yet. The decorator itself
    is not replaced, because it looks at the frame that calls it."""
    wanted = _run_mode(pypto, mode)
    try:
        made = pypto.frontend.jit(_never_called)
        kernel, real = type(made), type(made).__call__
    except Exception:  # another product, which runs on the device by default
        return

    def call(self, *args, **keywords):
        self._runtime_options = dict(self._runtime_options or {}, run_mode=wanted)
        tensors = [value for value in list(args) + list(keywords.values())
                   if isinstance(value, torch.Tensor)]
        with provenance.launching(tensors):
            return real(self, *args, **keywords)

    if wanted is not None and hasattr(made, "_runtime_options"):
        kernel.__call__ = functools.wraps(real)(call)


def _never_called():
    pass

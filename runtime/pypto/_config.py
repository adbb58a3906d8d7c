"""Settings: tiles, options, scopes. Those that only matter for speed are checked and kept."""
import functools

import _ptosim

from . import _diagnose, _state, _version
from ._enums import CompStage, RunMode
from .error import FeError
from .symbolic_scalar import plain

# ---- the options of each group, with what they take ----


def _integer(low=None, high=None):
    def check(value):
        value = plain(value)
        return isinstance(value, int) and (low is None or value >= low) and \
            (high is None or value <= high)
    return check


def _is(*kinds):
    return lambda value: isinstance(value, kinds)


def _run_mode(value):
    if isinstance(value, RunMode) or (type(value) is int and value in (0, 1)):
        return True
    raise FeError(RuntimeError("Invalid run mode, run mode must be RunMode.NPU or RunMode.SIM, "
                               "not %r" % (value,)))


def _names(value):
    return isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value)


def _out_of_order(value):
    """sg_set_ooo_scope: 9.1 treats every value that is not positive as -1."""
    if not isinstance(value, int) or value == -1 or 1 <= value <= 100000:
        return isinstance(value, (int, tuple, list))
    _version.refuse("scope-out-of-order", "pass_options: 'sg_set_ooo_scope' is -1 or 1 to 100000, not %d"
                    % value)
    return True


def _flag(value):
    return isinstance(value, bool) or (isinstance(value, int) and value in (0, 1))


_BOOL, _INT, _TEXT, _DICT = _is(bool), _integer(), _is(str), _is(dict)
GROUPS = {
    "runtime_options": {
        "run_mode": _run_mode,
        "max_workspace_kb": _INT,
        "valid_shape_optimize": _flag,
        "ready_on_host_tensors": _names,
    },
    "host_options": {
        "compile_stage": _is(CompStage),
        "compile_monitor_enable": _flag,
        "compile_timeout": _INT,
        "compile_timeout_stage": _INT,
        "compile_monitor_print_interval": _INT,
    },
    "codegen_options": {
        "support_dynamic_aligned": _flag,
        "soc_version": _TEXT,
        "enable_pmu_trace": _is(bool, int),
        "vf_options": _is(str, dict, list),
    },
    "pass_options": {
        "vec_nbuffer_setting": _DICT,
        "cube_l1_reuse_setting": _DICT,
        "cube_nbuffer_setting": _DICT,
        "sg_set_scope": _is(int, tuple, list),
        "sg_set_ooo_scope": _out_of_order,
        "ooo_sched_mode": lambda value: value in ("", "GAPMIN", "HLF"),
        "auto_mix_partition": _flag,
        "enable_slice": _is(bool),
    },
    "verify_options": {
        "enable_pass_verify": _flag,
        "pass_verify_save_tensor": _flag,
        "pass_verify_save_tensor_dir": _TEXT,
        "pass_verify_pass_filter": _is(list, tuple, str),
        "pass_verify_error_tol": _is(list, tuple, float, int),
    },
    "debug_options": {
        "dump_pass_graph": _names,
    },
}
for _group, _name, _least, _most in _ptosim.option_ranges():  # the static evaluator's, too
    GROUPS[_group][_name] = _integer(_least, _most)


def check_options(group, options):
    """A copy of the options of a group; errors name the option. One that is not known is a note: the
    product has new ones in every version, and they only tune the compiler."""
    if options is None:
        return {}
    if not isinstance(options, dict):
        raise FeError(TypeError("%s must be a dict, not %s" % (group, type(options).__name__)))
    known = GROUPS[group]
    for key, value in options.items():
        if key not in known:
            _diagnose.unknown(group, key, known)
        elif not known[key](value):
            raise FeError(ValueError("%s: invalid value for '%s': %r" % (group, key, value)))
    return dict(options)


# ---- the settings in force: one dict a scope ----

_scopes = [{}]


def mark():
    """The state to go back to; see unwind."""
    return len(_scopes), dict(_scopes[-1])


def unwind(state):
    """Takes back what was set since."""
    del _scopes[state[0]:]
    while len(_scopes) < state[0]:
        _scopes.append({})
    _scopes[-1] = dict(state[1])


def setting(group):
    """The options of a group that apply."""
    return dict(_scopes[-1].get(group, {}))


def _set_group(group, options):
    merged = setting(group)
    merged.update(check_options(group, options))
    _scopes[-1][group] = merged


def set_pass_options(**options):
    """Options of the compiler's passes: they only matter for speed."""
    _set_group("pass_options", options)


def set_host_options(**options):
    """Options of the compiler's host part."""
    _set_group("host_options", options)


def set_codegen_options(**options):
    """Options of code generation."""
    _set_group("codegen_options", options)


def set_runtime_options(**options):
    """Options of launches."""
    _set_group("runtime_options", options)


def set_verify_options(**options):
    """Options of the product's graph checking."""
    _set_group("verify_options", options)


def set_debug_options(**options):
    """Options for diagnostics."""
    _set_group("debug_options", options)


def get_pass_options():
    """What set_pass_options set."""
    return setting("pass_options")


def get_host_options():
    """What set_host_options set."""
    return setting("host_options")


def get_codegen_options():
    """What set_codegen_options set."""
    return setting("codegen_options")


def get_runtime_options():
    """What set_runtime_options set."""
    return setting("runtime_options")


def get_verify_options():
    """What set_verify_options set."""
    return setting("verify_options")


def get_debug_options():
    """What set_debug_options set."""
    return setting("debug_options")


# ---- tiles ----

_MAX_TILE = 16  # the product has no limit

def _tile_numbers(values, what):
    numbers = [plain(value) for value in values]
    for number in numbers:
        if not isinstance(number, int) or isinstance(number, bool):
            raise FeError(TypeError("%s() takes known integers, not %r" % (what, number)))
        if not -2**63 <= number < 2**63:
            raise FeError(ValueError("%s(): %d does not fit 64 bits" % (what, number)))
    return numbers


def set_vec_tile_shapes(*shapes):
    """The vector tile of the operations that follow: positive integers, one for each axis."""
    if len(shapes) == 1 and isinstance(shapes[0], (list, tuple)):
        raise FeError(TypeError("set_vec_tile_shapes() takes integers, not a %s of them: write "
                                "set_vec_tile_shapes(*shape)" % type(shapes[0]).__name__))
    if not 1 <= len(shapes) <= _MAX_TILE:
        raise FeError(ValueError("set_vec_tile_shapes() takes 1 to %d integers, not %d"
                                 % (_MAX_TILE, len(shapes))))
    numbers = _tile_numbers(shapes, "set_vec_tile_shapes")
    if any(number <= 0 for number in numbers):
        raise FeError(ValueError("set_vec_tile_shapes() takes positive integers, not %s"
                                 % (numbers,)))
    _state.context().set_vector_tile(numbers)


def get_vec_tile_shapes():
    """A list; empty when there is none."""
    return _state.context().vector_tile()


class CubeTile:
    """m = [L0, L1], k = [L0, L1a, L1b], n = [L0, L1]."""

    def __init__(self, m, k, n, enable_split_k=False):
        self.m, self.k, self.n, self.enable_split_k = list(m), list(k), list(n), enable_split_k

    def __repr__(self):
        return "CubeTile(m=%s, k=%s, n=%s, enable_split_k=%s)" % (
            self.m, self.k, self.n, self.enable_split_k)


def set_cube_tile_shapes(m, k, n, enable_split_k=False, **others):
    """The cube tile of the matrix products that follow."""
    for name in others:
        _diagnose.unknown("set_cube_tile_shapes()", name, ("enable_split_k",))
    for name, values, counts, text in (("m", m, (2,), "exactly 2"), ("k", k, (2, 3), "2 or 3"),
                                       ("n", n, (2,), "exactly 2")):
        if not isinstance(values, (list, tuple)):
            raise FeError(TypeError("%s must be a list, not %s" % (name, type(values).__name__)))
        if len(values) not in counts:
            raise FeError(ValueError("%s must have %s elements, not %d"
                                     % (name, text, len(values))))
    if not isinstance(enable_split_k, int):
        raise FeError(TypeError("enable_split_k must be a bool, not %s"
                                % type(enable_split_k).__name__))
    enable_split_k = bool(enable_split_k)
    m, k, n = (_tile_numbers(values, "set_cube_tile_shapes") for values in (m, k, n))
    _state.context().set_cube_tile(m, k if len(k) == 3 else k + k[-1:], n, enable_split_k)


def get_cube_tile_shapes():
    """A CubeTile; all zero when there is none."""
    tile = _state.context().cube_tile()
    return CubeTile([0, 0], [0, 0, 0], [0, 0]) if tile is None else CubeTile(
        tile[0], tile[1], tile[2], bool(tile[3]))


def set_conv_tile_shapes(tile_l1_info=None, tile_l0_info=None, *, l1_info=None, l0_info=None, **others):
    """Convolutions only. The product's lists of names differ: both are accepted."""
    for name in others:
        _diagnose.unknown("set_conv_tile_shapes()", name, ("tile_l1_info", "tile_l0_info"))
    _scopes[-1]["conv_tile"] = (l1_info if tile_l1_info is None else tile_l1_info,
                                l0_info if tile_l0_info is None else tile_l0_info)


def get_conv_tile_shapes():
    """What set_conv_tile_shapes set."""
    return ConvTile(*_scopes[-1].get("conv_tile", (None, None)))


# What conv looks at in the classes of tiles (pypto_impl).
L1_TILE = ("tileHin", "tileHout", "tileWin", "tileWout", "tileCinFmap", "tileCinWeight", "tileN",
           "tileBatch")
L0_TILE = ("tileH", "tileW", "tileK", "tileN")


class ConvTile:
    """Tiles of a convolution; also accepts a pair."""

    def __init__(self, tile_l1_info, tile_l0_info, set_l0_tile=False):
        self.tile_l1_info, self.tile_l0_info = tile_l1_info, tile_l0_info
        self.set_l0_tile = set_l0_tile or tile_l0_info is not None

    def __iter__(self):
        return iter((self.tile_l1_info, self.tile_l0_info))

    def __eq__(self, other):
        return tuple(self) == (tuple(other) if isinstance(other, (ConvTile, tuple)) else other)

    __hash__ = None


def set_matrix_size(size):
    """[m, k, n] before a reshape to NZ; no effect on values."""
    if not isinstance(size, (list, tuple)):
        raise FeError(TypeError("set_matrix_size() takes a list, not %s" % type(size).__name__))
    _scopes[-1]["matrix_size"] = list(size)


def set_semantic_label(label):
    """The label of the operations that follow, in traces."""
    if not isinstance(label, str):
        raise FeError(TypeError("set_semantic_label() takes a string, not %s"
                                % type(label).__name__))
    _state.context().set_label(label.replace("\0", " "))


# ---- scopes ----

_TILES = ("vec_tile_shapes", "cube_tile_shapes", "conv_tile_shapes", "matrix_size",
          "operation_options")


class Scope:
    """pypto.options(name="", **groups): a context manager, also a decorator."""

    _ORDER = ("codegen_options", "host_options", "pass_options", "runtime_options", "verify_options",
              "operation_options", "debug_options") + _TILES[:-1]

    def __init__(self, name="", *groups, **settings):
        settings = _by_name("options()", self._ORDER, groups, settings)
        if not isinstance(name, str):
            raise FeError(TypeError("options(): 'name' must be a string, not %s"
                                    % type(name).__name__))
        self.name = name
        self.settings = settings
        self._marks = []
        for key, value in settings.items():
            if key in GROUPS:
                check_options(key, value)
            elif key not in _TILES:
                _diagnose.unknown("options()", key, tuple(GROUPS) + _TILES)

    def __enter__(self):
        context = _state.context()
        self._marks.append((context.scope_depth(), mark()))
        context.scope_push()
        _scopes.append(dict(_scopes[-1]))
        _apply(self.settings)
        return self

    def __exit__(self, kind, error, trace):
        depth, state = self._marks.pop()
        _state.context().scope_unwind(depth)
        unwind(state)
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def scoped(*args, **kwargs):
            with Scope(self.name, **self.settings):
                return function(*args, **kwargs)
        return scoped


def _apply(settings):
    for key, value in settings.items():
        if value is None:
            continue
        if key == "vec_tile_shapes":
            set_vec_tile_shapes(*value)
        elif key == "cube_tile_shapes":
            if isinstance(value, CubeTile):
                value = (value.m, value.k, value.n, value.enable_split_k)
            set_cube_tile_shapes(*value)
        elif key == "conv_tile_shapes":
            set_conv_tile_shapes(*(value if isinstance(value, (list, tuple, ConvTile)) else (value,)))
        elif key == "matrix_size":
            set_matrix_size(value)
        elif key == "operation_options":
            if not isinstance(value, dict):
                raise FeError(TypeError("options(): 'operation_options' must be a dict, not %s"
                                        % type(value).__name__))
        elif key in GROUPS:
            _set_group(key, value)


def _by_name(what, order, groups, settings):
    """The settings, with those that were given by position."""
    if len(groups) > len(order):
        raise FeError(TypeError("%s takes at most %d groups, not %d" % (what, len(order), len(groups))))
    for name in order[:len(groups)]:
        if name in settings:
            raise FeError(TypeError("%s got multiple values for '%s'" % (what, name)))
    return dict(zip(order, groups), **settings)


_SET_ORDER = ("codegen_options", "host_options", "pass_options", "runtime_options", "verify_options",
              "debug_options", "operation_options") + _TILES[:-1]


def set_options(*groups, **settings):
    """All groups at once, and the tiles."""
    checked = Scope("", **_by_name("set_options()", _SET_ORDER, groups, settings))
    _apply(checked.settings)


class ConfigScope(dict):
    """The settings of a scope."""

    def get_options_prefix(self, prefix):
        """{key: value} of a group."""
        return dict(self.get(prefix, {}))


def get_current_scope():
    """The settings that apply, as a dict."""
    found = ConfigScope((key, dict(value)) for key, value in _scopes[-1].items() if key in GROUPS)
    found["vec_tile_shapes"] = get_vec_tile_shapes()
    found["cube_tile_shapes"] = get_cube_tile_shapes()
    return found


def get_options_tree():
    """The open scopes as text."""
    return "\n".join("%s%s" % ("  " * depth, {k: v for k, v in scope.items()})
                     for depth, scope in enumerate(_scopes))


def reset_options():
    """Gives up the settings of the innermost scope but for its tiles."""
    _scopes[-1].clear()


_globals = {}


def set_global_config(key, value):
    """Kept, but has no effect here."""
    if not isinstance(key, str):
        raise FeError(TypeError("set_global_config() takes a string as key, not %s"
                                % type(key).__name__))
    _globals[key] = value


def get_global_config(key):
    """What set_global_config set."""
    if key not in _globals:
        raise FeError(KeyError(key))
    return _globals[key]


def set_print_options(edgeitems=None, precision=None, threshold=None, linewidth=None):
    """How the product prints tensors; the simulator prints none."""
    for value in (edgeitems, precision, threshold, linewidth):
        if value is not None and not isinstance(value, int):
            raise FeError(TypeError("set_print_options() takes integers, not %s"
                                    % type(value).__name__))


def set_build_static(value):
    """How binaries are built."""
    _globals["build_static"] = bool(value)


def snapshot(verify_options=None):
    """The settings, also of a decorator, that change what a kernel does or whether it is accepted."""
    cube = _state.context().cube_tile()
    checks = dict(setting("verify_options"), **(verify_options or {}))
    return (tuple(get_vec_tile_shapes()),
            str(checks) if checks.get("enable_pass_verify") else "",
            None if cube is None else (tuple(cube[0]), tuple(cube[1]), tuple(cube[2]), cube[3]))

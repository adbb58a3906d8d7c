"""Public names of the package that kernels seldom use: settings of the compiler's passes, the log,
checks. They work as far as there is something to do, and keep what they are given otherwise."""
import sys

from . import _coverage, _recording, _version
from ._enums import _numbered
from .error import FeError, InternalError, PyptoError

# ---- settings of passes: kept and given back, without effect ----

PassConfigKey = _numbered("PassConfigKey", "KEY_DUMP_GRAPH")
PassConfigs = _numbered("PassConfigs", "printGraph dumpGraph dumpPassTimeCost preCheck postCheck "
                                       "disablePass healthCheck")
_settings = {}  # (strategy, identifier, key) → value
_defaults = {}  # key → value


def _key(key, what):
    if not isinstance(key, (PassConfigKey, PassConfigs)):
        raise FeError(TypeError("%s(): 'key' must be a PassConfigKey, not %s"
                                % (what, type(key).__name__)))
    return key


def _pass(strategy, identifier, what):
    for name, value in (("strategy", strategy), ("identifier", identifier)):
        if not isinstance(value, str):
            raise FeError(TypeError("%s(): '%s' must be a string, not %s"
                                    % (what, name, type(value).__name__)))
    return strategy, identifier


def set_pass_config(strategy, identifier, key, value):
    """Of one pass of a strategy."""
    _settings[_pass(strategy, identifier, "set_pass_config") + (_key(key, "set_pass_config"),)] = value


def get_pass_config(strategy, identifier, key, default_value):
    """What set_pass_config set, else the default."""
    return _settings.get(_pass(strategy, identifier, "get_pass_config") +
                         (_key(key, "get_pass_config"),), default_value)


class _PassSettings(dict):
    """{PassConfigs member: value}; the members are attributes, too."""

    def __getattr__(self, name):
        for key, value in self.items():
            if key.name == name:
                return value
        if name in PassConfigs.__members__:
            return False
        raise AttributeError(name)


def get_pass_configs(strategy, identifier):
    """All settings of a pass."""
    chosen = _pass(strategy, identifier, "get_pass_configs")
    return _PassSettings({key[2]: value for key, value in _settings.items() if key[:2] == chosen})


def set_pass_default_config(key, value):
    """Of all passes."""
    _defaults[_key(key, "set_pass_default_config")] = value


def get_pass_default_config(key, default_value):
    """What set_pass_default_config set, else the default."""
    return _defaults.get(_key(key, "get_pass_default_config"), default_value)


# ---- the log: standard error ----

LogLevel = _numbered("LogLevel", "DEBUG INFO WARN ERROR FATAL EVENT NONE")
_level = {"now": LogLevel.WARN}


def set_log_level(level):
    """From which level on messages are written."""
    if isinstance(level, int) and not isinstance(level, bool) and 0 <= level < len(LogLevel):
        level = LogLevel(level)
    if not isinstance(level, LogLevel):
        raise FeError(TypeError("set_log_level() takes a LogLevel, not %r" % (level,)))
    _level["now"] = level


def get_log_level():
    """The level that set_log_level set."""
    return _level["now"]


def _log(level, message):
    if level is LogLevel.EVENT or level.value >= _level["now"].value:
        print("[%s] PYPTO: %s" % (level.name, message), file=sys.stderr)


def log_debug(message):
    """Writes at level DEBUG."""
    _log(LogLevel.DEBUG, message)


def log_info(message):
    """Writes at level INFO."""
    _log(LogLevel.INFO, message)


def log_warn(message):
    """Writes at level WARN."""
    _log(LogLevel.WARN, message)


def log_error(message):
    """Writes at level ERROR."""
    _log(LogLevel.ERROR, message)


def log_fatal(message):
    """Writes at level FATAL."""
    _log(LogLevel.FATAL, message)


def log_event(message):
    """Writes always."""
    _log(LogLevel.EVENT, message)


# ---- checks ----

def check(condition, message):
    """ValueError with the message unless the condition holds."""
    if not condition:
        raise ValueError(message)


def internal_check(condition, message):
    """InternalError with the message unless the condition holds."""
    if not condition:
        raise InternalError(message)


def raise_error(error_type, message):
    """Raises the exception of that name: a class of pypto.error or of Python."""
    import builtins
    from . import error
    kind = error_type if isinstance(error_type, type) else (
        getattr(error, str(error_type), None) or getattr(builtins, str(error_type), None))
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        kind = PyptoError
    raise kind(message)


# ---- functions ----

class _NamedFunction:
    """A function that is being recorded: its name."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "Function(%s)" % self.name


def get_current_function():
    """The current recording, or None."""
    recording = _recording.active()
    return None if recording is None else _NamedFunction(recording.name)


def get_last_function():
    """The last recording, or None."""
    name = _recording.last_name()
    return None if name is None else _NamedFunction(name)


# ---- names that are not there ----

def why_missing(name):
    """What to add to the error for a name that the package does not have; "" = nothing is known."""
    if name in _coverage.NOT_API:
        return ". The product's package happens to contain it, but it is not part of the API: import " \
               "it from where it comes"
    if name in _coverage.SINCE_9_2:
        return ". It exists since PyPTO 9.2" + ("; the simulator follows 9.1 here" if _version.is_9_1
                                               else ", and is not simulated yet")
    return ""

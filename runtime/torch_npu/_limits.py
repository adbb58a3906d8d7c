"""How many cores a device or a stream may use: accepted, without effect."""
_CORES = {"cube_core_num": 24, "vector_core_num": 48}
_devices, _streams = {}, {}


def _checked(cube_num, vector_num):
    for name, count in (("cube_num", cube_num), ("vector_num", vector_num)):
        if not isinstance(count, int) or isinstance(count, bool):
            raise TypeError("%s must be an integer, not %s" % (name, type(count).__name__))
    chosen = dict(_CORES)
    if cube_num > 0:
        chosen["cube_core_num"] = cube_num
    if vector_num > 0:
        chosen["vector_core_num"] = vector_num
    return chosen


def set_device_limit(device, cube_num=-1, vector_num=-1):
    """Sets the cores of a device; -1 leaves a number as it is."""
    _devices[str(device)] = _checked(cube_num, vector_num)


def get_device_limit(device):
    """{"cube_core_num": …, "vector_core_num": …}"""
    return dict(_devices.get(str(device), _CORES))


def set_stream_limit(stream, cube_num=-1, vector_num=-1):
    """Sets the cores of a stream."""
    _streams[id(stream)] = stream, _checked(cube_num, vector_num)


def get_stream_limit(stream):
    """{"cube_core_num": …, "vector_core_num": …}"""
    return dict(_streams.get(id(stream), (None, _CORES))[1])


def reset_stream_limit(stream):
    """Gives the stream the limit of its device again."""
    _streams.pop(id(stream), None)

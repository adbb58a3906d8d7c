"""Numbers of other libraries: NumPy's count as Python's own, as the product's binding takes them."""
import numbers

_OWN = (int, float)


def native(value):
    """Python's number for one of another library's; everything else as it is."""
    if isinstance(value, _OWN):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    is_numpy = type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()
    return value.item() if is_numpy else value

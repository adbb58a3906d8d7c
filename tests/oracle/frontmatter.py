"""Front matter of a document and the three document schemas.

The header is read as YAML with the system's PyYAML; when that yields no mapping,
line by line with a small scalar grammar.  Every key knows its line.
"""

import ast
import re

try:
    import yaml
except ImportError as error:
    raise SystemExit("the oracle needs PyYAML (python3-yaml)") from error

from model import Undecided  # noqa: E402

QUOTES = "'\""
INTEGER = re.compile(r"[+-]?[0-9]+\Z")
REAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")
REQUIRED = {
    "SPEC.md": ("schema_version", "op_name", "supported_dtypes", "p0_shapes", "tolerance"),
    "DESIGN.md": ("schema_version", "op_name", "dynamic_axes"),
    "API_REPORT.md": ("schema_version", "op_name"),
}
TYPES = {
    "SPEC.md": (("supported_dtypes", list), ("p0_shapes", list), ("tolerance", dict)),
    "DESIGN.md": (("dynamic_axes", list),),
    "API_REPORT.md": (),
}
MODES = (("atol", "rtol"), ("mare_matrix", "mere_matrix", "rmse_matrix"))


def split(text):
    """(header or None, body) of a document with LF line ends."""
    if not text.startswith("---\n"):
        return None, text
    end = text.find("\n---\n", 4)
    return (None, text) if end < 0 else (text[4:end], text[end + 5:])


class FrontMatter:
    """.data is the metadata; .lines maps a key to the lines on which it is written."""

    def __init__(self, text):
        self.header, self.body = split(text)
        self.data = {}
        self.lines = {}
        self.vague = False
        if self.header is None:
            return
        loaded = load_yaml(self.header)
        if isinstance(loaded, dict):
            self._adopt(loaded)
        else:
            self._by_line()

    def _adopt(self, loaded):
        for key, value in loaded.items():
            if isinstance(value, str) and value.strip()[:1] in ("{", "["):
                value = scalar(value)
            self.data[key] = value
        for key, _ in yaml.compose(self.header, yaml.SafeLoader).value:
            if key.value == "<<":
                self.vague = True
            self.lines.setdefault(key.value, set()).add(key.start_mark.line + 2)

    def _by_line(self):
        for number, line in enumerate(self.header.split("\n"), 2):
            line = line.strip()
            if not line or line.startswith("#") or ":" not in line:
                continue
            key, value = line.split(":", 1)
            self.data[key.strip()] = scalar(value)
            self.lines.setdefault(key.strip(), set()).add(number)

    def places(self, key):
        """Lines that may be reported for KEY; None means any line."""
        if self.vague:
            return None
        return self.lines.get(key, {1}) if key in self.data else {1}


def load_with(loader, text):
    try:
        return yaml.load(text, loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, AttributeError, OverflowError):
        return None


def load_yaml(text):
    """The constructed document, or None when it is no valid YAML."""
    value = load_with(yaml.SafeLoader, text)
    if hasattr(yaml, "CSafeLoader") and repr(load_with(yaml.CSafeLoader, text)) != repr(value):
        raise Undecided("the two YAML libraries read this differently; the pages call both right")
    return value


def scalar(text):
    """Value of a line's right part, and of a quoted collection."""
    text = text.strip()
    if text in ("", "null", "None"):
        return None
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text[0] == "[" and text[-1] == "]":
        return sequence(text)
    if text[0] == "{" and text[-1] == "}":
        return mapping(text)
    number = to_number(text)
    if number is not None:
        return number
    if "," in text:
        return [scalar(p) for p in text.split(",") if p.strip()]
    return text


def to_number(text):
    if INTEGER.match(text):
        return int(text)
    return float(text) if REAL.match(text) else None


def literal(text):
    try:
        return True, ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False, None


def sequence(text):
    known, value = literal(text)
    if known:
        return value
    inside = text[1:-1].strip()
    return [piece(p.strip()) for p in inside.split(",")] if inside else []


def piece(text):
    if text[:1] == "[" and text[-1] == "]":
        return sequence(text)
    if text and text[0] in QUOTES and text[-1] in QUOTES:
        return text[1:-1]
    number = to_number(text)
    return text if number is None else number


def mapping(text):
    known, value = literal(text)
    if known:
        return value
    inside = text[1:-1].strip()
    found = {}
    for part in inside.split(",") if inside else []:
        if ":" not in part:
            return text
        key, right = part.split(":", 1)
        found[key.strip().strip(QUOTES)] = scalar(right)
    return found


# Schemas -------------------------------------------------------------------------------

def is_missing(name, key, data):
    if key not in data or data[key] is None:
        return True
    if name == "DESIGN.md" and key == "dynamic_axes" and data[key] == []:
        return False  # written out: the operator has no dynamic axis
    return isinstance(data[key], (str, list)) and not data[key]


def tolerance_mode(tolerance):
    return next((mode for mode in MODES if all(k in tolerance for k in mode)), None)


def schema_errors(name, front):
    """List of (tag, key) in the order in which the page names them."""
    data = front.data
    found = [("missing:" + k, k) for k in REQUIRED[name] if is_missing(name, k, data)]
    found += [("type:" + k, k) for k, kind in TYPES[name]
              if k in data and not isinstance(data[k], kind)]
    tolerance = data.get("tolerance")
    if name == "SPEC.md" and isinstance(tolerance, dict) and tolerance_mode(tolerance) is None:
        found.append(("mode", "tolerance"))
    return found


def report_schema(out, name, text, front):
    """Report every schema error of document NAME; True when there was one."""
    errors = schema_errors(name, front)
    for tag, key in errors:
        places = front.places(key)
        if places is None or not text:
            out.line("FAIL", name, 1, tag=tag, any_line=True)
        else:
            out.line("FAIL", name, max(places), tag=tag, any_of=sorted(places))
    return bool(errors)

"""What the scripts that write C share."""


def quoted(text):
    """C string literals, one a source line."""
    lines = []
    for line in text.splitlines(keepends=True):
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("??", "?\\?")
        lines.append(f'"{escaped}"')
    return "\n        ".join(lines) or '""'

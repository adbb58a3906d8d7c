"""What the scripts that write C share."""
import pathlib


def chinese_page(path):
    """Text of the Chinese body that a page of docs/rules/ has in docs/rules/zh/, or None."""
    chinese = pathlib.Path(path).parent / "zh" / pathlib.Path(path).name
    return chinese.read_text(encoding="utf-8") if chinese.is_file() else None


def quoted(text):
    """C string literals, one a source line."""
    lines = []
    for line in text.splitlines(keepends=True):
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("??", "?\\?")
        lines.append(f'"{escaped}"')
    return "\n        ".join(lines) or '""'

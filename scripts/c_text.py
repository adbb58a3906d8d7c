"""What the scripts that generate C have in common."""
import pathlib


def chinese_page(path):
    """The Chinese text, in docs/rules/zh/, of a page of docs/rules/, or None."""
    chinese = pathlib.Path(path).parent / "zh" / pathlib.Path(path).name
    return chinese.read_text(encoding="utf-8") if chinese.is_file() else None


def quoted(text):
    """The text as C string literals, one for each line."""
    lines = []
    for line in text.splitlines(keepends=True):
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("??", "?\\?")
        lines.append(f'"{escaped}"')
    return "\n        ".join(lines) or '""'

"""The committed page of the simulator's operations is what ops.def gives.

Usage: check_ops_page.py SCRIPT OPS_DEF PAGE
"""
import pathlib
import subprocess
import sys
import tempfile


def main():
    script, source, page = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "page.md"
        subprocess.run([sys.executable, "-B", script, source, "docs", str(made)], check=True)
        if made.read_bytes() != pathlib.Path(page).read_bytes():
            sys.exit(f"{page} is out of date: run {script} {source} docs {page}")


if __name__ == "__main__":
    main()

"""The clients as docs/clients/README.md lists them. test_clients.py holds the list against the program."""
import pathlib
import re

ROW = re.compile(r"^\| (.+) \| `([\w-]+)` \| `(.+)` \| \[.+\]\((.+)\) \|$", re.M)


def clients(root):
    """Name -> (title, file in a project, page), in the order of the list."""
    folder = pathlib.Path(root, "docs/clients")
    rows = ROW.findall((folder / "README.md").read_text(encoding="utf-8"))
    return {name: (title, path, folder / page) for title, name, path, page in rows}


def hook_clients(root):
    """Those that call hooks: they have pages of their own beside the list."""
    return {name: row for name, row in clients(root).items()
            if ".." not in row[2].parts and row[2].name != "editors.md"}


def json_clients(root):
    """Name -> (file in a project and in the home folder, the same in hooks/), of those with JSON settings."""
    return {name: (path, f"hooks/{name}/{pathlib.Path(path).name}")
            for name, (_, path, _) in hook_clients(root).items() if path.endswith(".json")}

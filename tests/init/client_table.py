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


def installed_hooks(root, name):
    """The hooks that the settings of a client with JSON settings call; of any other client all that there are."""
    found = json_clients(root).get(name)
    if found is None:
        return {"session-start", "pre-edit", "post-edit", "post-bash", "stop"}
    return set(re.findall(r"pypto-lint hook ([\w-]+)", pathlib.Path(root, found[1]).read_text(encoding="utf-8")))


def own_form(root, name):
    """Has the client an `answer` of its own? Then neither its answers nor its events are the common ones."""
    source = pathlib.Path(root, "src/clients", f"{name.replace('-', '_')}.c").read_text(encoding="utf-8")
    return re.search(r"^ *\.answer = ", source, re.M) is not None


def json_clients(root):
    """Name -> (file in a project and in the home folder, the same in hooks/), of those with JSON settings."""
    return {name: (path, f"hooks/{name}/{pathlib.Path(path).name}")
            for name, (_, path, _) in hook_clients(root).items() if path.endswith(".json")}

"""The operations of ops.def are names of the package as the linter knows it, and its static evaluation can
record those that are built.

Usage: check_ops_names.py SCRIPTS_FOLDER OPS_DEF API_JSON SOURCE_FOLDER
"""
import json
import pathlib
import re
import sys

# The product's own checking: nothing of a kernel.
NOT_EVALUATED = {"verify", "set_verify_golden_data"}


def not_evaluated(operations, folder, made):
    """The built operations that neither a file of the drive nor a list of recipes has as a text. `made`: the
    recipes that the build makes."""
    texts = set(re.findall(r'^    \{"([\w.]+)"', made, re.M))
    for path in [*pathlib.Path(folder).glob("eval/drive_*.c"), pathlib.Path(folder, "model/recipe.c")]:
        texts |= set(re.findall(r'"([\w.]+)"', path.read_text(encoding="utf-8")))
    return [op["name"] for op in operations
            if op["state"] == "built" and op["name"] not in texts | NOT_EVALUATED
            and not op["group"].startswith("Steps")]


def main():
    scripts, source, api, folder = sys.argv[1:]
    sys.path.insert(0, scripts)
    import make_sim_ops
    with open(api, encoding="utf-8") as file:
        known = {entry["name"] for entry in json.load(file)["attributes"]}
    names = [op["name"] for op in make_sim_ops.read(source)
             if not op["group"].startswith("Steps") and "." not in op["name"]]
    # The list of names is that of 9.1: what came with 9.2 says so in its meaning.
    newer = {op["name"] for op in make_sim_ops.read(source)
             if op["meaning"].endswith("Since 9.2.")}
    unknown = [name for name in names if name not in known and name not in newer]
    if unknown:
        sys.exit(f"{', '.join(unknown)}: not in rules/data/pypto-api.json. An operation of PyPTO 9.1 needs an entry "
                 "there; the meaning of one that came with 9.2 ends with 'Since 9.2.'")
    made = make_sim_ops.recipes(make_sim_ops.read(source), pathlib.Path(folder, "model/recipe.c"))
    left_out = not_evaluated(make_sim_ops.read(source), folder, made)
    if left_out:
        sys.exit(f"{', '.join(left_out)}: the static evaluation does not know it and gives up at its first call. Add a "
                 "recipe to src/model/recipe.c")
    if len(names) < 120 or len(set(names)) != len(names):
        sys.exit("ops.def lacks operations, or has one twice")


if __name__ == "__main__":
    main()

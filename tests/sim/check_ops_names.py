"""The operations of ops.def are names of the package as the linter knows it.

Usage: check_ops_names.py SCRIPTS_FOLDER OPS_DEF API_JSON
"""
import json
import sys


def main():
    scripts, source, api = sys.argv[1:]
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
    if len(names) < 120 or len(set(names)) != len(names):
        sys.exit("ops.def lacks operations, or has one twice")


if __name__ == "__main__":
    main()

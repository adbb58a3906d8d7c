#!/usr/bin/env python3
"""What kernel authors copy from: the programs of pypto-in-one-page.md and the calls of torch-to-pypto.md.

    check_author_pages.py PYPTO_LINT programs    lints each program and runs it in the simulator
    check_author_pages.py PYPTO_LINT calls       looks every call up in rules/data/pypto-api.json
    check_author_pages.py PYPTO_LINT rows        compares torch and PyPTO, row by row, in the simulator

PYPTO_LINT_PYTHON names the Python with torch; without it `programs` and `rows` are skipped (exit
status 77).
"""
import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "harness"))
import warm_python  # noqa: E402

PAGES = ROOT / "docs/kernel-authors"
PYTHON = os.environ.get("PYPTO_LINT_PYTHON") or "/usr/bin/python3"


def call(binary, *arguments, folder, **variables):
    done = subprocess.run([binary, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", timeout=120, check=False, env={**os.environ, **variables})
    return done.returncode, done.stdout


def need_torch():
    looks = "import importlib.util as u, sys; sys.exit(not u.find_spec('torch'))"  # importing it takes longer
    if subprocess.run([PYTHON, "-c", looks], check=False).returncode:
        print("torch is not installed: skipped")
        sys.exit(77)


def check_programs(binary):
    """Every python block is a program: no finding, and it ends well where warnings are errors."""
    need_torch()
    text = (PAGES / "pypto-in-one-page.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    if len(programs) < 4:
        yield f"only {len(programs)} programs"
    with tempfile.TemporaryDirectory(dir=".") as folder:
        # These are programs, not operators: the rules about wrappers and the like are off, and the one
        # about torch on the host, as the comparison with torch is in the same file.
        settings = (ROOT / "examples/sim/.pypto-lint.yaml").read_text(encoding="utf-8")
        pathlib.Path(folder, ".pypto-lint.yaml").write_text(settings + "  - OL62\n", encoding="utf-8")
        for number, program in enumerate(programs, 1):
            path = pathlib.Path(folder, f"program{number}.py")
            path.write_text(program, encoding="utf-8")
            if "assert" not in program:
                yield f"program {number} compares nothing"
            status, output = call(binary, path.name, folder=folder)
            if status or not output.startswith("No findings"):
                yield f"program {number}: the linter says\n{output}"
            status, output = call(binary, "run", "--profile", "strict", path.name, folder=folder,
                                  **warm_python.variables("program", PYTHON))
            if status or "1 launch" not in output:
                yield f"program {number}: status {status}\n{output}"


def api():
    """{name: entry} of the product's package."""
    data = json.loads((ROOT / "rules/data/pypto-api.json").read_text(encoding="utf-8"))
    return {entry["name"]: entry for entry in data["attributes"]}


def call_problem(node, entry):
    """What is wrong with a call, or None; `...` stands for arguments left out."""
    parameters = entry.get("params", [])
    names = [parameter["name"] for parameter in parameters]
    kinds = [parameter.get("kind") for parameter in parameters]
    given = [keyword.arg for keyword in node.keywords]
    if entry["kind"] != "function" and entry["kind"] != "class":
        return f"is a {entry['kind']}"
    if "var_positional" in kinds:
        return None  # takes any number of arguments, or has several forms
    if len(node.args) > len(names) - kinds.count("keyword_only"):
        return "gets too many arguments by position"
    unknown = [name for name in given if name not in names]
    if unknown:
        return f"has no parameter {unknown[0]}"
    missing = [parameter["name"] for place, parameter in enumerate(parameters)
               if parameter.get("required") and place >= len(node.args) and parameter["name"] not in given]
    return f"needs {missing[0]}" if missing else None


def code_problems(code, known):
    """(number of names, problems) of one piece of code."""
    source = re.sub(r"^(for|if) (.*)$", r"\1 \2: pass", code.replace("…", "..."))
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return 0, [f"{code}: not Python"]
    count, problems = 0, []
    for node in ast.walk(tree):
        is_name = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if is_name and node.value.id == "pypto":
            count += 1
            if node.attr not in known:
                problems.append(f"{code}: PyPTO has no {node.attr}")
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(function, ast.Attribute) and function.attr in known:
            if isinstance(function.value, ast.Name) and function.value.id == "pypto":
                problem = call_problem(node, known[function.attr])
                problems += [f"{code}: {function.attr} {problem}"] if problem else []
    return count, problems


def table_rows():
    """(torch codes, PyPTO codes) of each row of torch-to-pypto.md."""
    for line in (PAGES / "torch-to-pypto.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 3 and cells[0] not in ("torch", "---"):
            yield tuple(re.findall(r"`([^`]+)`", cell) for cell in cells[:2])


def check_rows(binary):
    """Rows with as many torch as PyPTO codes are pairs. Statements, and a tensor that nothing has
    written yet, cannot be compared."""
    need_torch()
    pairs = [pair for host, kernel in table_rows() if len(host) == len(kernel) for pair in zip(host, kernel)
             if not re.match(r"for |if |return |min\(|y\[|torch\.empty", pair[0])]
    if len(pairs) < 70:
        yield f"only {len(pairs)} rows"
    with tempfile.TemporaryDirectory(dir=".") as folder:
        pathlib.Path(folder, "rows.json").write_text(json.dumps(pairs), encoding="utf-8")
        status, output = call(binary, "run", "--python", PYTHON, str(ROOT / "tests/docs/torch_rows.py"),
                              "rows.json", folder=folder)
    if status or f"{len(pairs)} rows, 0 differ" not in output:
        yield output


def check_calls(_):
    known, total = api(), 0
    for host, codes in table_rows():
        if not codes:
            yield f"no code: {host}"
        for code in codes:
            count, problems = code_problems(code, known)
            total += count
            yield from problems
    if total < 80:
        yield f"only {total} names found"


def selftest():
    known = api()
    wrong = ["pypto.mean(x)", "pypto.exp()", "pypto.exp(x, keepdim=True)", "pypto.exp(x, 1, 2)",
             "pypto.full(shape, 1, pypto.DT_FP32, shape)", "pypto.DT_FP32(x)"]
    for code in wrong:
        assert code_problems(code, known)[1], code
    assert code_problems("if pypto.is_loop_begin(i)", known) == (1, [])


def main():
    binary, what = os.path.abspath(sys.argv[1]), sys.argv[2]
    selftest()
    problems = list({"programs": check_programs, "calls": check_calls, "rows": check_rows}[what](binary))
    print("\n".join(problems) or "all well")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

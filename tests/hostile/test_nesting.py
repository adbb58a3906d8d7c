#!/usr/bin/env python3
"""Nesting without end: every bracketed form of the input, 512 to 131072 levels deep, on a stack of 8 MiB and of 256 KiB.

Usage: test_nesting.py --binary PATH [--seconds N] [--deepest POWER] [--list] [NAME...]

What is nested too deeply must be refused by name: the program ends with 0, 1 or 2, never by a signal, and no file of
these is called clean. All files of one depth are checked in one run; when that run dies, each is checked alone to say
which form it was.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

POWERS = range(9, 18)  # of two: the depths
STACKS = [8 * 1024, 256]  # KiB
SEVERAL = 2048 * 1024  # bytes: deeper files of some forms would be larger than max-file-size

IMPORT = "import pypto\n"


def around(before, opening, closing, after="\n", inside="1"):
    return lambda n: before + opening * n + inside + closing * n + after


def fstrings(n):
    return "x = " + "f'{" * n + "1" + "}'" * n + "\n"


# name -> text of that many levels. CPython's grammar, form by form.
PYTHON = {
    "parentheses": around("x = ", "(", ")"),
    "brackets": around("x = ", "[", "]"),
    "sets": around("x = ", "{", "}"),
    "dictionary_values": around("x = ", "{1:", "}"),
    "dictionary_keys": around("x = ", "{", ":1}"),
    "tuples": around("x = ", "(", ",)"),
    "mixed": around("x = ", "([{", "}])"),
    "calls": around("x = ", "f(", ")"),
    "keyword_arguments": around("x = ", "f(a=", ")"),
    "star_arguments": around("x = ", "f(*(", "))"),
    "double_star_arguments": around("x = ", "f(**(", "))"),
    "subscripts": around("x = ", "a[", "]"),
    "slices": around("x = ", "a[1:", "]"),
    "targets": around("", "(", ")", " = 1\n", "a"),
    "list_targets": around("", "[", "]", " = 1\n", "a"),
    "star_targets": around("", "[*", "]", " = 1\n", "a"),
    "subscript_targets": around("", "a[", "]", " = 1\n", "b"),
    "augmented_targets": around("", "(", ")", " += 1\n", "a"),
    "annotated_targets": around("", "(", ")", ": int = 1\n", "a"),
    "annotations": around("x: ", "list[", "]", "\n", "int"),
    "parenthesised_annotations": around("x: ", "(", ")", "\n", "int"),
    "annotations_of_parameters": around("def f(x: ", "list[", "]", "):\n    pass\n", "int"),
    "returned_annotations": around("def f() -> ", "(", ")", ":\n    pass\n", "int"),
    "deleted": around("del ", "(", ")", "\n", "a"),
    "deleted_lists": around("del ", "[", "]", "\n", "a"),
    "decorators": around("@", "(", ")", "\ndef f():\n    pass\n", "a"),
    "decorator_calls": around("@", "f(", ")", "\nclass A:\n    pass\n", "a"),
    "bases": around("class A", "(", ")", ":\n    pass\n", "B"),
    "defaults": around("def f(x=", "(", ")", "):\n    pass\n"),
    "keyword_defaults": around("def f(*, x=", "[", "]", "):\n    pass\n"),
    "defaults_of_lambdas": around("x = ", "(lambda a=", ": 1)"),
    "lambdas": around("x = ", "(lambda: ", ")"),
    "list_comprehensions": around("x = ", "[", " for a in b]"),
    "comprehensions_in_iterators": around("x = ", "[a for a in ", "]", "\n", "b"),
    "comprehension_targets": around("x = [a for ", "(", ")", " in b]\n", "a"),
    "comprehension_conditions": around("x = [a for a in b if ", "(", ")", "]\n"),
    "generators": around("x = ", "(", " for a in b)"),
    "dictionary_comprehensions": around("x = ", "{1:", " for a in b}"),
    "conditionals": around("x = ", "(1 if 1 else ", ")"),
    "conditional_tests": around("x = ", "(1 if ", " else 1)"),
    "named": around("x = ", "(a := ", ")"),
    "awaits": around("async def f():\n    ", "await (", ")"),
    "yields": around("def f():\n    ", "(yield ", ")"),
    "sums": around("x = ", "(1 + ", ")"),
    "bit_operations": around("x = ", "(1 | ", ")"),
    "comparisons": around("x = ", "(1 < ", ")"),
    "boolean": around("x = ", "(a and ", ")"),
    "negations": around("x = ", "-(", ")"),
    "negated": around("x = ", "not (", ")"),
    "attributes": around("x = ", "(", ").a"),
    "for_targets": around("for ", "(", ")", " in b:\n    pass\n", "a"),
    "for_iterators": around("for a in ", "(", ")", ":\n    pass\n", "b"),
    "while_tests": around("while ", "(", ")", ":\n    pass\n"),
    "if_tests": around("if ", "(", ")", ":\n    pass\n"),
    "with_items": around("with ", "(", ")", " as a:\n    pass\n", "b"),
    "with_several": around("with ", "(", ")", ":\n    pass\n", "b as c, d as e"),
    "with_targets": around("with b as ", "(", ")", ":\n    pass\n", "a"),
    "handlers": around("try:\n    pass\nexcept ", "(", ")", " as e:\n    pass\n", "A"),
    "returned": around("def f():\n    return ", "(", ")"),
    "raised": around("raise ", "(", ")", " from e\n", "A"),
    "asserted": around("assert ", "(", ")", ", 1\n"),
    "match_subjects": around("match ", "(", ")", ":\n    case 1:\n        pass\n", "a"),
    "patterns": around("match a:\n    case ", "(", ")", ":\n        pass\n"),
    "list_patterns": around("match a:\n    case ", "[", "]", ":\n        pass\n"),
    "mapping_patterns": around("match a:\n    case ", "{1: ", "}", ":\n        pass\n"),
    "class_patterns": around("match a:\n    case ", "A(", ")", ":\n        pass\n"),
    "keyword_patterns": around("match a:\n    case ", "A(b=", ")", ":\n        pass\n"),
    "or_patterns": around("match a:\n    case ", "(1 | ", ")", ":\n        pass\n"),
    "as_patterns": around("match a:\n    case ", "(", " as b)", ":\n        pass\n"),
    "guards": around("match a:\n    case b if ", "(", ")", ":\n        pass\n"),
    "type_parameters": around("def f[T: ", "(", ")", "]():\n    pass\n", "int"),
    "type_aliases": around("type A = ", "list[", "]", "\n", "int"),
    "fstrings": fstrings,
    "fstring_values": around("x = f'{", "(", ")", "}'\n"),
    "fstring_formats": around("x = f'", "{a:", "}", "'\n", "b"),
    "imports": around("from a import ", "(", ")", "\n", "b"),
    "globals": around("x = ", "print((", "))"),
    "open_parentheses": around("x = ", "(", ""),
    "open_calls": around("x = ", "f(", ""),
    "open_patterns": around("match a:\n    case ", "[", "", ":\n        pass\n"),
    "closing": around("x = ", "", ")"),
    # without brackets
    "not": around("x = ", "not ", ""),
    "minus": around("x = ", "-", ""),
    "power": around("x = ", "1 ** ", ""),
    "lambda_bodies": around("x = ", "lambda: ", ""),
    "else_branches": around("x = ", "1 if 1 else ", ""),
    "bare_awaits": around("async def f():\n    ", "await ", "", "\n", "a"),
    "dots": around("x = a", ".b", "", "\n", ""),
    "calls_of_calls": around("x = a", "()", "", "\n", ""),
}

SPEC = "---\nname: soft\nshapes: %s\n---\n\n# soft\n"

# name -> (file of an operator directory, text). They need not be refused: text is text.
DOCUMENTS = {
    "design_python": ("DESIGN.md", lambda n: "# D\n\n```python\nx = " + "(" * n + "1" + ")" * n + "\n```\n"),
    "design_targets": ("DESIGN.md", lambda n: "# D\n\n```python\n" + "(" * n + "a" + ")" * n + " = 1\n```\n"),
    "design_patterns": ("DESIGN.md", lambda n: "# D\n\n```python\nmatch a:\n    case " + "[" * n + "1" + "]" * n
                        + ":\n        pass\n```\n"),
    "design_quotes": ("DESIGN.md", lambda n: "> " * n + "x\n"),
    "design_lists": ("DESIGN.md", lambda n: "- " * n + "x\n"),
    "design_links": ("DESIGN.md", lambda n: "[" * n + "x" + "](a)" * n + "\n"),
    "design_emphasis": ("DESIGN.md", lambda n: "*a " * n + "x" + "*" * n + "\n"),
    "front_matter_flow": ("SPEC.md", lambda n: SPEC % ("[" * n + "1" + "]" * n)),
    "front_matter_mapping": ("SPEC.md", lambda n: SPEC % ("{a: " * n + "1" + "}" * n)),
    "front_matter_tuples": ("SPEC.md", lambda n: SPEC % ("'" + "(" * n + "1" + ")" * n + "'")),
    "front_matter_lists": ("SPEC.md", lambda n: "---\n" + "- " * n + "1\n---\n"),
    "state_lists": (".orchestrator_state.json", lambda n: '{"current_stage": 5, "a": ' + "[" * n + "]" * n + "}"),
    "state_objects": (".orchestrator_state.json", lambda n: '{"a":' * n + "1" + "}" * n),
    "interfaces": ("eval/module_interfaces.yaml", lambda n: "modules: " + "[" * n + "]" * n + "\n"),
    "settings_flow": (".pypto-lint.yaml", lambda n: "select: " + "[" * n + "]" * n + "\n"),
    "settings_mapping": (".pypto-lint.yaml", lambda n: "{a: " * n + "1" + "}" * n + "\n"),
    "memory_rows": ("MEMORY.md", lambda n: "## Golden function inventory\n\n|a|\n|-|\n|" + "(" * n + "|\n"),
    "ignored": (".gitignore", lambda n: "[" * n + "\n" + "**/" * n + "x\n"),
}


def run(binary, arguments, stack, seconds, stdin=""):
    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (stack * 1024, resource.RLIM_INFINITY))

    try:
        return subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, preexec_fn=limit,
                              timeout=seconds, input=stdin)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.cmd, -99, "", f"longer than {seconds} s")


def died(done):
    return done.returncode not in (0, 1, 2)


def complain(done):
    return f"status {done.returncode}: {done.stderr.strip()[-300:]}"


def check_python(options, depth, stack):
    """Every form as a file of its own, named on the command line."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        paths = []
        for form, text in PYTHON.items():
            if options.names and form not in options.names:
                continue
            content = text(depth)
            if len(content) > SEVERAL:
                continue
            path = folder / f"{form}.py"
            path.write_text(IMPORT + content)
            paths.append(path)
        if not paths:
            return
        arguments = ["check", "-j1", "--format", "json"]
        done = run(options.binary, [*arguments, *paths], stack, options.seconds)
        if died(done):
            alone = [path for path in paths if died(run(options.binary, [*arguments, path], stack, options.seconds))]
            for path in alone or paths[:1]:
                yield path.stem, complain(done)
            return
        report = json.loads(done.stdout)
        blamed = json.dumps(report)
        for path in paths:
            # A text without brackets may be shallow enough: `1 ** 1 ** …` 512 times is Python.
            if f"{path.name}" not in blamed and (depth >= 4096 or path.stem in BRACKETED):
                yield path.stem, "no finding and no notice names the file"


BRACKETED = set(PYTHON) - {"not", "minus", "power", "lambda_bodies", "else_branches", "bare_awaits", "dots",
                           "calls_of_calls"}


def check_documents(options, depth, stack):
    """Every form in an operator directory of its own: all of them checked in one run, and each by a hook."""
    with tempfile.TemporaryDirectory() as name:
        folders = []
        for form, (file, text) in DOCUMENTS.items():
            if options.names and form not in options.names:
                continue
            folder = pathlib.Path(name) / form / "soft"
            (folder / file).parent.mkdir(parents=True)
            (folder / "soft_impl.py").write_text(IMPORT)
            if file != ".orchestrator_state.json":
                (folder / ".orchestrator_state.json").write_text('{"current_stage": 5}')
            (folder / file).write_text(text(depth))
            folders.append(folder)
            event = json.dumps({"tool_name": "Write", "tool_input": {"file_path": str(folder / file)}})
            done = run(options.binary, ["hook", "post-edit"], stack, options.seconds, event)
            if done.returncode != 0:
                yield f"{form} (hook)", complain(done)
        if not folders:
            return
        done = run(options.binary, ["check", "-j1", *folders], stack, options.seconds)
        if died(done):
            alone = [folder for folder in folders
                     if died(run(options.binary, ["check", "-j1", folder], stack, options.seconds))]
            for folder in alone or folders[:1]:
                yield folder.parent.name, complain(done)


def check_events(options, depth, stack):
    """What a client sends, what lies in a baseline."""
    nested = "[" * depth + "]" * depth
    for event in (nested, '{"tool_input": ' + nested + "}", '{"a":' * depth + "1" + "}" * depth):
        for hook in ("post-edit", "pre-edit", "post-bash", "stop"):
            done = run(options.binary, ["hook", hook], stack, options.seconds, event)
            if done.returncode != 0:
                yield f"event of {hook}", complain(done)
    with tempfile.TemporaryDirectory() as name:
        baseline = pathlib.Path(name) / "baseline.json"
        (pathlib.Path(name) / "a.py").write_text(IMPORT)
        for text in (nested, '{"version": 1, "findings": ' + nested + "}"):
            baseline.write_text(text)
            for arguments in (["check", "--baseline", baseline, pathlib.Path(name) / "a.py"], ["stats", baseline]):
                done = run(options.binary, arguments, stack, options.seconds)
                if died(done):
                    yield f"{arguments[0]} {text[:12]}", complain(done)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--deepest", type=int, default=POWERS[-1], help="the greatest depth, as a power of two")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.list:
        print("\n".join([*PYTHON, *DOCUMENTS]))
        return 0
    depths = [2 ** power for power in POWERS if power <= options.deepest]
    failures = 0
    for stack in STACKS:
        for depth in depths:
            checks = [check_python, check_documents] + ([] if options.names else [check_events])
            for check in checks:
                for form, problem in check(options, depth, stack):
                    print(f"{form}, {depth} levels, stack of {stack} KiB: {problem}")
                    failures += 1
    print(f"{len(PYTHON) + len(DOCUMENTS)} forms, {len(depths)} depths, {len(STACKS)} stacks: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

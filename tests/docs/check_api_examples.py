#!/usr/bin/env python3
"""Runs the example of every page of `pypto-lint api` in the simulator, and lints it.

    check_api_examples.py PYPTO_LINT

An example must end well, launch something if it has a kernel, and write finite numbers that are not all 0
into its results; the rules KS… must find nothing in it. PYPTO_LINT_PYTHON names the Python with torch;
without torch the check is skipped (exit status 77).

The program starts itself in the simulator (`run`), once for each hardware, as importing torch takes longer
than the examples.
"""
import contextlib
import io
import json
import pathlib
import runpy
import subprocess
import sys
import tempfile

# They have no numbers, or such numbers by what they are for.
ZERO = {"zeros", "isnan"}


def run_examples(folder):
    """In the simulator: what is wrong with each program of the folder."""
    import torch
    torch.manual_seed(7)
    failed = 0
    for path in sorted(pathlib.Path(folder).glob("*.py")):
        wrong = ""
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                space = runpy.run_path(str(path), run_name="__main__")
            for name, value in space.items():
                if isinstance(value, torch.Tensor) and value.dtype.is_floating_point:
                    value = value.float()  # eight-bit ones know little
                if isinstance(value, torch.Tensor) and value.dtype.is_floating_point \
                        and not torch.isfinite(value).all() and path.stem != "isnan":
                    wrong = f"{name} is not finite"
                elif isinstance(value, torch.Tensor) and not value.bool().any() and path.stem not in ZERO:
                    wrong = f"{name} is 0"
        except Exception as error:  # any failure is reported with its program
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            failed += 1
            print(f"{path.stem}: {wrong}")
    sys.exit(1 if failed else 0)


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    from check_author_pages import PYTHON, call, need_torch
    need_torch()
    pages = json.loads(subprocess.run([binary, "api", "--format", "json"], stdout=subprocess.PIPE,
                                      check=True).stdout)["names"]
    wrong = []
    with tempfile.TemporaryDirectory(dir=".") as top:
        folders = {}
        for page in pages:
            folder = pathlib.Path(top, page.get("soc", "any"))
            folder.mkdir(exist_ok=True)
            folders.setdefault(page.get("soc"), folder)
            (folder / f"{page['name']}.py").write_text(page["example"], encoding="utf-8")
        for soc, folder in folders.items():
            chosen = ["--soc", soc] if soc else []
            status, output = call(binary, "run", "--profile", "device", "--pypto", "9.2", "--python", PYTHON,
                                  *chosen, str(pathlib.Path(__file__).resolve()), "--inside", str(folder.resolve()),
                                  folder=top)
            wrong += [output] if status else []
            settings = f"pypto: '9.2'\nsoc: {soc}\n" if soc else "pypto: '9.2'\n"
            (folder / ".pypto-lint.yaml").write_text(settings, encoding="utf-8")
            status, output = call(binary, "--rules", "KS", "--format", "concise", ".", folder=str(folder))
            wrong += [output] if status or "error" in output or "warning" in output else []
    if len(pages) < 250:
        wrong.append(f"only {len(pages)} pages")
    print("\n".join(wrong) or f"{len(pages)} examples")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        run_examples(sys.argv[2])
    main()

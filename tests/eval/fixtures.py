#!/usr/bin/env python3
"""The fixtures of the rules about values are what the simulator says, too.

    fixtures.py PYPTO_LINT [--pypto 9.1|9.2]

Each kernel of tests/fixtures/KSnn, and each example of a KS page, is launched with tensors as its
annotations have them: it must be refused with the code that the fixture's finding names (a page names
none), and accepted where fixture or page pass. Cases in which something is not known are left out.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNNER = ROOT / "tests" / "runtime" / "example_mutants.py"
RULES = ("KS04", "KS05", "KS06", "KS07", "KS08", "KS09", "KS10", "KS11", "KS14", "KS15", "KS16", "KS17", "KS18", "KS19",
         "KS20")
# What is open in a program, or holds for one version only.
OPEN = ("environ", "STATIC", "DYNAMIC", "pytest", "pypto.Tensor([16, 64])", "from settings", "pypto.jit", "new_ir=",
        "from elsewhere", "unittest", "_npu(3,")
PAGE_RULES = [f"KS{number:02}" for number in range(1, 21)]
TORCH = {"DT_FP32": "float32", "DT_FP16": "float16", "DT_BF16": "bfloat16", "DT_INT32": "int32",
         "DT_INT8": "int8", "DT_BOOL": "bool"}
MOVED = {"F74006": "F74007", "F74007": "F74008", "F7400B": "F7400C"}
# What only one version refuses, so that nothing is said where nobody names the version.
ONE_VERSION = {"KS15_rebound_tensor"}

# What another rule reports.
ELSEWHERE = {"KS20_raise_in_kernel"}


def program(text):
    """The fixture with a launch, or None when something of it is open."""
    if any(word in text for word in OPEN) or ("except" in text and "raise" not in text):
        return None
    if "def test_rowscale()" in text:
        return text + "\n\ntest_rowscale()\n"
    if "def rowscale_wrapper()" in text:
        return text + "\n\nrowscale_wrapper()\n"
    if "def rowscale_wrapper" in text or "def rowscale_npu" not in text:
        return None
    header = text[text.index("def rowscale_npu"):]
    header = header[:header.index("):\n")]
    arguments = [f"torch.zeros({shape.replace('ROWS', '16')}, dtype=torch.{TORCH[dtype]})"
                 for shape, dtype in re.findall(r"Tensor\((\[.*?\]), pypto\.(DT_\w+)\)", header)]
    return f"import torch\n{text}\n\nrowscale_npu({', '.join(arguments)})\n"


def cases():
    """(name, program, the code that it is refused with or None)"""
    for rule in RULES:
        for folder in sorted((ROOT / "tests" / "fixtures" / rule).glob("*/rowscale")):
            text = program((folder / "rowscale_impl.py").read_text(encoding="utf-8"))
            if text is None or (folder / ".pypto-lint.yaml").exists():
                continue  # settings: another chip
            expected = json.loads((folder.parent / "expected.json").read_text(encoding="utf-8"))
            codes = [word for finding in expected["findings"] for word in finding["contains"]
                     if re.fullmatch(r"F[0-9A-Z]{5}", word)]
            name = f"{rule}_{folder.parent.name}"
            if name not in ELSEWHERE | ONE_VERSION:
                yield name, text, codes[0] if codes else None


def page_cases():
    """The same for the examples of the rules' pages: True instead of a code, as pages name none."""
    for rule in PAGE_RULES:
        page = (ROOT / "docs" / "rules" / (rule + ".md")).read_text(encoding="utf-8")
        blocks = re.findall(r"<!-- lint: (\w+)[^\n]*-->\n```python\n(.*?)```", page, re.S)
        for number, (status, block) in enumerate(blocks):
            if status not in ("FAIL", "PASS") or "def rowscale_npu" not in block:
                continue
            text = program(block)
            if text is not None:
                yield f"{rule}_page_{number}", text, status == "FAIL"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--pypto", default="9.2")
    options = parser.parse_args()
    known = list(cases())
    if len(known) < 60:
        raise SystemExit(f"only {len(known)} cases found")
    pages = list(page_cases())
    if len(pages) < 38:
        raise SystemExit(f"only {len(pages)} examples of pages found")
    known += pages
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case, text, _ in known:
            (folder / (case + ".py")).write_text(text, encoding="utf-8")
        done = subprocess.run([options.binary, "run", "--pypto", options.pypto, str(RUNNER), name,
                               *[case for case, _, _ in known]], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        if not (folder / "ends.json").exists():
            print(done.stdout[-2000:])
            return 77 if "torch" in done.stdout else 1  # no torch, no launches
        ends = json.loads((folder / "ends.json").read_text(encoding="utf-8"))
    wrong = 0
    for case, _, code in known:
        status, text = ends[case]
        codes = re.findall(r"ErrCode: (F[0-9A-Z]{5})", text)
        got = codes[-1] if codes else None if status == 0 else "error"
        # Three numbers are one higher when 9.2 is named; the fixtures name no version.
        if options.pypto == "9.2" and code in MOVED:
            code = MOVED[code]
        fits = (got is not None) == code if isinstance(code, bool) else got == code
        if not fits:
            wrong += 1
            print(f"{case}: the fixture says {code}, the simulator {got}")
    print(f"{len(known)} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

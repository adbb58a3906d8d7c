"""What the model says has a Chinese form: every format of a refusal or warning in src/model, and of those that the
drive makes itself, is a row of model_zh.def, with the same arguments; and no row is left over. Then the findings
of all KS fixtures are read in Chinese: none quotes an English sentence.

    chinese.py ROOT PYPTO_LINT
"""
import glob
import json
import os
import re
import subprocess
import sys

_CALL = re.compile(r"\b\w*(?:fail|warn|emit_limit|refuse|text\[\] =|check_[a-z]+)\w*\s*[({]?")
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
_SPEC = re.compile(r"%[0-9.*l]*[a-zA-Z]")
# Messages of files of hardware, which the linter has compiled in; they are read by `pypto-lint run` only.
_OTHER = ("soc.c",)
# Parts of messages that are numbers and names: "input 65536 + result 16384 = 81920 of 131072; fits with --soc 950PR".
_LISTS = ("%s%s %.0f", " = %.0f of %lld", "; fits with --soc %s", ", %s", "documented scratch", " + ")


def joined(literal):
    """The text of adjacent literals, as C joins them."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)).replace("%.*s", "%s")


def said(root):
    """The formats in calls that refuse or warn."""
    found = {}
    drive = [f"{root}/src/eval/{name}.c" for name in ("advice", "drive_api", "drive_config", "drive_emit",
                                                      "drive_operator", "drive_kind", "drive_subscript",
                                                      "fault")]
    drive += glob.glob(f"{root}/src/eval/compose*.c")
    for path in glob.glob(f"{root}/src/model/*.c") + drive:
        if os.path.basename(path) in _OTHER:
            continue
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), file.read(), flags=re.S)
        # A statement ends with its ';': of those that call one of the functions, every sentence counts.
        calls = r"drive_refuse\(" if "/src/eval/" in path else r"\w*(?:fail|warn|limit|refuse)\w*\(|text\[\] ="
        for statement in re.split(r"[;{}](?=(?:[^\"\n]*\"(?:[^\"\\\n]|\\.)*\")*[^\"\n]*\n)", text):
            if not re.search(calls, statement):
                continue
            for literal in _LITERAL.findall(statement):
                format_text = joined(literal)
                if " " in format_text.strip() or format_text.startswith(" "):
                    found[format_text] = os.path.basename(path)
    return {text: place for text, place in found.items() if text not in _LISTS}


def rows(root):
    """English and Chinese of each row."""
    with open(f"{root}/src/eval/model_zh.def", encoding="utf-8") as file:
        text = file.read()
    made = []
    for pair in re.findall(r'^ROW\((".*"), (".*")\)$', text, re.M):
        made.append((joined(pair[0]), joined(pair[1])))
    assert len(made) == text.count("\nROW("), "a row is not in the form ROW(\"…\", \"…\")"
    return made


def check_rows(root):
    """One row for each format, and the same arguments on both sides."""
    problems = []
    formats, table = said(root), rows(root)
    assert len(formats) > 200, len(formats)
    english = [row[0] for row in table]
    for text, place in formats.items():
        if text not in english:
            problems.append(f"{place}: no row in src/eval/model_zh.def for: {text}")
    sources = "\n".join(open(path, encoding="utf-8").read()
                        for path in glob.glob(f"{root}/src/model/*.c") + glob.glob(f"{root}/src/eval/*.c"))
    sources = re.sub(r'"\s*\n\s*"', "", sources).replace("%.*s", "%s")
    for en, zh in table:
        if f'"{en}"' not in sources:
            problems.append(f"a row for what nobody says: {en}")
        used = sorted(set(re.findall(r"\{(\d)\}", zh)))
        if used != [str(i) for i in range(len(_SPEC.findall(en)))]:
            problems.append(f"arguments differ: {en} / {zh}")
    for en in {text for text in english if english.count(text) > 1}:
        problems.append(f"two rows: {en}")
    return problems


def check_fixtures(root, program):
    """Findings of the KS rules in Chinese hold no sentence in English."""
    problems, count = [], 0
    for folder in sorted(glob.glob(f"{root}/tests/fixtures/KS*")):
        answer = subprocess.run([program, "check", "--lang", "zh", "--format", "json", folder],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False, timeout=300)
        for finding in json.loads(answer.stdout)["findings"]:
            if not finding["rule"].startswith("KS"):
                continue
            count += 1
            text = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "", finding["message"])
            if re.search(r"(?:\b[a-z]{2,}\b ){2}[a-z]{2,}\b", text):
                problems.append(f"{os.path.basename(folder)}: {finding['message']}")
    assert count > 100, count
    return problems


def main():
    """Prints what is missing; its number, bounded, is the status."""
    root, program = sys.argv[1:3]
    problems = check_rows(root) + check_fixtures(root, program)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return min(len(problems), 1)


if __name__ == "__main__":
    sys.exit(main())

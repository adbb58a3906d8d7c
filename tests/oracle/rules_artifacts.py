"""Rules about single artifacts: chapters, front matter, state file, pasted output.

OL09, OL10, OL11, OL12, OL13, OL14, OL24, OL39, OL40, OL41, OL44, OL59.
"""

import json
import os
import re

from frontmatter import FrontMatter, report_schema
from markdown import Section
from model import phase_suffix

HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*$", re.MULTILINE)
STATE = ".orchestrator_state.json"
DOCUMENTS = ("SPEC.md", "DESIGN.md", "API_REPORT.md")
PERF_HEADER = "| op | count | mean_duration | total |"
PASTED = ("[pypto-op-lint]", "\u4ea4\u4ed8\u95e8\u7981\u963b\u65ad",
          "\u4ee5\u4e0b\u89c4\u5219\u8fdd\u89c4", "fix_hints:", "blocking_rules:", "docs_ref:")
FORMULA_MARKS = ("$$", "=", "\\begin{equation}", "round", "clamp")
MAX_PHASE = 999
PHASE = re.compile(r"M[1-9][0-9]*\Z")


def headings(body):
    return {m.group(1).lower() for m in HEADING.finditer(body)}


def has_heading(titles, *keys):
    return any(k.lower() in title for k in keys for title in titles)


def missing(out, rel):
    out.line("FAIL", rel, 0, tag="absent")


# SPEC.md -------------------------------------------------------------------------------

def ol09(op, out):
    name = "SPEC.md"
    if not op.exists(name):
        missing(out, name)
        return "PASS"
    text = op.text(name)
    front = FrontMatter(text)
    if op.name not in text:
        out.line("FAIL", name, 0, tag="2")
    titles = headings(front.body)
    for key in ("\u6570\u5b66\u516c\u5f0f", "\u8f93\u5165\u8f93\u51fa\u89c4\u683c",
                "\u7cbe\u5ea6\u8981\u6c42"):
        if not has_heading(titles, key):
            out.line("FAIL", name, 0, tag="3:" + key)
    content(out, text, "4", ("\u6570\u5b66", "\u7b97\u6cd5", "\u57fa\u7840\u4fe1\u606f"),
            lambda t: any(m in t for m in FORMULA_MARKS))
    content(out, text, "5", ("\u8f93\u5165\u8f93\u51fa\u89c4\u683c", "\u6570\u636e\u89c4\u683c"),
            lambda t: "dtype" in t.lower() and "shape" in t.lower())
    content(out, text, "6", ("\u7cbe\u5ea6",),
            lambda t: any(m in t.lower() for m in ("atol", "rtol", "mare")))
    if not front.data:
        out.line("FAIL", name, 0, tag="7")
    else:
        report_schema(out, name, text, front)
    return "PASS"


def content(out, text, tag, keys, enough):
    """Conditions 4 to 6: the first non-empty section of KEYS must be ENOUGH."""
    sections = [Section(text, key) for key in keys]
    used = next((s for s in sections if s.text), None)
    if used is None:
        # no section was used; the heading of an empty one is as good a place as none
        places = sorted({0} | {s.heading for s in sections})
        out.line("FAIL", "SPEC.md", 0, tag=tag + ":empty", any_of=places)
    elif not enough(used.text):
        out.line("FAIL", "SPEC.md", used.heading, tag=tag)


# Other documents -----------------------------------------------------------------------

def chapters(op, out, rel, groups):
    if not op.exists(rel):
        missing(out, rel)
        return
    titles = headings(FrontMatter(op.text(rel)).body)
    for group in groups:
        if not has_heading(titles, *group):
            out.line("FAIL", rel, 0, tag=group[0], counted=True)


def ol10(op, out):
    chapters(op, out, "API_REPORT.md", (("API \u6620\u5c04",), ("\u7ea6\u675f",), ("Tiling",)))
    return "PASS"


def ol11(op, out):
    return "SKIP"  # needs an interpreter; comparisons run without


def ol12(op, out):
    chapters(op, out, "DESIGN.md", (("\u8ba1\u7b97\u56fe", "API \u6620\u5c04"),
                                    ("Tiling", "\u6570\u636e\u5207\u5206"),
                                    ("\u9a8c\u8bc1\u65b9\u6848",)))
    return "PASS"


def ol13(op, out):
    for rel in (op.name + "_impl.py", "test_%s.py" % op.name, "README.md"):
        if not op.exists(rel):
            missing(out, rel)
    return "PASS"


def ol59(op, out):
    rel = "GOLDEN_PERF_REPORT.md"
    if not op.exists(rel):
        missing(out, rel)
    elif PERF_HEADER not in op.text(rel):
        out.line("FAIL", rel, 0, tag="header")
    return "PASS"


def ol39(op, out):
    for rel in DOCUMENTS:
        text = op.text(rel)
        if not op.exists(rel):
            missing(out, rel)
        elif not text:
            out.line("FAIL", rel, 1, tag="empty", any_of=[0, 1])
        elif not FrontMatter(text).data:
            out.line("FAIL", rel, 1, tag="front")
    return "PASS"


def ol40(op, out):
    for rel in DOCUMENTS:
        text = op.text(rel)
        if not text:
            out.line("FAIL", rel, 0, tag="absent", any_of=[0, 1])
        else:
            report_schema(out, rel, text, FrontMatter(text))
    return "PASS"


def ol41(op, out):
    names = [op.name + "_impl.py", op.name + "_golden.py", "test_%s.py" % op.name, "README.md"]
    folder = op.full("modules")
    for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if entry.endswith(("_impl.py", "_golden.py")) or (
                entry.startswith("test_") and entry.endswith(".py")):
            names.append("modules/" + entry)
    for rel in names:
        text = op.text(rel).lower()
        for token in PASTED:
            for match in re.finditer(re.escape(token), text):
                line = text.count("\n", 0, match.start()) + 1
                out.line("FAIL", rel, line, tag="%s@%d" % (token, match.start()), counted=True)
    return "PASS"


# State file ----------------------------------------------------------------------------

class State:
    """.present, .valid (JSON) and .data (the root value) of the state file."""

    def __init__(self, op):
        self.present = op.exists(STATE)
        self.valid = False
        self.data = None
        self.lines = {}
        if not self.present:
            return
        text = op.text(STATE)
        try:
            self.data = json.loads(text)
            self.valid = True
        except ValueError:
            return
        if isinstance(self.data, dict):
            self.lines = root_key_lines(text)

    def value(self, key):
        return self.data.get(key) if isinstance(self.data, dict) else None


def root_key_lines(text):
    """Lines of the keys of the root object of valid JSON."""
    blank = re.compile(r"[ \t\n\r]*")
    decoder = json.JSONDecoder()
    lines = {}
    at = blank.match(text, text.index("{") + 1).end()
    while text[at] != "}":
        start = at
        key, at = decoder.raw_decode(text, at)
        lines.setdefault(key, []).append(text.count("\n", 0, start) + 1)
        at = blank.match(text, blank.match(text, at).end() + 1).end()
        _, at = decoder.raw_decode(text, at)
        at = blank.match(text, at).end()
        if text[at] == ",":
            at = blank.match(text, at + 1).end()
    return lines


def ol14(op, out):
    state = State(op)
    if not state.present:
        missing(out, STATE)
    elif not state.valid:
        out.line("FAIL", STATE, 1, tag="json", any_line=True)
    else:
        status = state.value("stage_status")
        if not isinstance(status, dict) or status.get("5") != "completed":
            out.line("FAIL", STATE, 0, tag="status")
    return "PASS"


def ol24(op, out):
    state = State(op)
    if not state.present:
        missing(out, STATE)
    elif not state.valid:
        out.line("FAIL", STATE, 1, tag="json", any_line=True)
    elif not isinstance(state.data, dict):
        out.line("FAIL", STATE, 0, tag="root", any_of=[0, 1])
    else:
        check_state(state, out)
    return "PASS"


def check_state(state, out):
    data = state.data
    absent = [k for k in ("operator_name", "current_stage", "stage_status") if k not in data]
    for key in absent:
        out.line("FAIL", STATE, 0, tag="3:" + key, counted=True)
    if absent:
        return
    if "max_stage" not in data:
        out.line("WARN", STATE, 0, tag="4")
        return
    phases = data.get("stage5_phases", {"phase_status": {}})
    wrong = [] if isinstance(phases, dict) and "phase_status" in phases else ["stage5_phases"]
    wrong += [k for k, kind in (("rollback_history", list), ("artifact_hashes", dict))
              if k in data and not isinstance(data[k], kind)]
    for key in wrong:
        out.line("FAIL", STATE, state.lines[key][-1], tag=key, any_of=state.lines[key])


def module_count(op):
    match = re.search(r"module_count\s*:\s*([0-9]+)", op.text("MEMORY.md"))
    match = match or re.search(r"Decision[^0-9]+?module_count\s*=\s*([0-9]+)", op.text("DESIGN.md"))
    return int(match.group(1)) if match else None


def ol44(op, out):
    state = State(op)
    if not state.present:
        return "SKIP"
    if not state.valid:
        out.line("FAIL", STATE, 0, tag="json", any_line=True)
        return "PASS"
    if not isinstance(state.data, dict):
        return "OPEN"  # the pages name this input, but no verdict
    phases = state.value("stage5_phases")
    active = phases.get("active_phase") if isinstance(phases, dict) else None
    if active is None or active == "":
        return "SKIP"
    if not active:
        return "OPEN"  # `0`, `false` and empty containers: empty, or no string
    if module_count(op) == 1:
        return "SKIP"
    if not isinstance(active, str) or not PHASE.match(active):
        out.line("FAIL", STATE, 0, tag="phase")
    elif not os.path.isdir(op.full("modules")):
        out.line("FAIL", "modules", 0, tag="folder")
    else:
        stem = "%s_module%s" % (op.name, phase_suffix(active))
        if int(active[1:]) > MAX_PHASE:
            return "OPEN"  # the suffix is not written out: it may be longer than the memory
        for name in (stem + "_impl.py", stem + "_golden.py", "test_%s.py" % stem):
            if not op.exists("modules/" + name):
                missing(out, "modules/" + name)
    return "PASS"


RULES = {"OL09": ol09, "OL10": ol10, "OL11": ol11, "OL12": ol12, "OL13": ol13, "OL14": ol14,
         "OL24": ol24, "OL39": ol39, "OL40": ol40, "OL41": ol41, "OL44": ol44, "OL59": ol59}

#!/usr/bin/env python3
"""Seeds for the fuzz drivers, made from the fixtures, the examples and the rule pages.

Usage: make_seeds.py FOLDER      makes FOLDER/<driver>/ with one file a seed
"""
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
from test_doctor_env import library  # noqa: E402  (needs the path)

FILES = ["DESIGN.md", "MEMORY.md", "SPEC.md", "API_REPORT.md", "README.md", "GOLDEN_PERF_REPORT.md",
         "eval/module_interfaces.yaml", ".orchestrator_state.json", "{op}_impl.py", "{op}_golden.py",
         "test_{op}.py", "modules/{op}_module1_impl.py", "eval/adversarial_suite.json"]  # as in fuzz_documents.c
CONFIGS = ["select: [D1, OL60]\nignore: [OL47, OL5]\nper-path:\n  \"legacy/\": [ALL]\nfail-on: S2\nlang: zh\n"
           "max-file-size: 2 MiB\nallow-s0-suppressions: true\nstop-block: always\n",
           "a: &a [*a]\n", "{select: OL48}", "ignore:\n- OL01\n- 'OL02'\n", "? x\n: y\n", "--- |\n x\n...\n"]
IGNORES = ["*.py\n!a/b.py\n/build/\n**/x/**\na[!b-d]?.py\n\\#x\n\\ \n[[:alpha:]]\n", "a/**/b\0a/x/y/b",
           "*a*a*a*a*b\0aaaaaaaaaaaaaaaa", "[\n[]\n[]-]\n\\\n!\n/\n//\n**\n"]
SUITES = ['{"cases": [{"id": 1, "level": 2, "atol": 0, "rtol": 1e-3, "precision": null}]}',
          '{"op_name": "a", "total_modules": 2, "test_cases": [{"id": "x", "shape": {"T": "B*4"}}]}', '[', '{}']
COMMENTS = [" ignore[OL48] reason", "ignore-file[D1,OL4]", " ignore [ OL48 , ol2 ] x", "ignore", "ignore[]",
            " ignore[OL02, ALL]] # pypto-lint: ignore[OL03]", "ignores[OL01]", " ignore[" + "OL48," * 40 + "]"]


def save(folder, content):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)


def source_seeds(top):
    roles = {"_impl.py": 0, "_golden.py": 1}
    paths = sorted(path for top_folder in ("tests/fixtures", "examples")
                   for path in (ROOT / top_folder).rglob("*.py") if path.is_file())
    for number, path in enumerate(paths):
        text = path.read_bytes()
        if len(text) > 4096:
            continue
        role = next((r for end, r in roles.items() if path.name.endswith(end)),
                    2 if path.name.startswith("test_") else 3)
        save(top / "source", bytes([role | number % 64 << 2 & 0xFC]) + text)
        save(top / "edit", bytes([number % 8, number * 37 % 256, number % 5, 1]) + b"x" + text)
    for page in sorted(ROOT.glob("docs/rules/OL*.md")):
        for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            save(top / "source", b"\0" + block.encode())


def document_seeds(top):
    cases = sorted({path.parent for path in ROOT.glob("tests/fixtures/*/*/expected.json")})
    folders = [(case / "rowscale", "rowscale") for case in cases]
    folders += [(path, path.name) for path in sorted(ROOT.glob("examples/**/custom/*")) if path.is_dir()]
    for number, (folder, op) in enumerate(folders):
        parts = []
        for index, name in enumerate(FILES):
            path = folder / name.format(op=op)
            if path.is_file() and path.stat().st_size < 8192:
                text = path.read_bytes().replace(op.encode(), b"soft")
                parts.append((b"" if index == 0 and not parts else b"\n=== " + bytes([index]) + b"\n") + text)
        if parts:
            save(top / "documents", bytes([number % 32]) + b"".join(parts))


def init_seeds(top):
    """The files that `init` installs, and a list of hooks for pre-commit that is laid out otherwise."""
    for kind, pattern in ((b"\0", "hooks/*/*.json"), (b"\1", "hooks/pre-commit/*.yaml")):
        for path in sorted(ROOT.glob(pattern)):
            save(top / "init", kind + path.read_bytes())
    save(top / "init", b"\0{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"x\"}]}]}, \"a\": [1, -2.5e3]}")
    save(top / "init", b"\1a: [b]\nrepos:\n  - repo: local\n    hooks: [{id: c}]\n    d: |\n      e\n# f\n")


def single_file_seeds(top):
    """For drivers that read one document: what the fixtures have of its kind."""
    kinds = {".md": ["markdown", "front_matter", "extract"], ".yaml": ["interfaces", "contract", "front_matter"],
             ".json": ["state"]}
    for path in sorted(ROOT.glob("tests/fixtures/*/*/rowscale/**/*")):
        if not path.is_file() or path.stat().st_size > 8192:
            continue
        drivers = ["extract"] if path.name.startswith("test_") else kinds.get(path.suffix, [])
        for driver in drivers:
            save(top / driver, path.read_bytes())


def recorder_call(op, slots, *, dtype=24, shape=(), offsets=(), flags=None, axes=None):
    """The bytes that make fuzz_recorder.c emit an operation on slots with these attributes."""
    given = bool(shape) | bool(offsets) << 1 | (axes is not None) << 3 | (flags is not None) << 4
    data = [8, op, len(slots)]
    for slot in slots:
        data += [0, slot]
    data += [given, dtype]
    for extents in (shape, offsets):
        if extents:
            data += [len(extents)]
            for extent in extents:  # a byte below 128 announces a constant
                data += [0, extent] if extent < 128 else [extent]
    if axes is not None:
        data += [axes, 1, 4, 0, 1, 2]
    if flags is not None:
        data += [flags]
    return bytes(data)


def recorder_seeds(top):
    """A kernel of each operation on two tensors of 16 x 16, and kernels with loops and conditions."""
    sys.path.insert(0, str(ROOT / "scripts"))
    import make_sim_ops
    ops = make_sim_ops.read(ROOT / "src/model/ops.def")
    number = {op["name"]: i for i, op in enumerate(ops)}
    heads = [bytes([0, 0, dtype, 16, 15, 1, 1]) for dtype in range(6)]
    move = recorder_call(number["move"], [2, 1])
    for i in range(len(ops)):
        for operands in ([0], [0, 1], [0, 1, 0]):
            data = recorder_call(i, operands, dtype=7, shape=(8, 8), offsets=(0, 0), axes=0, flags=8)
            save(top / "recorder", heads[i % 6] + data + move)
            save(top / "recorder", heads[0] + recorder_call(i, operands, dtype=6) + move)
    view = recorder_call(number["view"], [0], shape=(4, 4), offsets=(128, 0))
    store = recorder_call(number["assemble"], [2, 1], offsets=(128, 0))
    loop = bytes([1, 0, 0, 0, 4, 0, 1, 0, 2])
    edge = bytes([7, 128, 0, 3, 129])
    for body in (view + store, edge + view + store, view + edge + store + edge):
        save(top / "recorder", heads[0] + loop + body + bytes([2, 2]) + view + store)
        save(top / "recorder", heads[0] + loop + body + loop + body + bytes([2, 2, 2, 2]))


def suite_seeds(top):
    for path in sorted(ROOT.glob("examples/custom/*/eval/adversarial_suite.json")):
        save(top / "suite", path.read_bytes())
    for text in SUITES:
        save(top / "suite", text.encode())


def worker_result_seeds(top):
    """How the worker ended, mode and kind; then its result, its log and the reference's source."""
    leaf = ('{"name":"out0","structure":null,"expected_shape":[2],"shape":[2],"expected_dtype":"float32",'
            '"dtype":"float32","all_close":%s,"max_abs_diff":0.5,"max_rel_diff":NaN,"elements":2,'
            '"out_of_tolerance":1,"nonfinite":1}')
    results = [
        '{"end":"compared","stage":"done","error":null,"leaves":[%s,%s],"launches":1,"ops":2,"exact":true,'
        '"modified_inputs":["x"],"golden_deterministic":false,"warnings":["w"],"environment":{"backend":'
        '"ptosim","sim_values":true},"seconds":{"golden":1e-3},"inspection":{"name":"s","per_iter":[{"iter":0,'
        '"max_abs_diff":0,"max_rel_diff":null,"all_close":false}]}}' % (leaf % "true", leaf % "false"),
        '{"at": "golden"}\n{"end":"raised","stage":"wrapper","error":{"type":"ValueError","message":"tensor([1])",'
        '"code":"F21003","kind":null},"leaves":[],"truth":{"golden_values":[1]}}',
        '{"end":"unavailable","stage":"setup","error":{"type":"ImportError","message":"No module named '
        '\'torch_npu\'","code":null,"kind":"infra"}}',
    ]
    log = "(0, 3) 1.5 2.5 0.1 0.2\n y: array([1.5,\n 2])\n  hidden = torch.exp(a)\n[… 7 bytes removed …]\nErrCode: F1"
    source = "def golden(a):\n    hidden = torch.exp(a)\n"
    for i, result in enumerate(results):
        save(top / "worker_result", bytes([i, i * 5]) + "\f".join((result, log, source)).encode())


def nesting_seeds(top):
    """Short texts: one level of every form that nests. The mutator makes thousands of it."""
    sys.path.insert(0, str(ROOT / "tests/hostile"))
    import test_nesting  # pylint: disable=import-outside-toplevel

    for levels in (1, 2, 600):
        for text in test_nesting.PYTHON.values():
            save(top / "source", b"\0" + text(levels).encode())
    for file, text in test_nesting.DOCUMENTS.values():
        name = "{op}" + file[4:] if file.startswith("soft_") else file
        if name in FILES:
            head = b"" if name == FILES[0] else b"\n=== " + bytes([FILES.index(name)]) + b"\n"
            save(top / "documents", b"\0" + head + text(1).encode())


EVENTS = [
    '{"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": {"file_path": "/a/custom/x/x_impl.py"}}',
    '{"tool_name": "Bash", "tool_input": {"command": "python3 test_x.py"}, "tool_response": {"stdout": '
    '"[PRECISION_PASS]", "stderr": "", "exit_code": 1}, "cwd": "/a", "session_id": "s"}',
    '{"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "error": "Exit code 1\\nx"}',
    '{"tool": "apply_patch", "tool_input": {"command": "*** Begin Patch\\n*** Update File: x_impl.py\\n*** Move to: y'
    '\\n*** Delete File: SPEC.md\\n*** End Patch"}, "cwd": "/a"}',
    '{"tool": "edit", "sessionID": "s", "args": {"filePath": "x_impl.py"}}', '{"stop_hook_active": true}', "[]", "{",
    "echo x > x_impl.py; sed -i s/a/b/ test_x.py && tee .orchestrator_state.json <<'E'\nx\nE\n",
    "cat .orchestrator_state.json | python3 -c 'open(\"x_golden.py\", \"w\").write(1)'",
]
BASELINES = ['{"version": 1, "findings": []}', '{"version": 1, "findings": [{"file": "a.py", "rule": "OL48", "fingerprint": '
             '"0123456789abcdef", "occurrence": 1, "text": "x"}]}', '{"version": 2}', "[", ""]
METRICS = ['{"ts": "2025-01-31T23:59:59Z", "event": "run", "op_dir": "/a", "stage": 5, "mode": "cli"}\n',
           '{"event": "check", "rule_id": "OL48", "status": "FAIL", "duration_ms": 1.5}\n{"event": "summary"}\nx\n']
REDACTIONS = ["def f(x):\n    return torch.softmax(x, dim=-1)\n\0import torch\n\0Traceback\n    return torch.softmax(x, "
            "dim=-1)\ntensor([[1., 2.], [3., 4.]])\n", "secret_line_of_reference()\n\0\0AssertionError: \n"
            "x: array([1, 2])\n y: array([1, 3])\n"]
DIFFS = [":100644 100644 aaa bbb M\0a.py\0:000000 100644 000 bbb A\0b c.py\0\0diff --git a/a.py b/a.py\n--- a/a.py\n"
         "+++ b/a.py\n@@ -1,2 +1 @@ x\n-a\n-b\n+c\n\\ No newline at end of file\n\0\0\0u.py\0v.py\0",
         ":100644 000000 a 0 D\0x\0\0diff --git \"a/\\303\\244\" b/x\n+++ \"b/\\303\\244\\t\"\n@@ -0,0 +1,9999999999 @@\n"]
TRACES = (
    '[{"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":2},{"name":"b","ph":"X","pid":1,"tid":2,"ts":3,"dur":1}]',
    '{"traceEvents":[{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"AIC_0"}},'
    '{"name":"a","ph":"B","pid":1,"tid":1,"ts":0,"args":{"file":"k.py","line":3,"bytes":4}},'
    '{"ph":"E","pid":1,"tid":1,"ts":2},{"ph":"s","id":1,"pid":1,"tid":1,"ts":1},'
    '{"name":"b","ph":"X","pid":1,"tid":2,"ts":3,"dur":1},{"ph":"f","id":1,"pid":1,"tid":2,"ts":3}]}',
    '[{"ph":"X","ts":1e308,"dur":1e308},{"ph":"X","ts":NaN,"dur":1},{"ph":"X","ts":0,"dur":1,"args":%s1%s}]' % (
        '{"a":' * 80, "}" * 80),
    "[AIC_0] Execute task num:2\n    Core Total Work Time: 40.0us\n    Total Wait Time: 30us\n"
    "    Wait Schedule Time: 10us\n    Wait Predecessor Time: 20us\n"
    "[AIV_0] Core Total Work Time: 14000ns, Wait Schedule Time: 1500 ns, Wait Predecessor Time: 0.004 ms\n"
    "Thread 3: task num: 7, wait time: 2 ms\n[AIC_1] Total Wait Time: 900 cycles\n",
    "core_id,aicore_time(us),total_cycles,vec_ratio,mac_ratio,mte2_ratio,icache_miss_rate\n"
    "0,30,54000,0.5,0,0.25,0.02\n0,10,18000,0.9,0,nan,1e400\n1,5,9000,,0.7,,\n",
    'Op Name,aic_mac_ratio,aiv_vec_ratio,aiv_mte2_ratio(%)\r\n"mm, add",0.5,0.25,40\r\nexp,N/A,0.75,60\r\n',
)

SARIFS = ["\0".join(["tag", "R1", "rule", "short", "# help", "https://example.org", "R2", "", "", "", "x:y", "a b.py", "see",
                     "\0\0\0\1", "a", "b", "c", "snippet", "f.g", "c:/x", "text"] + ["m", "p.py"] * 20)]


CALLS = [
    ("initialize", {"capabilities": {"general": {"positionEncodings": ["utf-8"]}}, "rootUri": "file:///a"}),
    ("textDocument/didOpen", {"textDocument": {"uri": "file:///a/b.py", "version": 1, "text": "a\r\n\u00e9\ud83c\udf89\n"}}),
    ("textDocument/didChange", {"textDocument": {"uri": "file:///a/b.py", "version": 2}, "contentChanges": [
        {"range": {"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 3}}, "text": "x\n"}, {"text": "y"}]}),
    ("textDocument/hover", {"textDocument": {"uri": "file:///a/b.py"}, "position": {"line": 0, "character": 1}}),
    ("textDocument/diagnostic", {"textDocument": {"uri": "file:///a/b.py"}, "previousResultId": "x"}),
    ("workspace/diagnostic", {"previousResultIds": [{"uri": "file:///a/b.py", "value": "x"}]}),
    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///a/b.py", "type": 3}]}),
    ("workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": "file:///c"}], "removed": [{"uri": "file:///a"}]}}),
    ("workspace/didChangeConfiguration", {"settings": {"pypto-lint": {"inlayHints": True, "lang": "zh"}}}),
    ("$/cancelRequest", {"id": 3}), ("window/workDoneProgress/cancel", {"token": 1}),
    ("textDocument/didSave", {"textDocument": {"uri": "file:///a/b.py"}}),
    ("textDocument/didClose", {"textDocument": {"uri": "file:///a/b.py"}}), ("shutdown", None), ("exit", None),
]


def server_seeds(top):
    """A whole conversation, and the beginning of it with one more call each."""
    frames = []
    for number, (method, params) in enumerate(CALLS):
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        if "/did" in method or method[0] == "$":
            body = body.replace(b'"id": %d, ' % number, b"", 1)
        frames.append(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        save(top / "server", b"\x30" + b"".join(frames[:2]) + frames[-1])
    save(top / "server", b"\x70" + b"".join(frames))


def text_seeds(top):
    """Seeds that are just texts."""
    for number, text in enumerate(EVENTS):
        for client in range(5):
            save(top / "event", bytes([number % 4 + client * 4]) + text.encode())
    for driver, texts in (("baseline", BASELINES), ("metrics", METRICS), ("redaction", REDACTIONS), ("git", DIFFS),
                          ("sarif", SARIFS), ("perf", TRACES)):
        for text in texts:
            save(top / driver, text.encode())
    rows = "".join(path.read_text(encoding="utf-8")
                   for path in sorted((ROOT / "src" / "diagnose" / "patterns").glob("*.def")))
    for example in re.findall(r'"((?:\\.|[^"\\])*\\n)"\)$', rows, re.M):
        save(top / "diagnose", example.replace("\\n", "\n").encode())
    save(top / "elf", library(["liba.so", "libb.so"], soname="libx.so", runpath="$ORIGIN"))
    for path in sorted(ROOT.rglob("*.soc")):
        save(top / "soc", path.read_bytes())


def main():
    top = pathlib.Path(sys.argv[1])
    suite_seeds(top)
    worker_result_seeds(top)
    recorder_seeds(top)
    source_seeds(top)
    nesting_seeds(top)
    text_seeds(top)
    server_seeds(top)
    document_seeds(top)
    single_file_seeds(top)
    init_seeds(top)
    for text in CONFIGS:
        save(top / "config", b"\0" + text.encode())
    for text in IGNORES:
        save(top / "gitignore", text.encode())
    for text in COMMENTS:
        save(top / "suppress", text.encode())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes an operator directory of many modules, valid in every respect, for measuring gates.

    make_operator.py FOLDER [MODULES]    writes FOLDER/custom/gated_rmsnorm (MODULES: 10)

It follows the sample gated_rmsnorm: module 1 is its RMSNorm, and each further module one more gate,
the last one with the residual. As in the sample, the file of a phase holds all modules up to its
own, so ten modules are ten kernels, ten references and ten tests, and the integrated three.
"""
import json
import pathlib
import re
import sys

OP = "gated_rmsnorm"
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "custom" / OP


def suffix(phase):
    return "".join(str(module) for module in range(1, phase + 1))


def inputs_of(phase, modules):
    """Primary inputs that the modules 1 … phase take, in order."""
    gates = [f"gate{module}" for module in range(2, phase + 1)]
    return ["x", "weight", *gates] + (["residual"] if phase == modules else [])


def sample(name):
    return (SAMPLE / name).read_text(encoding="utf-8")


def functions_of(text):
    """{name: text} of the top-level functions, each with its decorator."""
    parts = re.split(r"\n\n\n(?=def |@|#)", text)
    found = {}
    for part in parts:
        match = re.search(r"^def (\w+)", part, re.M)
        if match:
            found[match[1]] = part
    return found


def gate_function(module, last):
    """The sub-kernel of a module from 2 on."""
    lines = [f"def pypto_gate{module}(source_tile, gate_tile{', residual_tile' if last else ''}):",
             "    pypto.set_vec_tile_shapes(ROW_TILE, COL_TILE)",
             "    gate_wide = pypto.cast(gate_tile, pypto.DT_FP32)"]
    if last:
        lines.append("    residual_wide = pypto.cast(residual_tile, pypto.DT_FP32)")
    lines += ["    swish = pypto.mul(gate_wide, pypto.sigmoid(gate_wide))",
              "    gated = pypto.mul(source_tile, swish)",
              "    return pypto.cast(pypto.add(gated, residual_wide), pypto.DT_BF16)" if last
              else "    return pypto.add(gated, source_tile)"]
    return "\n".join(lines)


def implementation(phase, modules, stem):
    """A kernel file with the modules 1 … phase; `stem` begins the names of kernel and wrapper."""
    whole = sample(f"{OP}_impl.py")
    functions = functions_of(whole)
    names = inputs_of(phase, modules)
    last = phase == modules
    out = "y" if last else f"h{phase}"
    head = whole[whole.index("import pypto"):whole.index("\n\n\n# H:")]
    tiles = [name for name in names if name != "weight"]
    body = [f"def {OP}_kernel_impl(\n    {', '.join(names)}, {out}, row_start, valid_rows, col_count, "
            "inv_width\n):"]
    body += [f"    {name}_tile = view_rows({name}, row_start, valid_rows, col_count)" for name in tiles]
    body.append("    tile1 = pypto_rms_norm(x_tile, weight, inv_width)")
    for module in range(2, phase + 1):
        more = ", residual_tile" if module == modules else ""
        body.append(f"    tile{module} = pypto_gate{module}(tile{module - 1}, gate{module}_tile{more})")
    body.append(f"    pypto.assemble(tile{phase}, [row_start, 0], {out})")
    kernel = functions[f"{OP}_kernel"]
    loop = kernel[kernel.index("    row_count ="):kernel.index("        gated_rmsnorm_kernel_impl(")]
    moving = "pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_BF16)"
    types = {"weight": "pypto.Tensor([1, pypto.STATIC], pypto.DT_BF16)",
             f"h{phase}": moving.replace("BF16", "FP32")}
    entry = ["@pypto.frontend.jit", f"def {stem}_kernel("]
    entry += [f"    {name}: {types.get(name, moving)}," for name in [*names, out]]
    entry.append("):\n" + loop + f"        {OP}_kernel_impl(\n            {', '.join(names)}, {out},\n"
                 "            row_start, valid_rows, col_count, inv_width,\n        )")
    dtype = "bfloat16" if last else "float32"
    wrapper = [f"def {stem}_wrapper(", *[f"    {name}: torch.Tensor," for name in names],
               ") -> torch.Tensor:",
               f"    {out} = torch.empty(x.shape, dtype=torch.{dtype}, device=x.device)",
               f"    {stem}_kernel("]
    wrapper += [f"        {name}{'.reshape(1, -1)' if name == 'weight' else ''}.contiguous(),"
                for name in names]
    wrapper += [f"        {out},", "    )", f"    return {out}"]
    parts = [functions["pypto_rms_norm"]]
    parts += [gate_function(module, module == modules) for module in range(2, phase + 1)]
    parts += [functions["view_rows"], *("\n".join(part) for part in (body, entry, wrapper))]
    return f'"""Modules 1 to {phase} of {OP}."""\n\n{head}\n\n\n' + "\n\n\n".join(parts) + "\n"


def reference(phase, modules, name, as_tuple):
    """The golden of a phase, in torch."""
    names = inputs_of(phase, modules)
    lines = ["    x32 = x.to(torch.float32)",
             "    mean_square = torch.mean(x32 * x32, dim=-1, keepdim=True)",
             "    h1 = x32 * torch.rsqrt(mean_square + 1e-6) * weight.to(torch.float32)"]
    for module in range(2, phase + 1):
        lines.append(f"    swish{module} = gate{module}.float() * torch.sigmoid(gate{module}.float())")
        more = "residual.to(torch.float32)" if module == modules else f"h{module - 1}"
        lines.append(f"    h{module} = h{module - 1} * swish{module} + {more}")
    result = f"h{phase}" + (".to(torch.bfloat16)" if phase == modules else "")
    lines.append(f"    return ({result},)" if as_tuple else f"    return {result}")
    parameters = ", ".join(f"{name}: torch.Tensor" for name in names)
    return (f'"""Modules 1 to {phase} in plain torch."""\n\nimport torch\n\n\n'
            f"def {name}({parameters}):\n" + "\n".join(lines) + "\n")


def phase_test(phase, modules):
    text = sample(f"modules/test_{OP}_module12.py").replace("module12", f"module{suffix(phase)}")
    order = ", ".join(f'"{name}"' for name in inputs_of(phase, modules))
    return re.sub(r"PHASE_INPUTS = .*", f"PHASE_INPUTS = [{order}]", text)


def contract(modules):
    names = inputs_of(modules, modules)
    lines = ["schema_version: 1", f"op: {OP}", "", "primary_inputs:"]
    lines += [f'  - {{name: {name}, shape: "{"[C]" if name == "weight" else "[R, C]"}", dtype: bfloat16}}'
              for name in names]
    lines.append("\nmodules:")
    for module in range(1, modules + 1):
        last = module == modules
        took = inputs_of(module - 1, modules) if module > 1 else []
        lines += [f"  - id: {module}", f"    name: step{module}", "    inputs:"]
        if module > 1:
            lines.append(f"      - {{name: h{module - 1}, source: module_{module - 1}}}")
        lines += [f"      - {{name: {name}, source: primary}}"
                  for name in inputs_of(module, modules) if name not in took]
        lines += ["    outputs:", f"      - {{name: {'y' if last else f'h{module}'}, shape: \"[R, C]\", "
                  f"dtype: {'bfloat16' if last else 'float32'}}}"]
    return "\n".join(lines) + f"\n\nfinal_outputs:\n  - {{name: y, source: module_{modules}}}\n"


def memory(modules):
    """The sample's, with a review for each phase and an inventory row for each gate."""
    text = sample("MEMORY.md").replace("module_count: 2", f"module_count: {modules}")
    start, end = text.index("## Phase M1 self-review"), text.index("## Development")
    review = text[text.index("## Phase M2 self-review"):end]
    reviews = "".join(review.replace("Phase M2", f"Phase M{phase}") for phase in range(1, modules + 1))
    row = "| 7 | .to(bfloat16)"
    rows = "".join(f"| {6 + m} | torch.sigmoid | pypto.sigmoid | `pypto_gate{m}` | ✅ |\n"
                   for m in range(2, modules + 1))
    return (text[:start] + reviews + text[end:]).replace(row, rows + row)


def integrated_test(modules):
    names = inputs_of(modules, modules)
    text = sample(f"test_{OP}.py")
    start, end = text.index("    gate = torch"), text.index("def check(")
    drawn = "".join(f"    {name} = torch.randn(shape).to(torch.bfloat16)\n" for name in names[2:])
    return text[:start] + drawn + f"    return {', '.join(names)}\n\n\n" + text[end:]


def files_of(modules):
    state = json.loads(sample(".orchestrator_state.json"))
    state["stage5_phases"]["active_phase"] = f"M{modules}"
    design = sample("DESIGN.md").replace("module_count = 2", f"module_count = {modules}")
    files = {name: sample(name) for name in ("SPEC.md", "API_REPORT.md", "README.md",
                                             "GOLDEN_PERF_REPORT.md", "eval/test_inputs.py",
                                             "eval/adversarial_suite.json")}
    files.update({"DESIGN.md": design, "MEMORY.md": memory(modules),
                  ".orchestrator_state.json": json.dumps(state, indent=2) + "\n",
                  "eval/module_interfaces.yaml": contract(modules),
                  f"{OP}_impl.py": implementation(modules, modules, OP),
                  f"{OP}_golden.py": reference(modules, modules, f"{OP}_golden", False),
                  f"test_{OP}.py": integrated_test(modules)})
    for phase in range(1, modules + 1):
        stem = f"{OP}_module{suffix(phase)}"
        files[f"modules/{stem}_impl.py"] = implementation(phase, modules, stem)
        files[f"modules/{stem}_golden.py"] = reference(phase, modules, f"{stem}_golden", True)
        files[f"modules/test_{stem}.py"] = phase_test(phase, modules)
    return files


def main():
    modules = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    folder = pathlib.Path(sys.argv[1]) / "custom" / OP
    files = files_of(modules)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    size = sum(len(text.encode("utf-8")) for text in files.values())
    print(f"{folder}: {modules} modules, {len(files)} files, {size / 1000:.0f} KB")


if __name__ == "__main__":
    main()

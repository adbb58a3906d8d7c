"""Front matter and chapters of SPEC.md, DESIGN.md and API_REPORT.md, in many spellings."""

import re

from frontmatter import split

# Values as YAML text; the first entries are valid, the others hit a condition or nearly do.
VALUES = {
    "schema_version": ["1", "'1'", '"2.0"', "0", "false", "", "null", "''", "{v}", "~", "[]"],
    "op_name": ["$OP", "'$OP'", '"$OP"', "{op}", "$OP_other", "", "''", '""', "null", "None",
                "$OP # note", "[$OP]", "*x", "@op", "!op $OP", "a: b"],
    "supported_dtypes": [
        "[float32]", "[bfloat16]", "[float32, float16]", "[DT_FP32, ' FP16 ']", "['torch.float16']",
        "[fp16]", "[Float16, bf16]", "[float16, bfloat16]", "[int8, float32]", "[int8, int32]",
        "[half]", "float32", "float32, float16", "[]", "", "null", "''", "'[float32, bf16]'",
        '"[fp32]"', "{float32: 1}", "{}", "\n  - float32\n  - float16", "\n- bfloat16\n- float32",
        "[\n  float32,\n  float16,\n]", "&d [float32]", "[1, true, float16]", "[[float32]]",
        "[torch.bfloat16,]", "'{float32}'", "no", "[float32", "|\n  [float32]", ">\n  [fp16]\n"],
    "p0_shapes": [
        "[[64, 512], [1000, 512]]", "[[64, 1024]]", "[[8, 16], [16, 16], [5, 64]]", "[[1024]]",
        "[1024, 128]", "[{B: 4, H: 8}]", "[['8', '16']]", "[[8.0, 16.9]]", "[[[8, 16], [8, 1]]]",
        "[{x: [64, 512], w: [512]}]", "[{w: [512]}]", "[[[512], [8]]]", "[[[[8, 16]]]]", "[[]]",
        "[[8, 16], x]", "[[8, 16], 4]", "[[a, b]]", "['8x16']", "[]", "", "null", "''", "[null]",
        "'[[64, 512]]'", '"[[8, 16], [16, 16]]"', "\n  - [64, 512]\n  - [1000, 512]",
        "\n- - 64\n  - 512\n- - 8\n  - 16", "\n  - {x: [64, 1024], g: [64, 1]}",
        "\n  - x: [64, 512]\n    w: [512]", "{x: [8, 16]}", "'[[64, b]]'", "[[true, 8]]",
        "[[0x10, 0b100]]", "[[1_000, 512]]", "[[010, 16]]", "[[1:30, 2]]", "[[96, 320]]",
        "[[64, 512], [7]]", "[[64, 512], [64, 513]]", "'[]'", "[[8, 16], [8, 16]]",
        "[ [64,512] , [1000,512] ]", "[[64, 512],]", "&p [[64, 512]]", "[[-8, 16]]"],
    "tolerance": [
        "{atol: 0.001, rtol: 0.001}", "{atol: 0.00001, rtol: 0.001}", "{atol: 1e-3, rtol: 1e-3}",
        "{atol: 1.0e-3, rtol: 2E-3}", "{'atol': '0.01', \"rtol\": \"1e-2\"}", "{atol: 0, rtol: 0}",
        "{atol: 1, rtol: 1, mare: 2}", "{atol: true, rtol: 0.1}", "{atol: loose, rtol: [0.1]}",
        "{atol: null, rtol: 0.01}", "{atol: .5, rtol: 5.}", "{rtol: 0.00001, atol: 0.00001}",
        "{atol: 0.003}", "{ATOL: 0.001, RTOL: 0.001}", "{mare_matrix: 0.01, mere_matrix: 0.02, "
        "rmse_matrix: 1e-3}", "{mare_matrix: [1], mere_matrix: [2], rmse_matrix: [3]}",
        "{mare_matrix: 0.01, rmse_matrix: 0.1}", "{float16: {atol: 0.1, rtol: 0.1}}", "{}", "[]",
        "", "null", "''", "0.001", "atol", "'{atol: 0.001, rtol: 0.001}'",
        "\"{'atol': 1e-3, 'rtol': 2e-3}\"", "'{atol: [1, 2], rtol: 3}'", "{atol:0.1,rtol:0.1}",
        '{"atol":0.1,"rtol":0.1}', "\n  atol: 0.001\n  rtol: 0.001", "\n  atol: 1e-4\n  rtol: 1e-4",
        "\n  mare_matrix: 0.1\n  mere_matrix: 0.1\n  rmse_matrix: 0.1\n  atol: 1", "[atol, rtol]",
        "{atol: .inf, rtol: 0.1}", "{atol: 0.001, rtol: 0.001", "{atol: 0.001, rtol: 0.001, }"],
    "dynamic_axes": ["[R]", "[N, M]", "[]", "''", "", "null", "['']", "'[]'", "'[N]'", '"[N, M]"',
                     "N", "N, M", "{N: 0}", "{}", "\n  - R", "\n- R\n- S", "[[]]", "[ ]", "0",
                     "- R", "[R,]", "&a [R]", "[\n  R\n]"],
}
KEYS = {"SPEC.md": ("schema_version", "op_name", "supported_dtypes", "p0_shapes", "tolerance"),
        "DESIGN.md": ("schema_version", "op_name", "dynamic_axes"),
        "API_REPORT.md": ("schema_version", "op_name")}
EXTRA = ["status: final", "# comment", "", "  # indented comment", "dtypes: [float32]", "note: |",
         "perf_target: {us: 10}", "dynamic_axis: []", "dynamic_axis: [N]", "dynamic_axis: ''",
         "dynamic_axes_ranges: {N: [1, 64]}", "last_updated: 2026-01-31", "when: 2026-02-31",
         "7: seven", "true: x", "? a\n: b", "? [a]\n: b", "eq: =", "x: !!str 5", "x: !tag 5",
         "x: *none", "<<: {op_name: merged, schema_version: 3}", "a: b: c", "\tx: 1",
         "x: @y", "x: `y`", "x: %y", "%x", "[1, 2]", "plain words", "x: {y", "x: 'it", "...",
         "--- ", " ---", "----", "x: 'a\n  b'", "x: folded\n  plain: no", "x: folded\n  plain",
         "x: \"a\\\n  b\"", "x: \"\\q\"", "- item", "dynamic note: axis", "url: http://a:b",
         "atol: 0.5", "x: &a [1]\ny: *a", "x: {a, b}", "x: [a, {b: c}, d: e]", "k: - v"]
OPENERS = [" ---\n", "--- \n", "----\n", "\n---\n", "\ufeff---\n", "# c\n---\n", "---\n---\n",
           "---yaml\n", "", "---\n\n"]
CLOSERS = ["--- \n", "...\n", "----\n", " ---\n", "", "---"]
TITLES = {
    "SPEC.md": ["\u6570\u5b66\u516c\u5f0f", "\u8f93\u5165\u8f93\u51fa\u89c4\u683c",
                "\u7cbe\u5ea6\u8981\u6c42", "\u57fa\u7840\u4fe1\u606f"],
    "DESIGN.md": ["\u8ba1\u7b97\u56fe", "\u6570\u636e\u5207\u5206", "\u9a8c\u8bc1\u65b9\u6848"],
    "API_REPORT.md": ["API \u6620\u5c04", "\u7ea6\u675f", "Tiling"],
}
OTHER_TITLES = ["Formula", "\u6570\u5b66", "\u7b97\u6cd5\u8bf4\u660e", "\u7cbe\u5ea6\u8def\u7531",
                "\u6570\u636e\u89c4\u683c", "API\u6620\u5c04", "api \u6620\u5c04 x", "TILING",
                "tiling", "API  \u6620\u5c04", "API \u6620\u5c04", "\u7ea6 \u675f",
                "\u6570\u636e\u5207\u5206", "\u9a8c\u8bc1", "\u7cbe\u5ea6\u8981\u6c42 (old)",
                "\u8f93\u5165\u8f93\u51fa", "\u6570\u5b66\u516c\u5f0f #", "\u52a8\u6001\u8f74"]
SECTION_TEXTS = ["", "words only", "y = x", "$$ z $$", "round to even", "CLAMP", "clamp",
                 "shape and DTYPE", "shape only", "Dtype only", "ATOL 0.1", "rtol", "mare", "none",
                 "\\begin{equation}", "```\n# note\ny = x\n```", "```\ny = x\n```", "### deep\n= 1",
                 "# top", "dynamic  axis", "the dynamic axes", "pypto.dynamic",
                 "\u52a8\u6001\u8f74",
                 "`row_max` `row_sum` `prob_tile`", "> # quoted", "<!-- ## x -->", "Title\n====="]


def header_lines(rng, name, odd):
    parts = []
    keys = list(KEYS[name])
    if rng.random() < 0.15:
        rng.shuffle(keys)
    for key in keys:
        pool = VALUES[key]
        good = {"schema_version": 3, "op_name": 3, "supported_dtypes": 8, "p0_shapes": 3,
                "tolerance": 6, "dynamic_axes": 2}[key]
        value = rng.choice(pool if rng.random() < odd else pool[:good])
        if rng.random() < odd * 0.15:
            continue
        gap = "" if value.startswith("\n") or not value else " "
        parts.append(key + ":" + gap + value)
        if rng.random() < odd * 0.05:
            parts.append(key + ": " + rng.choice(pool))
    for _ in range(rng.choice([0, 0, 1, 2])):
        if rng.random() < 0.3 + odd * 0.3:
            pool = EXTRA if rng.random() < odd * 0.7 else EXTRA[:12]
            parts.insert(rng.randint(0, len(parts)), rng.choice(pool))
    return parts


def front_matter(rng, name, odd):
    opener, closer = "---\n", "---\n"
    if rng.random() < odd * 0.12:
        opener = rng.choice(OPENERS)
    if rng.random() < odd * 0.12:
        closer = rng.choice(CLOSERS)
    lines = header_lines(rng, name, odd)
    if rng.random() < odd * 0.05:
        lines = rng.choice([[], [""], ["# only"], ["- a"], ["{}"], ["text"], ["a: 1"],
                            ["{op_name: x, schema_version: 1}"], ["  " + x for x in lines]])
    return opener + "".join(line + "\n" for line in lines) + closer


def replace_front(rng, name, text, odd):
    return front_matter(rng, name, odd) + split(text)[1]


def change_value(rng, name, text):
    """TEXT with the value of one key of its front matter exchanged."""
    header, body = split(text)
    if header is None:
        return text
    key = rng.choice(KEYS[name])
    value = rng.choice(VALUES[key])
    gap = "" if value.startswith("\n") or not value else " "
    lines = header.split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith(key + ":")]
    if starts:
        end = starts[0] + 1
        while end < len(lines) and lines[end].startswith((" ", "-")):
            end += 1
        lines[starts[0]:end] = [key + ":" + gap + value]
    else:
        lines.append(key + ":" + gap + value)
    return "---\n%s\n---\n%s" % ("\n".join(lines), body)


def change_title(rng, name, text):
    """TEXT with one heading line respelt."""
    lines = text.split("\n")
    at = [i for i, line in enumerate(lines) if re.match(r"#{1,6} ", line)]
    if not at:
        return text
    i = rng.choice(at)
    title = rng.choice(TITLES[name] + OTHER_TITLES)
    lines[i] = rng.choice([
        "# %s", "## %s", "### 3. %s", "   ## %s", "    ## %s", "####### %s", "##%s", "## %s ##",
        "##\t%s", "##\u3000%s", "%s\n---", "## \n%s", "##  ", "> ## %s", "- ## %s", "## %s",
        "#\n%s", "###### %s  ", "## x %s y", "**%s**"]).replace("%s", title)
    return "\n".join(lines)


def change_section(rng, name, text):
    """TEXT with the lines below one heading exchanged."""
    lines = text.split("\n")
    at = [i for i, line in enumerate(lines) if re.match(r"#{1,6} ", line)]
    if not at:
        return text
    i = rng.choice(at)
    end = next((k for k in at if k > i), len(lines))
    lines[i + 1:end] = [rng.choice(SECTION_TEXTS)]
    return "\n".join(lines)


def document(rng, name, odd):
    """A document made from nothing."""
    parts = [front_matter(rng, name, odd).rstrip("\n") if rng.random() > odd * 0.1 else "# $OP"]
    titles = list(TITLES[name])
    if rng.random() < odd * 0.4:
        titles.pop(rng.randrange(len(titles)))
    for _ in range(rng.choice([0, 1, 2]) if rng.random() < odd else 0):
        titles.insert(rng.randint(0, len(titles)), rng.choice(OTHER_TITLES))
    fitting = {"SPEC.md": [2, 7, 10, 5]}.get(name, [0])
    for index, title in enumerate(titles):
        text = SECTION_TEXTS[fitting[index % len(fitting)]]
        if rng.random() < odd * 0.5:
            text = rng.choice(SECTION_TEXTS)
        parts.append("## %d. %s\n\n%s" % (index + 1, title, text))
    return "\n\n".join(parts) + rng.choice(["\n", "\n", ""])

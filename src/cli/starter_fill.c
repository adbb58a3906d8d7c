/* The files of a new operator: the templates with the facts put in; see starter.h. */
#include "cli/starter.h"

#include "harness/report/verification_log.h"
#include "harness/scaffold/template.h"
#include "operator/artifact.h"
#include "operator/state.h"

enum { MOST_VALUES = 40 };

/* The places of templates, filled once for all documents. */
typedef struct Values {
    TemplateValue items[MOST_VALUES + 1];
    uint32_t count;
} Values;

static void put(Values *values, const char *name, Str text)
{
    if (values->count < MOST_VALUES) {
        values->items[values->count++] = (TemplateValue){name, text};
        values->items[values->count] = (TemplateValue){NULL, STR("")};
    }
}

/* Without the line end after the last line. */
static Str lines(Buf *out)
{
    Str text = buf_str(out);
    return str_ends(text, STR("\n")) ? str_slice(text, 0, text.length - 1) : text;
}

/* --- tables and lists */

static void add_tensors(Buf *out, const Starter *starter, const char *key, Text role,
                        const char *format)
{
    Str line;
    for (uint32_t i = 0; starter_fact(starter->facts, key, i, &line); i++) {
        StarterTensor tensor = starter_tensor(line);
        buf_addf(out, format, STR_ARG(tensor.name), text_in(starter->lang, role),
                 STR_ARG(tensor.shape.length > 0 ? tensor.shape : STR("[]")),
                 STR_ARG(tensor.dtype));
    }
}

static Str tensor_rows(const Starter *starter)
{
    Buf out = {.arena = starter->arena};
    const char *row = "| %.*s | %s | shape %.*s | dtype %.*s |\n";
    add_tensors(&out, starter, "input", (Text){"input", "输入"}, row);
    add_tensors(&out, starter, "output", (Text){"output", "输出"}, row);
    return lines(&out);
}

static Str size_lines(const Starter *starter)
{
    Buf out = {.arena = starter->arena};
    Str line;
    for (uint32_t i = 0; starter_fact(starter->facts, "size", i, &line); i++) {
        buf_addf(&out, "    - {%.*s}\n", STR_ARG(line));
    }
    return lines(&out);
}

/* The value of a dimension in "R: 64, C: 256", or the word itself, which is then a number. */
static Str size_of(Str sizes, Str name)
{
    for (size_t at = 0; at < sizes.length;) {
        size_t end = str_find(sizes, STR(", "), at);
        Str one = str_slice(sizes, at, end);
        size_t colon = str_find(one, STR(": "), 0);
        if (str_equal(str_slice(one, 0, colon), name)) {
            return str_slice(one, colon + 2, one.length);
        }
        at = end == SIZE_MAX ? sizes.length : end + 2;
    }
    return name;
}

/* "[R, C]" in numbers. */
static Str sized_shape(Arena *arena, Str shape, Str sizes)
{
    Buf out = {.arena = arena};
    Str inner = str_slice(shape, 1, shape.length - 1);
    buf_add_char(&out, '[');
    for (size_t at = 0; at < inner.length;) {
        size_t end = str_find(inner, STR(", "), at);
        Str value = size_of(sizes, str_slice(inner, at, end));
        buf_addf(&out, "%s%.*s", at == 0 ? "" : ", ", STR_ARG(value));
        at = end == SIZE_MAX ? inner.length : end + 2;
    }
    buf_add_char(&out, ']');
    return buf_str(&out);
}

/* What SPEC.md declares: the shape of each input, once for each line of sizes. */
static Str p0_lines(const Starter *starter)
{
    Buf out = {.arena = starter->arena};
    Str sizes, line;
    for (uint32_t i = 0; starter_fact(starter->facts, "size", i, &sizes); i++) {
        bool any = false;
        buf_add(&out, STR("  - {"));
        for (uint32_t k = 0; starter_fact(starter->facts, "input", k, &line); k++) {
            StarterTensor one = starter_tensor(line);
            if (one.shape.length > 0) {
                buf_addf(&out, "%s%.*s: %.*s", any ? ", " : "", STR_ARG(one.name),
                         STR_ARG(sized_shape(starter->arena, one.shape, sizes)));
                any = true;
            }
        }
        buf_add(&out, STR("}\n"));
    }
    return lines(&out);
}

/* "torch.exp | pypto.exp" in rows: of two cells, with a number and a mark, or of a profile. */
typedef enum StepRow { STEP_MAPPING, STEP_INVENTORY, STEP_PROFILE } StepRow;

static Str step_rows(const Starter *starter, StepRow kind)
{
    Buf out = {.arena = starter->arena};
    Str line;
    for (uint32_t i = 0; starter_fact(starter->facts, "step", i, &line); i++) {
        size_t bar = str_find(line, STR(" | "), 0);
        Str first = str_slice(line, 0, bar);
        bool open = str_contains(line, STR(FILL_IN_EN)) || str_contains(line, STR(FILL_IN_ZH));
        if (kind == STEP_MAPPING) {
            buf_addf(&out, "| %.*s |\n", STR_ARG(line));
        } else if (kind == STEP_INVENTORY) {
            buf_addf(&out, "| %u | %.*s | %s |\n", i + 1, STR_ARG(line),
                     open || starter->skeleton.length > 0 ? "❌" : "✅");
        } else {
            buf_addf(&out, "| %.*s | 1 | n/a | n/a |\n", STR_ARG(first));
        }
    }
    return lines(&out);
}

static Str parameter_names(const Starter *starter)
{
    Buf out = {.arena = starter->arena};
    Str line;
    for (uint32_t i = 0; starter_fact(starter->facts, "input", i, &line); i++) {
        buf_addf(&out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(starter_tensor(line).name));
    }
    return lines(&out);
}

/* Inputs and outputs: what a kernel takes. */
static Str tensor_names(const Starter *starter)
{
    Buf out = {.arena = starter->arena};
    Str line;
    buf_add(&out, parameter_names(starter));
    for (uint32_t i = 0; starter_fact(starter->facts, "output", i, &line); i++) {
        buf_addf(&out, ", %.*s", STR_ARG(starter_tensor(line).name));
    }
    return lines(&out);
}

static Str code_lines(const Starter *starter)
{
    Buf out = {.arena = starter->arena};
    Str line;
    buf_addf(&out, "\ndef %.*s_kernel(%.*s):\n", STR_ARG(starter->op),
             STR_ARG(tensor_names(starter)));
    for (uint32_t i = 0; starter_fact(starter->facts, "code", i, &line); i++) {
        buf_addf(&out, "    %.*s\n", STR_ARG(line));
    }
    return lines(&out);
}

static Str dynamic_text(const Starter *starter)
{
    Str names = starter_value(starter->facts, "dynamic");
    bool zh = starter->lang == LANG_ZH;
    if (names.length == 0) {
        return zh ? STR("没有动态轴：每种 shape 各编译一次。")
                  : STR("There is none: each shape is compiled once.");
    }
    return str_format(starter->arena,
                      zh ? "%.*s 随调用变化：注解中为 `pypto.DYNAMIC`，用 `pypto.loop` 遍历。"
                         : "%.*s may differ from call to call: `pypto.DYNAMIC` in the annotations, "
                           "iterated with `pypto.loop`.",
                      STR_ARG(names));
}

static Str reviews(const Starter *starter)
{
    static const char *const items[] = {"signature", "output",           "view",
                                        "inventory", "for ... in range", "exactly once"};
    Buf out = {.arena = starter->arena};
    buf_add(&out, STR(""));
    for (uint32_t k = 1; starter->modules > 1 && k <= starter->modules; k++) {
        buf_addf(&out, "%s## Phase M%u self-review\n\n", k == 1 ? "" : "\n", k);
        for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
            buf_addf(&out, "- [ ] %s\n", items[i]);
        }
    }
    return lines(&out);
}

static Str fill_comment(const Starter *starter, const char *en, const char *zh)
{
    bool chinese = starter->lang == LANG_ZH;
    return str_format(starter->arena, "# %s%s%s", chinese ? FILL_IN_ZH : FILL_IN_EN,
                      chinese ? "" : " ", chinese ? zh : en);
}

/* --- the contract */

static Str contract_tensors(const Starter *starter, const char *key)
{
    Buf out = {.arena = starter->arena};
    Str line;
    for (uint32_t i = 0; starter_fact(starter->facts, key, i, &line); i++) {
        StarterTensor one = starter_tensor(line);
        bool number = one.shape.length == 0;
        buf_addf(&out, "  - {name: %.*s, shape: %s%.*s%s, dtype: %.*s}\n", STR_ARG(one.name),
                 number ? "" : "\"", STR_ARG(number ? STR("[]") : one.shape), number ? "" : "\"",
                 STR_ARG(one.dtype));
    }
    return lines(&out);
}

static void add_module(Buf *out, const Starter *starter, uint32_t k)
{
    Str line;
    StarterTensor result = starter_tensor(starter_value(starter->facts, "output"));
    buf_addf(
        out, "  - id: %u\n    name: module_%u\n    description: %.*s\n    inputs:\n", k, k,
        STR_ARG(k == 1 ? str_format(out->arena, "\"%.*s\"", STR_ARG(starter_text(starter, "title")))
                       : STR("\"\"")));
    for (uint32_t i = 0; k == 1 && starter_fact(starter->facts, "input", i, &line); i++) {
        buf_addf(out, "      - {name: %.*s, source: primary}\n",
                 STR_ARG(starter_tensor(line).name));
    }
    if (k > 1) {
        buf_addf(out, "      - {name: part%u, source: module_%u}\n", k - 1, k - 1);
    }
    buf_add(out, STR("    outputs:\n"));
    if (k < starter->modules) {
        buf_addf(out, "      - {name: part%u, shape: \"%.*s\", dtype: %.*s}\n", k,
                 STR_ARG(result.shape), STR_ARG(result.dtype));
    }
    for (uint32_t i = 0; k == starter->modules && starter_fact(starter->facts, "output", i, &line);
         i++) {
        StarterTensor one = starter_tensor(line);
        buf_addf(out, "      - {name: %.*s, shape: \"%.*s\", dtype: %.*s}\n", STR_ARG(one.name),
                 STR_ARG(one.shape), STR_ARG(one.dtype));
    }
}

static Str contract_text(const Starter *starter)
{
    Arena *arena = starter->arena;
    Buf modules = {.arena = arena}, outputs = {.arena = arena};
    Str line;
    for (uint32_t k = 1; k <= starter->modules; k++) {
        add_module(&modules, starter, k);
    }
    for (uint32_t i = 0; starter_fact(starter->facts, "output", i, &line); i++) {
        buf_addf(&outputs, "  - {name: %.*s, source: module_%u}\n",
                 STR_ARG(starter_tensor(line).name), starter->modules);
    }
    Str fill = fill_comment(
        starter,
        "inputs, outputs and shapes; then make the test again: pypto-lint scaffold e2e --force",
        "输入、输出和 shape；然后重新生成测试：pypto-lint scaffold e2e --force");
    TemplateValue values[] = {{"op", starter->op},
                              {"fill_comment", fill},
                              {"inputs", contract_tensors(starter, "input")},
                              {"modules", lines(&modules)},
                              {"outputs", lines(&outputs)},
                              {"atol", starter_value(starter->facts, "atol")},
                              {"rtol", starter_value(starter->facts, "rtol")},
                              {"shapes", size_lines(starter)},
                              {NULL, STR("")}};
    return template_fill(arena, "contract.yaml", values);
}

/* --- code */

/* The text with another word in the place `@@function@@`. */
static Str golden_body(const Starter *starter, Str function)
{
    Buf out = {.arena = starter->arena};
    Str text = starter->golden, place = STR("@@function@@");
    size_t at = 0, found;
    while ((found = str_find(text, place, at)) != SIZE_MAX) {
        buf_add(&out, str_slice(text, at, found));
        buf_add(&out, function);
        at = found + place.length;
    }
    buf_add(&out, str_slice(text, at, text.length));
    return lines(&out);
}

/* The golden of the modules 1 to `last`: one function for each, and one that composes them. With
 * one module that is the function itself. */
static Str composed_golden(const Starter *starter, uint32_t last, Str function, bool in_phase)
{
    Arena *arena = starter->arena;
    Buf out = {.arena = arena};
    if (starter->modules == 1) {
        return golden_body(starter, function);
    }
    buf_addf(&out, "%.*s\n", STR_ARG(golden_body(starter, STR("module1"))));
    Str names = parameter_names(starter);
    Str value = str_format(arena, "module1(%.*s)", STR_ARG(names));
    for (uint32_t k = 2; k <= last; k++) {
        buf_addf(
            &out, "\n\ndef module%u(part%u):\n    %.*s\n    return part%u * 1.0\n", k, k - 1,
            STR_ARG(fill_comment(starter, "what this module computes; so far it changes nothing",
                                 "本模块的计算；目前不改变任何值")),
            k - 1);
        value = str_format(arena, "module%u(%.*s)", k, STR_ARG(value));
    }
    buf_addf(&out, "\n\ndef %.*s(%.*s):\n    return %s%.*s%s\n", STR_ARG(function), STR_ARG(names),
             in_phase ? "(" : "", STR_ARG(value), in_phase ? ",)" : "");
    return lines(&out);
}

/* How far the line with the place is indented in the template. */
static size_t indent_of(const char *name)
{
    for (uint32_t i = 0; i < template_file_count; i++) {
        if (strcmp(template_files[i].name, name) == 0) {
            Str text = str_from(template_files[i].text);
            size_t at = str_find(text, STR("result = "), 0), start = at;
            while (at != SIZE_MAX && start > 0 && text.at[start - 1] == ' ') {
                start--;
            }
            return at == SIZE_MAX ? 0 : at - start;
        }
    }
    return 0;
}

static Str implementation(const Starter *starter, Str stem, uint32_t last)
{
    Arena *arena = starter->arena;
    if (starter->skeleton.length > 0) {
        return starter->skeleton;
    }
    Str name = str_format(arena, "%.*s/impl.py", STR_ARG(starter->template));
    Buf functions = {.arena = arena}, steps = {.arena = arena};
    for (uint32_t k = 2; k <= last; k++) {
        buf_addf(
            &functions,
            "\n\ndef pypto_module%u(tile):\n    %.*s\n    return pypto.mul(tile, "
            "1.0)\n",
            k,
            STR_ARG(fill_comment(starter, "what this module computes; so far it changes nothing",
                                 "本模块的计算；目前不改变任何值")));
        buf_addf(&steps, "%*sresult = pypto_module%u(result)\n", (int)indent_of(name.at), "", k);
    }
    TemplateValue values[] = {{"op", starter->op},
                              {"stem", stem},
                              {"step_functions", lines(&functions)},
                              {"more_steps", lines(&steps)},
                              {NULL, STR("")}};
    return template_fill(arena, name.at, values);
}

/* --- files */

static void add_file(Starter *starter, Str path, Str text)
{
    StarterFile file = {path, text};
    VEC_PUSH(starter->arena, &starter->files, file);
}

static void add_documents(Starter *starter, const Values *values)
{
    static const char *const names[] = {"SPEC.md",   "API_REPORT.md", "DESIGN.md",
                                        "MEMORY.md", "README.md",     "GOLDEN_PERF_REPORT.md"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Str template =
            str_format(starter->arena, "%s/%s", starter->lang == LANG_ZH ? "zh" : "en", names[i]);
        add_file(starter, str_from(names[i]),
                 template_fill(starter->arena, template.at, values->items));
    }
}

static void add_phases(Starter *starter)
{
    Arena *arena = starter->arena;
    for (uint32_t k = 1; starter->modules > 1 && k <= starter->modules; k++) {
        Str suffix = phase_suffix(arena, (int)k);
        Str stem = artifact_base(arena, starter->op, suffix);
        Str function = artifact_name(arena, KIND_GOLDEN, stem);
        TemplateValue values[] = {{"op", starter->op},
                                  {"module", str_format(arena, "%u", k)},
                                  {"body", composed_golden(starter, k, function, true)},
                                  {NULL, STR("")}};
        add_file(starter, artifact_module(arena, KIND_GOLDEN, starter->op, suffix),
                 template_fill(arena, "phase_golden.py", values));
        add_file(starter, artifact_module(arena, KIND_IMPL, starter->op, suffix),
                 implementation(starter, stem, k));
    }
}

static Values document_values(const Starter *starter)
{
    Values values = {.count = 0};
    Arena *arena = starter->arena;
    Str mark = starter->lang == LANG_ZH ? STR("> " FILL_IN_ZH) : STR("> " FILL_IN_EN);
    put(&values, "op", starter->op);
    put(&values, "template", starter->template);
    put(&values, "mark", mark);
    put(&values, "title", starter_text(starter, "title"));
    put(&values, "dtype", starter_value(starter->facts, "dtype"));
    put(&values, "atol", starter_value(starter->facts, "atol"));
    put(&values, "rtol", starter_value(starter->facts, "rtol"));
    put(&values, "dynamic", starter_value(starter->facts, "dynamic"));
    put(&values, "formula", starter_value(starter->facts, "formula"));
    put(&values, "graph", starter_value(starter->facts, "graph"));
    put(&values, "tiling", starter_text(starter, "tiling"));
    put(&values, "modules", str_format(arena, "%u", starter->modules));
    put(&values, "p0_shapes", p0_lines(starter));
    put(&values, "tensors", tensor_rows(starter));
    put(&values, "steps", step_rows(starter, STEP_MAPPING));
    put(&values, "inventory", step_rows(starter, STEP_INVENTORY));
    put(&values, "profile", step_rows(starter, STEP_PROFILE));
    put(&values, "code", code_lines(starter));
    put(&values, "dynamic_text", dynamic_text(starter));
    put(&values, "reviews", reviews(starter));
    put(&values, "verification_log", str_trim(STR(VERIFICATION_LOG_HEAD)));
    put(&values, "parameters", parameter_names(starter));
    Str code = implementation(starter, starter->op, starter->modules);
    put(&values, "blocks", str_contains(code, STR("valid_shape")) ? STR("x") : STR(" "));
    return values;
}

bool starter_fill(Starter *starter)
{
    Arena *arena = starter->arena;
    Str more;
    if (starter->modules > 1 &&
        (starter->skeleton.length > 0 || starter_fact(starter->facts, "output", 1, &more))) {
        print_error("--modules needs a template with one output: what lies between the modules of "
                    "%.*s is yours to say",
                    STR_ARG(starter->template));
        return false;
    }
    Values values = document_values(starter);
    add_documents(starter, &values);
    Str function = artifact_name(arena, KIND_GOLDEN, starter->op);
    bool own = starter->skeleton.length > 0;
    TemplateValue golden[] = {
        {"op", starter->op},
        {"fill_comment", own ? STR("")
                             : fill_comment(starter, "your reference in place of the template's",
                                            "用算子的参考实现替换模板的内容")},
        {"body", composed_golden(starter, starter->modules, function, false)},
        {NULL, STR("")}};
    add_file(starter, artifact_file(arena, KIND_GOLDEN, starter->op),
             template_fill(arena, "golden.py", golden));
    add_file(starter, artifact_file(arena, KIND_IMPL, starter->op),
             implementation(starter, starter->op, starter->modules));
    add_phases(starter);
    add_file(starter, STR("eval/module_interfaces.yaml"), contract_text(starter));
    TemplateValue state[] = {{"op", starter->op}, {NULL, STR("")}};
    add_file(starter, STR(STATE_PATH), template_fill(arena, "state.json", state));
    return true;
}

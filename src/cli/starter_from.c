/* A function of torch as the beginning of an operator: its file is read, never run; see starter.h.
 *
 * The golden is the function with the helpers, constants and imports around it. Shapes and dtypes
 * are those of the tensors that the file makes for its parameters: `x = torch.randn(64, 256)`. */
#include "cli/starter_read.h"

#include "base/file.h"
#include "base/path.h"
#include "harness/scaffold/template.h"
#include "lint/config.h"
#include "operator/artifact.h"
#include "rules/similar.h"

/* --- which function */

static bool is_for_tests(Str name)
{
    return str_starts(name, STR("test")) || str_starts(name, STR("_")) || str_is(name, "main");
}

/* The function named `wanted`; when it is empty that of the operator, else the last one. */
static NodeId find_function(const Module *module, Arena *arena, Str op, Str wanted)
{
    Str golden = artifact_name(arena, KIND_GOLDEN, op);
    NodeId last = NO_NODE;
    for (NodeId id = node_child(module, 0, ROLE_BODY); id != NO_NODE; id = node_next(module, id)) {
        if (!node_is(module, id, NODE_FUNCTION_DEF)) {
            continue;
        }
        Str name = node_name(module, id);
        bool found = wanted.length > 0 ? str_equal(name, wanted)
                                       : str_equal(name, op) || str_equal(name, golden);
        if (found) {
            return id;
        }
        last = wanted.length > 0 || is_for_tests(name) ? last : id;
    }
    return last;
}

/* --- the golden */

/* With its decorators. */
static Str statement_text(const Module *module, NodeId id)
{
    uint32_t start = node_at(module, id)->start;
    NodeId decorator = node_child(module, id, ROLE_DECORATOR);
    if (decorator != NO_NODE && node_at(module, decorator)->start < start) {
        start = node_at(module, decorator)->start;
        while (start > 0 && module->source->text.at[start] != '@') {
            start--;
        }
    }
    return source_slice(module->source, start, node_at(module, id)->end);
}

static bool is_allowed_import(const Module *module, NodeId id)
{
    static const char *const packages[] = {"torch", "math", "typing", "functools", "dataclasses"};
    Str name = node_is(module, id, NODE_IMPORT_FROM)
                   ? node_name(module, id)
                   : node_name(module, node_child(module, id, ROLE_NAME));
    Str top = str_slice(name, 0, str_find(name, STR("."), 0));
    return STR_IS_ANY(top, packages) &&
           (node_is(module, id, NODE_IMPORT) || node_at(module, id)->extra == 0);
}

/* May the statement be in the golden? Imports of torch and the standard library, functions that are
 * not tests, classes and constants may, whether the function needs them or not. */
static bool is_kept(const Module *module, NodeId id)
{
    switch (node_kind(module, id)) {
    case NODE_IMPORT:
    case NODE_IMPORT_FROM:
        return is_allowed_import(module, id);
    case NODE_FUNCTION_DEF:
        return !is_for_tests(node_name(module, id)) || str_starts(node_name(module, id), STR("_"));
    case NODE_CLASS_DEF:
        return true;
    case NODE_ASSIGN:
    case NODE_ANN_ASSIGN:
        return nodes_in(module, id, NODE_CALL).count == 0;
    default:
        return false;
    }
}

static Str golden_text(const Reading *reading)
{
    const Module *module = reading->module;
    Buf out = {.arena = reading->arena};
    Str before = STR(""), name = node_name(module, reading->function);
    for (NodeId id = node_child(module, 0, ROLE_BODY); id != NO_NODE; id = node_next(module, id)) {
        Str text = statement_text(module, id);
        bool is_header = str_is(text, "import torch");
        if (!is_kept(module, id) || is_header) {
            continue;
        }
        bool block = node_is(module, id, NODE_FUNCTION_DEF) || node_is(module, id, NODE_CLASS_DEF);
        buf_addf(&out, "%s%.*s\n", block || str_is(before, "block") ? "\n\n" : "", STR_ARG(text));
        before = block ? STR("block") : STR("line");
    }
    Str golden = artifact_name(reading->arena, KIND_GOLDEN, reading->starter->op);
    if (!str_equal(name, golden)) {
        buf_addf(&out, "\n\ndef %.*s(", STR_ARG(golden));
        for (uint32_t i = 0; i < reading->count; i++) {
            buf_addf(&out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(reading->parameters[i].text));
        }
        buf_addf(&out, "):\n    return %.*s(", STR_ARG(name));
        for (uint32_t i = 0; i < reading->count; i++) {
            buf_addf(&out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(reading->parameters[i].name));
        }
        buf_add(&out, STR(")\n"));
    }
    return str_trim(buf_str(&out));
}

/* --- facts */

/* Dimensions are named by their sizes: D0, D1 … */
static uint32_t dimension_of(const Reading *reading, int64_t size, int64_t *sizes, uint32_t *count)
{
    (void)reading;
    for (uint32_t i = 0; i < *count; i++) {
        if (sizes[i] == size) {
            return i;
        }
    }
    sizes[*count] = size;
    return (*count)++;
}

static Str shape_text(const Reading *reading, const Parameter *one, int64_t *sizes, uint32_t *count)
{
    Buf out = {.arena = reading->arena};
    for (int i = 0; i < one->rank; i++) {
        buf_addf(&out, "%sD%u", i == 0 ? "[" : ", ",
                 dimension_of(reading, one->shape[i], sizes, count));
    }
    buf_add_char(&out, ']');
    return buf_str(&out);
}

static const Parameter *first_tensor(const Reading *reading)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        if (reading->parameters[i].scalar.length == 0) {
            return &reading->parameters[i];
        }
    }
    return NULL;
}

/* "y0, y1" */
static Str output_names(const Reading *reading)
{
    Buf out = {.arena = reading->arena};
    for (uint32_t i = 0; i < reading->outputs.count; i++) {
        buf_addf(&out, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(reading->outputs.items[i]));
    }
    return buf_str(&out);
}

static Str facts_text(const Reading *reading)
{
    Buf out = {.arena = reading->arena};
    int64_t sizes[MOST_PARAMETERS * MOST_RANK];
    uint32_t count = 0;
    Str name = node_name(reading->module, reading->function);
    const Parameter *main_tensor = first_tensor(reading);
    bool exact = str_starts(main_tensor->dtype, STR("float32"));
    buf_addf(&out, "title %.*s\nformula y = \\mathrm{%.*s}(\\dots)\ndtype %.*s\natol %s\nrtol %s\n",
             STR_ARG(name), STR_ARG(name), STR_ARG(main_tensor->dtype), exact ? "0.0001" : "0.01",
             exact ? "0.001" : "0.01");
    for (uint32_t i = 0; i < reading->count; i++) {
        const Parameter *one = &reading->parameters[i];
        Str shape = one->scalar.length > 0 ? STR("") : shape_text(reading, one, sizes, &count);
        buf_addf(&out, "input %.*s %.*s%s%.*s\n", STR_ARG(one->name), STR_ARG(shape),
                 shape.length > 0 ? " " : "",
                 STR_ARG(one->scalar.length > 0 ? one->scalar : one->dtype));
    }
    Str shape = shape_text(reading, main_tensor, sizes, &count);
    for (uint32_t i = 0; i < reading->outputs.count; i++) {
        buf_addf(&out, "output %.*s %.*s %.*s\n", STR_ARG(reading->outputs.items[i]),
                 STR_ARG(shape), STR_ARG(main_tensor->dtype));
    }
    buf_add(&out, STR("size "));
    for (uint32_t i = 0; i < count; i++) {
        buf_addf(&out, "%sD%u: %lld", i == 0 ? "" : ", ", i, (long long)sizes[i]);
    }
    buf_add_char(&out, '\n');
    starter_add_steps(&out, reading);
    buf_addf(&out, "graph %.*s -> … -> %.*s\n", STR_ARG(main_tensor->name),
             STR_ARG(output_names(reading)));
    bool zh = reading->starter->lang == LANG_ZH;
    buf_addf(&out, "tiling %s\n",
             zh ? FILL_IN_ZH "切块与 tile。" : FILL_IN_EN " blocks and tiles.");
    for (uint32_t i = 0; i < reading->outputs.count; i++) {
        buf_addf(&out, "code %.*s[:] = pypto.clone(%.*s)\n", STR_ARG(reading->outputs.items[i]),
                 STR_ARG(main_tensor->name));
    }
    return buf_str(&out);
}

/* --- the implementation */

static Str dtype_constant(Arena *arena, Str dtype)
{
    const Synonym *synonym = synonym_find(dtype);
    return str_format(arena, "pypto.%s", synonym == NULL ? "DT_FP32" : synonym->names[0]);
}

static void add_kernel_parameter(Buf *out, const Parameter *one, Str name)
{
    buf_addf(out, "    %.*s: pypto.Tensor([", STR_ARG(name));
    for (int i = 0; i < one->rank; i++) {
        buf_addf(out, "%spypto.STATIC", i == 0 ? "" : ", ");
    }
    buf_addf(out, "], %.*s),\n", STR_ARG(dtype_constant(out->arena, one->dtype)));
}

static Str without_end(Buf *out)
{
    Str text = buf_str(out);
    return str_ends(text, STR("\n")) ? str_slice(text, 0, text.length - 1) : text;
}

static Str skeleton(const Reading *reading)
{
    Arena *arena = reading->arena;
    Buf kernel = {.arena = arena}, numbers = {.arena = arena}, wrapper = {.arena = arena};
    Buf launch = {.arena = arena}, scalars = {.arena = arena}, tile = {.arena = arena};
    Buf copies = {.arena = arena}, buffers = {.arena = arena};
    const Parameter *main_tensor = first_tensor(reading);
    for (uint32_t i = 0; i < reading->count; i++) {
        const Parameter *one = &reading->parameters[i];
        buf_addf(&wrapper, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(one->text));
        if (one->scalar.length > 0) {
            buf_addf(&numbers, "    %.*s: %.*s,\n", STR_ARG(one->name), STR_ARG(one->scalar));
            buf_addf(&scalars, ", %.*s", STR_ARG(one->name));
        } else {
            add_kernel_parameter(&kernel, one, one->name);
            buf_addf(&buffers, "    %.*s = %.*s.contiguous()\n", STR_ARG(one->name),
                     STR_ARG(one->name));
            buf_addf(&launch, "%.*s, ", STR_ARG(one->name));
        }
    }
    for (uint32_t i = 0; i < reading->outputs.count; i++) {
        Str output = reading->outputs.items[i];
        add_kernel_parameter(&kernel, main_tensor, output);
        buf_addf(&copies, "    %.*s[:] = pypto.clone(%.*s)\n", STR_ARG(output),
                 STR_ARG(main_tensor->name));
        buf_addf(&buffers,
                 "    %.*s = torch.empty(%.*s.shape, dtype=%.*s.dtype, device=%.*s.device)\n",
                 STR_ARG(output), STR_ARG(main_tensor->name), STR_ARG(main_tensor->name),
                 STR_ARG(main_tensor->name));
    }
    buf_add(&kernel, buf_str(&numbers));
    buf_addf(&launch, "%.*s%.*s", STR_ARG(output_names(reading)), STR_ARG(buf_str(&scalars)));
    for (int i = 0; i < main_tensor->rank; i++) {
        bool last = i + 1 == main_tensor->rank;
        buf_addf(&tile, "%s%d", i == 0 ? "" : ", ", last ? 64 : 8);
    }
    bool zh = reading->starter->lang == LANG_ZH;
    TemplateValue values[] = {
        {"op", reading->starter->op},
        {"fill_comment",
         zh ? STR("# " FILL_IN_ZH "kernel 的计算；输出的 shape 和 dtype。")
            : STR("# " FILL_IN_EN " what the kernel computes, shapes and dtypes of its outputs.")},
        {"kernel_parameters", without_end(&kernel)},
        {"tile", buf_str(&tile)},
        {"copies", without_end(&copies)},
        {"result", reading->outputs.count == 1 ? STR("torch.Tensor") : STR("tuple")},
        {"buffers", without_end(&buffers)},
        {"outputs", output_names(reading)},
        {"wrapper_parameters", buf_str(&wrapper)},
        {"launch", buf_str(&launch)},
        {NULL, STR("")}};
    return template_fill(arena, "skeleton_impl.py", values);
}

/* FILE.py:FUNCTION: cuts the function off the path. */
static Str cut_function(Str *path)
{
    size_t colon = str_find(*path, STR(".py:"), 0);
    if (colon == SIZE_MAX) {
        return STR("");
    }
    Str name = str_slice(*path, colon + 4, path->length);
    *path = str_slice(*path, 0, colon + 3);
    return name;
}

bool starter_use_file(Starter *starter, Str path)
{
    Arena *arena = starter->arena;
    Str wanted = cut_function(&path);
    Str text, error = STR("no such file");
    if (file_read(arena, str_dup(arena, path), CONFIG_DEFAULT_FILE_SIZE, &text, &error) !=
        FILE_OK) {
        print_error("%.*s: %.*s", STR_ARG(path), STR_ARG(error));
        return false;
    }
    PyFile *file = ARENA_NEW(arena, PyFile);
    pyfile_init(file, arena, path, text);
    const Module *module = pyfile_module(file);
    if (module == NULL) {
        print_error("%.*s: it is not Python that parses", STR_ARG(path));
        return false;
    }
    Reading reading = {.starter = starter, .arena = arena, .module = module};
    reading.function = find_function(module, arena, starter->op, wanted);
    if (reading.function == NO_NODE && wanted.length > 0) {
        print_error("%.*s: no function '%.*s' at the top level", STR_ARG(path), STR_ARG(wanted));
        return false;
    }
    if (reading.function == NO_NODE) {
        print_error("%.*s: no function at the top level", STR_ARG(path));
        return false;
    }
    if (!starter_read_parameters(&reading) || !starter_read_outputs(&reading)) {
        return false;
    }
    if (first_tensor(&reading) == NULL) {
        print_error("%.*s: no parameter is a tensor", STR_ARG(node_name(module, reading.function)));
        return false;
    }
    starter_read_shapes(&reading);
    starter->template = path_basename(path);
    starter->facts = facts_text(&reading);
    starter->golden = golden_text(&reading);
    starter->skeleton = skeleton(&reading);
    return true;
}

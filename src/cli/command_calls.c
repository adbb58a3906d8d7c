/* `calls`: every call of the pypto package in the files of an operator: its place, its arguments
 * and what the API says of it. Reads files and runs nothing. */
#include "cli/api_print.h"

#include "base/file.h"
#include "base/path.h"
#include "cli/operator_place.h"
#include "eval/api_facts.h"
#include "harness/plan/phase.h"
#include "lint/config.h"
#include "report/terminal.h"

enum { MOST_ARGUMENT = 60, NAME_COLUMNS = 24 };

typedef struct CallsOptions {
    unsigned json; /* text or json */
    Lang lang;
} CallsOptions;

static const Option rows[] = {
    CHOICE_ROW(CallsOptions, json, "--format", "text|json", "format of the list", "列表的格式"),
    LANG_ROW(CallsOptions, lang),
};

const OptionTable calls_options = OPTION_TABLE(rows, .most_words = UINT32_MAX);

typedef struct Argument {
    Str parameter; /* empty: not known */
    Str text;
} Argument;

typedef struct PyptoCall {
    const PyFile *file;
    NodeId node;
    Str name; /* below pypto */
    VEC(Argument) arguments;
} PyptoCall;
typedef VEC(PyptoCall) PyptoCalls;

/* --- which files */

/* The implementation of an operator directory and those of its modules. */
static bool add_operator(Arena *arena, Str dir, Strs *files)
{
    OperatorPlace place;
    if (!operator_place(arena, STR(""), dir, &place)) {
        return false;
    }
    uint32_t before = files->count;
    for (uint32_t k = 1; k <= PHASE_MOST_MODULES; k++) {
        Str path = phase_file(arena, place.dir, place.name, phase_suffix(arena, (int)k), KIND_IMPL);
        if (!file_exists(path.at)) {
            break;
        }
        VEC_PUSH(arena, files, path);
    }
    Str whole = path_join(arena, place.dir, artifact_file(arena, KIND_IMPL, place.name));
    if (file_exists(str_dup(arena, whole))) {
        VEC_PUSH(arena, files, whole);
    }
    if (files->count == before) {
        print_error("%.*s: there is no implementation yet (%.*s)", STR_ARG(dir), STR_ARG(whole));
    }
    return files->count > before;
}

static bool find_files(Arena *arena, const Words *words, Strs *files)
{
    for (uint32_t i = 0; i < words->count; i++) {
        Str path = str_from(words->items[i]);
        if (!file_is_directory(words->items[i])) {
            VEC_PUSH(arena, files, path);
        } else if (!add_operator(arena, path, files)) {
            return false;
        }
    }
    return true;
}

static PyFile *read_file(Arena *arena, Str path)
{
    Str text, reason = STR("");
    FileStatus status =
        file_read(arena, str_dup(arena, path), CONFIG_DEFAULT_FILE_SIZE, &text, &reason);
    if (status != FILE_OK) {
        print_error("%.*s: %.*s", STR_ARG(path),
                    STR_ARG(status == FILE_MISSING ? STR("no such file") : reason));
        return NULL;
    }
    PyFile *file = ARENA_NEW(arena, PyFile);
    pyfile_init(file, arena, path, text);
    if (file->parsed.status == PARSE_ERROR) {
        const SyntaxErrors *errors = &file->parsed.errors;
        print_error("%.*s: %.*s", STR_ARG(path),
                    STR_ARG(errors->count > 0 ? errors->items[0].message : STR("invalid syntax")));
        return NULL;
    }
    pyfile_accept_aliases(file);
    return file;
}

/* --- calls */

/* The name below pypto that is called: "view", "experimental.nop", or nothing. */
static Str called(const PyFile *file, NodeId call, Arena *arena)
{
    const Module *module = pyfile_module(file);
    Str name = pypto_call(file, call);
    NodeId callee = call_func(module, call);
    if (name.length > 0 || !node_is(module, callee, NODE_ATTRIBUTE)) {
        return name;
    }
    Str outer = pypto_attribute(file, attribute_value(module, callee));
    return outer.length == 0
               ? outer
               : str_format(arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(node_name(module, callee)));
}

/* The text of a node on one line: single blanks in place of white space. */
static Str one_line(Arena *arena, const Module *module, NodeId node)
{
    Buf out = {.arena = arena};
    Str text = node_text(module, node);
    bool gap = false;
    for (size_t i = 0; i < text.length; i++) {
        bool blank = text.at[i] == ' ' || text.at[i] == '\n' || text.at[i] == '\r' ||
                     text.at[i] == '\t' || text.at[i] == '\\';
        if (!blank && gap && out.length > 0) {
            buf_add_char(&out, ' ');
        }
        gap = blank;
        if (!blank) {
            buf_add_char(&out, text.at[i]);
        }
    }
    return buf_str(&out);
}

/* The nth parameter that takes a positional argument; empty when that is not known. */
static Str parameter_at(Str words, uint32_t n)
{
    for (size_t at = 0; at < words.length;) {
        size_t end = str_find(words, STR(" "), at);
        Str word = str_slice(words, at, end);
        if (str_starts(word, STR("*"))) {
            return STR("");
        }
        if (n-- == 0) {
            return str_ends(word, STR("?")) ? str_slice(word, 0, word.length - 1) : word;
        }
        at = end == SIZE_MAX ? words.length : end + 1;
    }
    return STR("");
}

static void read_arguments(Arena *arena, PyptoCall *call)
{
    const Module *module = pyfile_module(call->file);
    const ApiFact *fact = api_fact_find(call->name);
    bool known = fact != NULL && fact->kind == API_FACT_FUNCTION && fact->parameters != NULL;
    Str words = known ? str_from(fact->parameters) : STR("");
    NodeId node = node_child(module, call->node, ROLE_ARG);
    for (uint32_t n = 0; node != NO_NODE; node = node_next(module, node), n++) {
        bool starred = node_is(module, node, NODE_STARRED);
        Argument one = {starred ? STR("") : parameter_at(words, n), one_line(arena, module, node)};
        words = starred ? STR("") : words; /* what follows may be any parameter */
        VEC_PUSH(arena, &call->arguments, one);
    }
    node = node_child(module, call->node, ROLE_KEYWORD);
    for (; node != NO_NODE; node = node_next(module, node)) {
        Argument one = {node_name(module, node), one_line(arena, module, node_first(module, node))};
        if (one.parameter.length == 0) {
            one.text = str_format(arena, "**%.*s", STR_ARG(one.text));
        }
        VEC_PUSH(arena, &call->arguments, one);
    }
}

static void collect(Arena *arena, const PyFile *file, PyptoCalls *found)
{
    const Module *module = pyfile_module(file);
    NodeList calls = module == NULL ? (NodeList){0} : module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        PyptoCall call = {.file = file, .node = calls.ids[i]};
        call.name = called(file, call.node, arena);
        if (call.name.length > 0) {
            read_arguments(arena, &call);
            VEC_PUSH(arena, found, call);
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const PyptoCall *x = a, *y = b;
    uint32_t i = node_at(pyfile_module(x->file), x->node)->start;
    uint32_t j = node_at(pyfile_module(y->file), y->node)->start;
    return i < j ? -1 : i > j ? 1 : x->node < y->node ? -1 : x->node > y->node;
}

static Str function_of(const PyptoCall *call)
{
    const Module *module = pyfile_module(call->file);
    NodeId function = node_function(module, call->node);
    return function == NO_NODE ? STR("") : node_name(module, function);
}

static Region place_of(const PyptoCall *call)
{
    const Module *module = pyfile_module(call->file);
    const Node *node = node_at(module, call->node);
    return finding_region(module->source, node->start, node->end);
}

/* --- printing */

static void add_call(Buf *out, const PyptoCall *call, Lang lang)
{
    Region region = place_of(call);
    Buf line = {.arena = out->arena};
    Str function = function_of(call);
    Str place = str_format(out->arena, "%u:%u", region.line, region.column);
    buf_addf(&line, "%-8.*s %-*.*s pypto.%.*s(", STR_ARG(place), NAME_COLUMNS, STR_ARG(function),
             STR_ARG(call->name));
    for (uint32_t i = 0; i < call->arguments.count; i++) {
        const Argument *one = &call->arguments.items[i];
        bool cut = one->text.length > MOST_ARGUMENT;
        Str shown = cut ? str_slice(one->text, 0, MOST_ARGUMENT) : one->text;
        buf_addf(&line, "%s%.*s%s%.*s%s", i == 0 ? "" : ", ", STR_ARG(one->parameter),
                 one->parameter.length == 0 ? "" : "=", STR_ARG(shown), cut ? "…" : "");
    }
    buf_add_char(&line, ')');
    terminal_add(out, buf_str(&line));
    const ApiPage *page = api_page_find(call->name);
    const char *unknown = text_in(
        lang, (Text){"(pypto-lint api has no page for it)", "（pypto-lint api 中没有该名称）"});
    buf_addf(out, "\n%*s %s", NAME_COLUMNS + 9, "", page == NULL ? unknown : page->meaning);
    if (page != NULL && page->limits != NULL) {
        buf_addf(out, " [%s]", page->limits);
    }
    buf_add_char(out, '\n');
}

static bool print_text(Arena *arena, const PyptoCalls *calls, Lang lang)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    const PyFile *file = NULL;
    for (uint32_t i = 0; i < calls->count; i++) {
        const PyptoCall *call = &calls->items[i];
        if (call->file != file) {
            buf_add(&out, file == NULL ? STR("") : STR("\n"));
            file = call->file;
            terminal_add(&out, pyfile_path(file));
            buf_add_char(&out, '\n');
        }
        add_call(&out, call, lang);
    }
    buf_addf(&out, text_in(lang, (Text){"%u calls of pypto\n", "共 %u 个 pypto 调用\n"}),
             calls->count);
    return print_all(buf_str(&out));
}

static json_t *call_json(JsonTree *tree, const PyptoCall *call)
{
    json_t *object = json_object(), *arguments = json_array();
    Region region = place_of(call);
    const ApiPage *page = api_page_find(call->name);
    for (uint32_t i = 0; i < call->arguments.count; i++) {
        const Argument *one = &call->arguments.items[i];
        json_t *argument = json_object();
        json_put(tree, argument, "parameter", json_text_or_null(one->parameter));
        json_put(tree, argument, "text", json_text(one->text));
        json_append(tree, arguments, argument);
    }
    json_put(tree, object, "file", json_text(pyfile_path(call->file)));
    json_put(tree, object, "line", json_integer(region.line));
    json_put(tree, object, "column", json_integer(region.column));
    json_put(tree, object, "end_line", json_integer(region.end_line));
    json_put(tree, object, "end_column", json_integer(region.end_column));
    json_put(tree, object, "function", json_text_or_null(function_of(call)));
    json_put(tree, object, "in_kernel",
             json_boolean(kernel_around(call->file, call->node) != NO_NODE));
    json_put(tree, object, "name", json_text(call->name));
    json_put(tree, object, "arguments", arguments);
    json_put(tree, object, "documentation",
             page == NULL ? json_null() : api_json(tree, page, false));
    return object;
}

static bool print_json(Arena *arena, const PyptoCalls *calls)
{
    JsonTree tree = {false, arena};
    json_t *root = json_object(), *list = json_array();
    for (uint32_t i = 0; i < calls->count; i++) {
        json_append(&tree, list, call_json(&tree, &calls->items[i]));
    }
    json_put(&tree, root, "schema_version", json_integer(1));
    json_put(&tree, root, "calls", list);
    return json_print(arena, &tree, root);
}

int command_calls(const Command *self, Arena *arena, int argc, char **argv)
{
    CallsOptions options = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0) {
        return print_error("calls needs a file or an operator directory");
    }
    Strs files = {0};
    if (!find_files(arena, &words, &files)) {
        return EXIT_ERROR;
    }
    PyptoCalls calls = {0};
    for (uint32_t i = 0; i < files.count; i++) {
        const PyFile *file = read_file(arena, files.items[i]);
        if (file == NULL) {
            return EXIT_ERROR;
        }
        PyptoCalls found = {0};
        collect(arena, file, &found);
        if (found.count > 1) {
            qsort(found.items, found.count, sizeof *found.items, by_place);
        }
        for (uint32_t k = 0; k < found.count; k++) {
            VEC_PUSH(arena, &calls, found.items[k]);
        }
    }
    bool printed =
        options.json != 0 ? print_json(arena, &calls) : print_text(arena, &calls, options.lang);
    return printed ? EXIT_CLEAN : EXIT_ERROR;
}

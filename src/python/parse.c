/* python_parse: bytes, lexer, parser, lowering; the errors of each. */
#include "python/lower.h"

#include "base/heap.h"
#include "base/utf8.h"
#include "python/index.h"
#include "python/lexer.h"
#include "python/parse_memory.h"
#include "python/parse_part.h"
#include "python/parser_language.h"
#include "python/skim.h"

/* --- error nodes of the parser */

static void add_parser_error(Lower *lower, TSNode node)
{
    uint32_t start = ts_node_start_byte(node) + lower->base;
    uint32_t end = ts_node_end_byte(node) + lower->base;
    if (ts_node_is_missing(node)) {
        const char *what = ts_node_type(node);
        if (ts_node_is_named(node)) {
            lower_error(lower, start, end, "invalid syntax", "语法错误");
            return;
        }
        SyntaxError error = {start, end, str_format(lower->arena, "expected '%s'", what),
                             str_format(lower->arena, "此处应为 '%s'", what)};
        VEC_PUSH(lower->arena, lower->errors, error);
        return;
    }
    lower_error(lower, start, end, "invalid syntax", "语法错误");
}

enum { MAX_REPORTED_ERRORS = 100 };

/* Every outermost ERROR and MISSING node, in source order. */
static void collect_parser_errors(Lower *lower, TSNode root)
{
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    bool done = false;
    while (!done && lower->errors->count < MAX_REPORTED_ERRORS) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        bool descend = ts_node_has_error(node);
        if (ts_node_is_error(node) || ts_node_is_missing(node)) {
            add_parser_error(lower, node);
            descend = false;
        }
        if (descend && ts_tree_cursor_goto_first_child(&cursor)) {
            continue;
        }
        while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
            if (!ts_tree_cursor_goto_parent(&cursor)) {
                done = true;
                break;
            }
        }
    }
    ts_tree_cursor_delete(&cursor);
}

/* --- the parse */

/* Memory of the parser for one file: it needs 30 to 60 bytes for a byte of ordinary source. */
enum { PARSER_BUDGET = 512 * 1024 * 1024 };

/* Bytes that the parser may ask for in all. It needs up to 350 for a byte of a very small file and
 * 20 to 40 for one of a larger; its error recovery copies ever longer arrays, 18,000 and more for a
 * byte, and would take minutes. */
enum { TRAFFIC_BASE = 16 * 1024 * 1024, TRAFFIC_PER_BYTE = 200 };

/* Without ranges (`count` 0) it parses the whole text. */
static TSTree *run_on_ranges(const char *text, uint32_t length, const TSRange *ranges,
                             uint32_t count)
{
    TSParser *parser = ts_parser_new();
    ts_parser_set_language(parser, tree_sitter_python());
    ts_parser_set_included_ranges(parser, ranges, count);
    return ts_parser_parse_string(parser, NULL, text, length);
}

TSTree *parser_run(const char *text, uint32_t length)
{
    return run_on_ranges(text, length, NULL, 0);
}

static Module *finish_module(Lower *lower)
{
    Module *module = ARENA_NEW(lower->arena, Module);
    module->source = lower->source;
    module->nodes = lower->nodes.items;
    module->node_count = lower->nodes.count;
    module_index(module, lower->arena);
    return module;
}

static void add_error(Parsed *parsed, Arena *arena, uint32_t at, Str en, Str zh)
{
    SyntaxError error = {at, at, en, zh};
    VEC_PUSH(arena, &parsed->errors, error);
}

/* The parser was stopped. In error recovery the lexer's errors say enough, if there are any. */
static void add_refusal(Parsed *parsed, Arena *arena, bool recovering)
{
    if (recovering && parsed->errors.count == 0) {
        add_error(parsed, arena, 0, STR("invalid syntax in too many places to name them"),
                  STR("语法错误过多，无法逐一指出"));
    } else if (!recovering) {
        add_error(parsed, arena, 0, STR("too large or too deeply nested to be parsed"),
                  STR("文件过大或嵌套过深，无法解析"));
    }
}

/* A blanked star that no Starred node has claimed stands where none may. */
static void check_stars(Lower *lower)
{
    for (uint32_t i = 0; i < lower->lexed->stars.count; i++) {
        if (!lower->star_used[i]) {
            uint32_t star = lower->lexed->stars.items[i];
            lower_error(lower, star, star + 1, "cannot use starred expression here",
                        "此处不能使用带星号的表达式");
        }
    }
}

static Lower *new_lower(Parsed *parsed, Arena *arena, const Lexed *lexed)
{
    Lower *lower = ARENA_NEW(arena, Lower);
    *lower = (Lower){.arena = arena, .source = &parsed->source, .text = lexed->clean};
    lower->base = parsed->source.text_start;
    lower->lexed = lexed;
    lower->star_used = ARENA_ARRAY(arena, bool, lexed->stars.count + 1);
    lower->errors = &parsed->errors;
    lower->parent = NO_NODE;
    lower->splat = UINT32_MAX;
    lower->as_start = UINT32_MAX;
    return lower;
}

static void lower_module(Lower *lower, TSNode root)
{
    uint32_t end = (uint32_t)lower->source->text.length;
    lower->cursor = ts_tree_cursor_new(root);
    NodeId id = lower_open(lower, NODE_MODULE, ROLE_NONE, lower->base, end);
    lower_statements(lower, root, ROLE_BODY);
    lower_close(lower, id);
    check_stars(lower);
}

/* Parses what lies between the gaps. The lowering asks for bytes only, so lines and columns of the
 * ranges need not be true. */
static TSTree *run_between(const Lower *lower, const char *text, uint32_t length)
{
    uint32_t count = lower->lexed->gaps.count;
    TSRange *ranges = ARENA_ARRAY(lower->arena, TSRange, count + 1);
    uint32_t start = 0, used = 0;
    for (uint32_t i = 0; i <= count; i++) {
        const LexGap *gap = i < count ? &lower->lexed->gaps.items[i] : NULL;
        uint32_t end = gap == NULL ? length : gap->start - lower->base;
        if (end > start) {
            ranges[used++] = (TSRange){.start_byte = start, .end_byte = end};
        }
        start = gap == NULL ? length : gap->end - lower->base;
    }
    return run_on_ranges(text, length, ranges, used);
}

static void parse_whole(Lower *lower)
{
    uint32_t before = lower->errors->count;
    const char *text = lower->text + lower->base;
    uint32_t length = (uint32_t)lower->source->text.length - lower->base;
    TSTree *tree =
        lower->lexed->gaps.count == 0 ? parser_run(text, length) : run_between(lower, text, length);
    TSNode root = ts_tree_root_node(tree);
    bool broken = ts_node_has_error(root);
    if (broken) {
        collect_parser_errors(lower, root);
    }
    if (lower->errors->count == before) {
        lower_module(lower, root);
    }
    if (lower->errors->count == before && broken) {
        /* A line end that is missing is an error without a node: our own checks place it,
         * normally. */
        lower_error(lower, lower->base, lower->base, "invalid syntax", "语法错误");
    }
}

/* Parses only what has changed when the rest is kept, else all. */
static void parse_text(Parsed *parsed, Arena *arena, const Lexed *lexed)
{
    bool good = lexed->errors.count == 0;
    const KeptParse *kept = good ? parse_memory_find(parsed->source.path) : NULL;
    Lower *lower = new_lower(parsed, arena, lexed);
    uint32_t before = parsed->errors.count;
    if (kept == NULL || !parse_part(lower, kept)) {
        lower = new_lower(parsed, arena, lexed);
        parse_whole(lower);
    }
    if (parsed->errors.count == before) {
        parsed->module = finish_module(lower);
    }
    if (good && parsed->module != NULL) {
        parse_memory_keep(parsed->module, lexed);
    }
}

/* Parses the cleaned text and lowers the tree. The parser's memory lies in a heap of its own,
 * dropped as a whole at the end, so nothing of it is freed one by one. */
static void parse_and_lower(Parsed *parsed, Arena *arena, const Lexed *lexed)
{
    Heap heap;
    uint64_t length_limit = (uint64_t)parsed->source.text.length * TRAFFIC_PER_BYTE;
    heap_init(&heap, PARSER_BUDGET, TRAFFIC_BASE + length_limit);
    jmp_buf *outer = arena->guard;
    jmp_buf here;
    SyntaxErrors *errors = &parsed->errors;
    uint32_t before = errors->count;
    arena->guard = &here;
    if (setjmp(here) == 0) {
        heap_enter(&heap, arena);
        parse_text(parsed, arena, lexed);
    } else if (errors->count == before && heap.memory.over_budget) {
        add_refusal(parsed, arena, heap.traffic > heap.traffic_limit);
    }
    arena->guard = outer;
    bool out_of_memory =
        errors->count == before && parsed->module == NULL && !heap.memory.over_budget;
    heap_leave(&heap);
    heap_free(&heap);
    if (out_of_memory) {
        arena_fail(arena); /* no verdict on the file: the unit was not checked */
    }
}

/* Bytes that cannot be Python source: they end the matter before any lexing. */
static bool check_bytes(Parsed *parsed, Arena *arena)
{
    Str text = parsed->source.text;
    const char *nul = memchr(text.at, '\0', text.length);
    size_t bad = utf8_first_error(text);
    if (bad != SIZE_MAX) {
        Str en = str_format(arena, "not UTF-8: byte 0x%02x at offset %zu",
                            (unsigned char)text.at[bad], bad);
        Str zh = str_format(arena, "不是 UTF-8：偏移 %zu 处的字节为 0x%02x", bad,
                            (unsigned char)text.at[bad]);
        add_error(parsed, arena, (uint32_t)bad, en, zh);
        return false;
    }
    if (nul != NULL) {
        add_error(parsed, arena, (uint32_t)(nul - text.at),
                  STR("source code cannot contain null bytes"), STR("源代码不能包含空字节 (NUL)"));
        return false;
    }
    return true;
}

/* After a lexical error the parser runs too, for the other broken places, but not on texts where
 * its recovery may take seconds. */
enum { MAX_RECOVERY = 64 * 1024 };

static void parse_as(Parsed *parsed, Arena *arena, Str path, Str text, bool skim)
{
    lower_prepare();
    *parsed = (Parsed){.status = PARSE_ABSENT};
    source_init(&parsed->source, arena, path, text);
    if (text.length == 0) {
        return;
    }
    parsed->status = PARSE_ERROR;
    if (!check_bytes(parsed, arena)) {
        return;
    }
    Lexed lexed;
    python_lex(&lexed, arena, &parsed->source);
    parsed->comments = lexed.comments;
    parsed->errors = lexed.errors;
    if (lexed.errors.count > 0 && text.length > MAX_RECOVERY) {
        return;
    }
    if (skim && lexed.errors.count == 0 && !parse_memory_is_on()) {
        parsed->skimmed = python_skim(&lexed, arena, &parsed->source);
    }
    parse_and_lower(parsed, arena, &lexed);
    if (lexed.errors.count > 0) {
        parsed->module = NULL;
    }
    if (parsed->module != NULL) {
        parsed->status = PARSE_OK;
    }
    errors_sort(&parsed->errors, lexed.errors.count);
}

void python_parse(Parsed *parsed, Arena *arena, Str path, Str text)
{
    parse_as(parsed, arena, path, text, false);
}

void python_parse_skimmed(Parsed *parsed, Arena *arena, Str path, Str text)
{
    parse_as(parsed, arena, path, text, true);
}

bool python_parse_only(Arena *arena, Str text)
{
    lower_prepare();
    Heap heap;
    heap_init(&heap, PARSER_BUDGET, 0);
    heap_enter(&heap, arena);
    TSTree *tree = parser_run(text.at, (uint32_t)text.length);
    heap_leave(&heap);
    heap_free(&heap);
    return tree != NULL;
}

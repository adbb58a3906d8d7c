/* Findings: places, messages in two languages, related places, edits. See rule.h. */
#include "lint/rule.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "python/identifier.h"

const char *text_in(Lang lang, Text text)
{
    return lang == LANG_ZH ? text.zh : text.en;
}

/* --- places */

static Place in_file(const PyFile *file, uint32_t start, uint32_t end)
{
    return (Place){
        .file = pyfile_path(file), .source = &file->parsed.source, .start = start, .end = end};
}

/* Byte range that stands for a node: name token, header, or the whole. */
static void node_range(const Module *module, NodeId id, uint32_t *start, uint32_t *end)
{
    const Node *node = node_at(module, id);
    *start = node->start;
    *end = node->end;
    switch (node_kind(module, id)) {
    case NODE_FUNCTION_DEF:
    case NODE_ASYNC_FUNCTION_DEF:
    case NODE_CLASS_DEF:
        *start = node->extra;
        *end = (uint32_t)identifier_end(module->source->text, node->extra);
        break;
    case NODE_FOR:
    case NODE_ASYNC_FOR:
    case NODE_WHILE:
        *end = node->extra;
        break;
    default:
        break;
    }
}

Place at_node(const PyFile *file, NodeId anchor)
{
    Place place = in_file(file, 0, 0);
    node_range(pyfile_module(file), anchor, &place.start, &place.end);
    return place;
}

Place at_focus(const PyFile *file, NodeId anchor, NodeId focus)
{
    Place place = at_node(file, anchor);
    if (focus != NO_NODE) {
        node_range(pyfile_module(file), focus, &place.focus_start, &place.focus_end);
    }
    return place;
}

Place at_focus_range(const PyFile *file, NodeId anchor, uint32_t start, uint32_t end)
{
    Place place = at_node(file, anchor);
    place.focus_start = start;
    place.focus_end = end;
    return place;
}

Place at_range(const PyFile *file, uint32_t start, uint32_t end)
{
    return in_file(file, start, end);
}

Place at_first_line(const PyFile *file)
{
    const Source *source = &file->parsed.source;
    Str line = source_line_text(source, 1 + source->line_offset);
    uint32_t start = source->text_start;
    return in_file(file, start, start + (uint32_t)line.length);
}

Place at_file(Str path)
{
    return (Place){.file = path};
}

Place at_document_line(const Document *document, uint32_t line)
{
    Place place = {.file = document->path};
    if (line > 0 && document->readable) {
        Str text = source_line_text(&document->source, line);
        place.source = &document->source;
        place.start =
            text.at == NULL || text.length == 0 ? 0 : (uint32_t)(text.at - document->text.at);
        if (line <= document->source.line_count) {
            place.start = document->source.line_starts[line - 1];
        }
        place.end = place.start + (uint32_t)text.length;
    }
    return place;
}

Region finding_region(const Source *source, uint32_t start, uint32_t end)
{
    if (source == NULL) {
        return (Region){0, 0, 0, 0};
    }
    return (Region){source_line(source, start), source_column(source, start),
                    source_line(source, end), source_column(source, end)};
}

/* --- reporting */

static Str format_in(RuleRun *run, const char *en, const char *zh, va_list args)
{
    return str_vformat(run->arena, run->lang == LANG_ZH ? zh : en, args);
}

/* Line breaks and tabs would break the one-line promise of a message. */
static Str one_line(Arena *arena, Str text)
{
    bool plain = true;
    for (size_t i = 0; i < text.length; i++) {
        plain = plain && (unsigned char)text.at[i] >= ' ';
    }
    if (plain) {
        return text;
    }
    char *copy = str_dup(arena, text);
    for (size_t i = 0; i < text.length; i++) {
        if ((unsigned char)copy[i] < ' ') {
            copy[i] = ' ';
        }
    }
    return (Str){copy, text.length};
}

static bool is_name_char(char c)
{
    return is_word_char(c) || c == '.' || c == '/';
}

/* A file, an identifier, an abbreviation: no word of a language, no number alone. */
static bool is_name(Str word)
{
    bool mark = false;
    bool letter = false;
    for (size_t i = 0; i < word.length; i++) {
        char c = word.at[i];
        bool small = c >= 'a' && c <= 'z';
        mark = mark || (!small && (i > 0 || c == '_'));
        letter = letter || is_letter(c);
    }
    return mark && letter;
}

/* What is the same in every language: the names in the message, then the format that made it. The
 * arguments are partly words of the run's language. */
static Str identity_of(Arena *arena, const char *format, Str message)
{
    Buf out = {.arena = arena};
    for (size_t i = 0; i < message.length; i++) {
        size_t end = i;
        while (end < message.length && is_name_char(message.at[end])) {
            end++;
        }
        Str word = str_slice(message, i, end);
        while (word.length > 0 && word.at[word.length - 1] == '.') {
            word.length--;
        }
        if (is_name(word)) {
            buf_add(&out, out.length > 0 ? STR(" ") : STR(""));
            buf_add(&out, word);
        }
        i = end > i ? end - 1 : i;
    }
    buf_addf(&out, "\n%s", format);
    return buf_str(&out);
}

/* The focus narrows the range when it begins on the anchor's line; else it becomes a related place.
 * A place in a block becomes one in the document: readers of the finding want the lines around. */
static void set_place(RuleRun *run, Finding *finding, Place place)
{
    const Source *block = place.source;
    if (block != NULL && block->document != NULL) {
        finding->base = block->document_start;
        place.source = block->document;
        place.start += finding->base;
        place.end += finding->base;
        place.focus_start += finding->base;
        place.focus_end += place.focus_end == 0 ? 0 : finding->base;
    }
    finding->file = place.file;
    finding->source = place.source;
    finding->start = place.start;
    finding->region = finding_region(place.source, place.start, place.end);
    if (place.source == NULL || place.focus_end == 0) {
        return;
    }
    Region focus = finding_region(place.source, place.focus_start, place.focus_end);
    if (focus.line == finding->region.line) {
        finding->region = focus;
        finding->start = place.focus_start;
        return;
    }
    finding->message =
        str_format(run->arena, "%.*s (%u:%u)", STR_ARG(finding->message), focus.line, focus.column);
    Related related = {place.file, focus, STR("")};
    related.message = str_from(text_in(run->lang, (Text){"here", "此处"}));
    VEC_PUSH(run->arena, &finding->related, related);
}

Finding *report(RuleRun *run, Status status, Place place, const char *en, const char *zh, ...)
{
    Finding *finding = ARENA_NEW(run->arena, Finding);
    finding->rule = run->rule;
    finding->status = status;
    finding->hint = str_from(text_in(run->lang, run->rule->hint));
    va_list args;
    va_start(args, zh);
    finding->message = one_line(run->arena, format_in(run, en, zh, args));
    va_end(args);
    if (place.source == NULL) {
        va_start(args, zh);
        finding->identity = identity_of(run->arena, en, str_vformat(run->arena, en, args));
        va_end(args);
    }
    set_place(run, finding, place);
    VEC_PUSH(run->arena, &run->findings, finding);
    return finding;
}

void finding_hint(RuleRun *run, Finding *finding, const char *en, const char *zh, ...)
{
    va_list args;
    va_start(args, zh);
    finding->hint = one_line(run->arena, format_in(run, en, zh, args));
    va_end(args);
}

void finding_related(RuleRun *run, Finding *finding, Place place, const char *en, const char *zh,
                     ...)
{
    va_list args;
    va_start(args, zh);
    Related related = {place.file, finding_region(place.source, place.start, place.end),
                       one_line(run->arena, format_in(run, en, zh, args))};
    va_end(args);
    VEC_PUSH(run->arena, &finding->related, related);
}

void finding_edit(RuleRun *run, Finding *finding, FixClass fix, uint32_t start, uint32_t end,
                  Str text)
{
    start += finding->base;
    end += finding->base;
    Edit edit = {start, end, finding_region(finding->source, start, end), text};
    VEC_PUSH(run->arena, &finding->edits, edit);
    finding->fix = fix;
}

void rule_skip(RuleRun *run, const char *en, const char *zh, ...)
{
    va_list args;
    va_start(args, zh);
    run->skipped = true;
    run->reason = one_line(run->arena, format_in(run, en, zh, args));
    va_end(args);
}

enum { EXCERPT_LENGTH = 60 };

Str excerpt(RuleRun *run, const PyFile *file, NodeId id)
{
    Str text = node_text(pyfile_module(file), id);
    size_t at = 0;
    for (int i = 0; i < EXCERPT_LENGTH && at < text.length; i++) {
        utf8_next(text, &at);
    }
    if (at == text.length) {
        return one_line(run->arena, text);
    }
    return one_line(run->arena, str_format(run->arena, "%.*s…", (int)at, text.at));
}

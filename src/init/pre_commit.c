/* Editing .pre-commit-config.yaml; see pre_commit.h. */
#include "init/pre_commit.h"

#include "base/utf8.h"

#include <yaml.h>

/* libyaml's time grows with the square of the depth of brackets. */
enum { MAX_DEPTH = 64 };

/* What the events of libyaml say about the file. Places are in code points, as libyaml counts;
 * nothing here is in an arena, so that libyaml's memory cannot be lost. */
typedef struct Scan {
    yaml_parser_t parser;
    bool good, is_mapping, has_repos, is_list, has_hook;
    uint32_t documents, items, depth;
    bool is_key;        /* the next node of the root mapping is a key */
    bool in_repos;      /* the value of `repos` is next or open */
    bool after_id;      /* the last scalar was `id` */
    size_t dash_column; /* of the items */
    size_t end;         /* after the last thing in `repos` that has a width */
    bool at_line_start; /* `end` is the start of a line */
} Scan;

static bool scalar_is(const yaml_event_t *event, const char *text)
{
    return event->type == YAML_SCALAR_EVENT &&
           str_is((Str){(const char *)event->data.scalar.value, event->data.scalar.length}, text);
}

static void note_end(Scan *scan, const yaml_event_t *event)
{
    if (scan->in_repos && event->end_mark.index > event->start_mark.index) {
        scan->end = event->end_mark.index;
        scan->at_line_start = event->end_mark.column == 0;
    }
}

/* A node that is a key or a value of the root mapping. */
static void scan_member(Scan *scan, const yaml_event_t *event)
{
    if (scan->is_key) {
        scan->in_repos = scalar_is(event, "repos");
        /* A second `repos` would take the place of the first. */
        scan->good = scan->good && !(scan->in_repos && scan->has_repos);
        scan->has_repos = scan->has_repos || scan->in_repos;
        scan->is_key = false;
        return;
    }
    scan->is_key = true;
    if (scan->in_repos && event->type == YAML_SEQUENCE_START_EVENT) {
        scan->is_list = event->data.sequence_start.style != YAML_FLOW_SEQUENCE_STYLE;
        scan->dash_column = event->start_mark.column;
    }
}

static bool is_open(const yaml_event_t *event)
{
    return event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
}

static void scan_node(Scan *scan, const yaml_event_t *event)
{
    if (scan->depth == 0) {
        scan->is_mapping = event->type == YAML_MAPPING_START_EVENT &&
                           event->data.mapping_start.style != YAML_FLOW_MAPPING_STYLE &&
                           event->start_mark.column == 0;
        scan->is_key = true;
    } else if (scan->depth == 1) {
        scan_member(scan, event);
    } else if (scan->depth == 2 && scan->in_repos) {
        scan->items++;
    }
    bool is_hook = scalar_is(event, "pypto-lint") || scalar_is(event, "pypto-lint-operator");
    scan->has_hook = scan->has_hook || (scan->in_repos && scan->after_id && is_hook);
    scan->after_id = scalar_is(event, "id");
    if (event->type == YAML_SCALAR_EVENT || event->type == YAML_ALIAS_EVENT) {
        note_end(scan, event);
    }
    scan->depth += is_open(event);
    scan->good = scan->good && scan->depth <= MAX_DEPTH;
}

static void scan_event(Scan *scan, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        scan->documents++;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        /* Of flow collections only: those of blocks are as wide as nothing. */
        note_end(scan, event);
        scan->depth--;
        break;
    case YAML_SCALAR_EVENT:
    case YAML_ALIAS_EVENT:
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        scan_node(scan, event);
        break;
    default:
        break;
    }
}

static Scan scan_text(Str text)
{
    Scan scan = {.good = true};
    if (utf8_first_error(text) != SIZE_MAX || !yaml_parser_initialize(&scan.parser)) {
        scan.good = false;
        return scan;
    }
    yaml_parser_set_input_string(&scan.parser, (const unsigned char *)text.at, text.length);
    for (bool more = true; more && scan.good;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&scan.parser, &event)) {
            scan.good = false;
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        scan_event(&scan, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&scan.parser);
    scan.good = scan.good && scan.documents <= 1 && (scan.documents == 0 || scan.is_mapping);
    return scan;
}

/* --- lines */

/* The next line from `*at`, its end included; false at the end of the text. */
static bool next_line(Str text, size_t *at, Str *line)
{
    if (*at >= text.length) {
        return false;
    }
    size_t end = str_find(text, STR("\n"), *at);
    *line = str_slice(text, *at, end == SIZE_MAX ? end : end + 1);
    *at += line->length;
    return true;
}

/* The block of our file in hooks/: from the first marking comment to the second, both included. */
static Str block_of(Str wanted)
{
    size_t start = str_find(wanted, STR("# >>>"), 0);
    return start == SIZE_MAX ? wanted : str_slice(wanted, start, wanted.length);
}

/* The marking comments of the block: its first and its last line, without line ends. */
static Str mark_of(Str block, bool last)
{
    Str line = STR(""), first = STR("");
    for (size_t at = 0; next_line(block, &at, &line);) {
        first = first.length == 0 ? line : first;
    }
    return str_trim(last ? line : first);
}

/* The block with its lines indented and ended as in the file that takes it. */
static void add_block(Buf *out, Str block, size_t indent, Str newline)
{
    Str line;
    for (size_t at = 0; next_line(block, &at, &line);) {
        for (size_t i = 0; i < indent; i++) {
            buf_add_char(out, ' ');
        }
        buf_add(out, str_ends(line, STR("\n")) ? str_slice(line, 0, line.length - 1) : line);
        buf_add(out, newline);
    }
}

/* Byte offset of a code point; libyaml does not count a byte order mark. */
static size_t byte_offset(Str text, size_t code_points)
{
    size_t at = str_starts(text, STR("\xEF\xBB\xBF")) ? 3 : 0;
    for (size_t i = 0; i < code_points && at < text.length; i++) {
        utf8_next(text, &at);
    }
    return at;
}

/* --- adding */

/* Start of the line after the last item. */
static size_t place_after(const Scan *scan, Str text)
{
    size_t at = byte_offset(text, scan->end);
    if (scan->at_line_start) {
        return at;
    }
    size_t end = str_find(text, STR("\n"), at);
    return end == SIZE_MAX ? text.length : end + 1;
}

static Str insert_block(Arena *arena, const Scan *scan, Str text, Str block)
{
    Str newline = str_contains(text, STR("\r\n")) ? STR("\r\n") : STR("\n");
    size_t at = scan->has_repos ? place_after(scan, text) : text.length;
    Buf out = {.arena = arena};
    buf_add(&out, str_slice(text, 0, at));
    if (at > 0 && text.at[at - 1] != '\n') {
        buf_add(&out, newline);
    }
    if (!scan->has_repos) {
        buf_add(&out, STR("repos:"));
        buf_add(&out, newline);
    }
    add_block(&out, block, scan->has_repos ? scan->dash_column : 0, newline);
    buf_add(&out, str_slice(text, at, text.length));
    return buf_str(&out);
}

PreCommitChange pre_commit_add(Arena *arena, Str text, Str wanted)
{
    PreCommitChange change = {.text = text};
    Scan scan = scan_text(text);
    if (!scan.good) {
        change.problem = PRE_COMMIT_BROKEN;
    } else if (scan.has_hook) {
        change.foreign = !str_contains(text, mark_of(block_of(wanted), false));
    } else if (scan.has_repos && (!scan.is_list || scan.items == 0)) {
        change.problem = PRE_COMMIT_NO_LIST;
    } else {
        Str changed = insert_block(arena, &scan, text, block_of(wanted));
        /* However odd the text is: the result has one more item, ours, or is not used. */
        Scan after = scan_text(changed);
        if (after.good && after.has_hook && after.items == scan.items + 1) {
            change.text = changed;
        } else {
            change.problem = PRE_COMMIT_NO_LIST;
        }
    }
    return change;
}

/* --- removing */

/* Offsets of the block with its marking comments; 0 when there is none, -1 when they are not one
 * pair. */
static int find_block(Str text, Str block, size_t *start, size_t *end)
{
    Str first = mark_of(block, false), last = mark_of(block, true);
    uint32_t firsts = 0, lasts = 0;
    Str line;
    for (size_t at = 0, before = 0; next_line(text, &at, &line); before = at) {
        if (str_equal(str_trim(line), first)) {
            *start = before;
            firsts++;
        } else if (str_equal(str_trim(line), last)) {
            *end = at;
            lasts++;
        }
    }
    if (firsts == 0 && lasts == 0) {
        return 0;
    }
    return firsts == 1 && lasts == 1 && *start < *end ? 1 : -1;
}

/* Does the text hold nothing but empty lines and perhaps `repos:`? */
static bool is_bare(Str text)
{
    Str line;
    for (size_t at = 0; next_line(text, &at, &line);) {
        Str content = str_trim(line);
        if (content.length > 0 && !str_is(content, "repos:")) {
            return false;
        }
    }
    return true;
}

static Str without(Arena *arena, Str text, size_t start, size_t end)
{
    Buf out = {.arena = arena};
    buf_add(&out, str_slice(text, 0, start));
    buf_add(&out, str_slice(text, end, text.length));
    return buf_str(&out);
}

/* Start of the line before `start` if it is the `repos:` that we write above a first item. */
static size_t with_key(Str text, size_t start)
{
    size_t line = start;
    while (line > 0 && (line == start || text.at[line - 1] != '\n')) {
        line--;
    }
    return str_is(str_trim(str_slice(text, line, start)), "repos:") ? line : start;
}

PreCommitChange pre_commit_remove(Arena *arena, Str text, Str wanted)
{
    PreCommitChange change = {.text = text};
    size_t start = 0, end = 0;
    int found = find_block(text, block_of(wanted), &start, &end);
    if (found <= 0) {
        change.problem = found < 0 ? PRE_COMMIT_BAD_MARKS : PRE_COMMIT_GOOD;
        Scan scan = scan_text(text);
        change.foreign = scan.good && scan.has_hook;
        return change;
    }
    start = scan_text(without(arena, text, start, end)).items == 0 ? with_key(text, start) : start;
    Str rest = without(arena, text, start, end);
    Scan after = scan_text(rest);
    change.empty = is_bare(rest);
    if (!after.good) {
        change.problem = PRE_COMMIT_BROKEN;
    } else if (after.has_repos && after.items == 0 && !change.empty) {
        change.problem = PRE_COMMIT_LEFT_EMPTY;
    } else {
        change.text = rest;
    }
    return change;
}

/* Suppressions: finding the comments, reading them, and which lines each one applies to. */
#include "lint/suppress.h"

#include "base/ascii.h"
#include "lint/statement_lines.h"
#include "lint/suggest.h"

typedef struct Reader {
    Arena *arena;
    const PyFile *file;
    const Source *source;
    Notices *notices;
    StatementList statements;
    Suppressions *list;
} Reader;

/* A place in one comment. */
typedef struct Cursor {
    Reader *reader;
    uint32_t at, end; /* bytes in the source */
    uint32_t line;
} Cursor;

__attribute__((format(printf, 3, 5), format(printf, 4, 5))) static void
note(Reader *reader, uint32_t line, const char *en, const char *zh, ...)
{
    Buf buf = {.arena = reader->arena};
    va_list args;
    va_start(args, zh);
    buf_addf(&buf, text_in(reader->notices->lang, (Text){"line %u: ", "第 %u 行："}), line);
    buf_vaddf(&buf, reader->notices->lang == LANG_ZH ? zh : en, args);
    va_end(args);
    notice_add_text(reader->notices, pyfile_path(reader->file), false, buf_str(&buf));
    notice_at(reader->notices, line);
}

/* No form feed: the comment's own grammar. */
static bool is_padding(char c)
{
    return c == ' ' || c == '\t';
}

static char peek(const Cursor *cursor)
{
    return cursor->at < cursor->end ? cursor->reader->source->text.at[cursor->at] : '\0';
}

static void skip_blanks(Cursor *cursor)
{
    while (is_padding(peek(cursor))) {
        cursor->at++;
    }
}

static Str read_word(Cursor *cursor)
{
    uint32_t start = cursor->at;
    for (char c = peek(cursor); is_letter(c) || c == '-' || c == '_'; c = peek(cursor)) {
        cursor->at++;
    }
    return source_slice(cursor->reader->source, start, cursor->at);
}

/* Moves past the next `# pypto-lint` of the comment and gives the place of its `#`, or
 * UINT32_MAX. */
static uint32_t find_directive(Cursor *cursor)
{
    Str name = STR("pypto-lint");
    const Source *source = cursor->reader->source;
    Str text = source_slice(source, 0, cursor->end);
    for (;;) {
        size_t hit = str_find(text, name, cursor->at);
        if (hit == SIZE_MAX) {
            return UINT32_MAX;
        }
        uint32_t hash = (uint32_t)hit;
        while (hash > cursor->at && is_padding(text.at[hash - 1])) {
            hash--;
        }
        uint32_t from = cursor->at;
        cursor->at = (uint32_t)(hit + name.length);
        if (hash > from && text.at[hash - 1] == '#') {
            return hash - 1;
        }
    }
}

/* `: ignore` or `: ignore-file`. False for prose and for mistakes, which are noted. */
static bool read_kind(Cursor *cursor, bool *whole_file)
{
    static const char *const kinds[] = {"ignore", "ignore-file"};
    Reader *reader = cursor->reader;
    skip_blanks(cursor);
    bool colon = peek(cursor) == ':';
    if (colon) {
        cursor->at++;
    }
    skip_blanks(cursor);
    Str word = read_word(cursor);
    *whole_file = str_is(word, kinds[1]);
    bool known = *whole_file || str_is(word, kinds[0]);
    if (!colon) {
        /* "# pypto-lint is a linter" is prose. */
        if (known && peek(cursor) == '[') {
            note(reader, cursor->line,
                 "suppression without effect: write \"# pypto-lint: %.*s[…]\"",
                 "抑制注释无效：请写成 \"# pypto-lint: %.*s[…]\"", STR_ARG(word));
        }
        return false;
    }
    if (!known) {
        const char *nearest = suggest(word, kinds, 2);
        note(reader, cursor->line,
             "comment without effect: \"%.*s\" is not a directive; did you mean \"%s[…]\"?",
             "注释无效：\"%.*s\" 不是指令；是否想写 \"%s[…]\"？", STR_ARG(str_slice(word, 0, 40)),
             nearest == NULL ? kinds[0] : nearest);
    }
    return known;
}

/* Can this stand in the brackets: an id, a prefix or a name? Otherwise there is a notice. */
static bool check_selector(Cursor *cursor, Str selector)
{
    Reader *reader = cursor->reader;
    Str message = STR("");
    bool good = selector_check(selector, reader->arena, reader->notices->lang, &message);
    bool narrow = (selector.length > 2 && selector_is_id(selector)) || rule_named(selector) != NULL;
    if (good && !narrow && message.length == 0) {
        note(reader, cursor->line, "\"%.*s\" is too wide for a comment: name the rules",
             "\"%.*s\" 范围过大，不能用于注释：请写明规则编号", STR_ARG(selector));
        return false;
    }
    if (message.length > 0 || selector.length == 0) {
        note(reader, cursor->line, "in a suppression: %.*s", "抑制注释：%.*s", STR_ARG(message));
        return false;
    }
    return good;
}

/* The list between the brackets; the cursor is after the `[`. False when it is malformed. */
static bool read_list(Cursor *cursor, Suppression *suppression)
{
    Reader *reader = cursor->reader;
    const Source *source = reader->source;
    size_t hit = str_find(source_slice(source, 0, cursor->end), STR("]"), cursor->at);
    if (hit == SIZE_MAX) {
        note(reader, cursor->line, "suppression without effect: \"]\" is missing",
             "抑制注释无效：缺少 \"]\"");
        return false;
    }
    uint32_t close = (uint32_t)hit;
    suppression->list_start = cursor->at;
    suppression->list_end = close;
    while (cursor->at <= close) {
        size_t comma = str_find(source_slice(source, 0, close), STR(","), cursor->at);
        size_t end = comma == SIZE_MAX ? close : comma;
        Str selector = str_trim(source_slice(source, cursor->at, (uint32_t)end));
        cursor->at = (uint32_t)end + 1;
        if (selector.length == 0) {
            continue; /* a stray comma; an empty list is noted below */
        }
        if (suppression->rules.count == SUPPRESS_MAX_SELECTORS) {
            note(reader, cursor->line, "only the first %d rules of the suppression are read",
                 "只读取该抑制注释的前 %d 个规则", SUPPRESS_MAX_SELECTORS);
            break;
        }
        SuppressedRules rules = {.selector = selector, .known = check_selector(cursor, selector)};
        VEC_PUSH(reader->arena, &suppression->rules, rules);
    }
    cursor->at = close + 1;
    if (suppression->rules.count == 0) {
        note(reader, cursor->line, "suppression without effect: it names no rule",
             "抑制注释无效：没有写明规则");
    }
    return suppression->rules.count > 0;
}

/* Is a `#` here the start of another comment within the comment, as in "# … # noqa"? */
static bool starts_comment(const Cursor *cursor)
{
    Str rest = source_slice(cursor->reader->source, cursor->at, cursor->end);
    bool spaced = is_padding(cursor->reader->source->text.at[cursor->at - 1]);
    return spaced && rest.length > 1 && (is_padding(rest.at[1]) || str_starts(rest, STR("#noqa")));
}

/* The reason: up to the end of the comment, or to another comment within it. */
static void read_reason(Cursor *cursor, Suppression *suppression)
{
    uint32_t start = cursor->at;
    while (cursor->at < cursor->end && !(peek(cursor) == '#' && starts_comment(cursor))) {
        cursor->at++;
    }
    const char *text = cursor->reader->source->text.at;
    uint32_t end = cursor->at;
    while (end > start && is_padding(text[end - 1])) {
        end--;
    }
    suppression->end = end;
    suppression->reason = str_trim(source_slice(cursor->reader->source, start, end));
}

static bool is_code(const Source *source, uint32_t line)
{
    Str text = str_trim(source_line_text(source, line));
    return text.length > 0 && text.at[0] != '#';
}

/* Next line of code after this one, or 0. */
static uint32_t next_code(const Source *source, uint32_t line)
{
    while (++line <= source->line_count) {
        if (is_code(source, line)) {
            return line;
        }
    }
    return 0;
}

/* `own_line`: of the whole comment; the directive may be its second part. */
static void set_lines(const Reader *reader, Suppression *suppression, uint32_t line, bool own_line)
{
    const StatementLines *on = statement_on(&reader->statements, line);
    suppression->first_line = line;
    suppression->last_line = line;
    if (!own_line) {
        if (on != NULL && on->last == line) {
            suppression->statement_line = on->anchor;
        }
        return;
    }
    uint32_t next = next_code(reader->source, line);
    if (on == NULL) {
        on = statement_after(&reader->statements, line);
        next = on != NULL ? on->first : next;
    }
    suppression->first_line = next;
    suppression->last_line = next;
    if (on != NULL && (next == on->first || next == on->anchor)) {
        suppression->last_line = on->last;
    }
    if (next == 0) {
        suppression->first_line = UINT32_MAX; /* nothing follows: an empty range */
    }
}

static void read_comment(Reader *reader, const Comment *comment)
{
    Cursor cursor = {.reader = reader, .at = comment->start, .end = comment->end};
    Suppression suppression = {.start = find_directive(&cursor)};
    if (suppression.start == UINT32_MAX) {
        return;
    }
    bool whole_file;
    cursor.line = source_line(reader->source, comment->start);
    if (!read_kind(&cursor, &whole_file)) {
        return;
    }
    skip_blanks(&cursor);
    if (peek(&cursor) != '[') {
        note(reader, cursor.line,
             "suppression without effect: name the rules in brackets, as in \"ignore[OL48]\"",
             "抑制注释无效：请在方括号中写明规则，例如 \"ignore[OL48]\"");
        return;
    }
    cursor.at++;
    if (!read_list(&cursor, &suppression)) {
        return;
    }
    read_reason(&cursor, &suppression);
    suppression.own_line = comment->own_line && suppression.start == comment->start;
    if (whole_file) {
        suppression.last_line = UINT32_MAX;
    } else {
        set_lines(reader, &suppression, cursor.line, comment->own_line);
    }
    VEC_PUSH(reader->arena, reader->list, suppression);
}

void suppressions_read(Suppressions *list, Arena *arena, const PyFile *file, Notices *notices)
{
    *list = (Suppressions){0};
    Reader reader = {.arena = arena,
                     .file = file,
                     .source = &file->parsed.source,
                     .notices = notices,
                     .list = list};
    /* Most files have none, and then nothing else is done. */
    if (!str_contains(file->parsed.source.text, STR("pypto-lint"))) {
        return;
    }
    statement_lines_read(&reader.statements, arena, file->parsed.module);
    const Comments *comments = &file->parsed.comments;
    for (uint32_t i = 0; i < comments->count; i++) {
        if (list->count == SUPPRESS_MAX_COMMENTS) {
            note(&reader, source_line(reader.source, comments->items[i].start),
                 "only the first %d suppressions of a file are read",
                 "每个文件只读取前 %d 个抑制注释", SUPPRESS_MAX_COMMENTS);
            break;
        }
        read_comment(&reader, &comments->items[i]);
    }
}

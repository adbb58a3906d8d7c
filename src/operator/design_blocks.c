/* Python blocks of DESIGN.md (docs/internals/python-model.md, "Python blocks in Markdown"). */
#include "operator/operator.h"

#include "base/ascii.h"

/* End of the line that begins at `at` (offset of its LF or of the end of the text). */
static size_t line_end(Str text, size_t at)
{
    const char *newline = memchr(text.at + at, '\n', text.length - at);
    return newline == NULL ? text.length : (size_t)(newline - text.at);
}

static bool is_fence(Str text, size_t at)
{
    return str_starts(str_slice(text, at, text.length), STR("```"));
}

/* Exactly three backticks and white space up to the end of the line. */
static bool closes(Str text, size_t at)
{
    if (!is_fence(text, at)) {
        return false;
    }
    return str_trim(str_slice(text, at + 3, line_end(text, at))).length == 0;
}

static Str language_tag(Str text, size_t at)
{
    size_t end = at + 3;
    while (end < text.length) {
        char c = text.at[end];
        if (!is_word_char(c) && c != '+' && c != '-') {
            break;
        }
        end++;
    }
    return str_slice(text, at + 3, end);
}

static bool is_python_tag(Str tag)
{
    static const char *const tags[] = {"", "python", "py", "python3"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (tag.length == strlen(tags[i]) && strncasecmp(tag.at, tags[i], tag.length) == 0) {
            return true;
        }
    }
    return false;
}

static void add_block(Operator *op, const Document *document, Str tag, size_t fence, Str body)
{
    if (!is_python_tag(tag) || str_trim(body).length == 0) {
        return;
    }
    DesignBlock block = {0};
    pyfile_init(&block.file, op->arena, document->path, body);
    if (block.file.parsed.module == NULL) {
        return;
    }
    Source *source = &block.file.parsed.source;
    source->line_offset = source_line(&document->source, (uint32_t)fence);
    source->document = &document->source;
    source->document_start = (uint32_t)(body.at - document->text.at);
    VEC_PUSH(op->arena, op->design_blocks, block);
}

/* A module points at its source, which moved while the list grew. */
static void settle(DesignBlocks *blocks)
{
    for (uint32_t i = 0; i < blocks->count; i++) {
        Parsed *parsed = &blocks->items[i].file.parsed;
        parsed->module->source = &parsed->source;
    }
}

/* Where the block ends whose body begins at `start`: offset of its closing fence, or SIZE_MAX. At
 * least one body line is required, so the first body line never closes. */
static size_t closing_fence(Str text, size_t start)
{
    size_t at = start < text.length ? line_end(text, start) + 1 : SIZE_MAX;
    while (at < text.length) {
        if (closes(text, at)) {
            return at;
        }
        at = line_end(text, at) + 1;
    }
    return SIZE_MAX;
}

const DesignBlocks *operator_design_blocks(Operator *op)
{
    if (op->design_blocks != NULL) {
        return op->design_blocks;
    }
    op->design_blocks = ARENA_NEW(op->arena, DesignBlocks);
    const Document *document = operator_document(op, STR("DESIGN.md"));
    Str text = document->text;
    size_t at = 0;
    while (at < text.length) {
        size_t end = line_end(text, at);
        if (is_fence(text, at) && end < text.length) {
            size_t close = closing_fence(text, end + 1);
            if (close == SIZE_MAX) {
                break; /* then nothing closes a later fence either */
            }
            Str body = str_slice(text, end + 1, close);
            add_block(op, document, language_tag(text, at), at, body);
            at = line_end(text, close) + 1;
            continue;
        }
        at = end + 1;
    }
    settle(op->design_blocks);
    return op->design_blocks;
}

/* One finding as a SARIF result. */
#include "report/sarif_parts.h"

#include "base/utf8.h"
#include "report/terminal.h"

#include <string.h>

/* Excerpts above this are left out, unread: a file with many findings on one long line must not be
 * copied into the log many times. */
enum { MAX_SNIPPET = 4096, MAX_LINKS = 5, CONTEXT_LINES = 1 };

SarifText sarif_str(Str text)
{
    return (SarifText){text.at, text.length};
}

/* Size in front of each block, so that it can be copied; as large as the strictest alignment. */
typedef union BlockHead {
    size_t size;
    max_align_t align;
} BlockHead;

static void *arena_reallocate(void *context, void *block, size_t size)
{
    if (size == 0) {
        return NULL;
    }
    BlockHead *old = block == NULL ? NULL : (BlockHead *)block - 1;
    BlockHead *new = arena_alloc(context, sizeof *new + size);
    new->size = size;
    if (old != NULL) {
        memcpy(new + 1, block, old->size < size ? old->size : size);
    }
    return new + 1;
}

SarifAllocator sarif_arena(Arena *arena)
{
    return (SarifAllocator){arena_reallocate, arena};
}

static SarifRegion region_of(Region region)
{
    return (SarifRegion){.start_line = region.line,
                         .start_column = region.column,
                         .end_line = region.end_line,
                         .end_column = region.end_column};
}

/* The offset `count` code points behind `offset`; past MAX_SNIPPET bytes it stops. */
static size_t skip_forward(Str text, size_t offset, uint32_t count)
{
    size_t most = offset + MAX_SNIPPET + 1;
    while (count > 0 && offset < text.length && offset < most) {
        utf8_next(text, &offset);
        count--;
    }
    return offset;
}

/* Text of the region; absent when it is too long. */
static SarifText snippet_of(const Finding *finding)
{
    const Source *source = finding->source;
    Region region = finding->region;
    size_t start = finding->start;
    size_t end;
    if (region.end_line <= region.line) {
        uint32_t width = region.end_column > region.column ? region.end_column - region.column : 0;
        end = skip_forward(source->text, start, width);
    } else {
        size_t line = region.end_line > source->line_count
                          ? source->text.length
                          : source->line_starts[region.end_line - 1];
        if (line > start + MAX_SNIPPET) {
            return (SarifText){NULL, 0};
        }
        end = skip_forward(source->text, line, region.end_column > 0 ? region.end_column - 1 : 0);
    }
    if (end < start || end - start > MAX_SNIPPET) {
        return (SarifText){NULL, 0};
    }
    return sarif_str(str_slice(source->text, start, end));
}

/* The lines of the region with one more on both sides. */
static SarifRegion context_of(const Finding *finding)
{
    const Source *source = finding->source;
    uint32_t first = finding->region.line;
    uint32_t last = finding->region.end_line > first ? finding->region.end_line : first;
    first = first > CONTEXT_LINES ? first - CONTEXT_LINES : 1;
    last = last + CONTEXT_LINES < source->line_count ? last + CONTEXT_LINES : source->line_count;
    if (first > last) {
        return (SarifRegion){0};
    }
    size_t start = first == 1 ? source->text_start : source->line_starts[first - 1];
    size_t end = last < source->line_count ? source->line_starts[last] : source->text.length;
    if (end - start > MAX_SNIPPET) {
        return (SarifRegion){0};
    }
    return (SarifRegion){.start_line = first,
                         .end_line = last,
                         .snippet = sarif_str(str_slice(source->text, start, end))};
}

static SarifText path_of(SarifBuilder *builder, const OperatorResult *op, Str file)
{
    Arena *arena = builder->arena;
    return sarif_str(path_from(arena, builder->working_dir, full_path(arena, op, file)));
}

/* "[a](1)" in a message is a link: brackets that are not ours are escaped where they could be
 * one. */
static void add_plain(Buf *out, Str text, bool always)
{
    bool escape = always || str_contains(text, STR("]("));
    for (size_t i = 0; i < text.length; i++) {
        if (escape && (text.at[i] == '[' || text.at[i] == ']')) {
            buf_add_char(out, '\\');
        }
        buf_add_char(out, text.at[i]);
    }
}

/* Message, hint, and links to the related places: viewers show those only where they are linked. */
static SarifText message_of(SarifBuilder *builder, const Finding *finding)
{
    Lang lang = builder->lang;
    Buf message = {.arena = builder->arena};
    add_plain(&message, finding->message, false);
    Str hint = finding_fix_hint(finding, lang);
    if (hint.length > 0) {
        buf_add(&message, str_from(words(lang, "\nHelp: ", "\n帮助：")));
        add_plain(&message, hint, false);
    }
    for (uint32_t i = 0; i < finding->related.count && i < MAX_LINKS; i++) {
        const char *first = words(lang, "\nSee: ", "\n参见：");
        buf_add(&message, str_from(i == 0 ? first : words(lang, "; ", "；")));
        buf_add_char(&message, '[');
        Str text = finding->related.items[i].message;
        add_plain(&message, text.length > 0 ? text : finding->related.items[i].file, true);
        buf_addf(&message, "](%u)", i + 1);
    }
    return sarif_str(terminal_text(builder->arena, buf_str(&message)));
}

static void describe_related(SarifBuilder *builder, const OperatorResult *op,
                             const Finding *finding, SarifResult *result)
{
    SarifLocation *related = ARENA_ARRAY(builder->arena, SarifLocation, finding->related.count);
    for (uint32_t i = 0; i < finding->related.count; i++) {
        const Related *place = &finding->related.items[i];
        related[i] =
            (SarifLocation){.path = path_of(builder, op, place->file),
                            .region = region_of(place->region),
                            .message = sarif_str(terminal_text(builder->arena, place->message))};
    }
    result->related = related;
    result->related_count = finding->related.count;
}

static void describe_fix(SarifBuilder *builder, const Finding *finding, SarifResult *result)
{
    if (finding->edits.count == 0) {
        return;
    }
    SarifReplacement *replacements =
        ARENA_ARRAY(builder->arena, SarifReplacement, finding->edits.count);
    for (uint32_t i = 0; i < finding->edits.count; i++) {
        const Edit *edit = &finding->edits.items[i];
        replacements[i] = (SarifReplacement){.deleted = region_of(edit->region),
                                             .inserted = sarif_str(edit->text)};
    }
    SarifFix *fix = ARENA_NEW(builder->arena, SarifFix);
    fix->description =
        sarif_str(terminal_text(builder->arena, finding_fix_hint(finding, builder->lang)));
    fix->replacements = replacements;
    fix->replacement_count = finding->edits.count;
    result->fixes = fix;
    result->fix_count = 1;
}

/* The fingerprint that GitHub's upload action would compute. */
static bool describe_fingerprint(SarifBuilder *builder, const Finding *finding, SarifResult *result)
{
    if (finding->source == NULL) {
        return true;
    }
    if (builder->source != finding->source) {
        sarif_lines_free(builder->lines);
        builder->source = NULL;
        builder->lines = NULL;
        if (sarif_lines_create(sarif_str(finding->source->text), builder->allocator,
                               &builder->lines) != SARIF_OK) {
            return false;
        }
        builder->source = finding->source;
    }
    char *hash = ARENA_ARRAY(builder->arena, char, SARIF_LINE_HASH_SIZE);
    size_t length = sarif_lines_hash(builder->lines, finding->region.line, hash);
    result->line_hash = (SarifText){hash, length};
    return true;
}

static void describe_properties(SarifBuilder *builder, const OperatorResult *op,
                                const Finding *finding, SarifResult *result)
{
    enum { COUNT = 3 };
    SarifProperty *items = ARENA_ARRAY(builder->arena, SarifProperty, COUNT);
    items[0] = (SarifProperty){.key = SARIF_TEXT("severity"),
                               .text = sarif_text(severity_name(finding->rule->severity))};
    items[1] = (SarifProperty){.key = SARIF_TEXT("status"),
                               .text = sarif_text(status_name(finding->status))};
    items[2] = (SarifProperty){.key = SARIF_TEXT("operator"), .text = sarif_str(op->op_name)};
    result->properties = (SarifProperties){items, op->op_name.length > 0 ? COUNT : COUNT - 1};
}

bool sarif_describe(SarifBuilder *builder, const OperatorResult *op, const Finding *finding,
                    SarifResult *result)
{
    *result = (SarifResult){
        .message = message_of(builder, finding),
        .location = {.path = path_of(builder, op, finding->file),
                     .region = region_of(finding->region)},
    };
    if (finding->source != NULL && finding->region.line > 0) {
        result->location.region.snippet = snippet_of(finding);
        result->location.context = context_of(finding);
    }
    describe_related(builder, op, finding, result);
    describe_fix(builder, finding, result);
    describe_properties(builder, op, finding, result);
    return describe_fingerprint(builder, finding, result);
}

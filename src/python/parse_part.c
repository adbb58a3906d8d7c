/* ParsePart; see parse_part.h. */
#include "python/parse_part.h"

#include "base/search.h"

static uint64_t parsed_in_part;

/* Statements of a block are parsed below this line: with their indentation they are its block. */
#define HEADER "if 1:\n"
enum { HEADER_LENGTH = sizeof HEADER - 1 };

/* Bytes of the kept text that became others: those before `start` and from `old_end` on are the
 * same, the latter `delta` further on. */
typedef struct Change {
    uint32_t start, old_end;
    uint32_t delta; /* modulo 2^32 */
} Change;

/* Neighbours in one list of statements that the change lies in, with the lines they stand on. */
typedef struct Part {
    NodeId owner, from, to; /* nodes of the kept tree from `from` to before `to` are replaced */
    uint32_t start, old_end;
    uint32_t indent; /* bytes of white space before each statement; 0: the module's */
} Part;

/* --- what has changed */

static uint32_t same_before(const char *one, const char *other, uint32_t most)
{
    uint32_t count = 0;
    while (count < most && one[count] == other[count]) {
        count++;
    }
    return count;
}

/* The same from the ends, which lie after the last bytes. */
static uint32_t same_suffix(const char *one_end, const char *other_end, uint32_t most)
{
    uint32_t count = 0;
    while (count < most && *(one_end - 1 - count) == *(other_end - 1 - count)) {
        count++;
    }
    return count;
}

/* Source and cleaned text both count: a comment is in one of them, a string's context in the
 * other. */
static Change find_change(const Lower *lower, const KeptParse *kept)
{
    Str text = lower->source->text;
    uint32_t length = (uint32_t)text.length;
    uint32_t shorter = length < kept->length ? length : kept->length;
    uint32_t start = same_before(kept->text, text.at, shorter);
    start = same_before(kept->clean, lower->text, start);
    uint32_t most = shorter - start;
    uint32_t suffix = same_suffix(kept->text + kept->length, text.at + length, most);
    suffix = same_suffix(kept->clean + kept->length, lower->text + length, suffix);
    return (Change){start, kept->length - suffix, length - kept->length};
}

/* Where an offset outside of the part is now; 0, which may mean "none", stays 0. */
static uint32_t moved(const Change *change, uint32_t offset)
{
    return offset >= change->old_end ? offset + change->delta : offset;
}

/* --- which statements to parse anew */

/* Where the line of a statement begins, its decorators included; UINT32_MAX when something else
 * stands before it on the line. */
static uint32_t line_of(const KeptParse *kept, NodeId id)
{
    const Node *node = &kept->nodes[id];
    uint32_t at = node->start;
    bool decorated = false;
    for (NodeId child = id + 1; child < node->subtree_end; child = kept->nodes[child].subtree_end) {
        const Node *part = &kept->nodes[child];
        if (part->role == ROLE_DECORATOR && part->start < at) {
            at = part->start;
            decorated = true;
        }
    }
    for (; at > kept->text_start && kept->clean[at - 1] != '\n'; at--) {
        char c = kept->clean[at - 1];
        if (c == '@' && decorated) {
            decorated = false;
        } else if (c != ' ' && c != '\t') {
            return UINT32_MAX;
        }
    }
    return decorated ? UINT32_MAX : at; /* `@` on another line: `@(`, or a line continued */
}

static bool is_list(uint8_t role)
{
    return role == ROLE_BODY || role == ROLE_ORELSE || role == ROLE_FINALBODY;
}

/* The list of `owner` that the change lies in, if its statements can be told apart there. `*inside`
 * becomes the child that the change lies in, or NO_NODE. */
static bool find_in(const KeptParse *kept, const Change *change, NodeId owner, Part *part,
                    NodeId *inside)
{
    bool is_module = owner == 0;
    uint8_t role = ROLE_NONE;
    NodeId end = kept->nodes[owner].subtree_end;
    *part = (Part){.owner = owner, .from = is_module ? 1 : NO_NODE, .start = kept->text_start};
    *inside = NO_NODE;
    for (NodeId id = owner + 1; id < end; id = kept->nodes[id].subtree_end) {
        const Node *node = &kept->nodes[id];
        if (node->start <= change->start && node->end >= change->old_end) {
            *inside = id;
        }
        uint32_t line = is_list(node->role) ? line_of(kept, id) : UINT32_MAX;
        bool same = is_module || node->role == role;
        if (line <= change->start) {
            *part = (Part){owner, id, 0, line, 0, node->start - line};
            role = node->role;
        } else if (line != UINT32_MAX && line >= change->old_end && same && part->to == 0) {
            part->to = id;
            part->old_end = line;
        }
    }
    if (is_module) {
        part->indent = 0;
        part->to = part->to == 0 ? end : part->to;
        part->old_end = part->to == end ? kept->length : part->old_end;
    }
    return part->from != NO_NODE && part->to != 0 && part->from < part->to &&
           (is_module || part->start > HEADER_LENGTH);
}

/* The innermost list whose statements around the change can be parsed by themselves. */
static bool find_part(const KeptParse *kept, const Change *change, Part *part)
{
    Part found;
    NodeId owner = 0, inside = NO_NODE;
    bool any = false;
    while (owner != NO_NODE) {
        if (find_in(kept, change, owner, &found, &inside)) {
            *part = found;
            any = true;
        }
        owner = inside;
    }
    return any;
}

/* --- may they? */

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Does a logical line begin at the first token from `at` on, and `at` at the start of a line? */
static bool is_boundary(const Lower *lower, uint32_t at)
{
    uint32_t next;
    if (at == lower->base || at == lower->source->text.length) {
        return true;
    }
    LOWER_BOUND(next, lower->lexed->newlines.count, lower->lexed->newlines.items[next] < at);
    if (next == 0 || lower->text[at - 1] != '\n') {
        return false;
    }
    uint32_t before = lower->lexed->newlines.items[next - 1] + 1;
    while (before < at && is_white(lower->text[before])) {
        before++;
    }
    return before == at;
}

/* Is every logical line of the part indented as its list is, the first of them no further, so that
 * it belongs to no block before? */
static bool is_indented(const Lower *lower, const Part *part, const char *indent, uint32_t end)
{
    const uint32_t *newlines = lower->lexed->newlines.items;
    uint32_t next, count = lower->lexed->newlines.count;
    bool first = true;
    LOWER_BOUND(next, count, newlines[next] < part->start);
    for (uint32_t at = part->start; at < end; at = newlines[next++] + 1) {
        uint32_t line = at;
        for (; at < end && is_white(lower->text[at]); at++) {
            line = lower->text[at] == '\n' ? at + 1 : line;
        }
        uint32_t width = at - line;
        bool deeper = first && width > part->indent;
        if (at < end && (deeper || width < part->indent || lower->text[at] == '\f' ||
                         memcmp(lower->text + line, indent, part->indent) != 0)) {
            return false; /* after a form feed columns count anew */
        }
        first = false;
        if (next == count) {
            break;
        }
    }
    return true;
}

/* --- parsing */

static bool lower_below_header(Lower *lower, TSNode root, Role role)
{
    Children statements = lower_children(lower, root);
    Child header = lower_child(lower, statements, 0);
    bool good = statements.count == 1 && header.symbol == SYMBOL_IF_STATEMENT;
    Children parts = {0};
    if (good) {
        parts = lower_children(lower, header.node);
        Child block = lower_child(lower, parts, parts.count - 1);
        good = block.symbol == SYMBOL_BLOCK;
        if (good) {
            lower_block(lower, block, role);
        }
    }
    return good;
}

static bool stars_claimed(const Lower *lower, uint32_t start, uint32_t end)
{
    const uint32_t *stars = lower->lexed->stars.items;
    uint32_t i;
    LOWER_BOUND(i, lower->lexed->stars.count, stars[i] < start);
    for (; i < lower->lexed->stars.count && stars[i] < end; i++) {
        if (!lower->star_used[i]) {
            return false;
        }
    }
    return true;
}

static bool parse_statements(Lower *lower, const KeptParse *kept, const Part *part, uint32_t end)
{
    Buf text = {.arena = lower->arena};
    const Node *owner = &kept->nodes[part->owner];
    uint32_t base = lower->base, header = part->owner == 0 ? 0 : HEADER_LENGTH;
    uint32_t errors = lower->errors->count;
    buf_add(&text, str_slice(STR(HEADER), 0, header));
    buf_add(&text, (Str){lower->text + part->start, end - part->start});
    TSTree *tree = parser_run(text.at, (uint32_t)text.length);
    TSNode root = ts_tree_root_node(tree);
    bool good = !ts_node_has_error(root);
    if (good) {
        lower->base = part->start - header;
        lower->parent = part->owner;
        lower->depth = owner->depth + 1U;
        lower->cursor = ts_tree_cursor_new(root);
        if (header > 0) {
            good = lower_below_header(lower, root, (Role)kept->nodes[part->from].role);
        } else {
            lower_statements(lower, root, ROLE_BODY);
        }
        good = good && stars_claimed(lower, part->start, end);
    }
    good = good && lower->errors->count == errors;
    lower->errors->count = errors;
    lower->base = base;
    return good;
}

/* --- putting together */

static void move_node(Lower *lower, const KeptParse *kept, const Change *change, Node *node)
{
    uintptr_t written = (uintptr_t)node->name - (uintptr_t)kept->text;
    node->start = moved(change, node->start);
    node->end = moved(change, node->end);
    if (node->kind != NODE_IMPORT_FROM &&
        node->kind != NODE_CONSTANT) { /* theirs is not an offset */
        node->extra = moved(change, node->extra);
    }
    if (node->name_length == 0) {
        node->name = "";
    } else if (written < kept->length) {
        node->name = lower->source->text.at + moved(change, (uint32_t)written);
    } else {
        node->name = str_dup(lower->arena, node_name_bytes(node));
    }
}

/* Ids from `to` on, the first node after those that were replaced, have moved by `by`. */
static void move_ids(Node *node, NodeId to, uint32_t by)
{
    if (node->parent != NO_NODE && node->parent >= to) {
        node->parent += by;
    }
    if (node->subtree_end >= to) {
        node->subtree_end += by;
    }
}

static void add_kept(Lower *lower, const KeptParse *kept, NodeId from, NodeId to)
{
    for (NodeId id = from; id < to; id++) {
        VEC_PUSH(lower->arena, &lower->nodes, kept->nodes[id]);
    }
}

static void splice(Lower *lower, const KeptParse *kept, const Change *change, const Part *part)
{
    NodeId after = lower->nodes.count;
    add_kept(lower, kept, part->to, kept->node_count);
    for (NodeId id = 0; id < lower->nodes.count; id++) {
        if (id < part->from || id >= after) {
            move_node(lower, kept, change, &lower->nodes.items[id]);
            move_ids(&lower->nodes.items[id], part->to, after - part->to);
        }
    }
}

bool parse_part(Lower *lower, const KeptParse *kept)
{
    if (kept->text_start != lower->base || kept->node_count < 2) {
        return false;
    }
    Part part = {0};
    Change change = find_change(lower, kept);
    if (!find_part(kept, &change, &part)) {
        return false;
    }
    uint32_t end = part.old_end + change.delta;
    change.old_end = part.old_end;
    if (!is_boundary(lower, part.start) || !is_boundary(lower, end) ||
        !is_indented(lower, &part, kept->clean + part.start, end)) {
        return false;
    }
    add_kept(lower, kept, 0, part.from);
    if (!parse_statements(lower, kept, &part, end)) {
        lower->nodes.count = 0;
        return false;
    }
    splice(lower, kept, &change, &part);
    parsed_in_part++;
    return true;
}

uint64_t parse_part_count(void)
{
    return parsed_in_part;
}

/* Imports: edits on import statements. Everything is decided on byte ranges of the source, so that
 * comments, `;` and line ends around a statement survive. */
#include "rules/imports.h"

#include "base/ascii.h"

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* --- ranges */

/* Offset of the first byte at or after `at` that is not a space, line end or continuation
 * backslash. */
static uint32_t skip_space(Str text, uint32_t at)
{
    while (at < text.length &&
           (is_blank(text.at[at]) || is_line_end(text.at[at]) || text.at[at] == '\\')) {
        at++;
    }
    return at;
}

static uint32_t skip_word(Str text, uint32_t at)
{
    while (at < text.length && text.at[at] != '.' && text.at[at] != '\\' && text.at[at] != ';' &&
           !is_blank(text.at[at]) && !is_line_end(text.at[at])) {
        at++;
    }
    return at;
}

Span import_module_span(const Module *module, NodeId statement)
{
    Str text = module->source->text;
    uint32_t at = node_at(module, statement)->start + (uint32_t)STR("from").length;
    for (at = skip_space(text, at); at < text.length && text.at[at] == '.';) {
        at = skip_space(text, at + 1);
    }
    Span span = {at, at};
    if (node_name(module, statement).length == 0) {
        return span;
    }
    for (;;) {
        span.end = skip_word(text, at);
        at = skip_space(text, span.end);
        if (at >= text.length || text.at[at] != '.') {
            return span;
        }
        at = skip_space(text, at + 1);
    }
}

/* Start of the line that contains `at`. */
static uint32_t line_start(Str text, uint32_t at)
{
    while (at > 0 && !is_line_end(text.at[at - 1])) {
        at--;
    }
    return at;
}

/* Start of the line after the one that contains `at`, or the end of the text. */
static uint32_t next_line(Str text, uint32_t at)
{
    while (at < text.length && !is_line_end(text.at[at])) {
        at++;
    }
    if (at < text.length && text.at[at] == '\r') {
        at++;
        return at < text.length && text.at[at] == '\n' ? at + 1 : at;
    }
    return at < text.length ? at + 1 : at;
}

/* Goes back from `at` over white space and continued line ends. */
static uint32_t skip_space_back(Str text, uint32_t at)
{
    for (;;) {
        uint32_t line = at;
        while (line > 0 && is_line_end(text.at[line - 1])) {
            line--;
        }
        if (line != at && (line == 0 || text.at[line - 1] != '\\')) {
            return at;
        }
        if (line != at) {
            at = line - 1;
        } else if (at > 0 && is_blank(text.at[at - 1])) {
            at--;
        } else {
            return at;
        }
    }
}

static uint32_t skip_blank(Str text, uint32_t at)
{
    while (at < text.length && is_blank(text.at[at])) {
        at++;
    }
    return at;
}

Span statement_removal(const Module *module, NodeId statement)
{
    Str text = module->source->text;
    Span span = {node_at(module, statement)->start, node_at(module, statement)->end};
    uint32_t before = skip_space_back(text, span.start);
    uint32_t after = skip_blank(text, span.end);
    if (before > 0 && text.at[before - 1] == ';') { /* a = 1; import b */
        span.start = before - 1;
        return span;
    }
    if (after < text.length && text.at[after] == ';') { /* import b; a = 1 */
        span.end = skip_blank(text, after + 1);
        return span;
    }
    if (after < text.length && text.at[after] == '#') {
        span.end = after;
        return span;
    }
    if (skip_blank(text, line_start(text, span.start)) >= span.start) {
        span.start = line_start(text, span.start);
        span.end = next_line(text, span.end);
    }
    return span;
}

/* The items of one statement may be removed together as far as the spans do not overlap: those of
 * the first two items do, so that never all of them go and leave a bare `import`. */
Span import_item_removal(const Module *module, NodeId alias)
{
    Str text = module->source->text;
    NodeId statement = node_at(module, alias)->parent, next = node_next(module, alias);
    Span span = {node_at(module, alias)->start, node_at(module, alias)->end};
    if (node_child(module, statement, ROLE_NAME) != alias) {
        uint32_t comma = skip_space_back(text, span.start);
        while (comma > 0 && text.at[comma - 1] != ',') {
            comma--;
        }
        span.start = skip_space_back(text, comma > 0 ? comma - 1 : 0);
        return span;
    }
    if (next != NO_NODE) {
        span.end = node_at(module, next)->start;
        return span;
    }
    return statement_removal(module, statement);
}

/* --- rewriting imports of pypto */

/* An item `import pypto`, with nothing after it. */
static bool is_plain(const Module *module, NodeId alias)
{
    return str_is(node_name(module, alias), "pypto") && alias_asname(module, alias).length == 0;
}

/* Does an alias bind the name `pypto`, and to the package? */
static bool binds_package(const Module *module, NodeId alias)
{
    if (!node_is(module, node_at(module, alias)->parent, NODE_IMPORT) ||
        !is_pypto_module(node_name(module, alias))) {
        return false;
    }
    Str as_name = alias_asname(module, alias);
    return as_name.length == 0 ||
           (str_is(as_name, "pypto") && str_is(node_name(module, alias), "pypto"));
}

void import_fixer_init(ImportFixer *fixer, Arena *arena, const PyFile *file)
{
    const Module *module = pyfile_module(file);
    *fixer = (ImportFixer){.file = file, .names = {.arena = arena}, .first_plain = UINT32_MAX};
    name_table_add(&fixer->names, STR("pypto"));
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    for (uint32_t i = 0; i < aliases.count; i++) {
        NodeId alias = aliases.ids[i], statement = node_at(module, alias)->parent;
        if (is_pypto_module(alias_module(module, alias))) {
            name_table_add(&fixer->names, alias_bound_name(module, alias));
        }
        fixer->package_binds += binds_package(module, alias);
        if (fixer->first_plain == UINT32_MAX && is_plain(module, alias) &&
            node_is(module, statement, NODE_IMPORT) &&
            node_is(module, node_at(module, statement)->parent, NODE_MODULE)) {
            fixer->first_plain = node_at(module, alias)->start;
        }
    }
    name_table_scan(&fixer->names, module);
}

/* Is `pypto` the package wherever the file binds it? */
static bool package_name_is_free(const ImportFixer *fixer)
{
    return !fixer->names.has_star &&
           name_table_find(&fixer->names, STR("pypto"))->bindings == fixer->package_binds;
}

/* May every use of the name that `alias` binds be written as a path that starts with `pypto`? */
static bool may_rename(const ImportFixer *fixer, NodeId alias)
{
    const Module *module = pyfile_module(fixer->file);
    if (binds_package(module, alias)) {
        return true; /* its uses say `pypto` already */
    }
    const NameUse *use = name_table_find(&fixer->names, alias_bound_name(module, alias));
    return use != NULL && use->bindings == 1 && use->quoted == 0;
}

/* Edits that write every use of the name bound by `alias` as its full path. */
static void rename_uses(const ImportFixer *fixer, RuleRun *run, Finding *finding, NodeId alias)
{
    const Module *module = pyfile_module(fixer->file);
    if (binds_package(module, alias)) {
        return;
    }
    Str path = node_name(module, alias);
    NodeId statement = node_at(module, alias)->parent;
    if (node_is(module, statement, NODE_IMPORT_FROM)) {
        Str from = node_name(module, statement);
        path = str_format(run->arena, "%.*s.%.*s", STR_ARG(from), STR_ARG(path));
    }
    const NameUse *use = name_table_find(&fixer->names, alias_bound_name(module, alias));
    for (uint32_t i = 0; i < use->loads.count; i++) {
        const Node *load = node_at(module, use->loads.items[i]);
        finding_edit(run, finding, FIX_SAFE, load->start, load->end, path);
    }
}

/* Can it be rewritten without changing what the file does? */
static bool is_rewritable(const ImportFixer *fixer, NodeId statement, NodeId alias)
{
    const Module *module = pyfile_module(fixer->file);
    bool whole = alias == NO_NODE; /* a `from` statement */
    if (!package_name_is_free(fixer) || (whole && node_at(module, statement)->extra > 0)) {
        return false; /* a relative import is another module than pypto itself */
    }
    NodeId item = whole ? node_child(module, statement, ROLE_NAME) : alias;
    for (; item != NO_NODE; item = whole ? node_next(module, item) : NO_NODE) {
        if (!may_rename(fixer, item)) {
            return false;
        }
    }
    return true;
}

/* The edits for one import: it becomes `import pypto`, or goes where `remove` says so. */
static void rewrite_one(const ImportFixer *fixer, RuleRun *run, Finding *finding, NodeId statement,
                        NodeId alias, bool remove)
{
    const Module *module = pyfile_module(fixer->file);
    bool whole = alias == NO_NODE;
    const Node *node = node_at(module, whole ? statement : alias);
    Span span = {node->start, node->end};
    Str text = whole ? STR("import pypto") : STR("pypto");
    if (remove) {
        span = whole ? statement_removal(module, statement) : import_item_removal(module, alias);
        text = STR("");
    }
    finding_edit(run, finding, FIX_SAFE, span.start, span.end, text);
    NodeId item = whole ? node_child(module, statement, ROLE_NAME) : alias;
    for (; item != NO_NODE; item = whole ? node_next(module, item) : NO_NODE) {
        rename_uses(fixer, run, finding, item);
    }
}

bool import_fixer_rewrite(const ImportFixer *fixer, RuleRun *run, Finding *finding,
                          NodeId statement, NodeId alias)
{
    if (!is_rewritable(fixer, statement, alias)) {
        return false;
    }
    const Node *node = node_at(pyfile_module(fixer->file), statement);
    bool imported_before =
        fixer->first_plain < node->start || (alias != NO_NODE && fixer->first_plain < node->end);
    rewrite_one(fixer, run, finding, statement, alias, imported_before);
    return true;
}

/* The item `import pypto` that stands first; NO_NODE without one. */
static NodeId plain_item(const ImportFixer *fixer)
{
    const Module *module = pyfile_module(fixer->file);
    NodeList aliases = module_nodes(module, NODE_ALIAS);
    for (uint32_t i = 0; i < aliases.count; i++) {
        if (node_at(module, aliases.ids[i])->start == fixer->first_plain) {
            return aliases.ids[i];
        }
    }
    return NO_NODE;
}

/* More wrong imports in a file are not merged; each keeps its own edits. */
enum { IMPORT_MERGE_MOST = 16 };

void import_fixer_merge(const ImportFixer *fixer, RuleRun *run, const WrongImport *wrong,
                        uint32_t count)
{
    const Module *module = pyfile_module(fixer->file);
    NodeId plain = plain_item(fixer);
    uint32_t first = count;
    for (uint32_t i = 0; i < count && count <= IMPORT_MERGE_MOST; i++) {
        if (!is_rewritable(fixer, wrong[i].statement, wrong[i].alias)) {
            return;
        }
        first = 0;
    }
    bool plain_before = plain != NO_NODE && first < count &&
                        fixer->first_plain < node_at(module, wrong[first].statement)->end;
    if (first == count || plain_before || (count == 1 && plain == NO_NODE)) {
        return;
    }
    Finding *finding = wrong[0].finding;
    finding->edits.count = 0;
    rewrite_one(fixer, run, finding, wrong[0].statement, wrong[0].alias, false);
    for (uint32_t i = 1; i < count; i++) {
        NodeId statement = wrong[i].statement;
        uint32_t same = 1;
        while (i + same < count && wrong[i + same].statement == statement) {
            same++;
        }
        bool all = wrong[i].alias != NO_NODE && statement != wrong[0].statement &&
                   same == node_count(module, statement, ROLE_NAME);
        if (!all) {
            rewrite_one(fixer, run, finding, statement, wrong[i].alias, true);
            continue;
        }
        Span span = statement_removal(module, statement); /* never a bare `import` */
        finding_edit(run, finding, FIX_SAFE, span.start, span.end, STR(""));
        for (uint32_t k = 0; k < same; k++) {
            rename_uses(fixer, run, finding, wrong[i + k].alias);
        }
        i += same - 1;
    }
    if (plain != NO_NODE) {
        Span span = import_item_removal(module, plain);
        finding_edit(run, finding, FIX_SAFE, span.start, span.end, STR(""));
    }
}

/* The statement to insert an import after: the last top-level import, else a docstring, else
 * none. */
static NodeId insertion_anchor(const Module *module)
{
    NodeId first = node_child(module, 0, ROLE_BODY), anchor = NO_NODE;
    if (node_is(module, first, NODE_EXPR) && node_is(module, first + 1, NODE_CONSTANT) &&
        node_at(module, first + 1)->op == CONSTANT_STR) {
        anchor = first;
    }
    for (NodeId id = first; id != NO_NODE; id = node_next(module, id)) {
        if (node_is(module, id, NODE_IMPORT) || node_is(module, id, NODE_IMPORT_FROM)) {
            anchor = id;
        }
    }
    return anchor;
}

/* Start of the line on which a statement begins, its decorators included. */
static uint32_t statement_line_start(const Module *module, NodeId statement)
{
    uint32_t start = node_at(module, statement)->start;
    NodeId decorator = node_child(module, statement, ROLE_DECORATOR);
    if (decorator != NO_NODE) {
        start = node_at(module, decorator)->start;
        while (start > 0 && module->source->text.at[start] != '@') {
            start--;
        }
    }
    return line_start(module->source->text, start);
}

Str import_insertion(Arena *arena, const Module *module, Str line, uint32_t *place)
{
    Str text = module->source->text;
    NodeId first = node_child(module, 0, ROLE_BODY), anchor = insertion_anchor(module);
    uint32_t second = next_line(text, 0);
    bool crlf = second > 1 && text.at[second - 1] == '\n' && text.at[second - 2] == '\r';
    const char *end = crlf ? "\r\n" : "\n";
    uint32_t at =
        anchor == NO_NODE ? statement_line_start(module, first) : node_at(module, anchor)->end;
    Str insert = str_format(arena, "%.*s%s%s", STR_ARG(line), end, end);
    if (anchor != NO_NODE) {
        uint32_t rest = skip_blank(text, at);
        uint32_t below = next_line(text, at);
        insert = str_format(arena, "%.*s%s", STR_ARG(line), end);
        if (rest < text.length && !is_line_end(text.at[rest]) && text.at[rest] != '#') {
            insert = str_format(arena, "; %.*s", STR_ARG(line)); /* another statement follows */
        } else if (below == at || !is_line_end(text.at[below - 1])) {
            at = below;
            insert = str_format(arena, "%s%.*s%s", end, STR_ARG(line), end);
        } else {
            at = below;
        }
    }
    *place = at < module->source->text_start ? module->source->text_start : at;
    return insert;
}

bool import_fixer_insert(const ImportFixer *fixer, RuleRun *run, Finding *finding)
{
    const Module *module = pyfile_module(fixer->file);
    const NameUse *package = name_table_find(&fixer->names, STR("pypto"));
    if (fixer->names.has_star || package->bindings > 0 || package->loads.count == 0 ||
        node_child(module, 0, ROLE_BODY) == NO_NODE) {
        return false;
    }
    uint32_t at;
    Str insert = import_insertion(run->arena, module, STR("import pypto"), &at);
    finding_edit(run, finding, FIX_SAFE, at, at, insert);
    return true;
}

/* Completion of names below pypto and of keyword arguments, and the signature of a call. */
#include "base/ascii.h"
#include "server/caret.h"
#include "server/job.h"
#include "server/name_facts.h"

/* CompletionItemKind of the protocol. */
enum {
    ITEM_FUNCTION = 3,
    ITEM_VARIABLE = 6,
    ITEM_CLASS = 7,
    ITEM_MODULE = 9,
    ITEM_ENUM = 13,
    ITEM_ENUM_MEMBER = 20,
    ITEM_CONSTANT = 21,
};

static void add_item(Buf *out, Str label, int kind, const char *detail, const char *meaning)
{
    buf_add(out, out->at[out->length - 1] == '[' ? STR("{\"label\":") : STR(",{\"label\":"));
    json_add_string(out, label);
    buf_addf(out, ",\"kind\":%d", kind);
    if (*detail != '\0') {
        buf_add(out, STR(",\"detail\":"));
        json_add_string(out, str_from(detail));
    }
    if (*meaning != '\0') {
        buf_add(out, STR(",\"documentation\":"));
        json_add_string(out, str_from(meaning));
    }
    buf_add_char(out, '}');
}

/* --- names */

static void add_words(Buf *out, const char *words, int kind)
{
    Str rest = str_from(words);
    for (size_t at = 0; at < rest.length;) {
        size_t end = str_find(rest, STR(" "), at);
        end = end == SIZE_MAX ? rest.length : end;
        add_item(out, str_slice(rest, at, end), kind, "", "");
        at = end + 1;
    }
}

/* Adds the names below `pypto.` and `below`, which is empty or ends with a dot. */
static void add_names(Buf *out, Str below)
{
    static const int kinds[] = {[NAME_FUNCTION] = ITEM_FUNCTION,
                                [NAME_CLASS] = ITEM_CLASS,
                                [NAME_ENUM] = ITEM_ENUM,
                                [NAME_CONSTANT] = ITEM_CONSTANT,
                                [NAME_MODULE] = ITEM_MODULE};
    for (size_t i = 0; i < name_fact_count; i++) {
        const NameFacts *facts = &name_facts[i];
        Str name = str_from(facts->name);
        bool member =
            below.length > 0 && name.length + 1 == below.length && str_starts(below, name);
        if (member) {
            add_words(out, facts->members, ITEM_ENUM_MEMBER);
        }
        Str rest = str_slice(name, below.length, name.length);
        if (str_starts(name, below) && rest.length > 0 && !str_contains(rest, STR("."))) {
            add_item(out, rest, kinds[facts->kind], facts->call, facts->meaning);
        }
    }
}

/* --- arguments */

/* A parameter of a signature: where it is in the text, and its name. */
typedef struct Parameter {
    Str text, name;
    bool positional;
} Parameter;
typedef VEC(Parameter) Parameters;

static Str name_of(Str text)
{
    size_t end = 0;
    while (end < text.length && is_word_char(text.at[end])) {
        end++;
    }
    return str_slice(text, 0, end);
}

static Parameters read_parameters(Arena *arena, Str call)
{
    Parameters list = {0};
    bool positional = true;
    size_t open = str_find(call, STR("("), 0);
    size_t start = open == SIZE_MAX ? call.length : open + 1;
    int depth = 0;
    for (size_t at = start; at < call.length; at++) {
        char c = call.at[at];
        bool ends = depth == 0 && (c == ',' || c == ')');
        depth += (c == '(' || c == '[') - (!ends && (c == ')' || c == ']'));
        if (!ends) {
            continue;
        }
        Str text = str_trim(str_slice(call, start, at));
        start = at + 1;
        if (str_is(text, "*")) {
            positional = false;
        } else if (text.length > 0) {
            Parameter parameter = {text, name_of(text), positional};
            VEC_PUSH(arena, &list, parameter);
            positional = positional && text.at[0] != '*';
        }
    }
    return list;
}

static const NameFacts *called(Str text, const Caret *caret)
{
    Str name;
    return caret->in_call && below_pypto(text, caret->callee, &name) ? name_facts_find(name) : NULL;
}

/* Is the argument already given as `name=` between the bracket of the call and the caret? */
static bool is_given(Str text, const Caret *caret, Str name)
{
    for (size_t at = caret->call_open; (at = str_find(text, name, at)) != SIZE_MAX; at++) {
        size_t end = at + name.length;
        if (at >= caret->word_start) {
            return false;
        }
        if (end < text.length && text.at[end] == '=' && !is_word_char(text.at[at - 1])) {
            return true;
        }
    }
    return false;
}

static void add_arguments(Work *work, Str text, const Caret *caret, const NameFacts *facts)
{
    Parameters list = read_parameters(work->arena, str_from(facts->call));
    for (uint32_t i = 0; i < list.count; i++) {
        const Parameter *parameter = &list.items[i];
        bool before = parameter->positional && i < caret->argument;
        if (parameter->name.length > 0 && !before && !is_given(text, caret, parameter->name)) {
            Str label = str_format(work->arena, "%.*s=", STR_ARG(parameter->name));
            add_item(work->out, label, ITEM_VARIABLE, facts->call, "");
        }
    }
}

void completion_job(Work *work)
{
    Source source;
    Str below;
    buf_add(work->out, STR("{\"isIncomplete\":false,\"items\":["));
    if (work_source(work, work->path, &source) && str_ends(work->path, STR(".py"))) {
        uint32_t offset = work_offset(work, &source);
        Str text = str_slice(source.text, 0, offset); /* what has been typed so far */
        Caret caret = caret_at(text, offset);
        const NameFacts *facts = called(source.text, &caret);
        if (caret.in_text) {
        } else if (below_pypto(source.text, caret.chain, &below)) {
            add_names(work->out, str_slice(below, 0, below.length - caret.word.length));
        } else if (facts != NULL && caret.at_argument && caret.chain.length == caret.word.length) {
            add_arguments(work, text, &caret, facts);
        }
    }
    buf_add(work->out, STR("]}"));
}

/* --- signatures */

/* Index of the parameter that the argument at the caret belongs to, or the number of parameters. */
static uint32_t active_parameter(const Parameters *list, const Caret *caret)
{
    uint32_t positional = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const Parameter *parameter = &list->items[i];
        if (caret->keyword.length > 0 && str_equal(parameter->name, caret->keyword)) {
            return i;
        }
        if (caret->keyword.length == 0 && parameter->positional &&
            (positional++ == caret->argument || parameter->text.at[0] == '*')) {
            return i;
        }
    }
    return list->count;
}

void signature_job(Work *work)
{
    Source source;
    Buf *out = work->out;
    uint32_t offset = work_source(work, work->path, &source) ? work_offset(work, &source) : 0;
    Caret caret = caret_at(source.text, offset);
    const NameFacts *facts = called(source.text, &caret);
    if (facts == NULL || *facts->call == '\0') {
        buf_add(out, STR("null"));
        return;
    }
    Parameters list = read_parameters(work->arena, str_from(facts->call));
    buf_add(out, STR("{\"signatures\":[{\"label\":"));
    json_add_string(out, str_from(facts->call));
    if (*facts->meaning != '\0') {
        buf_add(out, STR(",\"documentation\":"));
        json_add_string(out, str_from(facts->meaning));
    }
    buf_add(out, STR(",\"parameters\":["));
    for (uint32_t i = 0; i < list.count; i++) {
        buf_add(out, i == 0 ? STR("{\"label\":") : STR(",{\"label\":"));
        json_add_string(out, list.items[i].text);
        buf_add_char(out, '}');
    }
    buf_addf(out, "]}],\"activeSignature\":0,\"activeParameter\":%u}",
             active_parameter(&list, &caret));
}

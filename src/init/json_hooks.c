/* Adding and removing hooks; see json_hooks.h. */
#include "init/json_hooks.h"

#include "base/ascii.h"
#include "init/json_layout.h"

/* A command line that calls `pypto-lint hook VERB`. */
typedef struct Call {
    Str verb;
    bool own; /* nothing else on the line: as we write it */
} Call;

static const char *const our_program = "pypto-lint";

static bool has_any(Str text, const char *set)
{
    for (size_t i = 0; i < text.length; i++) {
        if (strchr(set, text.at[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* Is `word` one word for a shell, bare or in single quotes? */
static bool is_shell_word(Str word)
{
    if (str_starts(word, STR("'")) && str_ends(word, STR("'"))) {
        return true;
    }
    return !has_any(word, " \t\n;&|<>()$`\"'\\*?[#~=%");
}

/* Behind a version in the name of the program (`pypto-lint-0.1`). */
static size_t version_end(Str command, size_t at)
{
    size_t end = at + (at < command.length && command.at[at] == '-');
    while (end > at && end < command.length &&
           (is_digit(command.at[end]) || command.at[end] == '.')) {
        end++;
    }
    return end > at + 1 ? end : at;
}

/* The call in a command, which may have something before it (`env A=b pypto-lint hook stop`). */
static bool read_call(Str command, Call *call)
{
    for (size_t at = 0; (at = str_find(command, str_from(our_program), at)) != SIZE_MAX; at++) {
        size_t end = version_end(command, at + strlen(our_program));
        end += end < command.length && strchr("'\"", command.at[end]) != NULL;
        /* The whole name, not a part of another program's. */
        bool named = end < command.length && command.at[end] == ' ' &&
                     (at == 0 || has_any(str_slice(command, at - 1, at), "/ '\""));
        if (!named) {
            continue;
        }
        Str rest = str_trim(str_slice(command, end, command.length));
        bool old = str_starts(rest, STR("--hook "));
        if (!old && !str_starts(rest, STR("hook "))) {
            continue;
        }
        rest = str_trim(str_slice(rest, strlen(old ? "--hook " : "hook "), rest.length));
        size_t stop = 0;
        while (stop < rest.length && strchr(" \t\n;&|<>", rest.at[stop]) == NULL) {
            stop++;
        }
        call->verb = str_slice(rest, 0, stop);
        call->own =
            !old && is_shell_word(str_slice(command, 0, end)) && !has_any(rest, "\n;&|<>()$`");
        if (str_starts(call->verb, STR("pre-edit"))) {
            call->verb = STR("pre-edit"); /* the old name is longer */
        }
        return true;
    }
    return false;
}

/* The call of the hook object at `id` (an element of an entry's "hooks"). */
static bool hook_call(const JsonDocument *document, Arena *arena, uint32_t id, Call *call)
{
    bool twice = false;
    uint32_t command = json_member(document, id, "command", &twice);
    return command != JSON_NONE && document->nodes.items[command].kind == JSON_STRING_NODE &&
           read_call(json_decoded(document, arena, command), call);
}

static uint32_t first_hook(const JsonDocument *document, uint32_t entry)
{
    bool twice = false;
    uint32_t hooks = json_member(document, entry, "hooks", &twice);
    return hooks == JSON_NONE || document->nodes.items[hooks].kind != JSON_ARRAY_NODE
               ? JSON_NONE
               : document->nodes.items[hooks].first;
}

/* Does an entry of the array `event` call that hook of ours? */
static bool event_calls(const JsonDocument *document, Arena *arena, uint32_t event, Str verb)
{
    const JsonNode *nodes = document->nodes.items;
    for (uint32_t entry = nodes[event].first; entry != JSON_NONE; entry = nodes[entry].next) {
        uint32_t hook = first_hook(document, entry);
        for (; hook != JSON_NONE; hook = nodes[hook].next) {
            Call call;
            if (hook_call(document, arena, hook, &call) && str_equal(call.verb, verb)) {
                return true;
            }
        }
    }
    return false;
}

/* --- adding */

typedef VEC(uint32_t) NodeIds;

typedef struct Adding {
    Arena *arena;
    const JsonDocument *settings, *wanted;
    JsonLayout layout;
    JsonCopy copy;
    TextEdits edits;
    HooksChange change;
} Adding;

static bool shape(Adding *adding, uint32_t node, JsonKind kind, bool twice, const char *name)
{
    if (twice || adding->settings->nodes.items[node].kind != kind) {
        adding->change.wrong = name;
        adding->change.twice = twice;
        return false;
    }
    return true;
}

static void append(Adding *adding, uint32_t container, const NodeIds *ids)
{
    if (ids->count > 0) {
        TextEdit edit =
            json_layout_append(&adding->layout, &adding->copy, container, ids->items, ids->count);
        VEC_PUSH(adding->arena, &adding->edits, edit);
    }
}

/* The entries of one event that are not called for yet. */
static void add_entries(Adding *adding, uint32_t wanted_event, uint32_t event)
{
    const JsonNode *nodes = adding->wanted->nodes.items;
    NodeIds missing = {0};
    for (uint32_t id = nodes[wanted_event].first; id != JSON_NONE; id = nodes[id].next) {
        Call call;
        if (hook_call(adding->wanted, adding->arena, first_hook(adding->wanted, id), &call) &&
            !event_calls(adding->settings, adding->arena, event, call.verb)) {
            VEC_PUSH(adding->arena, &missing, id);
        }
    }
    append(adding, event, &missing);
}

static void add_events(Adding *adding, uint32_t wanted_hooks, uint32_t hooks)
{
    const JsonNode *nodes = adding->wanted->nodes.items;
    NodeIds missing = {0};
    for (uint32_t id = nodes[wanted_hooks].first; id != JSON_NONE; id = nodes[id].next) {
        bool twice = false;
        const char *name = str_dup(adding->arena, nodes[id].key);
        uint32_t event = json_member(adding->settings, hooks, name, &twice);
        if (event == JSON_NONE) {
            VEC_PUSH(adding->arena, &missing, id);
        } else if (shape(adding, event, JSON_ARRAY_NODE, twice, name)) {
            add_entries(adding, id, event);
        }
    }
    append(adding, hooks, &missing);
}

/* Our own files; they are valid (a test installs each). */
static JsonCopy copy_of(Arena *arena, JsonDocument *document, Str wanted, Str program)
{
    json_document_read(document, arena, wanted);
    return (JsonCopy){document, str_from(our_program), program};
}

HooksChange hooks_add(Arena *arena, const JsonDocument *settings, Str wanted, Str program)
{
    JsonDocument ours;
    Adding adding = {.arena = arena, .settings = settings, .wanted = &ours};
    adding.change.text = settings->text;
    adding.copy = copy_of(arena, &ours, wanted, program);
    adding.layout = json_layout_of(arena, settings);
    bool twice = false;
    uint32_t wanted_hooks = json_member(&ours, 0, "hooks", &twice);
    if (!shape(&adding, 0, JSON_OBJECT_NODE, false, "")) {
        return adding.change;
    }
    uint32_t hooks = json_member(settings, 0, "hooks", &twice);
    if (hooks == JSON_NONE) {
        NodeIds ids = {0};
        VEC_PUSH(arena, &ids, wanted_hooks);
        append(&adding, 0, &ids);
    } else if (shape(&adding, hooks, JSON_OBJECT_NODE, twice, "hooks")) {
        add_events(&adding, wanted_hooks, hooks);
    }
    if (adding.change.wrong == NULL && adding.edits.count > 0) {
        adding.change.text = edits_apply(arena, settings->text, &adding.edits);
    }
    return adding.change;
}

Str hooks_new(Arena *arena, Str wanted, Str program)
{
    JsonDocument ours;
    JsonCopy copy = copy_of(arena, &ours, wanted, program);
    JsonLayout layout = json_layout_of(arena, &ours);
    Buf out = {.arena = arena};
    json_layout_render(&out, &layout, &copy, 0, STR(""));
    buf_add_char(&out, '\n');
    return buf_str(&out);
}

/* --- removing */

/* Marks a container as gone when all its children are. The root stays. */
static bool prune(const JsonDocument *document, uint32_t container, bool *gone)
{
    const JsonNode *nodes = document->nodes.items;
    bool all = nodes[container].first != JSON_NONE;
    for (uint32_t id = nodes[container].first; id != JSON_NONE; id = nodes[id].next) {
        all = all && gone[id];
    }
    gone[container] = all && container != 0;
    return all;
}

/* Marks the own calls among the hooks of an entry; the entry, too, if no other is left. */
static void mark_entry(const JsonDocument *document, Arena *arena, uint32_t entry, bool *gone,
                       uint32_t *foreign)
{
    const JsonNode *nodes = document->nodes.items;
    uint32_t first = first_hook(document, entry);
    for (uint32_t hook = first; hook != JSON_NONE; hook = nodes[hook].next) {
        Call call;
        if (hook_call(document, arena, hook, &call)) {
            gone[hook] = call.own;
            *foreign += !call.own;
        }
    }
    if (first != JSON_NONE) {
        gone[entry] = prune(document, nodes[first].parent, gone);
    }
}

HooksChange hooks_remove(Arena *arena, const JsonDocument *settings)
{
    const JsonNode *nodes = settings->nodes.items;
    HooksChange change = {.text = settings->text};
    bool twice = false;
    uint32_t hooks = json_member(settings, 0, "hooks", &twice);
    if (hooks == JSON_NONE || nodes[hooks].kind != JSON_OBJECT_NODE) {
        return change;
    }
    if (twice) {
        change.wrong = "hooks";
        change.twice = true;
        return change;
    }
    bool *gone = ARENA_ARRAY(arena, bool, settings->nodes.count);
    bool any = false;
    for (uint32_t event = nodes[hooks].first; event != JSON_NONE; event = nodes[event].next) {
        for (uint32_t entry = nodes[event].first; entry != JSON_NONE; entry = nodes[entry].next) {
            mark_entry(settings, arena, entry, gone, &change.foreign);
        }
        prune(settings, event, gone);
    }
    prune(settings, hooks, gone);
    change.empty = prune(settings, 0, gone);
    for (uint32_t id = 0; id < settings->nodes.count; id++) {
        any = any || gone[id];
    }
    if (any) {
        JsonLayout layout = json_layout_of(arena, settings);
        TextEdits edits = {0};
        json_layout_cut(&layout, gone, &edits);
        change.text = edits_apply(arena, settings->text, &edits);
    }
    return change;
}

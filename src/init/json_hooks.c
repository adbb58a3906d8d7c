/* Adding and removing hooks; see json_hooks.h. */
#include "init/json_hooks.h"

#include "base/ascii.h"
#include "base/version.h"
#include "init/json_layout.h"

/* A command line that calls `pypto-lint hook VERB`. */
typedef struct Call {
    Str verb;
    bool bare; /* nothing else on the line: as `init` wrote it once */
    bool own;  /* bare, or as we write it */
} Call;

static const char *const our_program = "pypto-lint";
/* How our commands begin and end: they answer for a program that does not run. */
static const char *const guard_starts[] = {"a=$(timeout ", "i=$(cat); a=$("};
static const char *const guard_end = "; printf %s \"$a\"";
static const char *const wants = "--wants ";

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

/* The end of a version in the name of the program (`pypto-lint-0.1`). */
static size_t version_end(Str command, size_t at)
{
    size_t end = at + (at < command.length && command.at[at] == '-');
    while (end > at && end < command.length &&
           (is_digit(command.at[end]) || command.at[end] == '.')) {
        end++;
    }
    return end > at + 1 ? end : at;
}

static bool is_guarded(Str command)
{
    bool starts = false;
    for (size_t i = 0; i < sizeof guard_starts / sizeof *guard_starts; i++) {
        starts = starts || str_starts(command, str_from(guard_starts[i]));
    }
    return starts && str_ends(command, str_from(guard_end));
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
        while (stop < rest.length && strchr(" \t\n;&|<>)", rest.at[stop]) == NULL) {
            stop++;
        }
        call->verb = str_slice(rest, 0, stop);
        call->bare =
            !old && is_shell_word(str_slice(command, 0, end)) && !has_any(rest, "\n;&|<>()$`");
        call->own = call->bare || (!old && is_guarded(command));
        if (str_starts(call->verb, STR("pre-edit"))) {
            call->verb = STR("pre-edit"); /* the old name is longer */
        }
        return true;
    }
    return false;
}

/* The last member with that key, however many there are. */
static uint32_t member(const JsonDocument *document, uint32_t object, const char *key)
{
    bool twice = false;
    return json_member(document, object, key, &twice);
}

/* Reads the call of the hook object at `id` (an element of an entry's "hooks"); false when it does
 * not call the program. */
static bool hook_call(const JsonDocument *document, Arena *arena, uint32_t id, Call *call)
{
    uint32_t command = member(document, id, "command");
    return command != JSON_NONE && document->nodes.items[command].kind == JSON_STRING_NODE &&
           read_call(json_decoded(document, arena, command), call);
}

static uint32_t first_hook(const JsonDocument *document, uint32_t entry)
{
    uint32_t hooks = member(document, entry, "hooks");
    return hooks == JSON_NONE || document->nodes.items[hooks].kind != JSON_ARRAY_NODE
               ? JSON_NONE
               : document->nodes.items[hooks].first;
}

/* The command in the array `event` that calls that hook of ours; JSON_NONE when there is none. */
static uint32_t event_call(const JsonDocument *document, Arena *arena, uint32_t event, Str verb)
{
    const JsonNode *nodes = document->nodes.items;
    for (uint32_t entry = nodes[event].first; entry != JSON_NONE; entry = nodes[entry].next) {
        uint32_t hook = first_hook(document, entry);
        for (; hook != JSON_NONE; hook = nodes[hook].next) {
            Call call;
            if (hook_call(document, arena, hook, &call) && str_equal(call.verb, verb)) {
                return member(document, hook, "command");
            }
        }
    }
    return JSON_NONE;
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

static void replace(Adding *adding, uint32_t node, Str text)
{
    const JsonNode *found = &adding->settings->nodes.items[node];
    TextEdit edit = {found->start, found->end, text};
    VEC_PUSH(adding->arena, &adding->edits, edit);
}

static bool ends_call(char c)
{
    return c == ' ' || c == ')';
}

/* What is called, from the verb on: "stop --client codex". */
static Str arguments(Str command)
{
    size_t at = str_find(command, STR(" hook "), 0);
    if (at == SIZE_MAX) {
        return STR("");
    }
    Str rest = str_slice(command, at + strlen(" hook "), command.length);
    size_t end = str_find(rest, STR(")"), 0);
    return str_trim(str_slice(rest, 0, end));
}

/* The version after --wants, or empty. */
static Str wanted_version(Str command, Version *version)
{
    size_t at = str_find(command, str_from(wants), 0);
    Str rest =
        str_slice(command, at == SIZE_MAX ? command.length : at + strlen(wants), command.length);
    size_t length = 0;
    bool good =
        version_read(rest, version, &length) && length < rest.length && ends_call(rest.at[length]);
    return str_slice(rest, 0, good ? length : 0);
}

static Str with_all_replaced(Arena *arena, Str text, Str part, Str by)
{
    Buf out = {.arena = arena};
    size_t start = 0;
    for (size_t at; (at = str_find(text, part, start)) != SIZE_MAX; start = at + part.length) {
        buf_add(&out, str_slice(text, start, at));
        buf_add(&out, by);
    }
    buf_add(&out, str_slice(text, start, text.length));
    return buf_str(&out);
}

/* A call that an older `init` wrote: a bare one with the same arguments becomes one that answers
 * for a program that does not run; an older version that it asks for becomes ours. */
static void renew(Adding *adding, uint32_t node, uint32_t wanted_node)
{
    Arena *arena = adding->arena;
    Str there = json_decoded(adding->settings, arena, node);
    Str ours = json_decoded(adding->wanted, arena, wanted_node);
    Call call;
    if (!read_call(there, &call) || !call.own) {
        return;
    }
    if (call.bare) {
        if (str_equal(arguments(there), arguments(ours))) {
            replace(adding, node, json_copy_value(arena, &adding->copy, wanted_node));
        }
        return;
    }
    Version old_version, new_version;
    Str old_text = wanted_version(there, &old_version);
    Str new_text = wanted_version(ours, &new_version);
    if (old_text.length > 0 && new_text.length > 0 &&
        version_is_older(&old_version, &new_version)) {
        const JsonNode *found = &adding->settings->nodes.items[node];
        Str raw = str_slice(adding->settings->text, found->start, found->end);
        replace(adding, node, with_all_replaced(arena, raw, old_text, new_text));
    }
}

/* Adds the entries of one event that are missing, and renews the others. */
static void add_entries(Adding *adding, uint32_t wanted_event, uint32_t event)
{
    const JsonNode *nodes = adding->wanted->nodes.items;
    NodeIds missing = {0};
    for (uint32_t id = nodes[wanted_event].first; id != JSON_NONE; id = nodes[id].next) {
        Call call;
        uint32_t hook = first_hook(adding->wanted, id);
        if (!hook_call(adding->wanted, adding->arena, hook, &call)) {
            continue;
        }
        uint32_t found = event_call(adding->settings, adding->arena, event, call.verb);
        if (found == JSON_NONE) {
            VEC_PUSH(adding->arena, &missing, id);
        } else {
            renew(adding, found, member(adding->wanted, hook, "command"));
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
    return (JsonCopy){document, str_format(arena, "%s hook ", our_program),
                      str_format(arena, "%.*s hook ", STR_ARG(program))};
}

HooksChange hooks_add(Arena *arena, const JsonDocument *settings, Str wanted, Str program)
{
    JsonDocument ours;
    Adding adding = {.arena = arena, .settings = settings, .wanted = &ours};
    adding.change.text = settings->text;
    adding.copy = copy_of(arena, &ours, wanted, program);
    adding.layout = json_layout_of(arena, settings);
    bool twice = false;
    uint32_t wanted_hooks = member(&ours, 0, "hooks");
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

/* Marks a container as gone when all its children are; the root stays. Are they all gone? */
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

/* Marks our calls among the hooks of an entry, and the entry if no other is left. Counts in
 * `*foreign` the calls in a form that we do not write. */
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

/* Fuzz driver: an event of an AI editor, of every client, and the guards for the shell command in
 * it.
 *
 * The first byte chooses the hook, the client and the form. What must hold: the fields are text
 * without a NUL where they are paths, and the guards end. */
#include "document/json.h"
#include "fuzz.h"
#include "hook/hook_event.h"
#include "hook/hook_guard.h"

static void check_path(Str path)
{
    REQUIRE(path.length == 0 || memchr(path.at, '\0', path.length) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const HookClient clients[] = {CLIENT_UNKNOWN, CLIENT_CLAUDE, CLIENT_CODEX, CLIENT_GEMINI,
                                         CLIENT_OPENCODE};
    static const HookName names[] = {HOOK_NAME_POST_EDIT, HOOK_NAME_PRE_EDIT, HOOK_NAME_POST_BASH,
                                     HOOK_NAME_STOP};
    static Arena arena;
    if (size == 0) {
        return 0;
    }
    static bool begun;
    if (!begun) {
        json_memory_begin();
        begun = true;
    }
    jmp_buf env;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    HookCall call = {.name = names[data[0] % 4],
                     .client = clients[data[0] / 4 % 5],
                     .old_form = data[0] / 32 % 2 == 1,
                     .working_dir = STR("/nowhere")};
    HookEvent event;
    hook_event_read(&event, &arena, (Str){(const char *)data + 1, size - 1}, &call);
    REQUIRE(event.files.count <= EVENT_MAX_FILES);
    for (uint32_t i = 0; i < event.files.count; i++) {
        check_path(event.files.items[i]);
    }
    check_path(event.cwd);
    (void)hook_event_is_shell(&event);
    Str commands[] = {event.command, {(const char *)data + 1, size - 1}};
    for (size_t i = 0; i < 2; i++) {
        (void)guard_writes_artifact(commands[i]);
        (void)guard_writes_state(commands[i]);
        (void)guard_runs_test(commands[i]);
    }
    arena_free(&arena);
    return 0;
}

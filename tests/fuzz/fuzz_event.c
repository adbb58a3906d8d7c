/* Fuzz driver: an event of an AI editor, of every client, and the guards for the shell command in
 * it.
 *
 * The first byte chooses the hook, the client and the form. What must hold: the fields are text
 * without a NUL where they are paths, and the guards end. */
#include "document/json.h"
#include "fuzz.h"
#include "hook/hook_guard.h"

static void check_path(Str path)
{
    REQUIRE(path.length == 0 || memchr(path.at, '\0', path.length) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
    unsigned client = data[0] / 4 % 5; /* the first four send events */
    HookCall call = {.name = names[data[0] % 4],
                     .client = client == 0 ? NULL : clients[client - 1],
                     .old_form = data[0] / 32 % 2 == 1,
                     .working_dir = STR("/nowhere")};
    HookEvent event;
    event_read(&event, &arena, (Str){(const char *)data + 1, size - 1}, call.name, call.client,
               call.old_form);
    REQUIRE(event.files.count <= EVENT_MAX_FILES);
    for (uint32_t i = 0; i < event.files.count; i++) {
        check_path(event.files.items[i]);
    }
    check_path(event.cwd);
    (void)client_is_shell_tool(event.tool);
    Str commands[] = {event.command, {(const char *)data + 1, size - 1}};
    for (size_t i = 0; i < 2; i++) {
        (void)guard_writes_artifact(&arena, &call, commands[i], event.cwd);
        (void)guard_writes_state(&arena, &call, commands[i]);
        (void)guard_runs_test(&arena, &call, commands[i]);
    }
    arena_free(&arena);
    return 0;
}

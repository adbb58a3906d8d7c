/* Fuzz driver: files that `init` changes, JSON (first byte even) and YAML (odd). What comes out can
 * be read again, has what was to be added, and adding it once more changes nothing. */
#include "fuzz.h"
#include "init/json_hooks.h"
#include "init/line_diff.h"
#include "init/pre_commit.h"
#include "init/settings_text.h"

static void check_json(Arena *arena, Str text)
{
    Str wanted = settings_text(arena, clients[0]);
    JsonDocument document, changed;
    if (!json_document_read(&document, arena, text)) {
        REQUIRE(document.problem != JSON_GOOD && document.line > 0 && document.column > 0);
        return;
    }
    HooksChange change = hooks_add(arena, &document, wanted, STR("'/a \"b\\'/pypto-lint"));
    REQUIRE(change.wrong == NULL || str_equal(change.text, text));
    REQUIRE(json_document_read(&changed, arena, change.text));
    if (change.wrong == NULL) {
        HooksChange again = hooks_add(arena, &changed, wanted, STR("pypto-lint"));
        REQUIRE(again.wrong == NULL && str_equal(again.text, change.text));
    }
    HooksChange removed = hooks_remove(arena, &changed);
    REQUIRE(json_document_read(&document, arena, removed.text));
    REQUIRE(str_equal(hooks_remove(arena, &document).text, removed.text));
}

static void check_yaml(Arena *arena, Str text)
{
    Str wanted = settings_file("pre-commit/local.yaml");
    PreCommitChange change = pre_commit_add(arena, text, wanted);
    REQUIRE(change.problem == PRE_COMMIT_GOOD || str_equal(change.text, text));
    if (change.problem == PRE_COMMIT_GOOD) {
        PreCommitChange again = pre_commit_add(arena, change.text, wanted);
        REQUIRE(again.problem == PRE_COMMIT_GOOD && str_equal(again.text, change.text));
    }
    pre_commit_remove(arena, change.text, wanted);
    Buf out = {.arena = arena};
    line_diff(&out, STR("x"), text, change.text, false, false);
    REQUIRE(out.length > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    if (size == 0) {
        return 0;
    }
    jmp_buf env;
    Str text = {(const char *)data + 1, size - 1};
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    (data[0] & 1 ? check_yaml : check_json)(&arena, text);
    arena_free(&arena);
    return 0;
}

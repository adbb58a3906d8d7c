/* Fuzz driver: the state file, any bytes at all. What is said to be valid has a root that is an
 * object, and what is invalid has a reason; lines lie within the text. */
#include "base/utf8.h"
#include "fuzz.h"
#include "operator/state.h"

static void check_field(StateField field, uint32_t lines)
{
    REQUIRE(field.line <= lines && utf8_first_error(field.text) == SIZE_MAX);
    REQUIRE(state_kind_name(field.kind) != NULL && state_kind_name_zh(field.kind) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    Str text = {(const char *)data, size};
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    OperatorState state = state_parse(&arena, text);
    uint32_t lines = 1; /* a lone CR ends one, too */
    for (size_t i = 0; i < size; i++) {
        lines += data[i] == '\n' || data[i] == '\r';
    }
    REQUIRE(state.valid == (state.json_valid && state.root == STATE_OBJECT));
    REQUIRE(state.json_valid || (state.json_error.length > 0 && state.root == STATE_ABSENT));
    REQUIRE(state.json_line <= lines && utf8_first_error(state.json_error) == SIZE_MAX);
    REQUIRE(state.valid || (state.operator_name.length == 0 && state.current_stage == 0));
    const StateField fields[] = {state.name,           state.stage,          state.max_stage,
                                 state.stage_status,   state.stage_5_status, state.phases,
                                 state.phase_status,   state.active_phase,   state.rollback_history,
                                 state.artifact_hashes};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        check_field(fields[i], lines);
    }
    int phase = phase_parse(state.active_phase.text);
    REQUIRE(phase >= 0 && phase <= PHASE_MAX && phase_parse(text) <= PHASE_MAX);
    REQUIRE(stage_from_file(text) <= 5);
    arena_free(&arena);
    return 0;
}

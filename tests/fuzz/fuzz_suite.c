/* Fuzz driver: a suite of cases. It is read, or refused with a reason; what is read can be
 * handed to a worker. */
#include "document/json.h"
#include "fuzz.h"
#include "harness/plan/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    Suite suite = {.path = STR("suite.json"), .op_name = STR("op")};
    Str error = STR("");
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    bool good = suite_parse(&arena, (Str){(const char *)data, size}, &suite, &error);
    REQUIRE(good || error.length > 0);
    for (uint32_t i = 0; i < suite.cases.count; i++) {
        const SuiteCase *read = &suite.cases.items[i];
        REQUIRE(read->id.length > 0 && read->atol >= 0 && read->rtol >= 0);
        REQUIRE(suite_find(&suite, read->id) == read);
        REQUIRE(str_find(read->json, STR("\n"), 0) == SIZE_MAX);
        json_t *again = json_read(&arena, read->json, 0, NULL);
        REQUIRE(json_is_object(again));
        json_decref(again);
    }
    arena_free(&arena);
    return 0;
}

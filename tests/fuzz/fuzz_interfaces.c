/* Fuzz driver: eval/module_interfaces.yaml: the lists that rules take from it, and the wiring
 * check. */
#include "base/utf8.h"
#include "fuzz.h"
#include "operator/interfaces.h"
#include "operator/text.h"

static void check_names(NameList list, uint32_t lines)
{
    REQUIRE(list.line <= lines && (list.judged || list.names.count == 0));
    for (uint32_t i = 0; i < list.names.count; i++) {
        REQUIRE(list.names.items[i].length == 0 || list.names.items[i].at != NULL);
    }
}

static void check_contract(Arena *arena, const Interfaces *interfaces, uint32_t lines)
{
    check_names(interfaces_primary_inputs(arena, interfaces), lines);
    check_names(interfaces_final_outputs(arena, interfaces), lines);
    for (uint32_t module = 1; module <= 3; module++) {
        NameList inputs = interfaces_module_inputs(arena, interfaces, module);
        REQUIRE(inputs.judged);
        check_names(inputs, lines);
        check_names(interfaces_module_outputs(arena, interfaces, module), lines);
    }
    Violations violations = interfaces_validate(arena, interfaces);
    for (uint32_t i = 0; i < violations.count; i++) {
        const Violation *violation = &violations.items[i];
        REQUIRE(violation->rule >= 1 && violation->rule <= 6 && violation->line <= lines);
        REQUIRE(utf8_first_error(violation->message) == SIZE_MAX);
        REQUIRE(str_find(violation->message, STR("\n"), 0) == SIZE_MAX);
        REQUIRE(violation->message_zh.length > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    Str text = {(const char *)data, size};
    if (utf8_first_error(text) != SIZE_MAX) {
        return 0; /* documents that are not UTF-8 are not read */
    }
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    Interfaces interfaces = interfaces_read(&arena, text);
    REQUIRE((interfaces.root == NULL) == (interfaces.reason.length > 0));
    if (interfaces.root != NULL) {
        check_contract(&arena, &interfaces, text_count_lines(text) + 1);
    }
    uint32_t count = suffix_module_count(text);
    REQUIRE(count == 0 || count <= size); /* a module takes a digit at least */
    REQUIRE(implementation_suffix(STR("op"), text).length <= size);
    arena_free(&arena);
    return 0;
}

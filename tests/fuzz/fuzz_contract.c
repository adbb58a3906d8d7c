/* Fuzz driver: the typed contract: what scaffolding takes from eval/module_interfaces.yaml, and the
 * sizes that it makes of it. */
#include "base/utf8.h"
#include "fuzz.h"
#include "harness/plan/shape_cases.h"

/* Everything that is put into a Python program must be harmless there. */
static void check_tensor(const ContractTensor *tensor, bool is_input)
{
    REQUIRE(!is_input || is_python_name(tensor->name));
    REQUIRE(str_equal(canonical_dtype(tensor->dtype), tensor->dtype));
    for (uint32_t i = 0; i < tensor->shape.count; i++) {
        REQUIRE(dimension_is_valid(tensor->shape.items[i]));
        REQUIRE(str_find(tensor->shape.items[i], STR("\""), 0) == SIZE_MAX);
    }
}

static void check_sizes(const Contract *contract, const Variables *sizes)
{
    REQUIRE(sizes->count == contract->dimensions.count);
    for (uint32_t i = 0; i < sizes->count; i++) {
        REQUIRE(str_equal(sizes->items[i].name, contract->dimensions.items[i]));
        REQUIRE(is_python_name(sizes->items[i].name) && sizes->items[i].value > 0);
    }
}

static void check_shapes(Arena *arena, const Contract *contract)
{
    SpecFacts spec = {0};
    Strs notes = {0};
    ShapeCases cases = shape_cases(arena, contract, &spec, &notes);
    REQUIRE(cases.count > 0);
    for (uint32_t i = 0; i < cases.count; i++) {
        const Variables *sizes = &cases.items[i].sizes;
        check_sizes(contract, sizes);
        Variables small = shape_capped(arena, sizes);
        check_sizes(contract, &small);
        for (int variation = SHAPE_HALVED; variation <= SHAPE_LARGE_TAIL; variation++) {
            Variables varied =
                shape_varied(arena, contract, &spec, sizes, (ShapeVariation)variation);
            check_sizes(contract, &varied);
        }
        if (i == 3) {
            return; /* the others are alike */
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    Contract contract;
    Str error = STR("");
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    bool read = contract_read(&arena, (Str){(const char *)data, size}, &contract, &error);
    REQUIRE(read == (error.length == 0));
    REQUIRE(str_find(error, STR("\n"), 0) == SIZE_MAX);
    if (read) {
        REQUIRE(contract.inputs.count > 0 && contract.modules > 0 && contract.seeds.count > 0);
        for (uint32_t i = 0; i < contract.inputs.count; i++) {
            check_tensor(&contract.inputs.items[i], true);
        }
        for (uint32_t k = 1; k <= contract.modules && k <= 4; k++) {
            ContractTensors outputs = contract_phase_outputs(&arena, &contract, k);
            for (uint32_t i = 0; i < outputs.count; i++) {
                check_tensor(&outputs.items[i], false);
            }
            Strs inputs = contract_phase_inputs(&arena, &contract, k);
            for (uint32_t i = 0; i < inputs.count; i++) {
                REQUIRE(contract_input(&contract, inputs.items[i]) != NULL);
            }
        }
        check_shapes(&arena, &contract);
    }
    arena_free(&arena);
    return 0;
}

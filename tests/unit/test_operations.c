/* The table of PyPTO's operations that rules share with the simulator. */
#include "rules/data/operations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void operations_are_found(void **state)
{
    (void)state;
    const OperationFacts *add = operation_facts_find(STR("add"));
    assert_non_null(add);
    assert_string_equal(add->dtypes, " DT_INT16 DT_INT32 DT_FP16 DT_BF16 DT_FP32 ");
    assert_string_equal(add->dtypes950, " DT_UINT8 DT_INT8 ");
    assert_int_equal(add->min_rank, 1);
    assert_int_equal(add->max_rank, 4);
    assert_true(add->is_vector && add->is_simulated);
    assert_false(operation_facts_find(STR("view"))->is_vector);
    assert_true(operation_facts_find(STR("verify"))->is_simulated);
    assert_non_null(operation_facts_find(STR("experimental.gather_in_ub")));
    assert_null(operation_facts_find(STR("addition")));
    assert_null(operation_facts_find(STR("")));
}

static void the_table_is_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; i < operation_fact_count; i++) {
        assert_true(str_compare(str_from(operation_facts[i - 1].name),
                                str_from(operation_facts[i].name)) < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_found),
        cmocka_unit_test(the_table_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

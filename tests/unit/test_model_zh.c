/* Messages of the model in Chinese: arguments in their places, parts that are sentences
 * themselves, and texts that no row fits. */
#include "eval/model_zh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect(const char *message, const char *chinese)
{
    Arena arena;
    arena_init(&arena, 0);
    Str made = model_zh(&arena, str_from(message));
    assert_string_equal(str_format(&arena, "%.*s", STR_ARG(made)).at, chinese);
    arena_free(&arena);
}

static void test_arguments(void **state)
{
    (void)state;
    expect("op [EXP]tile shape not set", "运算 [EXP] 没有设置 tile 形状");
    expect("The dims of tensor is out of range [1, 5], EXP: 6",
           "EXP：tensor 的轴数为 6，应为 1 到 5");
    expect("EXP does not support DT_INT32 on 910B1", "在 910B1 上 EXP 不支持 DT_INT32");
    expect("reshape: shape[2] is negative", "reshape：shape[2] 为负");
}

static void test_parts(void **state)
{
    (void)state;
    expect("matmul: the K sizes differ, got [8, 16] and [32, 8]",
           "matmul：K 的大小不同，现在是 [8, 16] 与 [32, 8]");
    expect("EXP: the last tile axis must be a multiple of 32 bytes, it has 12 [tile-aligned]",
           "EXP：tile 的最后一个轴必须是 32 字节的倍数，现在是 12 字节 [tile-aligned]");
    expect("acc is read before anything was written to it (declared at k.py:7)",
           "acc 在写入之前就被读取（声明于 k.py:7）");
}

static void test_not_known(void **state)
{
    (void)state;
    expect("", "");
    expect("a sentence that nobody translated", "a sentence that nobody translated");
    expect("reshape: shape[two] is negative", "reshape：shape[two] is negative");
    expect("EXP does not support ", "EXP 不支持 ");
    expect("%s %d {0} {9}", "%s %d {0} {9}");
    expect("a: b: c: d: e: f", "a：b：c：d：e: f"); /* parts of parts of parts */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

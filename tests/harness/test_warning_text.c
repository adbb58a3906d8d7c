/* Tests of warnings in Chinese: names and numbers stay, a part that is a sentence of the table is
 * translated, too. */
#include "harness/report/warning_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct {
    const char *en, *zh;
} examples[] = {
    {"the wrapper changed the input x", "封装函数修改了输入 x"},
    {"zeros would pass out1 of this case: its reference is within the tolerance of 0 everywhere",
     "本用例的 out1 全写 0 也能通过：其参考值处处与 0 相差不超过容差"},
    {"zeros would pass this case: its reference is within the tolerance of 0 everywhere (atol 0.1, rtol 0.2)",
     "本用例全写 0 也能通过：其参考值处处与 0 相差不超过容差（atol 0.1, rtol 0.2）"},
    {"no launch wrote 3 of 12 elements of y on sim: they are the input x unchanged",
     "sim 上没有任何一次启动写入 y 的 12 个元素中的 3 个：它们是 未改动的输入 x"},
    {"no launch wrote y on sim: it holds what the host put there (zeros at op.py:3); let the kernel write "
     "it and return that memory",
     "sim 上没有任何一次启动写入 y：其内容为 host 侧写入的内容 (zeros at op.py:3)；应由 kernel 写入并返回该内存"},
    {"torch computed what a kernel reads on sim (mul at op.py:3): is that the operator's work?",
     "sim 上 kernel 读取的数据由 torch 计算（mul at op.py:3）：这属于算子的工作吗？"},
    {"torch computed what a kernel reads on npu: is that the operator's work?",
     "npu 上 kernel 读取的数据由 torch 计算：这属于算子的工作吗？"},
    {"the case is the same as L0_a but for its name and tolerances: it tests nothing more",
     "本用例除名称和容差外与 L0_a 相同：没有测试更多内容"},
    {"after the comparison the process ended with status 3", "比较之后进程以状态码 3 结束"},
    {"a sentence that nobody knows", "a sentence that nobody knows"},
    {"zeros would pass out", "zeros would pass out"},
    {"", ""},
};

static void test_examples(void **unused)
{
    (void)unused;
    Arena arena;
    arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        Str en = str_from(examples[i].en);
        assert_string_equal(str_dup(&arena, warning_text(&arena, LANG_ZH, en)), examples[i].zh);
        assert_string_equal(str_dup(&arena, warning_text(&arena, LANG_EN, en)), examples[i].en);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests_name("warning_text", tests, NULL, NULL);
}

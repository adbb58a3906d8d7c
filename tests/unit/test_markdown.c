/* Tests of headings, sections and the machine-read parts of MEMORY.md. */
#include "operator/markdown.h"
#include "operator/memory_document.h"

#include "arena_fixture.h"

static void assert_str(Str actual, const char *expected)
{
    assert_string_equal(str_dup(&arena, actual), expected);
}

/* "line:level:title …" of the heading set. */
static void assert_headings(const char *text, const char *expected)
{
    Headings headings = markdown_headings(&arena, str_from(text), 1);
    Buf out = {.arena = &arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < headings.count; i++) {
        const Heading *heading = &headings.items[i];
        buf_addf(&out, "%s%u:%u:%.*s", i == 0 ? "" : "|", heading->line, heading->level,
                 STR_ARG(heading->title));
    }
    assert_str(buf_str(&out), expected);
}

static void test_heading_set(void **state)
{
    (void)state;
    assert_headings("# A\ntext\n##  B ##  \n   ### C\n    # four\n#five\n####### seven\n\t# tab\n",
                    "1:1:A|3:2:B ##|4:3:C|8:1:tab");
    assert_headings("```\n# note\n```\n", "2:1:note");
    assert_headings("##\xe3\x80\x80全角\n", "1:2:全角");
    assert_headings("#\n\n# B\n# C",
                    "1:1:# B|4:1:C"); /* the title is the next line that is not empty */
    assert_headings("text\n#", "");
    assert_headings("# \n\n", "");
}

static void test_find_heading(void **state)
{
    (void)state;
    Str body = STR("x\n## 3. API 映射表\n## 5. TILING 需求\n");
    Headings headings = markdown_headings(&arena, body, 11);
    assert_int_equal(headings_find(&headings, STR("API 映射"))->line, 12);
    assert_int_equal(headings_find(&headings, STR(" Tiling "))->line, 13);
    assert_null(headings_find(&headings, STR("API映射")));
    assert_null(headings_find(&headings, STR("约束")));
}

static void test_section(void **state)
{
    (void)state;
    Str body = STR("# T\n## 精度路由\na\n### deeper\nb\n## 精度要求\nc\n# end\nd\n");
    Section section = markdown_section(body, 1, STR("精度"));
    assert_int_equal(section.line, 2);
    assert_int_equal(section.first_line, 3);
    assert_str(section.text, "a\n### deeper\nb");
    section = markdown_section(body, 5, STR("要求"));
    assert_int_equal(section.line, 10);
    assert_str(section.text, "c");
    assert_str(markdown_section(body, 1, STR("END")).text, "d");
    assert_int_equal(markdown_section(body, 1, STR("公式")).line, 0);
    /* An empty title ends a section only after two characters of white space. */
    assert_str(markdown_section(STR("## a\nx\n#  \ny\n"), 1, STR("a")).text, "x");
    assert_str(markdown_section(STR("## a\nx\n# \ny\n"), 1, STR("a")).text, "x\n# \ny");
}

static void test_first_section(void **state)
{
    (void)state;
    static const char *const parts[] = {"数学", "算法", "基础信息"};
    Section section = markdown_first_section(STR("## 数学公式\n\n## 算法\ny = x\n"), 1, parts, 3);
    assert_int_equal(section.line, 3);
    assert_str(section.text, "y = x");
    section = markdown_first_section(STR("## 算法\n\n"), 1, parts, 3);
    assert_int_equal(section.line, 1);
    assert_int_equal(section.text.length, 0);
    assert_int_equal(markdown_first_section(STR("x"), 1, parts, 3).line, 0);
}

/* --- MEMORY.md */

static void test_inventory(void **state)
{
    (void)state;
    Str text = STR("# M\n  ## golden  Function inventory (M1)\n| # | op | status "
                   "|\n|---|:--|--|\n| 1 | exp | ✅ |\n"
                   "### sub\n|2|sum|❌|\n| 3 | max |  |\n| | | |\nnot a row\n  | 5 | min | wip |  "
                   "\n| 6 | a | TODO |\n"
                   "## Next\n| 7 | z | ❌ |\n");
    Inventory inventory = memory_inventory(&arena, text);
    assert_true(inventory.found);
    assert_int_equal(inventory.heading, 2);
    assert_int_equal(inventory.rows.count, 6);
    static const struct {
        uint32_t line;
        const char *status;
        bool resolved;
    } expected[] = {{5, "✅", true}, {7, "❌", false},   {8, "max", true},
                    {9, "", false}, {11, "wip", true}, {12, "TODO", false}};
    for (uint32_t i = 0; i < 6; i++) {
        const InventoryRow *row = &inventory.rows.items[i];
        assert_int_equal(row->line, expected[i].line);
        assert_str(row->status, expected[i].status);
        assert_int_equal(row->resolved, expected[i].resolved);
    }
    const InventoryRow *row = &inventory.rows.items[1];
    assert_int_equal(row->cells.count, 3);
    assert_str(row->cells.items[1], "sum");
    assert_str(str_slice(text, row->status_start, row->status_end), "❌");
    assert_str(str_slice(text, row->start, row->end), "|2|sum|❌|");
}

static void test_inventory_headings(void **state)
{
    (void)state;
    assert_false(memory_inventory(&arena, STR("### Golden function inventory\n")).found);
    assert_false(memory_inventory(&arena, STR("##Golden function inventory\n")).found);
    assert_false(memory_inventory(&arena, STR("")).found);
    Inventory broken = memory_inventory(&arena, STR("## Golden function\ninventory\n|a|\n|b|\n"));
    assert_true(
        broken.found); /* words on two lines announce it, but the reader of rows goes by lines */
    assert_int_equal(broken.heading, 0);
    assert_int_equal(broken.rows.count, 0);
    /* Without a separator every row after the header is data; a second separator is data too. */
    Inventory plain =
        memory_inventory(&arena, STR("## GOLDEN FUNCTION INVENTORY\n|h|\n|x|\n|-|\n|-|\n"));
    assert_int_equal(plain.rows.count, 2);
    assert_int_equal(plain.rows.items[0].line, 3);
    assert_int_equal(plain.rows.items[1].line, 5);
}

static const char review_text[] = "## Phase M12 self-review\n- [x] signature\n"
                                  "  ## phase m2  Self-Review (mine)\n"
                                  "- [x] wrapper signature equals the contract\n"
                                  "  * [✓] every OUTPUT written\n"
                                  "- [ ] view calls\n"
                                  "1. [x] inventory\n"
                                  "- [✅] inventory\n"
                                  "- [X]\n  inventory rows green\n"
                                  "### sub\n"
                                  "- [✗] no `for ... in range` in the host layer\n"
                                  "continued exactly once\n"
                                  " ## indented\n"
                                  "- [x] view again\n"
                                  "## Phase M2 self-review\n- [x] exactly once\n";

static void test_review(void **state)
{
    (void)state;
    Str text = str_from(review_text);
    Review review = memory_review(&arena, text, 2);
    assert_int_equal(review.heading, 3);
    assert_int_equal(review.items.count, 6);
    static const struct {
        const char *keyword;
        uint32_t line; /* 0 = in no item */
        bool done;
    } expected[] = {{"signature", 4, true},
                    {"output", 5, true},
                    {"view", 6, false},
                    {"inventory", 9, true},
                    {"for ... in range", 12, false},
                    {"exactly once", 0, false}};
    for (size_t i = 0; i < REVIEW_KEYWORD_COUNT; i++) {
        assert_string_equal(review_keywords[i], expected[i].keyword);
        const ReviewItem *item = review_item(&review, expected[i].keyword);
        assert_int_equal(item == NULL ? 0 : item->line, expected[i].line);
        assert_true(item == NULL || item->done == expected[i].done);
    }
    const ReviewItem *item = review_item(&review, "inventory");
    assert_str(item->text, "inventory rows green");
    assert_str(str_slice(text, item->box_start, item->box_end), "[X]");
}

static void test_review_headings(void **state)
{
    (void)state;
    Str text = str_from(review_text);
    assert_int_equal(memory_review(&arena, text, 12).heading, 1);
    assert_int_equal(memory_review(&arena, text, 12).items.count,
                     1 + 6); /* ` ## ` ends no section */
    assert_int_equal(memory_review(&arena, text, 1).heading, 0);
    assert_int_equal(memory_review(&arena, STR("## Phase M_k self-review\n"), 1).heading, 0);
    assert_int_equal(memory_review(&arena, STR("### Phase M1 self-review\n"), 1).heading, 0);
    assert_int_equal(memory_review(&arena, STR("## Phase M1 self-review"), 1).items.count, 0);
}

static void assert_module_count(const char *memory, const char *design, int64_t count,
                                uint32_t line)
{
    ModuleCount found = module_count_read(str_from(memory), str_from(design));
    assert_int_equal(found.known, line > 0);
    assert_int_equal(found.count, count);
    assert_int_equal(found.line, line);
}

static void test_module_count(void **state)
{
    (void)state;
    assert_module_count("x\nmodule_count: 3\nmodule_count: 4\n", "", 3, 2);
    assert_module_count("module_count : 12x", "Decision: module_count = 1", 12, 1);
    assert_module_count("`module_count`: 1", "", 0, 0);
    assert_module_count("module_count = 3", "Decision: module_count: 3", 0, 0); /* signs swapped */
    assert_module_count("", "a\nDecision: flat\nso module_count = 1", 1, 3);
    assert_module_count("", "Decision 2: module_count = 1", 0, 0);
    assert_module_count("", "Decision 2\nDecision: module_count = 5", 5, 2);
    assert_module_count("", "module_count = 1", 0, 0);
    assert_module_count("", "Decisionmodule_count = 1", 0, 0);
    assert_module_count("", "Decision: module_count x module_count=7", 7, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heading_set),  cmocka_unit_test(test_find_heading),
        cmocka_unit_test(test_section),      cmocka_unit_test(test_first_section),
        cmocka_unit_test(test_inventory),    cmocka_unit_test(test_inventory_headings),
        cmocka_unit_test(test_review),       cmocka_unit_test(test_review_headings),
        cmocka_unit_test(test_module_count),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* OL53: a row of the golden function inventory is still open.
 *
 * Looks at the section "Golden function inventory" of MEMORY.md: the last cell that is not empty
 * says whether the operation of the row has been ported. */
#include "operator/memory_document.h"
#include "rules/common.h"

/* First cells of a row that a message shows. */
enum { MAX_CELLS = 3 };

static Str show_cells(RuleRun *run, const InventoryRow *row)
{
    Buf buf = {.arena = run->arena};
    buf_add(&buf, STR(""));
    for (uint32_t i = 0; i < row->cells.count && i < MAX_CELLS; i++) {
        Str cell = shorten(run, row->cells.items[i]);
        buf_addf(&buf, "%s%.*s", i == 0 ? "" : " | ", STR_ARG(cell));
    }
    return buf_str(&buf);
}

static void report_row(RuleRun *run, const Document *memory, const Inventory *inventory,
                       uint32_t index)
{
    const InventoryRow *row = &inventory->rows.items[index];
    Place place = at_document_line(memory, row->line);
    place.start = (uint32_t)row->status_start;
    place.end = (uint32_t)row->status_end;
    Str cells = show_cells(run, row);
    bool empty = row->status.length == 0;
    Str status =
        empty ? str_from(text_in(run->lang, (Text){"empty", "空"})) : shorten(run, row->status);
    report(run, STATUS_FAIL, place,
           "MEMORY.md: row %u of %u of the golden function inventory is open: %.*s, status %.*s",
           "MEMORY.md：golden 函数清单第 %u 行（共 %u 行）尚未完成：%.*s，状态 %.*s", index + 1,
           inventory->rows.count, STR_ARG(cells), STR_ARG(status));
}

static void check(RuleRun *run)
{
    const Document *memory = operator_document(run->op, STR("MEMORY.md"));
    if (!memory->exists) {
        rule_skip(run, "MEMORY.md does not exist", "MEMORY.md 不存在");
        return;
    }
    Inventory inventory = memory_inventory(run->arena, memory->text);
    if (!inventory.found) {
        rule_skip(run, "MEMORY.md has no section '## Golden function inventory'",
                  "MEMORY.md 没有 '## Golden function inventory' 一节");
        return;
    }
    if (run->op->scope == SCOPE_PHASE) {
        rule_skip(run, "phase scope: rows of later modules may be open",
                  "阶段范围：后续模块的行可以未完成");
        return;
    }
    if (inventory.rows.count == 0) {
        rule_skip(run, "the golden function inventory of MEMORY.md has no rows",
                  "MEMORY.md 的 golden 函数清单没有数据行");
        return;
    }
    for (uint32_t i = 0; i < inventory.rows.count; i++) {
        if (!inventory.rows.items[i].resolved) {
            report_row(run, memory, &inventory, i);
        }
    }
}

const Rule ol53 = {
    .id = "OL53",
    .name = "open-inventory-row",
    .order = 53,
    .severity = S2,
    .dimension = D5,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_PHASE_GATE),
    .fix = FIX_NONE,
    .hint = {"The row names an operation of the golden. Implement it in the kernel; when it is "
             "there, put ✅ into the last cell of the row, with the line of the implementation "
             "before it.",
             "该行是 golden 中的一个运算。在 kernel "
             "中实现它；实现后在该行最后一格写 ✅，并在其前写明实现所在的行。"},
    .check = check,
};

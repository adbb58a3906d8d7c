/* A program as text, one instruction a line, for tests and people. */
#include "model/op_table.h"
#include "model/program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Text {
    const PtsProgram *program;
    char *at;
    size_t size, length;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text *text, const char *format, ...)
{
    bool full = text->length >= text->size;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(full ? NULL : text->at + text->length,
                           full ? 0 : text->size - text->length, format, args);
    va_end(args);
    text->length += length < 0 ? 0 : (size_t)length;
}

static void put_sym(Text *text, PtsSym sym)
{
    char part[256];
    pts_sym_text(text->program->context, sym, part, sizeof part);
    put(text, "%s", part);
}

static void put_list(Text *text, int count, const PtsSym *list)
{
    put(text, "[");
    for (int i = 0; i < count; i++) {
        put(text, i == 0 ? "" : ", ");
        put_sym(text, list[i]);
    }
    put(text, "]");
}

static void put_slot(Text *text, PtsSlot slot)
{
    const char *name = text->program->slots[slot].name;
    put(text, "%%%u", slot);
    if (name != NULL && *name != '\0') {
        put(text, ":%s", name);
    }
}

static void put_operand(Text *text, const PtsOperand *operand)
{
    switch (operand->kind) {
    case PTS_OPERAND_SLOT:
        put_slot(text, operand->slot);
        break;
    case PTS_OPERAND_SYM:
        put_sym(text, operand->sym);
        break;
    case PTS_OPERAND_NONE:
        put(text, "-");
        break;
    case PTS_OPERAND_UNKNOWN:
        put(text, "?");
        break;
    default:
        if (operand->element.real != 0) {
            put(text, "%.9g", operand->element.real);
        } else {
            put(text, "%" PRId64, operand->element.integer);
        }
        break;
    }
}

static void put_result(Text *text, const PtsResult *result)
{
    put_slot(text, result->slot);
    put(text, " %s", pts_dtype_name(result->dtype));
    put_list(text, result->rank, result->shape);
    if (memcmp(result->shape, result->valid, sizeof(PtsSym) * (size_t)result->rank) != 0) {
        put(text, " valid ");
        put_list(text, result->rank, result->valid);
    }
}

static void put_attributes(Text *text, const PtsAttributes *attributes)
{
    if (attributes->offset_rank > 0) {
        put(text, " at ");
        put_list(text, attributes->offset_rank, attributes->offsets);
    }
    if (attributes->shape_rank > 0) {
        put(text, " shape ");
        put_list(text, attributes->shape_rank, attributes->shape);
    }
}

static void put_op(Text *text, const PtsInstruction *instruction)
{
    for (int i = 0; i < instruction->result_count; i++) {
        put(text, i == 0 ? "" : ", ");
        put_result(text, &instruction->results[i]);
    }
    if (instruction->result_count > 0) {
        put(text, " = ");
    }
    put(text, "%s", pts_op_table[instruction->op].name);
    for (int i = 0; i < instruction->operand_count; i++) {
        put(text, i == 0 ? " " : ", ");
        put_operand(text, &instruction->operands[i]);
    }
    if (instruction->attributes != NULL) {
        put_attributes(text, instruction->attributes);
    }
    put(text, "\n");
}

/* What is still to be printed, innermost first. */
typedef struct TextItem {
    uint32_t block, next;
    int indent;
    const char *title; /* NULL = none */
} TextItem;

typedef struct Stack {
    TextItem *items;
    size_t count, capacity;
} Stack;

static bool push(Stack *stack, TextItem item)
{
    if (stack->count == stack->capacity) {
        size_t more = stack->capacity == 0 ? 32 : stack->capacity * 2;
        TextItem *items = realloc(stack->items, more * sizeof *items);
        if (items == NULL) {
            return false;
        }
        stack->items = items;
        stack->capacity = more;
    }
    stack->items[stack->count++] = item;
    return true;
}

/* Prints the instructions of a block up to a loop, whose body comes first; then the branches. */
static bool put_block(Text *text, Stack *stack, TextItem item)
{
    const PtsBlock *block = &text->program->blocks[item.block];
    if (item.title != NULL) {
        put(text, "%*s%s\n", (item.indent - 1) * 2, "", item.title);
    }
    for (uint32_t i = item.next; i < block->count; i++) {
        const PtsInstruction *instruction = block->instructions[i];
        put(text, "%*s", item.indent * 2, "");
        if (instruction->kind == PTS_INSTRUCTION_OP) {
            put_op(text, instruction);
        } else if (instruction->kind == PTS_INSTRUCTION_READ) {
            put_sym(text, instruction->symbol);
            put(text, " = element of ");
            put_operand(text, &instruction->operands[0]);
            put_attributes(text, instruction->attributes);
            put(text, "\n");
        } else if (instruction->kind == PTS_INSTRUCTION_UNKNOWN) {
            put_sym(text, instruction->symbol);
            put(text, " is not known\n");
        } else {
            const PtsLoop *loop = &instruction->loop->loop;
            const PtsSym bounds[3] = {loop->start, loop->stop, loop->step};
            put(text, "loop %s %s in ", loop->name, loop->index_name);
            put_list(text, 3, bounds);
            put(text, "\n");
            TextItem rest = {item.block, i + 1, item.indent, NULL};
            TextItem body = {text->program->bodies[instruction->loop->body].root, 0,
                             item.indent + 1, NULL};
            return push(stack, rest) && push(stack, body);
        }
    }
    if (block->condition == PTS_SYM_NONE) {
        return true;
    }
    put(text, "%*sif ", item.indent * 2, "");
    put_sym(text, block->condition);
    put(text, "\n");
    TextItem if_false = {block->if_false, 0, item.indent + 1, "else"};
    TextItem if_true = {block->if_true, 0, item.indent + 1, NULL};
    return push(stack, if_false) && push(stack, if_true);
}

size_t pts_program_text(const PtsProgram *program, char *at, size_t size)
{
    Text text = {.program = program, .at = at, .size = size};
    if (size > 0) {
        at[0] = '\0';
    }
    put(&text, "kernel %s\n", program->name);
    for (int i = 0; i < program->parameter_count; i++) {
        const PtsSlotRecord *record = &program->slots[i];
        put(&text, "  parameter ");
        put_slot(&text, (PtsSlot)i);
        put(&text, " %s", pts_dtype_name(record->dtype));
        put_list(&text, record->rank, record->shape);
        put(&text, "\n");
    }
    Stack stack = {0};
    bool ok = push(&stack, (TextItem){program->bodies[0].root, 0, 1, NULL});
    while (ok && stack.count > 0) {
        ok = put_block(&text, &stack, stack.items[--stack.count]);
    }
    if (!ok) {
        put(&text, "…\n");
    }
    free(stack.items);
    return text.length;
}

const char *pts_op_name(PtsOp op)
{
    return (unsigned)op < PTS_OP_COUNT ? pts_op_table[op].name : "";
}

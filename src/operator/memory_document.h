/* MEMORY.md: the parts that are read by machine. They are looked for in the whole text: a
 * front matter block has no meaning there. Offsets are bytes of the document's text, lines count
 * from 1. */
#ifndef PYPTO_LINT_OPERATOR_MEMORY_DOCUMENT_H
#define PYPTO_LINT_OPERATOR_MEMORY_DOCUMENT_H

#include "kernel/kernel.h"

/* A data row of the golden function inventory. */
typedef struct InventoryRow {
    uint32_t line;
    size_t start, end; /* the row, trimmed */
    size_t status_start,
        status_end; /* the status cell, trimmed; the row when all cells are empty */
    Str status;     /* the last cell that is not empty */
    Strs cells;     /* all cells, trimmed */
    bool resolved;
} InventoryRow;
typedef VEC(InventoryRow) InventoryRows;

typedef struct Inventory {
    bool found;       /* some heading announces it (it may span lines; the rows are then empty) */
    uint32_t heading; /* line of the one-line heading, 0 without */
    InventoryRows rows;
} Inventory;

Inventory memory_inventory(Arena *arena, Str text);

/* An item `- [x] text` of a phase's self-review. */
typedef struct ReviewItem {
    uint32_t line;             /* of the dash */
    size_t box_start, box_end; /* `[x]` with the brackets */
    Str mark;
    bool done; /* x, X or ✓ */
    Str text;  /* rest of the line with the text, which may be the line after the box */
} ReviewItem;
typedef VEC(ReviewItem) ReviewItems;

typedef struct Review {
    uint32_t heading; /* line of the heading, 0 = no self-review of that phase */
    ReviewItems items;
} Review;

/* The first self-review section of phase M<phase>. */
Review memory_review(Arena *arena, Str text, int phase);

enum { REVIEW_KEYWORD_COUNT = 6 };
extern const char *const review_keywords[REVIEW_KEYWORD_COUNT];
/* The item that decides about a keyword (the first that contains it in any case), or NULL. */
const ReviewItem *review_item(const Review *review, const char *keyword);

typedef struct ModuleCount {
    bool known;
    int64_t count;  /* saturates */
    bool in_design; /* found in DESIGN.md, else in MEMORY.md */
    uint32_t line;
} ModuleCount;

/* The number of modules that MEMORY.md, else DESIGN.md, states. */
ModuleCount module_count_read(Str memory, Str design);

#endif

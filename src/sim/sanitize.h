/* The sanitizer: looks, while a program runs, at what its operations read and write.
 *
 * init: elements that nothing has written, where something that a kernel gives back depends on
 * them; bounds: the same for elements beyond valid extents; races: iterations that the product may
 * run at the same time and that write the same elements, or read what another writes.
 * docs/kernel-authors/sanitizer.md says what is found and what is not. Private to libptosim.
 *
 * The interpreter calls these functions only when vm->sanitizer is not NULL. Values never change
 * because of them. They return false with an error when memory ran out, and after a finding in the
 * strict profile. */
#ifndef PTOSIM_SANITIZE_H
#define PTOSIM_SANITIZE_H

#include "sim/shadow.h"
#include "sim/vm.h"

/* A read of elements that hold no data. What is computed from them is undefined, too, and has the
 * cause's number + 1 as tag. */
typedef struct Cause {
    const PtsInstruction *instruction;
    int operand;
    unsigned kind; /* PTS_SANITIZE_INIT or PTS_SANITIZE_BOUNDS */
    bool told;
    char text[320];
} Cause;

/* What a launch wrote of a parameter, and what it left. */
typedef struct Output {
    Ranges written;
    Shadow form;  /* its shape, the last write; `undefined` is not used */
    int64_t rows; /* of the largest write */
    bool is_read; /* by some instruction */
    bool has_writes, is_left, is_unset;
    int64_t begin, end; /* what is left lies in these bytes */
    char text[640];
} Output;

struct Races;

typedef struct Sanitizer {
    unsigned kinds;
    Cause *causes;
    size_t cause_count, cause_capacity;
    const PtsInstruction *told_at; /* the last one that got a finding */
    Output *outputs;               /* of each parameter */
    struct Races *races;           /* NULL = they are not looked for */
} Sanitizer;

/* NULL when memory ran out. */
Sanitizer *sanitizer_new(PtsProgram *program, unsigned kinds, bool unordered);
void sanitizer_free(Vm *vm);

/* ---- what the interpreter tells (sanitize_hooks.c, sanitize_kernel.c) ---- */

/* The innermost frame's loop begins, starts an iteration, has ended (before the frame goes). */
bool sanitize_enter_loop(Vm *vm, PtsError *error);
void sanitize_turn(Vm *vm);
void sanitize_leave_loop(Vm *vm);
/* An instruction is about to run. */
bool sanitize_use(Vm *vm, const PtsInstruction *instruction, PtsError *error);
/* The slot has other memory than before. */
void sanitize_bind(Vm *vm, PtsSlot slot);

/* The slot got memory of its declared shape. */
bool sanitize_declared(Vm *vm, PtsSlot slot, PtsError *error);
/* A region of the value's memory got data. */
bool sanitize_written(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                      const PtsTensor *region, PtsError *error);
/* An element of a target was set. */
bool sanitize_set_element(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                          const PtsTensor *element, PtsError *error);
/* The valid part of `source` is about to be copied to `window`, which lies in `target`. */
bool sanitize_assembled(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                        const RtValue *target, const PtsTensor *window, PtsError *error);
/* A value is about to be moved to a slot. */
bool sanitize_moved(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                    PtsError *error);
/* The elements of a parameter are about to be replaced by those of `from`. */
bool sanitize_overwrites(Vm *vm, PtsSlot slot, const RtValue *memory, const PtsTensor *to,
                         const PtsTensor *from, PtsError *error);
/* The first bytes of a parameter's memory were replaced by a value of another form. */
bool sanitize_leading(Vm *vm, PtsSlot slot, int64_t bytes, PtsError *error);
/* Elements were copied into new memory: the valid part of `region`, which lies in the memory of
 * `from`, to the extent `to_extent` of `to`, in row-major order. */
bool sanitize_copied(Vm *vm, const RtValue *from, const PtsTensor *region, RtValue *to,
                     const int64_t *to_extent, PtsError *error);
/* `result` describes the memory of `source` anew, and takes more of it for data. */
bool sanitize_exposed(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                      RtValue *result, PtsError *error);
/* An operation has computed its results. */
bool sanitize_kernel(Vm *vm, const PtsInstruction *instruction, RtValue *results, PtsError *error);
/* An element is read to be used as a number. */
bool sanitize_element(Vm *vm, const PtsInstruction *instruction, const RtValue *value,
                      const PtsTensor *element, PtsError *error);
/* scatter_update and atomic_add: first what they read, then each region that they change, for which
 * `sanitize_touch` is the kernel's PtsKernelCall.touched. */
typedef struct Touch {
    Vm *vm;
    const PtsInstruction *instruction;
    const RtValue *target;
    uint32_t tag; /* of what is written; 0 = it is data */
    bool good;
    PtsError *error;
} Touch;
bool sanitize_touch_begin(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                          Touch *touch, PtsError *error);
void sanitize_touch(void *context, const PtsTensor *region);
/* Did the instruction get a finding about what it gives a parameter? */
bool sanitize_has_told(const Vm *vm, const PtsInstruction *instruction);
/* The launch is over: what it left of its outputs (pts_unwritten). */
bool sanitize_outputs(Vm *vm, PtsError *error);

/* ---- sanitize_init.c, sanitize_output.c ---- */

bool sanitize_has_undefined(const RtValue *value);
/* The same as the functions above, without what they do about races. */
bool sanitize_init_assembled(Vm *vm, const PtsInstruction *instruction, const RtValue *source,
                             const RtValue *target, const PtsTensor *window, PtsError *error);
bool sanitize_init_copied(Vm *vm, const RtValue *from, const PtsTensor *region, RtValue *to,
                          const int64_t *to_extent, PtsError *error);
/* The corners of a region of dense memory as `last` of its shadow. */
void sanitize_note_last(Shadow *shadow, const PtsInstruction *instruction, const PtsTensor *region,
                        const void *base);
/* A region of a parameter's memory was written. */
bool sanitize_note_output(const Vm *vm, const PtsInstruction *instruction, const RtBuffer *memory,
                          const PtsTensor *region);
/* The outputs of a program, empty; NULL when memory ran out. They stay after the run. */
Output *sanitize_begin_outputs(PtsProgram *program);
void sanitize_forget_outputs(PtsProgram *program);

/* ---- shared by the files of the sanitizer ---- */

/* The cause of a read, new or known; its number + 1. 0 when memory ran out. `region` is what was
 * read of the value's memory, its valid part. */
uint32_t sanitize_cause(Vm *vm, const PtsInstruction *instruction, int operand, unsigned kind,
                        const RtValue *value, const PtsTensor *region);
/* Reports what the valid part of a region depends on, each cause once. `target`: the parameter that
 * it reaches; NULL = it is used as a number or an index. */
bool sanitize_tell(Vm *vm, const PtsInstruction *instruction, int operand, const RtValue *value,
                   const PtsTensor *region, const char *target, PtsError *error);
/* A finding, for which the caller has called pts_diagnose: an error in the strict profile. A `code`
 * of 0 is that of a wrong value. */
bool sanitize_found(Vm *vm, const PtsInstruction *instruction, PtsSite site, uint32_t code,
                    const char *id, const char *text, PtsError *error);
PtsSeverity sanitize_severity(const Vm *vm);

/* The tags of what is undefined in a region, in the order of their first occurrence. */
enum { SANITIZE_TAGS = 4 };
int sanitize_tags(const Shadow *shadow, const PtsTensor *region, const int64_t *extent,
                  const void *base, uint32_t tags[SANITIZE_TAGS]);

/* Marks the elements of the results that depend on elements of an operand, or that the operation
 * did not write: on those of its valid part that have `tag` (INIT), or on all beyond its valid part
 * (BOUNDS). They get the tag `cause`. */
typedef struct Dependence {
    int operand;
    unsigned kind;
    uint32_t tag, cause;
} Dependence;
bool sanitize_depend(Vm *vm, const PtsInstruction *instruction, const Dependence *dependence,
                     RtValue *results, PtsError *error);

/* "rows 64-76 of 77, columns 0-7 of 64", or without the lengths; `*is_one`: a single row or
 * element. `form` has the tensor's shape. */
void sanitize_box_text(const Shadow *form, const Box *box, bool with_lengths, char *text,
                       size_t size, bool *is_one);

/* A region was written with data, or (tag > 0) with what is undefined; `adds`: what was in it
 * before counts, too. */
bool sanitize_changed(Vm *vm, const PtsInstruction *instruction, const RtValue *target,
                      const PtsTensor *region, bool adds, uint32_t tag, PtsError *error);

/* Does the operation take this operand for indices? */
bool sanitize_is_index(PtsOp op, int operand);
/* Does it address the memory behind an operand? */
bool sanitize_reads_memory(PtsOp op);

#endif

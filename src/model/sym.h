/* Symbolic integers inside libptosim: hash-consed nodes with canonical polynomials.
 *
 * Every unknown (user symbol, dynamic axis, loop index, element read) is an atom with a number; a
 * run binds atoms to values in an array and evaluates expressions over it. */
#ifndef PTOSIM_SYM_H
#define PTOSIM_SYM_H

#include "model/ptosim_model.h"

typedef struct PtsSymTable PtsSymTable;
typedef uint32_t PtsAtom;

/* NULL when memory ran out. */
PtsSymTable *pts_sym_table_new(void);
void pts_sym_table_free(PtsSymTable *table);
/* The table of a context. */
PtsSymTable *pts_context_symbols(const PtsContext *context);

/* A new unknown; `name` (copied) is for people and need not be unique. */
PtsSym pts_sym_new_atom(PtsSymTable *table, const char *name, PtsError *error);
/* The same for an unknown whose values never leave low … high (INT64_MIN, INT64_MAX: no limit), as
 * min and max take into account. */
PtsSym pts_sym_new_bounded_atom(PtsSymTable *table, const char *name, int64_t low, int64_t high,
                                PtsError *error);
/* What is known of its value; INT64_MIN and INT64_MAX = unknown. False: no such symbol. */
bool pts_sym_bounds(const PtsSymTable *table, PtsSym a, int64_t *low, int64_t *high);
/* The same for an integer that the program has and only the caller does not know (partial mode). An
 * expression with such an atom is unknown, too (pts_sym_is_unknown). */
PtsSym pts_sym_new_unknown(PtsSymTable *table, int64_t low, int64_t high, PtsError *error);
/* The symbol about which nothing is known, not even that it equals itself: what several unknowns
 * may have become. Any expression with it is it again. */
PtsSym pts_sym_nothing(PtsSymTable *table, PtsError *error);
/* The difference a − b, where it is the same for all values of the atoms. */
bool pts_sym_difference(PtsSymTable *table, PtsSym a, PtsSym b, int64_t *difference);
/* The symbol with what guards said of its atoms put in (pts_learn), or itself. */
PtsSym pts_sym_resolve(PtsSymTable *table, PtsSym a);
/* Is it surely other than 0? */
bool pts_sym_is_never_zero(PtsSymTable *table, PtsSym a);
/* True when `a` is just an atom; its number. */
bool pts_sym_is_atom(const PtsSymTable *table, PtsSym a, PtsAtom *atom);
/* Numbers handed out so far: the length that a value array must have. */
size_t pts_sym_atom_count(const PtsSymTable *table);

/* Marks a symbol and all that it is made of; invalid handles are ignored. When memory runs out
 * some stay unmarked. Marks end with pts_sym_unmark_all and with the next pts_sym_evaluate. */
void pts_sym_unmark_all(PtsSymTable *table);
void pts_sym_mark(PtsSymTable *table, PtsSym a);
bool pts_sym_is_marked(const PtsSymTable *table, PtsSym a);

/* Values of atoms in a run, by their numbers; atoms from `count` on are 0. */
typedef struct PtsSymValues {
    int64_t *of_atom;
    size_t count;
} PtsSymValues;

/* Evaluates; division by zero and overflow are errors (F00002). No recursion; scratch space is kept
 * in the table. */
bool pts_sym_evaluate(PtsSymTable *table, PtsSym a, const PtsSymValues *values, int64_t *result,
                      PtsError *error);
/* The same where only some atoms have a value: false when the symbol has another one, or no value.
 * `known` has an entry for each of the values. */
bool pts_sym_evaluate_known(PtsSymTable *table, PtsSym a, const PtsSymValues *values,
                            const bool *known, int64_t *result);
/* What pts_sym_evaluate_known has cost so far: nodes evaluated, and several times as much for those
 * compiled. */
uint64_t pts_sym_cost(const PtsSymTable *table);

#endif

/* Partial programs: recordings with incomplete knowledge, made to find what is certainly wrong.
 * They are never run.
 *
 * With PtsOptions.partial an error does not stop the recording: the operation that fails gives
 * nothing (the call returns false with the error, and there is a diagnostic), and the caller goes
 * on without its results. An error of the caller, or memory that runs out, still stops it
 * (pts_program_failed). A check fails only if it is violated for every possible value of the
 * unknown parts. */
#ifndef PTOSIM_PARTIAL_H
#define PTOSIM_PARTIAL_H

#include "model/ptosim_model.h"

/* An entry of a vector or cube tile that is set, but not known. */
#define PTS_TILE_UNKNOWN INT64_MIN

/* PtsAttributes.unknown. */
#define PTS_UNKNOWN_DTYPE   1U
#define PTS_UNKNOWN_DIM     2U /* dim, dim1 */
#define PTS_UNKNOWN_KEEPDIM 4U /* and the other flags */
#define PTS_UNKNOWN_COUNT   8U /* mode and reals, too */
#define PTS_UNKNOWN_LISTS   16U
#define PTS_UNKNOWN_ALL     31U

/* An integer in least … most that is not known: the same handle on each path that repeats it. While
 * a body is walked it is an event, like the read of an element; before, it is just a symbol. */
PtsSym pts_unknown(PtsProgram *program, PtsSite site, int64_t least, int64_t most, PtsError *error);
/* Is something in it unknown? Identities are still applied: (u + 1) · 8 − u · 8 is 8. */
bool pts_sym_is_unknown(const PtsContext *context, PtsSym a);
/* Is it the symbol about which nothing is known, not even that it equals itself? */
bool pts_sym_is_nothing(const PtsContext *context, PtsSym a);

/* A guard says that the condition is true (or not): n % 16 == 0, a == b, n <= 128. Later checks use
 * what follows for the unknown integers in it. */
void pts_learn(PtsContext *context, PtsSym condition, bool truth);
/* The number of facts learned, and a reset to that number: a path starts without the facts of the
 * previous one. */
size_t pts_learned(const PtsContext *context);
void pts_unlearn(PtsContext *context, size_t count);

/* A tensor that something made which could not be recorded: it holds values. The dtype PTS_BOTTOM
 * and extents of PTS_SYM_NONE are not known; the rank is. */
PtsSlot pts_declare_partial(PtsProgram *program, PtsDtype dtype, int rank, const PtsSym *shape,
                            PtsFormat format, const char *name, PtsSite site, PtsError *error);
/* Something wrote the tensor in a way that is not known: only that it holds values. */
bool pts_slot_lose(PtsProgram *program, PtsSlot slot, PtsError *error);
/* Until it is called with false, tensors that nothing has written may be read: a second try of an
 * operation whose read may never run. */
void pts_trust_reads(PtsProgram *program, bool trust);
/* Called before pts_loop_end, until it returns false: the next read in the loop of a tensor that
 * nothing has written, on a path that may never be taken. `error` says which. */
bool pts_loop_doubt(PtsProgram *program, PtsError *error);
/* The vector tile is set to something, the cube tile is. */
void pts_config_lose_vector_tile(PtsContext *context);
void pts_config_lose_cube_tile(PtsContext *context);

/* Marks that an assumption is made: findings from now on are not certain. */
void pts_assume(PtsProgram *program);
/* A launch that certainly happens gives the dimension of a parameter this size. It stays a symbol,
 * because other launches have other sizes; it only tells what certainly runs. */
bool pts_dim_is(PtsProgram *program, PtsSym dim, int64_t size, PtsError *error);
/* Would an error here be certain? No under an assumption, nor for what only a run shows (F74006,
 * F74007) where the path or a loop around may not run. */
bool pts_is_certain(const PtsProgram *program, uint32_t code);
/* The same, if the assumptions are right. */
bool pts_surely_shows(const PtsProgram *program, uint32_t code);
/* Did something end the recording for good? */
bool pts_program_failed(const PtsProgram *program);

#endif

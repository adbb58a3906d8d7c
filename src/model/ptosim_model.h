/* What PyPTO is, usable without Python and without running anything: data types, hardware, symbolic
 * integers, and the recorder, which turns a kernel into a slot program.
 *
 * A kernel body runs once per control path against this interface (begin a program, name its
 * parameters, emit operations inside loops and conditions); the recorder checks every call as the
 * product does and infers shapes. ptosim.h runs finished programs; the linter's static evaluation
 * only records them.
 *
 * Errors are values: a function that can fail returns false (or a NONE handle) and fills a
 * PtsError. Nothing here prints, exits or aborts; handles out of range are errors as well. A
 * context and what belongs to it may be used by one thread at a time. */
#ifndef PTOSIM_MODEL_H
#define PTOSIM_MODEL_H

#include "pts_ops.h" /* PtsOp: generated from ops.def */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PTS_MAX_RANK = 5, PTS_MAX_OPERANDS = 128, PTS_MAX_RESULTS = 4, PTS_MAX_INDEX_RANK = 4 };
/* Entries of a vector tile. The product has no limit. */
enum { PTS_MAX_TILE = 16 };

/* Data types; the values are those of the product's enum (sim:
 * docs/kernel-authors/simulator-ops.md). */
typedef enum PtsDtype {
    PTS_INT4,
    PTS_INT8,
    PTS_INT16,
    PTS_INT32,
    PTS_INT64,
    PTS_FP8,
    PTS_FP16,
    PTS_FP32,
    PTS_BF16,
    PTS_HF4,
    PTS_HF8,
    PTS_UINT8,
    PTS_UINT16,
    PTS_UINT32,
    PTS_UINT64,
    PTS_BOOL,
    PTS_DOUBLE,
    PTS_FP8E4M3,
    PTS_FP8E5M2,
    PTS_FP8E8M0,
    PTS_FP4_E2M1X2,
    PTS_FP4_E1M2X2,
    PTS_FP4_E2M1,
    PTS_FP4_E1M2,
    PTS_BOTTOM,
    PTS_DTYPE_COUNT = PTS_BOTTOM
} PtsDtype;

/* Bytes of one element (packed types: of one pair); 0 for PTS_BOTTOM and values out of range. */
size_t pts_dtype_bytes(PtsDtype dtype);
/* "DT_FP32" …; "DT_BOTTOM" for values out of range. */
const char *pts_dtype_name(PtsDtype dtype);

/* The name below pypto ("add", "experimental.nop"); "" for values out of range. */
const char *pts_op_name(PtsOp op);

typedef enum PtsFormat { PTS_ND, PTS_NZ } PtsFormat;

/* ---- errors and findings ---- */

/* The exception that the Python layer of the product raises. CORE errors come from its C++ core and
 * have another text form (pts_error_text). */
typedef enum PtsErrorKind {
    PTS_CORE_ERROR,
    PTS_TYPE_ERROR,
    PTS_VALUE_ERROR,
    PTS_RUNTIME_ERROR,
    PTS_NOT_IMPLEMENTED,
    PTS_INDEX_ERROR,
    PTS_KEY_ERROR,
    PTS_MEMORY_ERROR, /* the host's memory ran out, or a limit of the simulator was reached */
} PtsErrorKind;

typedef struct PtsSite {
    const char *file; /* owned by the context (pts_site_file); NULL = unknown */
    int line;         /* from 1; 0 = unknown */
} PtsSite;

typedef struct PtsError {
    PtsErrorKind kind;
    uint32_t code;      /* 0xF21003 for F21003 */
    const char *symbol; /* the enum's name, static: "INVALID_VAL" */
    char message[768];  /* UTF-8, cut at a character; without code and prefix */
    PtsSite site;       /* of the operation, where known */
} PtsError;

/* The whole text in the product's form: "CHECK FAILED: ErrCode: F21003! Enum: …\n…" for core
 * errors, "ErrCode: F00002, ValueError: …" for the others. Writes at most `size` bytes with the
 * terminator, returns the length it would need without it, like snprintf. */
size_t pts_error_text(const PtsError *error, char *text, size_t size);

typedef enum PtsSeverity { PTS_NOTE, PTS_WARNING, PTS_FINDING_ERROR } PtsSeverity;

/* A finding about a program that did not stop it. */
typedef struct PtsDiagnostic {
    PtsSeverity severity;
    uint32_t code;  /* as PtsError.code; 0 = the product has none */
    const char *id; /* short stable name: "uncarried-state", "alignment", … */
    const char *message;
    PtsSite site;
    bool certain; /* true but for partial programs, see partial.h */
} PtsDiagnostic;

/* ---- hardware and context ---- */

/* Memories of a core. */
typedef enum PtsCoreMemory {
    PTS_CORE_UB,
    PTS_CORE_L1,
    PTS_CORE_L0A,
    PTS_CORE_L0B,
    PTS_CORE_L0C,
    PTS_CORE_BT, /* bias table */
    PTS_CORE_MEMORIES
} PtsCoreMemory;

typedef struct PtsSoc {
    char name[32];                                                  /* "910B1" */
    int arch;                                                       /* 2201, 3510, 3003, 3113 */
    char arch_name[16];                                             /* "DAV_2201" */
    int64_t l0a, l0b, l0c, l1, ub, bt, fb0, fb1, l2, device_memory; /* bytes */
    int cube_cores, vector_cores, clock_mhz;
    /* bytes per cycle and core */
    double rate_ddr, rate_l2_read, rate_l2_write, rate_l1_l0a, rate_l1_l0b, rate_l1_ub, rate_l0c_ub,
        rate_ub_ddr;
} PtsSoc;

/* Reads a description (soc/NAME.soc: key = value with units, # comments). Unknown keys, bad values
 * and missing keys are errors that name the line. */
bool pts_soc_load(const char *path, PtsSoc *soc, PtsError *error);
/* The same for the text of a description; `name` is what errors call it. */
bool pts_soc_parse(const char *name, const char *text, PtsSoc *soc, PtsError *error);

typedef enum PtsProfile {
    /* What the product rejects is an error, the rest a warning. In both profiles memory that no
     * operation has written is poisoned. */
    PTS_PROFILE_DEVICE,
    PTS_PROFILE_STRICT, /* warnings are errors as well, and so is poison that reaches a parameter */
} PtsProfile;

typedef struct PtsOptions {
    PtsProfile profile;
    int max_paths;     /* per loop body; 0 = 4096 */
    int64_t max_trips; /* iterations of all loops of one run; 0 = 2^40 */
    int64_t max_bytes; /* local tensors of one run; 0 = 16 GiB */
    bool device_sums;  /* sum in F32 in index order instead of in F64 with one rounding */
    bool round_each;   /* chains of 16-bit operations round after each of them */
    bool is_9_1;       /* dtypes and orders of that version of the product; else of the newest */
    unsigned sanitize; /* what runs look for: a set of PTS_SANITIZE_… */
    const char *warn;  /* ids of checks that only warn, with commas; NULL = none */
    bool partial;      /* programs are only recorded, with parts unknown: partial.h */
} PtsOptions;

/* The ids that PtsOptions.warn may have, one after the other until NULL. */
const char *pts_check_id(size_t index);
/* The first unknown entry of a list of ids, with its length; NULL when all are known. */
const char *pts_unknown_check_id(const char *list, size_t *length);

typedef struct PtsContext PtsContext;
typedef struct PtsProgram PtsProgram;

/* NULL when memory ran out. `soc` and `options` are copied; NULL options = all defaults. */
PtsContext *pts_context_new(const PtsSoc *soc, const PtsOptions *options);
/* Frees it with all its symbols. Programs must have been freed before. */
void pts_context_free(PtsContext *context);
const PtsSoc *pts_context_soc(const PtsContext *context);
/* Does it follow that version? */
bool pts_context_is_9_1(const PtsContext *context);
/* Replaces the hardware description (pypto.platform.npuarch is settable). */
void pts_context_set_soc(PtsContext *context, const PtsSoc *soc);
/* Other hardware that messages may propose when something does not fit. At most 16 are kept. */
void pts_context_add_soc(PtsContext *context, const PtsSoc *soc);
/* A copy of `file` that lives as long as the context; equal names give the same pointer. */
const char *pts_site_file(PtsContext *context, const char *file);

/* ---- symbolic integers ---- */

/* Handles; equal handles mean provably equal values. PTS_SYM_NONE marks failure. */
typedef uint32_t PtsSym;
#define PTS_SYM_NONE UINT32_MAX

typedef enum PtsSymOp {
    PTS_SYM_ADD,
    PTS_SYM_SUB,
    PTS_SYM_MUL,
    PTS_SYM_DIV, /* truncating */
    PTS_SYM_MOD, /* remainder of the truncating division */
    PTS_SYM_MIN,
    PTS_SYM_MAX,
    PTS_SYM_EQ,
    PTS_SYM_NE,
    PTS_SYM_LT,
    PTS_SYM_LE,
    PTS_SYM_GT,
    PTS_SYM_GE, /* 0 or 1 */
} PtsSymOp;

typedef enum PtsSymKind { PTS_SYM_CONSTANT, PTS_SYM_SYMBOL, PTS_SYM_EXPRESSION } PtsSymKind;

PtsSym pts_sym_constant(PtsContext *context, int64_t value, PtsError *error);
/* The symbol of that name: same name, same handle. */
PtsSym pts_sym_symbol(PtsContext *context, const char *name, PtsError *error);
/* Division by the constant 0 and results beyond 64 bits are errors. */
PtsSym pts_sym_binary(PtsContext *context, PtsSymOp op, PtsSym a, PtsSym b, PtsError *error);
PtsSym pts_sym_negate(PtsContext *context, PtsSym a, PtsError *error);
PtsSym pts_sym_not(PtsContext *context, PtsSym a, PtsError *error);
bool pts_sym_is_valid(const PtsContext *context, PtsSym a);
PtsSymKind pts_sym_kind(const PtsContext *context, PtsSym a);
/* True, with the value, if it is a known integer. */
bool pts_sym_value(const PtsContext *context, PtsSym a, int64_t *value);
/* The expression as text; like snprintf. */
size_t pts_sym_text(const PtsContext *context, PtsSym a, char *text, size_t size);

/* ---- configuration that operations take a snapshot of ---- */

typedef struct PtsCubeTile {
    bool set;
    int64_t m[2], k[3], n[2]; /* [L0, L1]; k: [L0, L1a, L1b] */
    bool split_k;
} PtsCubeTile;

/* Positive, 1 to PTS_MAX_TILE entries, else an error. They belong to the innermost scope. */
bool pts_config_set_vector_tile(PtsContext *context, int count, const int64_t *tile,
                                PtsError *error);
/* The count; 0 = not set. */
int pts_config_vector_tile(const PtsContext *context, int64_t tile[PTS_MAX_TILE]);
bool pts_config_set_cube_tile(PtsContext *context, const PtsCubeTile *tile, PtsError *error);
PtsCubeTile pts_config_cube_tile(const PtsContext *context);
/* The label of following operations in traces; copied. */
bool pts_config_set_label(PtsContext *context, const char *label);
/* A scope inherits and, on leaving, gives the outer settings back. Kernels, loop bodies and paths
 * open theirs by themselves; these are for frontend.function and pypto.options. */
bool pts_scope_push(PtsContext *context, PtsError *error);
void pts_scope_pop(PtsContext *context);
/* How many are open, and leaving all beyond the first `depth` (after an exception). */
int pts_scope_depth(const PtsContext *context);
void pts_scope_unwind(PtsContext *context, int depth);

/* ---- recording ---- */

/* Tensors of a program. */
typedef uint32_t PtsSlot;
#define PTS_SLOT_NONE UINT32_MAX

typedef struct PtsSlotInfo {
    PtsDtype dtype;
    PtsFormat format;
    int rank;
    PtsSym shape[PTS_MAX_RANK]; /* as they stand at this point of the recording */
    PtsSym valid[PTS_MAX_RANK];
    bool is_parameter;
    bool is_written;  /* on every path so far: it may be read */
    bool is_lost;     /* partial programs: neither its rank nor anything else is known */
    const char *name; /* the program's; "" = none */
    PtsSite site;     /* of the declaration */
} PtsSlotInfo;

/* A typed constant. Integers of any integer dtype (BOOL too) are in `integer`, else `real`. */
typedef struct PtsElement {
    PtsDtype dtype;
    int64_t integer;
    double real;
} PtsElement;

typedef enum PtsOperandKind {
    PTS_OPERAND_NONE, /* an optional operand left out */
    PTS_OPERAND_SLOT,
    PTS_OPERAND_INT,     /* a Python int: takes the tensor's dtype */
    PTS_OPERAND_FLOAT,   /* a Python float */
    PTS_OPERAND_ELEMENT, /* pypto.Element */
    PTS_OPERAND_SYM,     /* a symbolic scalar (full, element write) */
    PTS_OPERAND_UNKNOWN, /* partial programs: a number whose value is not known */
} PtsOperandKind;

typedef struct PtsOperand {
    PtsOperandKind kind;
    PtsSlot slot;
    PtsElement element; /* INT: .integer, FLOAT: .real, ELEMENT: all of it */
    PtsSym sym;
} PtsOperand;

/* Attributes of operations, that is, everything except tensors; ops.def says which op reads which.
 * This list is the only one: the structures, their comparison and the reading of attributes from
 * Python are made from it. X(kind, type, name, value when not given). */
#define PTS_SCALAR_ATTRIBUTES(X)                                                                   \
    X(INT, int, dim, 0) /* axes; negative counts from the end */                                   \
    X(INT, int, dim1, 0)                                                                           \
    X(BOOL, bool, has_dim, false)                                                                  \
    X(BOOL, bool, keepdim, false)                                                                  \
    X(BOOL, bool, inplace, false)                                                                  \
    X(BOOL, bool, largest, true)                                                                   \
    X(BOOL, bool, descending, false)                                                               \
    X(BOOL, bool, accumulate, false)                                                               \
    X(BOOL, bool, parallel, false)        /* assemble: without an order */                         \
    X(DTYPE, PtsDtype, dtype, PTS_BOTTOM) /* of the result; PTS_BOTTOM = not given */              \
    X(INT, int, mode, 0)       /* cast: CastMode; scatter: ScatterMode; topk: algorithm … */     \
    X(INT, int, saturation, 1) /* SaturationMode: 0 = ON, 1 = OFF */                               \
    X(INT, int, count, 0)      /* topk: k; one_hot: classes; block size … */                     \
    X(REAL, double, real, 0)   /* slope, alpha, epsilon, correction … */                         \
    X(BOOL, bool, a_trans, false)                                                                  \
    X(BOOL, bool, b_trans, false)                                                                  \
    X(BOOL, bool, scale_a_trans, false)                                                            \
    X(BOOL, bool, scale_b_trans, false)                                                            \
    X(BOOL, bool, c_matrix_nz, false)                                                              \
    X(INT, int, relu, 0) /* extend_params; bias and scale_tensor are operands 2 and 3 */           \
    X(INT, int, trans_mode, 0)                                                                     \
    X(BOOL, bool, has_scale, false)                                                                \
    X(REAL, double, scale, 0)

/* Lists hold handles, so that constant and symbolic values come the same way; rank 0 = not given.
 * X(kind, rank, list). */
#define PTS_LIST_ATTRIBUTES(X)                                                                     \
    X(SHAPE, shape_rank, shape) /* shape, size, dims of permute, amounts of pad */                 \
    X(OFFSETS, offset_rank, offsets)                                                               \
    X(VALID, valid_rank, valid)

/* Start from PTS_ATTRIBUTES. */
#define PTS_DECLARE_SCALAR(kind, type, name, none) type name;
#define PTS_DECLARE_LIST(kind, rank, list)                                                         \
    int rank;                                                                                      \
    PtsSym list[PTS_MAX_RANK];
typedef struct PtsAttributes {
    PTS_SCALAR_ATTRIBUTES(PTS_DECLARE_SCALAR)
    PTS_LIST_ATTRIBUTES(PTS_DECLARE_LIST)
    PtsSym diagonal;  /* tril, triu; PTS_SYM_NONE = 0 */
    unsigned unknown; /* partial programs: what is not known, a set of PTS_UNKNOWN_… */
} PtsAttributes;

extern const PtsAttributes PTS_ATTRIBUTES;

/* Starts recording. The context's current settings are inherited; one program records at a time
 * per context (a second begin is an error). The name is copied. */
PtsProgram *pts_program_begin(PtsContext *context, const char *name, PtsSite site, PtsError *error);
/* Frees the program. Also possible while recording, which is then abandoned; the scopes are
 * restored. */
void pts_program_free(PtsProgram *program);

/* Parameters come first, in call order. Dynamic axes have a symbol of their own as dimension
 * (pts_parameter_dim gives one that the run binds to the argument's extent). */
PtsSlot pts_parameter(PtsProgram *program, PtsDtype dtype, int rank, const PtsSym *shape,
                      PtsFormat format, const char *name, PtsSite site, PtsError *error);
/* A symbol that stands for axis `axis` of parameter number `index`, or, when `name` is given, for
 * the named dimension, which must have one value in all parameters (checked by pts_run). */
PtsSym pts_parameter_dim(PtsProgram *program, int index, int axis, const char *name,
                         PtsError *error);

/* The body is walked until this is false: `while (pts_program_next_path(p)) body();`. At its start
 * all bindings and settings are those of the start of the body. False also after an error inside
 * (then pts_program_end fails with it). */
bool pts_program_next_path(PtsProgram *program);

/* pypto.tensor(...): declares a local tensor without a value. */
PtsSlot pts_declare(PtsProgram *program, PtsDtype dtype, int rank, const PtsSym *shape,
                    PtsFormat format, const char *name, PtsSite site, PtsError *error);
bool pts_slot_info(const PtsProgram *program, PtsSlot slot, PtsSlotInfo *info, PtsError *error);
/* Names show in messages and traces. */
bool pts_slot_set_name(PtsProgram *program, PtsSlot slot, const char *name);

/* One operation: checks it, infers results[0 … *result_count). Ops that write through (move,
 * assemble, in-place forms) take the written tensor as the operand that ops.def names. */
bool pts_emit(PtsProgram *program, PtsOp op, int operand_count, const PtsOperand *operands,
              const PtsAttributes *attributes, PtsSite site, PtsSlot results[PTS_MAX_RESULTS],
              int *result_count, PtsError *error);
/* t[i, j]: an integer known only when the program runs. */
PtsSym pts_element_read(PtsProgram *program, PtsSlot slot, int rank, const PtsSym *index,
                        PtsSite site, PtsError *error);

typedef struct PtsLoop {
    PtsSym start, stop, step;
    const char *name, *index_name; /* NULL = loop_N, loop_idx_N */
    bool parallel, submit_before;
    PtsSite site;
} PtsLoop;

/* Opens a loop; gives its index. Then `while (pts_loop_next_path(p)) body();` and pts_loop_end. */
bool pts_loop_begin(PtsProgram *program, const PtsLoop *loop, PtsSym *index, PtsError *error);
bool pts_loop_next_path(PtsProgram *program);
bool pts_loop_end(PtsProgram *program, PtsError *error);
/* pypto.is_loop_begin / is_loop_end: `index` must be the index of an open loop. */
PtsSym pts_loop_edge(PtsProgram *program, PtsSym index, bool end, PtsError *error);
/* Decides a condition for the path that is being walked: 1, 0, or -1 on error. Constants are not
 * recorded. */
int pts_condition(PtsProgram *program, PtsSym condition, PtsSite site, PtsError *error);

/* Ends the recording: the checks over the whole program. Gives the first error that any call had,
 * even if the caller swallowed it. */
bool pts_program_end(PtsProgram *program, PtsError *error);
/* Reads of tensors that nothing has written are errors of a run, not of the recording: for programs
 * that are recorded to look at shapes and may never run. */
void pts_program_lenient(PtsProgram *program);
/* Marks a program as discarded by the caller (after an exception in the body). */
void pts_program_abandon(PtsProgram *program);

/* Bytes that one tile of the last operation takes of the unified buffer; 0 = it has no such
 * tile. */
int64_t pts_tile_bytes(const PtsProgram *program);

/* A tile that an operation could have. */
typedef struct PtsTileOption {
    int count; /* of the vector tile; 0: it is a cube tile */
    int rank;  /* of the extents that are tiled: the widest tensor's; of a product m, k, n */
    int64_t tile[PTS_MAX_TILE];
    int64_t extent[PTS_MAX_TILE];
    PtsCubeTile cube;
    int64_t needs[PTS_CORE_MEMORIES]; /* bytes that one tile takes */
    double tiles;                     /* how many there are */
    double cycles;                    /* of one core, by the cost model of traces */
    double loads, loaded;             /* transactions of MTE2, and their bytes */
} PtsTileOption;
enum { PTS_TILE_OPTIONS = 5 };
/* Called for each operation with tiles whose extents and data types are all known: the current tile
 * and the cheapest other legal tiles, cheapest first. */
typedef void PtsTileWatcher(void *context, PtsSite site, PtsOp op, const PtsTileOption *now,
                            const PtsTileOption *options, int count);
/* From now on; NULL = nobody. */
void pts_program_watch_tiles(PtsProgram *program, PtsTileWatcher *watcher, void *context);

size_t pts_diagnostic_count(const PtsProgram *program);
const PtsDiagnostic *pts_diagnostic(const PtsProgram *program, size_t index);

/* The program as text, one instruction a line, for tests and people; like snprintf. */
size_t pts_program_text(const PtsProgram *program, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif

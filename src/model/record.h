/* The recorder's state while a program is being recorded. Private to libptosim.
 *
 * Open bodies are frames, the kernel's first. A body is walked once per path: on a further path the
 * events recorded before the first new decision are replayed and compared. What tensors are at a
 * point of the program (shape, valid extents, dtype, written or not) is their state; every change
 * goes through a journal, so that the next path of a body starts as the first one did. */
#ifndef PTOSIM_RECORD_H
#define PTOSIM_RECORD_H

#include "model/answer.h"
#include "model/context.h"
#include "model/op_table.h"

/* Depth: open bodies, the kernel's own among them. Levels are bits of the masks below. */
enum { PTS_MAX_DEPTH = 63, PTS_DEFAULT_PATHS = 4096 };

typedef enum PtsWritten { PTS_UNWRITTEN, PTS_MAYBE_WRITTEN, PTS_WRITTEN } PtsWritten;

/* What a slot is at the present point of the recording. */
typedef struct PtsSlotState {
    PtsDtype dtype;
    PtsFormat format;
    int rank;
    PtsSym shape[PTS_MAX_RANK], valid[PTS_MAX_RANK];
    PtsWritten written;
    uint32_t level;        /* of the frame in which it was written last */
    uint32_t form_level;   /* the same, without writes by loops that may run no iteration */
    PtsOp producer;        /* PTS_OP_COUNT = none */
    bool is_relabelled;    /* the result of a reshape in place */
    bool is_lost;          /* partial programs: only that it is a tensor with values */
    bool is_vague;         /* its valid part may be smaller than `valid` */
    PtsInstruction *wide;  /* computes it in F32 (chain.c) … */
    uint32_t wide_segment; /* … in this piece of a body; NULL and 0 = not */
    /* A loop that left it with a shape or dtype that depends on its paths, or on whether it ran;
     * NULL = clear. */
    const PtsLoop *unclear;
} PtsSlotState;

/* Where a view lies in its source. Partial programs only. */
typedef struct PtsViewPlace {
    const struct PtsViewPlace *source; /* of its source, if that is a view as well; else NULL */
    int rank, depth;                   /* depth: 1 = its source is not a view */
    PtsSym whole[PTS_MAX_RANK];        /* the source's extents */
    PtsSym offset[PTS_MAX_RANK], shape[PTS_MAX_RANK];
} PtsViewPlace;

/* What is kept of a slot on all paths. Serial numbers never repeat. */
typedef struct PtsSlotTrack {
    uint32_t made;         /* when it was made on the present path */
    uint32_t read_segment; /* in which its present binding was read last; 0 = not */
    uint32_t pending;      /* the frame that knows of a read of it before any write, … */
    uint32_t doubted;      /* … and the one that knows of a read that is_doubtful */
    uint32_t exit;         /* its entry in the exits of the frame that is being closed */
    uint32_t child_loop;   /* body of an inner loop that wrote it, + 1, and of which frame's path */
    uint32_t child_serial;
    uint64_t carried; /* bit L: the frame at level L reads what came from before its path */
    uint64_t shaped;  /* bit L: it needs the shape and dtype from before its path */
    bool read_ever, written_ever, hazard_told, local_told;
    bool shares; /* its memory may be part of another tensor's: a view, or a copy of one */
    const PtsViewPlace *place; /* if so, which part; NULL: not known */
} PtsSlotTrack;

typedef struct PtsChange {
    PtsSlot slot;
    PtsSlotState before;
} PtsChange;

/* An instruction, or the declaration of a slot (instruction == NULL). */
typedef struct PtsEvent {
    PtsInstruction *instruction;
    PtsSlot slot;
} PtsEvent;

/* What the recorder knows of a block beside the program's. */
typedef struct PtsBlockLog {
    VEC(PtsEvent) events;
    bool sealed; /* a path ended here: nothing may be added */
} PtsBlockLog;

typedef struct PtsDecision {
    PtsSym condition;
    bool choice;
} PtsDecision;

/* The state of a slot from outside at the end of the paths that changed it. */
typedef struct PtsExit {
    PtsSlot slot;
    PtsSlotState state;
    uint32_t paths;
    bool seen; /* on the path that is being closed */
} PtsExit;

/* A read of a slot that nothing has written yet; another path may do so for the next iteration. */
typedef struct PtsPendingRead {
    PtsSlot slot;
    PtsSite site;
    bool is_doubtful; /* partial programs: it stands on a path that may not be taken, … */
    bool is_told;     /* … which was told */
} PtsPendingRead;

/* A window that leaves its tensor in a loop (check_window.c): told at the end of the outermost
 * loop, if what is known of tensors in the first iteration is true in all. */
typedef struct PtsPendingWindow {
    PtsSite site;
    bool is_first;   /* it leaves in the first iteration of all loops around */
    bool is_outside; /* it leaves the memory, too */
    const char *text;
} PtsPendingWindow;

/* A read of one element on the present path, and how many integer tensors had been written then. */
typedef struct PtsElementRead {
    const PtsInstruction *instruction;
    uint32_t path; /* serial of its frame's path */
    uint32_t writes;
} PtsElementRead;

/* A dimension's size in a launch that is surely made. */
typedef struct PtsKnownSize {
    PtsSym dim;
    int64_t size;
} PtsKnownSize;

/* How many reads back the same read is looked for; `bt[i] : bt[i] + 1` needs only the last. */
enum { PTS_RECENT_READS = 64 };

typedef struct PtsFrame {
    uint32_t body;
    const PtsRecordedLoop *loop; /* NULL = the kernel */
    bool is_new;                 /* recorded for the first time */
    bool on_path, complete;
    uint32_t id;     /* of the frame */
    uint32_t serial; /* of the path */
    uint32_t paths;
    uint32_t block, event;
    VEC(PtsDecision) decisions; /* of this path; from `decided` on: still to come */
    uint32_t decided;
    uint32_t journal_mark;
    int scope_depth;
    VEC(PtsExit) exits;
    VEC(PtsPendingRead) pending;
    uint32_t doubts; /* so many of them were looked at by pts_loop_doubt */
    VEC(PtsPendingWindow) windows;
    VEC(PtsSlot) carried, shaped;
} PtsFrame;

typedef struct PtsRecorder {
    Arena arena;
    PtsFrame frames[PTS_MAX_DEPTH + 1];
    int depth; /* open frames; 0 = before the first path */
    VEC(PtsSlotState) states;
    VEC(PtsSlotTrack) tracks;
    VEC(PtsChange) journal;
    VEC(PtsBlockLog) logs;
    VEC(PtsKnownSize) sizes; /* partial programs */
    /* Memory for what is known of each atom (record_sure.c), and for how many. */
    int64_t *atom_values;
    bool *atoms_known;
    size_t atom_capacity;
    uint32_t slot_capacity, block_capacity, body_capacity, dim_capacity;
    PtsElementRead element_reads[PTS_RECENT_READS]; /* a ring */
    uint32_t element_read_count;
    uint32_t integer_writes; /* writes to integer tensors */
    uint32_t serial, segment;
    int loop_count;
    unsigned op_count;                /* numbers operations in messages */
    int64_t needs[PTS_CORE_MEMORIES]; /* bytes that one tile of the last operation takes */
    PtsTileWatcher *watcher;          /* of tiles; NULL = none */
    void *watching;                   /* its context */
    int scope_depth;                  /* when the recording began */
    bool failed;
    bool partial;       /* an error does not end the recording, unless it is … */
    bool fatal;         /* … this one */
    bool assumed;       /* something was assumed */
    bool is_late_doubt; /* the last call failed because of a read that is_doubtful */
    bool trusts_reads;  /* what is read counts as written */
    jmp_buf env;        /* of the public function that is running */
    bool keep_failure;  /* the guard was reached because of `failure`, not for lack of memory */
    PtsError failure;   /* the first error; also where internal functions put theirs */
} PtsRecorder;

/* ---- entering and leaving the public functions ---- */

/* Checks that the program is being recorded without an error so far, and sets the guards: the
 * place for the caller's setjmp, which is the recorder's, so no guard outlives it. NULL with the
 * error. */
jmp_buf *pts_record_open(PtsProgram *program, PtsError *error);
/* Gives the guards back; copies the failure to `error`. Returns `ok`. */
bool pts_record_close(PtsProgram *program, bool ok, PtsError *error);
/* After a guard was reached. */
bool pts_record_no_memory(PtsProgram *program, PtsError *error);
/* The first line of a public function: it returns `failed` when the program cannot be opened, and
 * when memory runs out further down. (A macro because setjmp belongs to the frame that it returns
 * to.) */
#define PTS_RECORD_ENTER(program, error, failed)                                                   \
    do {                                                                                           \
        jmp_buf *guard_ = pts_record_open(program, error);                                         \
        if (guard_ == NULL) {                                                                      \
            return (failed);                                                                       \
        }                                                                                          \
        if (setjmp(*guard_) != 0) {                                                                \
            pts_record_no_memory(program, error);                                                  \
            return (failed);                                                                       \
        }                                                                                          \
    } while (0)

/* Frees the recorder: the context may record another program, and its scopes are as before. */
void pts_record_stop(PtsProgram *program);

/* ---- inside; all may leave through the guards ---- */

PtsFrame *pts_record_top(PtsRecorder *recorder);
/* Is there a body whose path is being walked? Else an error. */
bool pts_record_on_path(PtsProgram *program);

/* The event that is due when the present block is replayed, or NULL when events are new. False
 * with an error when an event cannot come here. */
bool pts_record_due(PtsProgram *program, PtsEvent **due);
/* An error that ends a partial recording, too; false. */
bool pts_record_fatal(PtsProgram *program);
/* The kernel did not do what it did on an earlier path; false. */
bool pts_record_differs(PtsProgram *program, PtsSite site, const char *what);
/* Appends an instruction (NULL: the declaration of `slot`) to the present block. */
void pts_record_add(PtsProgram *program, PtsInstruction *instruction, PtsSlot slot);

/* A new slot with a record; its state is that of the declaration, unwritten. */
PtsSlot pts_record_new_slot(PtsProgram *program, const PtsResult *shape, const char *name,
                            PtsSite site, int parameter);
/* Makes a slot exist on this path (again). */
void pts_record_revive(PtsProgram *program, PtsSlot slot);
/* The state, to be changed: the old one goes to the journal. */
PtsSlotState *pts_record_change(PtsProgram *program, PtsSlot slot);

/* F74007 at a read of a slot that nothing can have written; false. True in a lenient program
 * (pts_program_lenient): there the run reports it. */
bool pts_record_unwritten(PtsProgram *program, PtsSlot slot, PtsSite site);
/* May a run miss the point where the recorder is: because a loop around it has no iteration, or
 * because every iteration takes another path? */
bool pts_record_may_be_passed(const PtsProgram *program);
/* Does some iteration surely take the path to it, if the loops around have any? */
bool pts_record_is_on_its_way(const PtsProgram *program);
/* What symbols are in one iteration of the loops around. */
typedef struct PtsIteration PtsIteration;
/* False: the value is not known. */
bool pts_iteration_value(const PtsIteration *iteration, PtsSym a, int64_t *value);
typedef bool PtsIterationCheck(void *context, const PtsIteration *iteration);
/* Is the check true in some iteration of the loops around that surely comes to this point? Those
 * tried are the first and the second of all loops, and combinations of iterations near the ends of
 * the innermost ones. If so, the last call of the check is for the first such iteration, provided
 * that the check stays true from there on; `*is_first`: it is the first one of all loops. */
bool pts_record_finds(PtsProgram *program, PtsIterationCheck *check, void *context, bool *is_first);
/* Tells of a window that leaves its tensor: an error where it leaves the memory (then false), else
 * a warning; in a loop, at the end of the outermost one. Once for each place. */
bool pts_record_window(PtsProgram *program, PtsPendingWindow window);
/* At the end of a loop: gives its windows to the loop around, or tells them. `is_moved`: an
 * iteration changes what the next one sees, so that only findings of the first count. */
bool pts_record_settle_windows(PtsProgram *program, PtsFrame *frame, bool is_moved);
/* May the slot be used here? */
bool pts_record_visible(PtsProgram *program, PtsSlot slot, PtsSite site);
/* Is its shape the same whatever happened before? */
bool pts_record_clear(PtsProgram *program, PtsSlot slot, PtsSite site);
/* The checks and traces of reading and of writing in place. */
bool pts_record_read(PtsProgram *program, PtsSlot slot, PtsSite site, bool is_op);
bool pts_record_write_part(PtsProgram *program, PtsSlot slot, PtsSite site, bool is_assemble);

/* Remembers a read of what nothing has written yet, once per frame and slot. */
void pts_record_pend(PtsRecorder *recorder, PtsFrame *frame, PtsPendingRead read);

uint32_t pts_record_new_block(PtsProgram *program);
uint32_t pts_record_new_body(PtsProgram *program, uint32_t parent);
bool pts_record_next_path(PtsProgram *program, PtsFrame *frame);
/* The number of iterations, where it is known while recording: 0, 1, or 2 for more; else -1. */
int pts_record_trips(const PtsProgram *program, const PtsLoop *loop);

/* Which exit of the frame a slot has, or NULL; pts_record_mark_exits must have been called for the
 * frame, and for no other since. */
void pts_record_mark_exits(PtsRecorder *recorder, const PtsFrame *frame);
PtsExit *pts_record_find_exit(PtsRecorder *recorder, PtsFrame *frame, PtsSlot slot);

/* Have both the same dtype, rank and shape? Only partial programs answer PTS_MAYBE. */
PtsAnswer pts_record_same_form(const PtsProgram *program, const PtsSlotState *a,
                               const PtsSlotState *b);
/* Gives `state` what it has in common with `other`. */
void pts_record_join_form(PtsProgram *program, PtsSlotState *state, const PtsSlotState *other);

/* "[16, 64]"; symbolic extents as text. */
const char *pts_record_shape(PtsProgram *program, int rank, const PtsSym *shape);

/* A warning; an error in the strict profile: then false. */
bool pts_record_warn(PtsProgram *program, uint32_t code, const char *id, PtsSite site,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif

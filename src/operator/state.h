/* State: `.orchestrator_state.json` of an operator directory, and what is inferred without it
 * (docs/kernel-authors/operator-directory.md). */
#ifndef PYPTO_LINT_OPERATOR_STATE_H
#define PYPTO_LINT_OPERATOR_STATE_H

#include "operator/operator.h"

#define STATE_PATH ".orchestrator_state.json"

typedef enum StateKind {
    STATE_ABSENT,
    STATE_NULL,
    STATE_BOOL,
    STATE_NUMBER,
    STATE_STRING,
    STATE_ARRAY,
    STATE_OBJECT,
} StateKind;

/* One value of the state file. */
typedef struct StateField {
    StateKind kind;
    uint32_t line; /* of the key, from 1; only of the keys at the top, else 0 */
    Str text;      /* of a string; of other values a short form for messages */
} StateField;

typedef struct OperatorState {
    bool exists;       /* a regular file of that name */
    bool in_the_way;   /* something else of that name: a folder, a link to nothing */
    bool valid;        /* JSON whose top is an object */
    Str operator_name; /* empty when absent or not a string */
    int current_stage; /* 0 when absent or unusable */

    Str text;                          /* of the file; `at` is NULL when it was not read */
    bool json_valid;                   /* JSON at all */
    StateKind root;                    /* kind of the top, STATE_ABSENT unless json_valid */
    Str json_error;                    /* the parser's message, English, or why it cannot be read */
    uint32_t json_line, json_column;   /* of the error, from 1; 0 when it has no place */
    StateField name, stage, max_stage; /* operator_name, current_stage, max_stage */
    StateField stage_status;           /* an object */
    StateField stage_5_status;         /* stage_status["5"] */
    StateField phases, phase_status;   /* stage5_phases, its phase_status */
    StateField active_phase;           /* stage5_phases.active_phase */
    StateField tuning_mode;            /* stage7_tuning_mode */
    StateField rollback_history, artifact_hashes;
    Str spec_hash;       /* artifact_hashes.spec_md, empty without */
    int stage_5_retries; /* stage_retry_count["5"], 0 when absent or unusable */
} OperatorState;

/* A value that is wanted of a JSON object: under `key` at the top, or, with `below`, under that key
 * of the object there. */
typedef struct StateWish {
    const char *below, *key;
    StateField *field; /* STATE_ABSENT when there is none; the text of a number is as written */
} StateWish;

/* What is wrong with a JSON text, and where, from 1. */
typedef struct StateFault {
    const char *error; /* English; NULL: nothing */
    uint32_t line, column;
} StateFault;

/* Fills the fields of the wishes as Python's json module reads them: of a key that occurs twice the
 * last one counts. Returns the kind of the top, STATE_ABSENT with a fault. */
StateKind state_fields(Arena *arena, Str text, const StateWish *wishes, size_t count,
                       StateFault *fault);

/* Reads the state file in `dir`; everything in the arena. */
OperatorState state_read(Arena *arena, Str dir);
/* That of an operator, read on first use; see Operator.state. */
const OperatorState *operator_state(Operator *op);
/* The same from the text of the file. */
OperatorState state_parse(Arena *arena, Str text);
/* Why this state cannot be used: it cannot be read, is not a JSON object, or names no stage
 * from 1 to 7. Both empty when it is sound or there is none; in the arena. */
typedef struct StateError {
    Str en, zh;
} StateError;
StateError state_error(Arena *arena, const OperatorState *state);
/* A state file that is sound, for messages that say what to write. */
#define STATE_EXAMPLE                                                                              \
    "{\"operator_name\": \"softmax\", \"current_stage\": 5, \"max_stage\": 7, "                    \
    "\"stage_status\": {\"5\": \"in_progress\"}}"
/* How a broken state file is repaired, for the end of a message. */
#define STATE_ADVICE                                                                               \
    "repair it with the workflow's tool state_transition; where there is no such tool, write it "  \
    "anew, for example " STATE_EXAMPLE
#define STATE_ADVICE_ZH                                                                            \
    "请用工作流的工具 state_transition 修复；没有该工具时请重写此文件，例如 " STATE_EXAMPLE
/* "null", "a list" …; the same in Chinese. */
const char *state_kind_name(StateKind kind);
const char *state_kind_name_zh(StateKind kind);

/* k of a phase "M<k>" (M and a positive number without leading zero), PHASE_MAX for a larger one;
 * 0 for anything else. */
enum { PHASE_MAX = 1000000000 };
int phase_parse(Str text);

/* Last component of the absolute form of `dir`; in the arena. */
Str directory_name(Arena *arena, Str dir);

/* Stage by the artifacts that are there (1 and 6, 7 are never inferred); 0 = unknown. */
int stage_from_artifacts(Arena *arena, Str dir, Str name);
/* Stage by the name of an edited file; 0 = unknown. */
int stage_from_file(Str basename);

#endif

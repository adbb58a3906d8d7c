/* The inside of a context. Private to libptosim. */
#ifndef PTOSIM_CONTEXT_H
#define PTOSIM_CONTEXT_H

#include "model/error.h"
#include "model/program.h"

#include "base/vec.h"

/* What operations take a snapshot of. */
typedef struct PtsScope {
    int vector_tile_count; /* 0 = not set */
    int64_t vector_tile[PTS_MAX_TILE];
    PtsCubeTile cube_tile;
    const char *label; /* owned by the context */
} PtsScope;

/* An interned text: a file name or a label. */
typedef struct PtsName {
    const char *text;
    PtsSym symbol; /* of that name, when the name is that of a user's symbol; else PTS_SYM_NONE */
    uint32_t next; /* in its chain, + 1 */
} PtsName;

enum { PTS_NAME_CHAINS = 256, PTS_MAX_SCOPES = 4096, PTS_MAX_OTHER_SOCS = 16 };

struct PtsContext {
    Arena arena;
    PtsSoc soc;
    PtsSoc other_socs[PTS_MAX_OTHER_SOCS];
    int other_soc_count;
    PtsOptions options;
    PtsSymTable *symbols;
    VEC(PtsScope) scopes; /* the last one is the innermost; never empty */
    VEC(PtsName) names;
    uint32_t name_chains[PTS_NAME_CHAINS]; /* heads, + 1 */
    PtsProgram *recording;                 /* NULL = none */
    PtsRunState run_state;
};

/* The entry of a text, made if it is new. May leave through the context's guard. */
PtsName *pts_context_name(PtsContext *context, const char *text);

/* Does the check with that id only warn? */
bool pts_context_warns(const PtsContext *context, const char *id);

/* The innermost settings. */
PtsScope *pts_context_scope(const PtsContext *context);

#endif

/* Recorded conditions of a kernel that is being recorded; each of their branches is a scope. */
#include "eval/drive.h"

#include <string.h>

/* --- tiles of scopes */

typedef struct Tiles {
    PtsCubeTile cube;
    int64_t vector[PTS_MAX_TILE];
    int count, depth;
} Tiles;

static Tiles tiles_now(const Eval *eval)
{
    const Drive *drive = eval->drive;
    Tiles tiles = {.depth = pts_scope_depth(drive->context),
                   .cube = pts_config_cube_tile(drive->context)};
    tiles.count = pts_config_vector_tile(drive->context, tiles.vector);
    return tiles;
}

static bool same_cube(const PtsCubeTile *a, const PtsCubeTile *b)
{
    return a->set == b->set && memcmp(a->m, b->m, sizeof a->m) == 0 &&
           memcmp(a->k, b->k, sizeof a->k) == 0 && memcmp(a->n, b->n, sizeof a->n) == 0 &&
           a->split_k == b->split_k;
}

/* Leaves a scope. Tiles that a helper sets in a branch of an `if` last in one version of the
 * product and not in the other. */
static void leave_scope(Eval *eval, const Tiles *before, bool lasts_maybe)
{
    Drive *drive = eval->drive;
    Tiles after = tiles_now(eval);
    pts_scope_unwind(drive->context, before->depth);
    if (!lasts_maybe) {
        return;
    }
    bool same = after.count == before->count &&
                memcmp(after.vector, before->vector,
                       sizeof *after.vector * (size_t)(after.count > 0 ? after.count : 0)) == 0;
    if (!same) {
        pts_config_lose_vector_tile(drive->context);
    }
    if (!same_cube(&after.cube, &before->cube)) {
        pts_config_lose_cube_tile(drive->context);
    }
}

/* --- conditions */

Flow drive_if(Eval *eval, NodeId node, Value test)
{
    Drive *drive = eval->drive;
    PtsError error;
    PtsSym sym = drive_sym(eval, test);
    int64_t known;
    int truth = sym != PTS_SYM_NONE && pts_sym_value(drive->context, sym, &known) ? known != 0 : -1;
    bool is_edge = test.kind == VALUE_SYMBOL && test.flag; /* drive_edge */
    if (truth < 0 &&
        (sym == PTS_SYM_NONE || (!is_edge && pts_sym_is_unknown(drive->context, sym)))) {
        truth = drive_assume(eval, node_child(eval->module, node, ROLE_TEST), test);
        if (drive->ended) {
            return FLOW_NEXT;
        }
    }
    if (truth < 0) {
        if (!drive_may_record(eval)) {
            return FLOW_NEXT;
        }
        drive->node = node_child(eval->module, node, ROLE_TEST);
        PtsSite site = {eval->drive->file, (int)node_line(eval->module, drive->node)};
        truth = pts_condition(drive->program, sym, site, &error);
        if (truth < 0) {
            drive_refused(eval, EVAL_VALUE, &error);
            drive_end(eval);
            return FLOW_NEXT;
        }
        drive->seed = drive_mix(drive->seed, 2 + (unsigned)truth);
    }
    Tiles before = tiles_now(eval);
    if (!pts_scope_push(drive->context, &error)) {
        drive_end(eval);
        return FLOW_NEXT;
    }
    Flow flow = eval_body(eval, node, truth != 0 ? ROLE_BODY : ROLE_ORELSE);
    leave_scope(eval, &before, !eval->frame->is_graph);
    if (flow != FLOW_NEXT) {
        drive_end(eval); /* a jump out of a branch: only one version allows it */
    }
    return flow;
}

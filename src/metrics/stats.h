/* Stats: a log of metrics (metrics.h, or the Python linter's) summed up. The log is read line by
 * line, however long it is: what is kept grows with the number of rules and directories, and both
 * are bounded. */
#ifndef PYPTO_LINT_METRICS_STATS_H
#define PYPTO_LINT_METRICS_STATS_H

#include "base/vec.h"
#include "metrics/rule_ids.h"

/* Longer lines are broken ones. Of more directories the rest counts as one, named by an empty text;
 * of more runs the oldest are left out of the list. */
enum { STATS_MAX_LINE = 256 * 1024, STATS_MAX_OPS = 10000, STATS_MAX_RUNS = 10000 };

typedef struct StatsCounts {
    int64_t checks, pass, fail, warn, info, skip;
    double duration_ms;
} StatsCounts;

/* By the effort of a repair. */
enum { STATS_EFFORTS = 4 };
typedef struct StatsEffort {
    const char *name; /* "E1", "E2", "E3", "unknown" */
    bool seen;
    RuleIds fails, warns;
} StatsEffort;

typedef struct StatsRun {
    char id[9];
    char mode[16]; /* cut when it is longer */
    uint32_t op;   /* index of the directory in Stats.ops */
    int64_t stage;
    StatsCounts counts;
    RuleIds s0, s1;
} StatsRun;

typedef struct StatsOp {
    Str dir;
    int64_t runs, blocks;
    StatsCounts counts;
} StatsOp;

typedef struct Stats {
    bool has_summaries; /* `counts` are sums of summaries, else of single checks */
    StatsCounts counts;
    RuleIds s0, s1, failed;
    StatsEffort efforts[STATS_EFFORTS];
    StatsCounts rules[RULE_ID_COUNT]; /* by the number of the id, from single checks */
    int64_t gate_blocks, runs_seen;
    VEC(StatsRun) runs; /* the newest STATS_MAX_RUNS, a ring: see stats_run */
    VEC(StatsOp) ops;   /* in the order in which they came */
    int64_t broken;     /* lines that are not a JSON object, or too long */
} Stats;

typedef struct StatsFilter {
    Str op_dir;    /* only events of this directory, if not empty */
    int64_t since; /* only events at or after this time (seconds since 1970), if not 0 */
} StatsFilter;

/* Reads all of the descriptor. False with the reason when reading fails. What it makes is in the
 * arena; when that runs out, memory of the JSON reader may be lost. */
bool stats_read(Stats *stats, Arena *arena, int fd, const StatsFilter *filter, Str *error);

/* The nth run of the list, oldest first. */
const StatsRun *stats_run(const Stats *stats, uint32_t n);

#endif

/* Hints: what the figures suggest. Each has a threshold, and reports the figure it is based on. */
#include "perf/analysis.h"

/* Below these thresholds a difference is not worth a remark. */
static const double MEMORY_TO_COMPUTE = 1.5, HALF = 0.5, UNEVEN = 1.5, CHAIN_WAITS = 0.2;
/* Microseconds. Starting a vector instruction alone takes about ten nanoseconds, so events that are
 * not much longer consist mostly of start-up. */
static const double SHORT_EVENT = 0.05;
enum { MANY_EVENTS = 1000 };

static void add_hint(Analysis *analysis, HintAt hint)
{
    if (analysis->hint_count < PERF_HINTS) {
        analysis->hints[analysis->hint_count++] = hint;
    }
}

typedef struct KindUse {
    double busy, least, most;
    uint32_t lanes;
} KindUse;

static void sum_kinds(const Analysis *analysis, const Trace *trace, KindUse kinds[LANE_KINDS])
{
    for (uint32_t i = 0; i < analysis->lanes.count; i++) {
        const LaneUse *use = &analysis->lanes.items[i];
        KindUse *kind = &kinds[trace->lanes.items[use->lane].kind];
        kind->least = kind->lanes == 0 || use->busy < kind->least ? use->busy : kind->least;
        kind->most = use->busy > kind->most ? use->busy : kind->most;
        kind->busy += use->busy;
        kind->lanes++;
    }
}

static double busiest_share(const Analysis *analysis, const Trace *trace)
{
    double most = 0;
    for (uint32_t i = 0; i < analysis->lanes.count; i++) {
        const LaneUse *use = &analysis->lanes.items[i];
        bool counts = trace->lanes.items[use->lane].kind != LANE_CONTROL;
        most = counts && use->share > most ? use->share : most;
    }
    return most;
}

void find_hints(Analysis *analysis, const Trace *trace)
{
    KindUse kinds[LANE_KINDS] = {{0}};
    sum_kinds(analysis, trace, kinds);
    double computing = kinds[LANE_CUBE].busy + kinds[LANE_VECTOR].busy;
    double moving = kinds[LANE_MEMORY].busy;
    double busiest = busiest_share(analysis, trace);
    if (computing > 0 && moving > MEMORY_TO_COMPUTE * computing) {
        add_hint(analysis, (HintAt){.hint = HINT_MEMORY, .figure = moving, .other = computing});
    }
    if (analysis->lanes.count > 1 && busiest < HALF) {
        add_hint(analysis, (HintAt){.hint = HINT_SERIAL, .figure = busiest});
    }
    for (uint32_t kind = LANE_CUBE; kind <= LANE_VECTOR; kind++) { /* cores of a device */
        const KindUse *use = &kinds[kind];
        if (use->lanes > 1 && use->most > UNEVEN * use->least) {
            add_hint(analysis, (HintAt){.hint = HINT_UNEVEN,
                                        .figure = use->most,
                                        .other = use->least,
                                        .line = kind});
        }
    }
    double sum = 0;
    for (uint32_t i = 0; i < analysis->lines.count; i++) {
        sum += analysis->lines.items[i].time;
    }
    double mean = sum / (double)trace->events.count;
    if (trace->events.count >= MANY_EVENTS && mean < SHORT_EVENT) {
        add_hint(
            analysis,
            (HintAt){.hint = HINT_SHORT, .figure = (double)trace->events.count, .other = mean});
    }
    if (analysis->lines.count > 1 && analysis->lines.items[0].share > HALF) {
        add_hint(analysis,
                 (HintAt){.hint = HINT_ONE_LINE, .figure = analysis->lines.items[0].share});
    }
    if (analysis->chain_waited > CHAIN_WAITS * analysis->length) {
        add_hint(analysis, (HintAt){.hint = HINT_WAITING,
                                    .figure = analysis->chain_waited,
                                    .other = analysis->length});
    }
}

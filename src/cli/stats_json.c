/* `stats --format json`; the members are described in docs/agents/metrics.md. */
#include "cli/stats_print.h"

#include "cli/message.h"
#include "lint/result.h"

static json_t *ids_value(JsonTree *tree, const RuleIds *ids)
{
    json_t *array = json_array();
    for (int i = 0; i < RULE_ID_COUNT; i++) {
        if (ids->has[i]) {
            json_append(tree, array, json_string(rule_id_name(i).text));
        }
    }
    return array;
}

static void put_count(JsonTree *tree, json_t *object, const char *key, int64_t count)
{
    json_put(tree, object, key, json_integer((json_int_t)count));
}

/* Milliseconds with three decimals, as the log has them. */
static void put_time(JsonTree *tree, json_t *object, const char *key, double milliseconds)
{
    json_put(tree, object, key, json_real((double)(int64_t)(milliseconds * 1e3 + 0.5) / 1e3));
}

static void put_results(JsonTree *tree, json_t *object, const StatsCounts *counts)
{
    put_count(tree, object, "pass", counts->pass);
    put_count(tree, object, "fail", counts->fail);
    put_count(tree, object, "warn", counts->warn);
}

static json_t *efforts_value(JsonTree *tree, const Stats *stats)
{
    json_t *object = json_object();
    for (int i = 0; i < STATS_EFFORTS; i++) {
        const StatsEffort *effort = &stats->efforts[i];
        if (effort->seen) {
            json_t *entry = json_object();
            json_put(tree, entry, "fails", ids_value(tree, &effort->fails));
            json_put(tree, entry, "warns", ids_value(tree, &effort->warns));
            json_put(tree, object, effort->name, entry);
        }
    }
    return object;
}

static json_t *runs_value(JsonTree *tree, const Stats *stats)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < stats->runs.count; i++) {
        const StatsRun *run = stats_run(stats, i);
        json_t *object = json_object();
        json_put(tree, object, "invocation_id", json_text(str_from(run->id)));
        json_put(tree, object, "op_dir", json_text(stats->ops.items[run->op].dir));
        put_count(tree, object, "stage", run->stage);
        json_put(tree, object, "mode", json_text(str_from(run->mode)));
        put_count(tree, object, "total", run->counts.checks);
        put_results(tree, object, &run->counts);
        json_put(tree, object, "s0_fails", ids_value(tree, &run->s0));
        json_put(tree, object, "s1_fails", ids_value(tree, &run->s1));
        put_time(tree, object, "duration_ms", run->counts.duration_ms);
        json_append(tree, array, object);
    }
    return array;
}

static json_t *ops_value(JsonTree *tree, const Stats *stats)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < stats->ops.count; i++) {
        const StatsOp *op = &stats->ops.items[i];
        json_t *entry = json_object();
        put_count(tree, entry, "invocations", op->runs);
        put_count(tree, entry, "total", op->counts.checks);
        put_results(tree, entry, &op->counts);
        put_count(tree, entry, "blocks", op->blocks);
        json_put(tree, object, op->dir.at, entry);
    }
    return object;
}

static json_t *rules_value(JsonTree *tree, const Stats *stats)
{
    json_t *object = json_object();
    for (int i = 0; i < RULE_ID_COUNT; i++) {
        const StatsCounts *rule = &stats->rules[i];
        if (rule->checks > 0) {
            RuleIdName id = rule_id_name(i);
            json_t *entry = json_object();
            const Rule *known = rule_find(str_from(id.text));
            if (known != NULL) {
                json_put(tree, entry, "name", json_string(known->name));
            }
            put_count(tree, entry, "checks", rule->checks);
            put_results(tree, entry, rule);
            put_count(tree, entry, "info", rule->info);
            put_count(tree, entry, "skip", rule->skip);
            put_time(tree, entry, "duration_ms", rule->duration_ms);
            json_put(tree, object, id.text, entry);
        }
    }
    return object;
}

/* Takes nothing from an arena, whose failures would jump over the code that frees the tree. */
static json_t *stats_value(JsonTree *tree, const Stats *stats)
{
    json_t *root = json_object();
    json_put(tree, root, "schema_version", json_integer(1));
    json_put(tree, root, "data_source",
             json_string(stats->has_summaries ? "run_check_summary" : "rule_check"));
    put_count(tree, root, "total_summaries", stats->runs_seen);
    put_count(tree, root, "total_rule_checks", stats->counts.checks);
    put_results(tree, root, &stats->counts);
    put_count(tree, root, "skip", stats->counts.skip);
    put_time(tree, root, "total_duration_ms", stats->counts.duration_ms);
    put_count(tree, root, "total_gate_blocks", stats->gate_blocks);
    json_put(tree, root, "s0_fails", ids_value(tree, &stats->s0));
    json_put(tree, root, "s1_fails", ids_value(tree, &stats->s1));
    json_put(tree, root, "failed_rules", ids_value(tree, &stats->failed));
    json_put(tree, root, "effort_stats", efforts_value(tree, stats));
    json_put(tree, root, "rules", rules_value(tree, stats));
    json_put(tree, root, "invocations", runs_value(tree, stats));
    json_put(tree, root, "per_op", ops_value(tree, stats));
    put_count(tree, root, "broken_lines", stats->broken);
    return root;
}

bool stats_print_json(Arena *arena, const Stats *stats)
{
    JsonTree tree = {false};
    json_t *root = stats_value(&tree, stats);
    return json_print(arena, &tree, root);
}

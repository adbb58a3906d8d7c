/* `stats DIR`: the runs of `verify` that an operator's MEMORY.md records. */
#include "cli/stats_print.h"

#include "base/utf8.h"
#include "cli/cli.h"

typedef struct History {
    Str op_dir;
    const VerificationLog *log;
    const char **heads; /* terminated */
} History;

/* A repeated heading keeps the last of its cells. */
static json_t *row_json(JsonTree *tree, const History *history, const LogRow *row)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < history->log->head.count; i++) {
        json_put(tree, object, history->heads[i], json_text(row->cells.items[i]));
    }
    return object;
}

/* Takes nothing from an arena, whose failures would jump over the code that frees the tree. */
static json_t *history_json(JsonTree *tree, const History *history)
{
    const VerificationLog *log = history->log;
    json_t *root = json_object(), *columns = json_array(), *runs = json_array();
    json_t *not_read = json_array();
    for (uint32_t i = 0; i < log->head.count; i++) {
        json_append(tree, columns, json_string(history->heads[i]));
    }
    for (uint32_t i = 0; i < log->rows.count; i++) {
        json_append(tree, runs, row_json(tree, history, &log->rows.items[i]));
    }
    for (uint32_t i = 0; i < log->odd_lines.count; i++) {
        json_append(tree, not_read, json_integer(log->odd_lines.items[i]));
    }
    json_put(tree, root, "schema_version", json_integer(1));
    json_put(tree, root, "op_dir", json_text(history->op_dir));
    json_put(tree, root, "columns", columns);
    json_put(tree, root, "runs", runs);
    json_put(tree, root, "not_read", not_read);
    return root;
}

static bool print_json(Arena *arena, const VerificationLog *log, Str op_dir)
{
    History history = {op_dir, log, ARENA_ARRAY(arena, const char *, log->head.count)};
    for (uint32_t i = 0; i < log->head.count; i++) {
        Buf head = {.arena = arena};
        utf8_add_text(&head, log->head.items[i]);
        history.heads[i] = str_dup(arena, buf_str(&head));
    }
    JsonTree tree = {false};
    json_t *root = history_json(&tree, &history);
    return json_print(arena, &tree, root);
}

bool stats_print_history(Arena *arena, Str op_dir, HistoryForm form, Lang lang)
{
    VerificationLog log;
    Str error = STR("");
    if (!verification_log_read(arena, op_dir, &log, &error)) {
        print_error("%.*s/%s: %.*s", STR_ARG(op_dir), MEMORY_PATH, STR_ARG(error));
        return false;
    }
    if (!log.found) {
        Text text = {"no run is recorded: %.*s/%s has no verification log (verify --memory)",
                     "没有记录：%.*s/%s 中没有验证记录表（verify --memory）"};
        print_error(text_in(lang, text), STR_ARG(op_dir), MEMORY_PATH);
        return false;
    }
    return form == HISTORY_JSON ? print_json(arena, &log, op_dir)
                                : stats_print_rows(arena, &log, form == HISTORY_MARKDOWN, lang);
}

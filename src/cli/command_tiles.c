/* `tiles`: the tile of each operation of a kernel, what one takes of the core's memories, and the
 * legal ones that cost less by the model of traces. Reads files, runs and changes nothing. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/tiles_reason.h"
#include "lint/plan.h"
#include "report/report_common.h"
#include "report/terminal.h"
#include "rules/data/api.h"

typedef struct TilesOptions {
    unsigned json; /* text or json */
    bool apply;    /* only the calls to write */
    Lang lang;
} TilesOptions;

static const Option rows[] = {
    CHOICE_ROW(TilesOptions, json, "--format", "text|json", "format of the list", "列表的格式"),
    FLAG_ROW(TilesOptions, apply, "--apply",
             "print only the call to write for each operation that a better tile is known for; "
             "changes no file",
             "只输出每个有更优 tile 的运算应写的调用；不修改任何文件"),
    LANG_ROW(TilesOptions, lang),
};

const OptionTable tiles_options = OPTION_TABLE(rows, .most_words = UINT32_MAX);

/* --- text */

/* "UB 32768 of 196608 (16.7 %), 163840 left" for each memory that it takes something of. */
static void add_needs(Buf *out, const ShownTiling *tiling, const ShownTile *tile, Lang lang)
{
    bool any = false;
    for (int i = 0; i < SHOWN_MEMORIES; i++) {
        if (tile->needs[i] == 0) {
            continue;
        }
        buf_addf(out, words(lang, "%s%s %lld of %lld (%.1f %%)", "%s%s %lld / %lld（%.1f %%）"),
                 any ? ", " : "", tiles_memories[i], (long long)tile->needs[i],
                 (long long)tiling->capacity[i], tiles_share(tile->needs[i], tiling->capacity[i]));
        any = true;
    }
}

/* The options are in order of cost: how many of them are better than the tile in force. */
static uint32_t better_count(const ShownTiling *tiling)
{
    const ShownTile *now = &tiling->now;
    uint32_t count = 0;
    while (count < tiling->options.count) {
        const ShownTile *option = &tiling->options.items[count];
        if (option->cycles > now->cycles ||
            (option->cycles >= now->cycles && option->loads >= now->loads)) {
            break;
        }
        count++;
    }
    return count;
}

/* The call to write, for those that want no more. */
static void add_call(Buf *out, const ShownTiling *tiling, Lang lang)
{
    if (better_count(tiling) == 0) {
        return;
    }
    const ShownTile *best = &tiling->options.items[0];
    place_add(out, tiling->file, tiling->region);
    buf_addf(out, ": %.*s", STR_ARG(best->call));
    buf_addf(out, words(lang, "  # before %.*s: ", "  # 写在 %.*s 之前："),
             STR_ARG(tiling->operation));
    tiles_reason_add(out, tiling, best, lang);
    buf_add_char(out, '\n');
}

static void add_tiling(Buf *out, const ShownTiling *tiling, Lang lang)
{
    place_add(out, tiling->file, tiling->region);
    buf_add(out, STR(": "));
    terminal_add(out, tiling->kernel);
    buf_addf(out, ": %.*s %.*s\n  %s %.*s\n  ", STR_ARG(tiling->operation), STR_ARG(tiling->sizes),
             words(lang, "now", "当前"), STR_ARG(tiling->now.call));
    add_needs(out, tiling, &tiling->now, lang);
    buf_addf(out, words(lang, "; tiles: %.0f, cycles: %.0f\n", "；tile 数 %.0f，周期数 %.0f\n"),
             tiling->now.tiles, tiling->now.cycles);
    uint32_t better = better_count(tiling);
    for (uint32_t i = 0; i < better; i++) {
        const ShownTile *option = &tiling->options.items[i];
        buf_addf(out, "  %u. %.*s: %.0f %s%s", i + 1, STR_ARG(option->call), option->cycles,
                 words(lang, "cycles", "个周期"), words(lang, ": ", "："));
        tiles_reason_add(out, tiling, option, lang);
        buf_add_char(out, '\n');
    }
    if (better == 0) {
        buf_addf(out, "  %s\n", words(lang, "no legal tile costs less", "没有代价更低的合法 tile"));
    }
}

/* --- JSON */

static json_t *memory_json(JsonTree *tree, const int64_t *bytes)
{
    json_t *object = json_object();
    for (int i = 0; i < SHOWN_MEMORIES; i++) {
        json_put(tree, object, tiles_memories[i], json_integer(bytes[i]));
    }
    return object;
}

static json_t *tile_json(JsonTree *tree, const ShownTile *tile)
{
    json_t *object = json_object();
    json_put(tree, object, "call", json_text(tile->call));
    json_put(tree, object, "needs", memory_json(tree, tile->needs));
    json_put(tree, object, "tiles", json_real(tile->tiles));
    json_put(tree, object, "cycles", json_real(tile->cycles));
    json_put(tree, object, "loads", json_real(tile->loads));
    json_put(tree, object, "loaded_bytes", json_real(tile->loaded));
    return object;
}

static json_t *reason_json(JsonTree *tree, const ShownTiling *tiling, const ShownTile *option,
                           Lang lang)
{
    Buf text = {.arena = tree->arena};
    tiles_reason_add(&text, tiling, option, lang);
    return json_text(buf_str(&text));
}

static json_t *option_json(JsonTree *tree, const ShownTiling *tiling, const ShownTile *option)
{
    json_t *object = tile_json(tree, option);
    json_put(tree, object, "reason", reason_json(tree, tiling, option, LANG_EN));
    json_put(tree, object, "reason_zh", reason_json(tree, tiling, option, LANG_ZH));
    return object;
}

static json_t *tiling_json(JsonTree *tree, const ShownTiling *tiling)
{
    json_t *object = json_object(), *options = json_array();
    json_put(tree, object, "file", json_text(tiling->file));
    json_put(tree, object, "line", json_integer(tiling->region.line));
    json_put(tree, object, "column", json_integer(tiling->region.column));
    json_put(tree, object, "kernel", json_text(tiling->kernel));
    json_put(tree, object, "operation", json_text(tiling->operation));
    json_put(tree, object, "sizes", json_text(tiling->sizes));
    json_put(tree, object, "capacity", memory_json(tree, tiling->capacity));
    json_put(tree, object, "now", tile_json(tree, &tiling->now));
    for (uint32_t i = 0; i < tiling->options.count; i++) {
        json_append(tree, options, option_json(tree, tiling, &tiling->options.items[i]));
    }
    json_put(tree, object, "options", options);
    json_put(tree, object, "apply",
             better_count(tiling) > 0 ? json_text(tiling->options.items[0].call) : json_null());
    return object;
}

/* --- which */

/* Takes FILE:KERNEL apart, unless a file has the whole word as its name. */
static void split_kernel(Arena *arena, Str word, Str *path, Str *kernel)
{
    *path = word;
    *kernel = STR("");
    if (file_exists(str_dup(arena, word))) {
        return;
    }
    for (size_t i = word.length; i > 0; i--) {
        if (word.at[i - 1] == ':') {
            *path = str_slice(word, 0, i - 1);
            *kernel = str_slice(word, i, word.length);
            return;
        }
    }
}

/* What the command shows. */
typedef struct TilesList {
    const RunResult *result;
    Strs kernels; /* only these; empty: all */
} TilesList;

static bool is_shown(const TilesList *list, const ShownTiling *tiling)
{
    return list->kernels.count == 0 || strs_have(&list->kernels, tiling->kernel);
}

static bool print_list(Arena *arena, const TilesList *list, const TilesOptions *options,
                       uint32_t *count)
{
    JsonTree tree = {false, arena};
    json_t *all = json_array();
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < list->result->operators.count; i++) {
        const OperatorResult *op = list->result->operators.items[i];
        for (uint32_t k = 0; op->semantics != NULL && k < op->semantics->tilings.count; k++) {
            ShownTiling tiling = op->semantics->tilings.items[k];
            if (!is_shown(list, &tiling)) {
                continue;
            }
            tiling.file = full_path(arena, op, tiling.file);
            *count += 1;
            if (options->json != 0) {
                json_append(&tree, all, tiling_json(&tree, &tiling));
            } else if (options->apply) {
                add_call(&out, &tiling, options->lang);
            } else {
                add_tiling(&out, &tiling, options->lang);
            }
        }
    }
    if (options->json == 0) {
        json_decref(all);
        return print_all(buf_str(&out));
    }
    json_t *root = json_object();
    json_put(&tree, root, "schema_version", json_integer(1));
    json_put(&tree, root, "operations", all);
    return json_print(arena, &tree, root);
}

/* Kernels that the evaluation did not get through: what follows there is not in the list. False
 * when memory was the reason. */
static bool tell_unfinished(const TilesList *list, Lang lang)
{
    bool good = true;
    for (uint32_t i = 0; i < list->result->operators.count; i++) {
        const OperatorResult *op = list->result->operators.items[i];
        for (uint32_t k = 0; op->semantics != NULL && k < op->semantics->unfinished.count; k++) {
            const UnfinishedKernel *kernel = &op->semantics->unfinished.items[k];
            if (list->kernels.count > 0 && !strs_have(&list->kernels, kernel->name)) {
                continue;
            }
            print_note(words(lang, "%.*s: %.*s is known only to line %u: %s",
                             "%.*s：%.*s 只知道到第 %u 行：%s"),
                       STR_ARG(kernel->file), STR_ARG(kernel->name), kernel->region.line,
                       text_in(lang, kernel->why));
            good = good && !kernel->out_of_memory;
        }
    }
    return good;
}

int command_tiles(const Command *self, Arena *arena, int argc, char **argv)
{
    TilesOptions options = {.lang = default_lang()};
    Words given;
    int status = command_read(self, arena, &options, &given, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (given.count == 0) {
        return print_error("usage: pypto-lint tiles FILE[:KERNEL]|DIR...");
    }
    Str error = STR("");
    if (!api_load(arena, &error)) {
        return print_error("%.*s", STR_ARG(error));
    }
    Request request = {.who = {.lang = options.lang, .fail_on = S1, .no_exec = true},
                       .what = {.show_types = true}};
    TilesList list = {0};
    for (uint32_t i = 0; i < given.count; i++) {
        Str path, kernel;
        split_kernel(arena, str_from(given.items[i]), &path, &kernel);
        VEC_PUSH(arena, &request.what.paths, path);
        if (kernel.length > 0) {
            VEC_PUSH(arena, &list.kernels, kernel);
        }
    }
    Plan plan;
    plan_begin(&plan, arena, &request.who);
    Run *run = run_check(&request, &plan);
    list.result = run_result(run);
    uint32_t count = 0;
    bool good = print_list(arena, &list, &options, &count);
    good = tell_unfinished(&list, options.lang) && good;
    if (list.result->exit_status == EXIT_ERROR) {
        print_errors(list.result);
        good = false;
    } else if (count == 0) {
        print_note("%s", words(options.lang,
                               "no operation whose tile and sizes are all known: sizes come from "
                               "annotations, launches and tests",
                               "没有 tile 和尺寸均已知的运算：尺寸取自注解、启动和测试"));
    }
    run_free(run);
    return good ? EXIT_CLEAN : EXIT_ERROR;
}

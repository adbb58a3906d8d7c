/* What `check` says besides its report; see check_shows.h. */
#include "cli/check_shows.h"

#include "base/path.h"
#include "report/terminal.h"

/* --- settings */

/* A JSON string is one of YAML, too. */
static void add_list(Buf *out, const Strs *list)
{
    buf_add_char(out, '[');
    for (uint32_t i = 0; i < list->count; i++) {
        buf_add(out, i == 0 ? STR("") : STR(", "));
        json_add_string(out, list->items[i]);
    }
    buf_add_char(out, ']');
}

/* What is not set is shown as a comment, with what then counts. */
static void add_selectors(Buf *out, const char *key, Strs settings, const Strs *given,
                          const char *otherwise)
{
    for (uint32_t i = 0; given != NULL && i < given->count; i++) {
        VEC_PUSH(out->arena, &settings, given->items[i]);
    }
    if (settings.count == 0) {
        buf_addf(out, "# %s: %s\n", key, otherwise);
        return;
    }
    buf_addf(out, "%s: ", key);
    add_list(out, &settings);
    buf_add_char(out, '\n');
}

static void add_word(Buf *out, const char *key, bool set, const char *word, const char *otherwise)
{
    buf_addf(out, "%s%s: %s\n", set ? "" : "# ", key, set ? word : otherwise);
}

static void add_severities(Buf *out, const Config *config)
{
    add_word(out, "severity", config->severities.count > 0, "", "as the pages of the rules say");
    for (uint32_t i = 0; i < config->severities.count; i++) {
        buf_add(out, STR("  "));
        json_add_string(out, config->severities.items[i].selector);
        buf_addf(out, ": %s\n", severity_name(config->severities.items[i].severity));
    }
}

static double number_of(const Config *config, const Rule *rule, const RuleOption *option)
{
    for (uint32_t i = 0; i < config->options.count; i++) {
        const OptionEntry *entry = &config->options.items[i];
        if (entry->rule == rule && strcmp(entry->name, option->name) == 0) {
            return entry->number;
        }
    }
    return option->standard;
}

static void add_options(Buf *out, const Config *config)
{
    buf_add(out, STR("options:\n"));
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        const Rule *rule = rule_registry[i];
        for (const RuleOption *option = rule->options; option != NULL && option->name != NULL;
             option++) {
            if (option == rule->options) {
                buf_addf(out, "  %s: # %s\n", rule->id, rule->name);
            }
            buf_addf(out, "    %s: %g\n", option->name, number_of(config, rule, option));
        }
    }
}

static void add_paths(Buf *out, const Config *config)
{
    add_word(out, "per-path", config->per_path.count > 0, "", "none");
    for (uint32_t i = 0; i < config->per_path.count; i++) {
        buf_add(out, STR("  "));
        json_add_string(out, config->per_path.items[i].pattern);
        buf_add(out, STR(": "));
        add_list(out, &config->per_path.items[i].ignore);
        buf_add_char(out, '\n');
    }
    add_word(out, "exclude", config->has_exclude, "", "hidden folders, node_modules and the like");
    out->length -= config->has_exclude ? 1 : 0;
    if (config->has_exclude) {
        add_list(out, &config->exclude);
        buf_add_char(out, '\n');
    }
    add_selectors(out, "extend-exclude", config->extend_exclude, NULL, "none");
}

static void add_rest(Buf *out, const Caller *who, const Config *config)
{
    static const char *const semantics[] = {"on", "off", "warn", "on", "strict"};
    Severity fail_on = who->has_fail_on ? who->fail_on : config->fail_on;
    bool never = who->has_fail_on ? who->fail_never : config->fail_never;
    bool has_fail_on = who->has_fail_on || config->has_fail_on;
    Lang lang = who->has_lang ? who->lang : config->has_lang ? config->lang : who->lang;
    Str pypto = who->pypto.length > 0 ? who->pypto : config->pypto;
    add_word(out, "fail-on", true, never ? "never" : severity_name(has_fail_on ? fail_on : S1), "");
    add_word(out, "lang", true, lang == LANG_ZH ? "zh" : "en", "");
    buf_addf(out, "max-file-size: %zu\n", config_file_limit(config, false));
    add_word(out, "allow-s0-suppressions", true, config->allow_s0_suppressions ? "true" : "false",
             "");
    add_word(out, "allow-suppressions-in-gates", true,
             config->allow_suppressions_in_gates ? "true" : "false", "");
    add_word(out, "stop-block", true, config->stop_block_always ? "always" : "once", "");
    add_word(out, "kernel-semantics", true, semantics[config->semantics], "");
    add_word(out, "soc", config->soc.length > 0, str_dup(out->arena, config->soc),
             "910B1, and 950PR for what that refuses");
    add_word(out, "pypto", pypto.length > 0,
             str_format(out->arena, "\"%.*s\"", STR_ARG(pypto)).at, "the installed one, else 9.2");
}

int show_settings(const CheckOptions *options, Arena *arena)
{
    static const char *const profiles[] = {"", "operator", "kernel"};
    const Question *what = &options->request.what;
    Buf out = {.arena = arena};
    Plan plan;
    plan_begin(&plan, arena, &options->request.who);
    Str folder = plan_first_folder(arena, what);
    const Settings *settings = plan_settings(&plan, folder, options->request.who.lang);
    const Config *config = &settings->config;
    if (settings->error.length > 0) {
        return print_error("%.*s", STR_ARG(settings->error));
    }
    Profile profile = what->profile != PROFILE_UNSET ? what->profile : config->profile;
    buf_add(&out, STR("# settings for "));
    terminal_add(&out, path_resolved(arena, folder));
    buf_add(&out, STR(", from "));
    terminal_add(&out, config->path.length > 0 ? config->path : STR("no file"));
    buf_add_char(&out, '\n');
    add_selectors(&out, "select", what->select.count > 0 ? what->select : config->select, NULL,
                  "as the profile says");
    add_selectors(&out, "extend-select", config->extend_select, &what->extend_select, "none");
    add_selectors(&out, "ignore", config->ignore, &what->ignore, "none");
    add_word(&out, "profile", profile != PROFILE_UNSET, profiles[profile],
             "operator in operator directories, else kernel");
    add_severities(&out, config);
    add_options(&out, config);
    add_paths(&out, config);
    add_rest(&out, &options->request.who, config);
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}

/* --- files */

int show_files(Arena *arena, const RunResult *result)
{
    Strs paths = {0};
    Buf out = {.arena = arena};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const Strs *some = &result->operators.items[i]->paths;
        for (uint32_t k = 0; k < some->count; k++) {
            VEC_PUSH(arena, &paths, some->items[k]);
        }
    }
    strs_sort_unique(&paths);
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < paths.count; i++) {
        terminal_add(&out, paths.items[i]);
        buf_add_char(&out, '\n');
    }
    print_errors(result);
    bool written = print_all(buf_str(&out));
    return !written || result->exit_status == EXIT_ERROR ? EXIT_ERROR : EXIT_CLEAN;
}

/* --- how it went */

void show_details(const RunResult *result)
{
    for (uint32_t i = 0; i < result->operators.count; i++) {
        const OperatorResult *op = result->operators.items[i];
        Counts counts = result_counts(op);
        uint32_t ran = op->rules.count - counts.skip;
        bool zh = result->lang == LANG_ZH;
        const char *format =
            zh ? "%.*s：%s，阶段 %d，设置 %.*s，规则运行 %u 条、跳过 %u 条，%u 个文件，%.1f ms"
               : "%.*s: profile %s, stage %d, settings %.*s, %u rules ran, %u skipped, %u files, "
                 "%.1f ms";
        Str place = !op->loose ? op->op_dir
                    : zh       ? STR("算子目录之外的文件")
                               : STR("files outside operator directories");
        Str settings = op->settings.length > 0 ? op->settings : zh ? STR("无") : STR("none");
        print_note(format, STR_ARG(place), op->plain ? "kernel" : "operator", op->stage,
                   STR_ARG(settings), ran, counts.skip, op->files, op->duration_ms);
    }
}

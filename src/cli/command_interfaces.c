/* `interfaces`: checks the wiring of a module contract (docs/kernel-authors/scaffolding.md). */
#include "base/file.h"
#include "cli/cli.h"
#include "harness/plan/contract.h"
#include "report/terminal.h"

typedef struct InterfacesOptions {
    bool json;
} InterfacesOptions;

static const Option rows[] = {
    FLAG_ROW(InterfacesOptions, json, "--json", "the verdict as JSON", "以 JSON 输出结论"),
};

const OptionTable interfaces_options = OPTION_TABLE(rows, .most_words = 1);

/* Messages end in "(rule 1)" or "（规则 1）"; here the rule comes first. */
static Str violation_text(Arena *arena, const Violation *violation, Lang lang)
{
    Str message = lang == LANG_ZH ? violation->message_zh : violation->message;
    Str mark = lang == LANG_ZH ? STR("（规则 ") : STR(" (rule ");
    size_t end = SIZE_MAX;
    for (size_t at = 0; (at = str_find(message, mark, at)) != SIZE_MAX; at++) {
        end = at;
    }
    Str plain = str_slice(message, 0, end);
    const char *place = text_in(lang, (Text){" (line %u)", "（第 %u 行）"});
    Str line = violation->line > 0 ? str_format(arena, place, violation->line) : STR("");
    return str_format(arena, "rule%u: %.*s%.*s", violation->rule, STR_ARG(plain), STR_ARG(line));
}

static bool print_json(Arena *arena, const Violations *violations)
{
    JsonTree tree = {0};
    json_t *root = json_object(), *list = json_array();
    json_put(&tree, root, "status", json_string(violations->count == 0 ? "PASS" : "FAIL"));
    for (uint32_t i = 0; i < violations->count; i++) {
        Str text = violation_text(arena, &violations->items[i], LANG_EN);
        json_append(&tree, list, json_text(text));
    }
    json_put(&tree, root, "violations", list);
    return json_print(arena, &tree, root);
}

static bool print_text(Arena *arena, const Violations *violations)
{
    Buf out = {.arena = arena};
    buf_add(&out, violations->count == 0 ? STR("PASS\n") : STR(""));
    for (uint32_t i = 0; i < violations->count; i++) {
        Str text = violation_text(arena, &violations->items[i], default_lang());
        terminal_add(&out, text);
        buf_add(&out, STR("\n"));
    }
    return print_all(buf_str(&out));
}

int command_interfaces(const Command *self, Arena *arena, int argc, char **argv)
{
    InterfacesOptions options = {false};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0) {
        return print_error("interfaces needs a file: pypto-lint interfaces [--json] FILE");
    }
    Str text, error = STR("");
    FileStatus found = file_read(arena, words.items[0], CONTRACT_MAX_BYTES, &text, &error);
    if (found != FILE_OK) {
        return print_error("%s: %.*s", words.items[0],
                           STR_ARG(found == FILE_MISSING ? STR("no such file") : error));
    }
    Interfaces interfaces = interfaces_read(arena, text);
    if (interfaces.root == NULL) {
        /* The reason begins with the usual path. */
        Str reason = default_lang() == LANG_ZH ? interfaces.reason_zh : interfaces.reason;
        Str rest = str_slice(reason, sizeof INTERFACES_PATH - 1, reason.length);
        return print_error("%s%.*s", words.items[0], STR_ARG(rest));
    }
    Violations violations = interfaces_validate(arena, &interfaces);
    bool printed = options.json ? print_json(arena, &violations) : print_text(arena, &violations);
    return !printed ? EXIT_ERROR : violations.count == 0 ? EXIT_CLEAN : EXIT_FINDINGS;
}

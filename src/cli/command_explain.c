/* `explain`: the page of a rule. */
#include "cli/cli.h"

#include <ctype.h>

/* "ol48" and "48" are OL48. */
static Str normalise_id(Arena *arena, Str id)
{
    Buf name = {.arena = arena};
    bool digits = id.length > 0;
    for (size_t i = 0; i < id.length; i++) {
        digits = digits && isdigit((unsigned char)id.at[i]);
    }
    buf_add(&name, digits ? STR("OL") : STR(""));
    if (digits && id.length == 1) {
        buf_add_char(&name, '0');
    }
    for (size_t i = 0; i < id.length; i++) {
        buf_add_char(&name, (char)toupper((unsigned char)id.at[i]));
    }
    return buf_str(&name);
}

static void add_page(Buf *out, const RulePage *page)
{
    bool effort = *page->effort != '\0';
    buf_addf(out, "%s · %s%s%s · stages %s · %s · fix: %s · since %s\n\n", page->severity,
             page->dimension, effort ? " · " : "", page->effort, page->stages, page->target,
             page->fix, page->since);
    buf_add(out, str_from(page->markdown));
}

int command_explain(Arena *arena, int argc, char **argv)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR(""));
    if (argc == 1 && (str_is(str_from(argv[0]), "--help") || str_is(str_from(argv[0]), "-h"))) {
        char *words[] = {(char[]){"explain"}, NULL};
        return command_help(arena, 1, words);
    }
    if (argc == 0) {
        return trouble("usage: pypto-lint explain OLxx...");
    }
    for (int i = 0; i < argc; i++) {
        Str id = normalise_id(arena, str_from(argv[i]));
        const RulePage *page = rule_page(id.at);
        const Text *retired = retired_rule(id);
        if (page == NULL && retired == NULL) {
            Str message;
            selector_check(id, arena, default_lang(), &message);
            return message.length > 0 ? trouble("%.*s", STR_ARG(message))
                                      : trouble("'%s' is no rule id", argv[i]);
        }
        if (i > 0) {
            buf_add(&out, STR("\n"));
        }
        if (page != NULL) {
            add_page(&out, page);
        } else {
            buf_addf(&out, "%.*s\n\n%s\n", STR_ARG(id), text_in(default_lang(), *retired));
        }
    }
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_TROUBLE;
}

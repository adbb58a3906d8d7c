/* `explain`: the page of a rule. */
#include "cli/cli.h"

#include <ctype.h>

const OptionTable explain_options = {.words = rule_words, .most_words = UINT32_MAX};

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

int command_explain(const Command *self, Arena *arena, int argc, char **argv)
{
    Buf out = {.arena = arena};
    Words words;
    int status = command_read(self, arena, NULL, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0) {
        return print_error("usage: pypto-lint explain OLxx...");
    }
    for (uint32_t i = 0; i < words.count; i++) {
        Str id = normalise_id(arena, str_from(words.items[i]));
        const RulePage *page = rule_page(id.at);
        const Text *retired = retired_rule(id);
        if (page == NULL && retired == NULL) {
            Str message;
            selector_check(id, arena, default_lang(), &message);
            return message.length > 0 ? print_error("%.*s", STR_ARG(message))
                                      : print_error("'%s' is not a rule id", words.items[i]);
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
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}

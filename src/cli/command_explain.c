/* `explain`: the page of a rule, or what an error code of PyPTO means. */
#include "cli/cli.h"
#include "harness/advice_table.h"
#include "lint/product_codes.h"

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

static void add_number(Buf *out, const ProductCode *code, ProductVersion version)
{
    if (code->numbers[version] == 0) {
        bool zh = default_lang() == LANG_ZH;
        buf_addf(out, zh ? "%s 中没有" : "not in %s", product_version_names[version]);
    } else {
        buf_addf(out, "%06X in %s", code->numbers[version], product_version_names[version]);
    }
}

/* Every error that the word means: a number may be another one's in another version. */
static void add_codes(Buf *out, Str word)
{
    bool zh = default_lang() == LANG_ZH;
    size_t at = 0;
    const ProductCode *code;
    while ((code = product_code_find(word, &at)) != NULL) {
        buf_addf(out, "%s: ", code->name == NULL ? "-" : code->name);
        add_number(out, code, PRODUCT_9_1);
        buf_add(out, STR(", "));
        add_number(out, code, PRODUCT_9_2);
        buf_addf(out, "\n  %s%s\n", text_in(default_lang(), code->meaning), zh ? "。" : ".");
        unsigned number =
            code->numbers[code->numbers[PRODUCT_9_1] == 0 ? PRODUCT_9_2 : PRODUCT_9_1];
        const AdviceRow *row = advice_row(ADVICE_CODE, str_format(out->arena, "%06X", number));
        if (row != NULL && code->numbers[PRODUCT_9_1] != 0 && row->advice.en != NULL) {
            buf_addf(out, "  %s\n", text_in(default_lang(), row->advice));
        }
    }
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
        if (is_product_code(id)) {
            buf_add(&out, i > 0 ? STR("\n") : STR(""));
            add_codes(&out, id);
            continue;
        }
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

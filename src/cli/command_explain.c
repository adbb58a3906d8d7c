/* `explain`: pages of rules by id, name, prefix or words in them; what an error code of PyPTO
 * means. */
#include "base/ascii.h"
#include "cli/cli.h"
#include "cli/explain_page.h"
#include "harness/judge/advice_table.h"
#include "lint/config.h"
#include "lint/product_codes.h"
#include "operator/text.h"

#include <ctype.h>

typedef struct ExplainOptions {
    Lang lang;
} ExplainOptions;

static const Option rows[] = {LANG_ROW(ExplainOptions, lang)};

const OptionTable explain_options =
    OPTION_TABLE(rows, .words = rule_words, .most_words = UINT32_MAX);

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

static void add_number(Buf *out, const ProductCode *code, ProductVersion version, Lang lang)
{
    if (code->numbers[version] == 0) {
        buf_addf(out, lang == LANG_ZH ? "%s 中没有" : "not in %s", product_version_names[version]);
    } else {
        buf_addf(out, "%06X in %s", code->numbers[version], product_version_names[version]);
    }
}

/* Every error that the word means: the number of one may mean another one in another version. */
static void add_codes(Buf *out, Str word, Lang lang)
{
    bool zh = lang == LANG_ZH;
    size_t at = 0;
    const ProductCode *code;
    while ((code = product_code_find(word, &at)) != NULL) {
        buf_addf(out, "%s: ", code->name == NULL ? "-" : code->name);
        add_number(out, code, PRODUCT_9_1, lang);
        buf_add(out, STR(", "));
        add_number(out, code, PRODUCT_9_2, lang);
        buf_addf(out, "\n  %s%s\n", text_in(lang, code->meaning), zh ? "。" : ".");
        unsigned number =
            code->numbers[code->numbers[PRODUCT_9_1] == 0 ? PRODUCT_9_2 : PRODUCT_9_1];
        const AdviceRow *row = advice_row(ADVICE_CODE, str_format(out->arena, "%06X", number));
        if (row != NULL && code->numbers[PRODUCT_9_1] != 0 && row->advice.en != NULL) {
            buf_addf(out, "  %s\n", text_in(lang, row->advice));
        }
    }
}

/* Appends what one argument names; false when it names nothing, so that it is searched for. */
static bool add_named(Buf *out, Str word, Lang lang)
{
    Str id = normalise_id(out->arena, word);
    const Rule *named = rule_named(word);
    const RulePage *page = rule_page(named == NULL ? id.at : named->id);
    const Text *retired = retired_rule(id);
    Str between = out->length > 0 ? STR("\n") : STR("");
    if (is_product_code(id)) {
        buf_add(out, between);
        add_codes(out, id, lang);
    } else if (page != NULL) {
        buf_add(out, between);
        explain_page_add(out, page, lang);
    } else if (retired != NULL) {
        buf_add(out, between);
        buf_addf(out, "%.*s\n\n%s\n", STR_ARG(id), text_in(lang, *retired));
    } else {
        return explain_prefix_add(out, id, lang);
    }
    return true;
}

/* A word of a language, or a name of code; not a path. */
static bool is_searchable(Str word)
{
    for (size_t i = 0; i < word.length; i++) {
        char c = word.at[i];
        if (!is_word_char(c) && c != '-' && c != ' ' && (unsigned char)c < 0x80) {
            return false;
        }
    }
    return word.length > 1;
}

static int unknown(Arena *arena, Str word, Lang lang)
{
    Str message;
    Str id = normalise_id(arena, word);
    selector_check(selector_is_id(id) ? id : word, arena, lang, &message);
    return message.length > 0 ? print_error("%.*s", STR_ARG(message))
                              : print_error("'%.*s' is not a rule", STR_ARG(word));
}

int command_explain(const Command *self, Arena *arena, int argc, char **argv)
{
    ExplainOptions options = {.lang = default_lang()};
    Buf out = {.arena = arena};
    Words words;
    Strs search = {0};
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    if (words.count == 0) {
        return print_error("usage: pypto-lint explain RULE|CODE|WORD...");
    }
    buf_add(&out, STR(""));
    for (uint32_t i = 0; i < words.count; i++) {
        Str word = str_from(words.items[i]);
        if (!add_named(&out, word, options.lang)) {
            if (!is_searchable(word)) {
                return unknown(arena, word, options.lang);
            }
            Str lower = text_lower(arena, word);
            VEC_PUSH(arena, &search, lower);
        }
    }
    if (search.count > 0 && !explain_search_add(&out, &search, options.lang)) {
        return unknown(arena, search.items[0], options.lang);
    }
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}

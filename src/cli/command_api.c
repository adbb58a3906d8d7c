/* `api`: what a name of the pypto package is, or which one does what a word says. */
#include "cli/api_print.h"
#include "lint/suggest.h"
#include "operator/text.h"
#include "rules/similar.h"

typedef struct ApiOptions {
    unsigned json; /* text or json */
    bool example;
    Lang lang;
} ApiOptions;

static const Option rows[] = {
    CHOICE_ROW(ApiOptions, json, "--format", "text|json", "format of the answer", "输出格式"),
    FLAG_ROW(ApiOptions, example, "--example", "only the program of the example", "只输出示例程序"),
    LANG_ROW(ApiOptions, lang),
};

static void add_names(Buf *out)
{
    for (size_t i = 0; i < api_page_count; i++) {
        buf_addf(out, "%s\n", api_pages[i].name);
    }
}

const OptionTable api_options = OPTION_TABLE(rows, .words = add_names, .most_words = UINT32_MAX);

typedef VEC(const ApiPage *) Pages;

/* What an answer is made of. */
typedef struct Answer {
    Pages pages;
    const Synonym *synonym; /* the word is one of them, or NULL */
    bool is_list;           /* of names found by what they do: a line each */
} Answer;

/* --- finding */

/* "torch.nn.functional.silu" is asked for as "silu", "pypto.experimental.nop" as
 * "experimental.nop". */
static Str bare_name(Str word)
{
    if (str_starts(word, STR("pypto."))) {
        word = str_slice(word, STR("pypto.").length, word.length);
    }
    if (api_page_find(word) != NULL) {
        return word;
    }
    for (size_t i = word.length; i > 0; i--) {
        if (word.at[i - 1] == '.') {
            return str_slice(word, i, word.length);
        }
    }
    return word;
}

static bool find_word(Arena *arena, Str word, Answer *answer)
{
    Str name = bare_name(word);
    const ApiPage *page = api_page_find(name);
    answer->synonym = synonym_find(name);
    if (page != NULL) {
        VEC_PUSH(arena, &answer->pages, page);
    }
    for (size_t i = 0; answer->synonym != NULL && i < SYNONYM_NAMES; i++) {
        const char *other = answer->synonym->names[i];
        const ApiPage *found = other == NULL ? NULL : api_page_find(str_from(other));
        if (found != NULL && found != page) {
            VEC_PUSH(arena, &answer->pages, found);
        }
    }
    return answer->pages.count > 0;
}

/* Is the word in what is said of the name, or in what people elsewhere call it? */
static bool says(const ApiPage *page, Str word)
{
    const char *texts[] = {page->name, page->meaning, page->group, page->limits};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i] != NULL && text_contains_folded(str_from(texts[i]), word)) {
            return true;
        }
    }
    for (size_t i = 0; i < synonym_count; i++) {
        if (str_is_any(str_from(page->name), synonyms[i].names, SYNONYM_NAMES) &&
            text_contains_folded(str_from(synonyms[i].missing), word)) {
            return true;
        }
    }
    return false;
}

static void search(Arena *arena, const Words *words, Answer *answer)
{
    answer->is_list = true;
    for (size_t i = 0; i < api_page_count; i++) {
        bool all = true;
        for (uint32_t k = 0; all && k < words->count; k++) {
            all = says(&api_pages[i], str_from(words->items[k]));
        }
        if (all) {
            VEC_PUSH(arena, &answer->pages, &api_pages[i]);
        }
    }
}

static int refuse(const Words *words)
{
    Str word = bare_name(str_from(words->items[0]));
    const char *near = NULL;
    unsigned best = SIMILAR_NOT;
    for (size_t i = 0; i < api_page_count; i++) {
        unsigned edits = similar_edits(str_from(api_pages[i].name), word);
        if (edits < best) {
            best = edits;
            near = api_pages[i].name;
        }
    }
    bool zh = default_lang() == LANG_ZH;
    if (words->count == 1 && near != NULL) {
        return print_error(zh ? "没有名为 '%.*s' 的接口；是否想查 '%s'？"
                              : "pypto has nothing called '%.*s'; did you mean '%s'?",
                           STR_ARG(word), near);
    }
    return print_error(zh ? "没有与这些词有关的接口：%s%s；'pypto-lint api' 列出全部"
                          : "nothing in pypto goes by %s%s; 'pypto-lint api' lists what there is",
                       words->items[0], words->count > 1 ? " …" : "");
}

/* --- printing */

static int print_text(Arena *arena, const Answer *answer, const ApiOptions *options)
{
    Buf out = {.arena = arena};
    const Synonym *synonym = answer->synonym;
    if (synonym != NULL && synonym->recipe != NULL) {
        buf_addf(&out, "%s → %s\n\n", synonym->missing, synonym->recipe);
    }
    for (uint32_t i = 0; i < answer->pages.count; i++) {
        if (answer->is_list) {
            api_add_line(&out, answer->pages.items[i]);
            continue;
        }
        buf_add(&out, i > 0 ? STR("\n") : STR(""));
        api_add_page(&out, answer->pages.items[i], options->lang);
    }
    return print_all(buf_str(&out)) ? EXIT_CLEAN : EXIT_ERROR;
}

static int print_json(Arena *arena, const Answer *answer)
{
    JsonTree tree = {false, arena};
    json_t *names = json_array(), *root = json_object();
    for (uint32_t i = 0; i < answer->pages.count; i++) {
        json_append(&tree, names, api_json(&tree, answer->pages.items[i], true));
    }
    json_put(&tree, root, "schema_version", json_integer(1));
    if (answer->synonym != NULL) {
        json_t *one = json_object();
        json_put(&tree, one, "word", json_string(answer->synonym->missing));
        if (answer->synonym->recipe != NULL) {
            json_put(&tree, one, "recipe", json_string(answer->synonym->recipe));
        }
        json_put(&tree, root, "synonym", one);
    }
    json_put(&tree, root, "names", names);
    return json_print(arena, &tree, root) ? EXIT_CLEAN : EXIT_ERROR;
}

int command_api(const Command *self, Arena *arena, int argc, char **argv)
{
    ApiOptions options = {.lang = default_lang()};
    Words words;
    int status = command_read(self, arena, &options, &words, argc, argv);
    if (status != EXIT_CLEAN) {
        return status;
    }
    Answer answer = {.synonym = NULL};
    bool found = words.count == 1 && find_word(arena, str_from(words.items[0]), &answer);
    if (!found) {
        search(arena, &words, &answer);
    }
    if (answer.pages.count == 0) {
        return refuse(&words);
    }
    if (options.example) {
        if (answer.is_list && answer.pages.count > 1) {
            return print_error("--example needs one name");
        }
        return print_all(str_from(answer.pages.items[0]->example)) ? EXIT_CLEAN : EXIT_ERROR;
    }
    return options.json != 0 ? print_json(arena, &answer) : print_text(arena, &answer, &options);
}

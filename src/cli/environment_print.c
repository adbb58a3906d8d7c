/* `doctor --env` for people and programs; docs/command-line.md describes the members. */
#include "cli/environment_print.h"

#include "base/utf8.h"
#include "cli/message.h"
#include "report/terminal.h"

enum { LABEL_COLUMNS = 12, STATE_COLUMNS = 13 };

static void add_padded(Buf *out, const char *text, size_t columns)
{
    size_t width = 0;
    for (size_t at = 0; text[at] != '\0';) {
        width += code_point_width(utf8_next(str_from(text), &at));
    }
    buf_addf(out, "%s%*s", text, width < columns ? (int)(columns - width) : 1, "");
}

static void add_fact(Buf *out, const Fact *fact, Lang lang)
{
    add_padded(out, text_in(lang, fact->label), LABEL_COLUMNS);
    add_padded(out, text_in(lang, fact_state_text(fact->state)), STATE_COLUMNS);
    terminal_add(out, fact->value);
    buf_add_char(out, '\n');
    for (uint32_t i = 0; i < fact->details.count; i++) {
        buf_add(out, STR("    "));
        terminal_add(out, fact->details.items[i]);
        buf_add_char(out, '\n');
    }
}

bool environment_print_text(Arena *arena, const Environment *environment)
{
    Buf out = {.arena = arena};
    bool any = false;
    Lang lang = environment->lang;
    for (uint32_t i = 0; i < environment->facts.count; i++) {
        add_fact(&out, &environment->facts.items[i], lang);
    }
    for (uint32_t i = 0; i < environment->facts.count; i++) {
        const Fact *fact = &environment->facts.items[i];
        if (fact->recipe.length > 0) {
            buf_addf(&out, "%s", any ? "" : lang == LANG_ZH ? "\n处理方法\n" : "\nWhat to do\n");
            buf_addf(&out, "  %s: %.*s\n", text_in(lang, fact->label), STR_ARG(fact->recipe));
            any = true;
        }
    }
    return print_all(buf_str(&out));
}

bool environment_print_json(Arena *arena, const Environment *environment)
{
    JsonTree tree = {.arena = arena};
    json_t *root = json_object(), *facts = json_array();
    for (uint32_t i = 0; i < environment->facts.count; i++) {
        const Fact *fact = &environment->facts.items[i];
        json_t *object = json_object(), *details = json_array();
        for (uint32_t k = 0; k < fact->details.count; k++) {
            json_append(&tree, details, json_text(fact->details.items[k]));
        }
        json_put(&tree, object, "id", json_string(fact->id));
        json_put(&tree, object, "state", json_string(fact_state_text(fact->state).en));
        json_put(&tree, object, "value", json_text(fact->value));
        json_put(&tree, object, "details", details);
        json_put(&tree, object, "recipe", json_text_or_null(fact->recipe));
        json_append(&tree, facts, object);
    }
    json_put(&tree, root, "schema_version", json_integer(1));
    json_put(&tree, root, "bad", json_boolean(environment_is_bad(environment)));
    json_put(&tree, root, "facts", facts);
    return json_print(arena, &tree, root);
}

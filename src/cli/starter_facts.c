/* Facts of a template: lines "key value"; see starter.h. */
#include "cli/starter.h"

#include "harness/scaffold/template.h"
#include "operator/text.h"

static const char facts_end[] = "/facts";

void starter_names(Buf *out)
{
    for (uint32_t i = 0; i < template_file_count; i++) {
        Str name = str_from(template_files[i].name);
        if (str_ends(name, STR("/facts"))) {
            buf_addf(out, "%.*s\n", (int)(name.length - strlen(facts_end)), name.at);
        }
    }
}

bool starter_use_template(Starter *starter, Str name)
{
    Str wanted = str_format(starter->arena, "%.*s%s", STR_ARG(name), facts_end);
    Str golden = str_format(starter->arena, "%.*s/golden.py", STR_ARG(name));
    for (uint32_t i = 0; i < template_file_count; i++) {
        if (str_is(wanted, template_files[i].name)) {
            starter->template = name;
            starter->facts = str_from(template_files[i].text);
        } else if (str_is(golden, template_files[i].name)) {
            starter->golden = str_from(template_files[i].text);
        }
    }
    return starter->facts.length > 0;
}

bool starter_fact(Str facts, const char *key, uint32_t n, Str *value)
{
    Str line, word = str_from(key);
    for (size_t at = 0; text_next_line(facts, &at, &line);) {
        if (str_starts(line, word) && line.length > word.length && line.at[word.length] == ' ' &&
            n-- == 0) {
            *value = str_slice(line, word.length + 1, line.length);
            return true;
        }
    }
    return false;
}

Str starter_value(Str facts, const char *key)
{
    Str value = STR("");
    starter_fact(facts, key, 0, &value);
    return value;
}

Str starter_text(const Starter *starter, const char *key)
{
    Str chinese = str_format(starter->arena, "%s_zh", key), value;
    if (starter->lang == LANG_ZH && starter_fact(starter->facts, chinese.at, 0, &value)) {
        return value;
    }
    return starter_value(starter->facts, key);
}

StarterTensor starter_tensor(Str line)
{
    size_t open = str_find(line, STR(" ["), 0), close = str_find(line, STR("] "), 0);
    if (open == SIZE_MAX || close == SIZE_MAX) {
        size_t blank = str_find(line, STR(" "), 0);
        return (StarterTensor){str_slice(line, 0, blank), STR(""),
                               str_slice(line, blank + 1, line.length)};
    }
    return (StarterTensor){str_slice(line, 0, open), str_slice(line, open + 1, close + 1),
                           str_slice(line, close + 2, line.length)};
}

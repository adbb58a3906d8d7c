/* Collects the facts about the environment; see environment.h. */
#include "environment/environment.h"

#include "operator/text.h"

#include <sys/utsname.h>

Text fact_state_text(FactState state)
{
    static const Text texts[] = {
        [FACT_OK] = {"ok", "正常"},
        [FACT_INFO] = {"info", "信息"},
        [FACT_NOT_CHECKED] = {"not checked", "未检查"},
        [FACT_WARNING] = {"warning", "警告"},
        [FACT_BAD] = {"bad", "有问题"},
    };
    return texts[state];
}

Fact *environment_add(Environment *environment, const char *id, Text label, FactState state,
                      Str value)
{
    Fact fact = {.id = id, .label = label, .state = state};
    fact.value = str_copy(environment->arena, value);
    fact.recipe = STR("");
    VEC_PUSH(environment->arena, &environment->facts, fact);
    return &environment->facts.items[environment->facts.count - 1];
}

void environment_recipe(Environment *environment, Fact *fact, Text recipe)
{
    fact->recipe = str_from(text_in(environment->lang, recipe));
}

void environment_recipe_in(Environment *environment, Fact *fact, Text here, Text in_root)
{
    environment_recipe(environment, fact, environment->root->is_system ? here : in_root);
}

Str environment_value(Str text, Str key)
{
    Str line;
    for (size_t at = 0; text_next_line(text, &at, &line);) {
        line = str_trim(line);
        if (str_starts(line, key)) {
            return str_trim(str_slice(line, key.length, line.length));
        }
    }
    return STR("");
}

static void add_system(Environment *environment)
{
    enum { MOST_RELEASE = 64 * 1024 };
    struct utsname names;
    Str text = STR(""), name = STR("");
    if (rooted_read(environment->root, environment->arena, STR("/etc/os-release"), MOST_RELEASE,
                    &text)) {
        name = environment_value(text, STR("PRETTY_NAME="));
        bool quoted = str_starts(name, STR("\"")) && name.length > 1;
        name = quoted ? str_slice(name, 1, name.length - 1) : name;
    }
    bool known = uname(&names) == 0;
    environment->machine = str_copy(environment->arena, known ? str_from(names.machine) : STR(""));
    environment_add(environment, "system", (Text){"System", "系统"}, FACT_INFO,
                    str_format(environment->arena, "%.*s%s%.*s", STR_ARG(name),
                               name.length > 0 ? ", " : "", STR_ARG(environment->machine)));
}

Environment *environment_look(Arena *arena, const Rooted *root, Lang lang)
{
    Environment *environment = ARENA_NEW(arena, Environment);
    environment->arena = arena;
    environment->root = root;
    environment->lang = lang;
    add_system(environment);
    environment_add_ascend(environment);
    environment_add_devices(environment);
    environment_add_packages(environment);
    environment_add_libraries(environment);
    environment_add_host(environment);
    return environment;
}

bool environment_is_bad(const Environment *environment)
{
    for (uint32_t i = 0; i < environment->facts.count; i++) {
        if (environment->facts.items[i].state == FACT_BAD) {
            return true;
        }
    }
    return false;
}

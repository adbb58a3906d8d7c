/* Shell wrap; see shell_wrap.h. */
#include "hook/shell_wrap.h"

#include "base/path.h"
#include "hook/shell_words.h"

/* What runs another command: its name, and its options that take a value of their own. */
typedef struct Wrapper {
    const char *name, *with_value;
    uint32_t operands; /* before the command */
} Wrapper;

static const Wrapper wrappers[] = {
    {"sudo", "ugCDhpRrtT", 0}, {"doas", "uC", 0},        {"env", "uC", 0},    {"nohup", "", 0},
    {"stdbuf", "ioe", 0},      {"command", "", 0},       {"exec", "a", 0},    {"builtin", "", 0},
    {"busybox", "", 0},        {"nice", "n", 0},         {"ionice", "cn", 0}, {"setsid", "", 0},
    {"timeout", "sk", 1},      {"xargs", "IdEnLPsa", 0}, {"time", "fo", 0},   {"torchrun", "", 0},
    {"msprof", "", 0},
};

static const Wrapper *find_wrapper(Str name)
{
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        if (str_is(name, wrappers[i].name)) {
            return &wrappers[i];
        }
    }
    return NULL;
}

Strs shell_unwrap(Strs words, bool *piped)
{
    for (;;) {
        const Wrapper *wrapper = words.count == 0 ? NULL : find_wrapper(path_name(words.items[0]));
        if (wrapper == NULL) {
            return words;
        }
        *piped = *piped || strcmp(wrapper->name, "xargs") == 0;
        uint32_t next = 1, operands = wrapper->operands;
        for (; next < words.count; next++) {
            Str word = words.items[next];
            if (shell_is_option(word)) {
                bool value = word.length == 2 && strchr(wrapper->with_value, word.at[1]) != NULL;
                next += value;
            } else if (str_contains(word, STR("=")) && strcmp(wrapper->name, "env") == 0) {
                continue;
            } else if (operands-- == 0) {
                break;
            }
        }
        next = next < words.count ? next : words.count;
        words = (Strs){words.items + next, words.count - next, 0};
    }
}

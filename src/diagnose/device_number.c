/* Finds the device that a line is about; see device_number.h. */
#include "diagnose/device_number.h"

#include "base/ascii.h"
#include "diagnose/log_number.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The number of one or two digits at `at`, past signs; -1: none. */
static int number_at(Str line, size_t at)
{
    enum { MOST_SIGNS = 3, MOST_DIGITS = 2 };
    size_t from = at;
    while (from < line.length && from - at < MOST_SIGNS &&
           strchr(" =:([#", line.at[from]) != NULL) {
        from++;
    }
    double number = -1;
    size_t end = log_number_read(line, from, &number);
    bool whole = end == line.length || !(is_word_char(line.at[end]) || line.at[end] == '.');
    return end - from <= MOST_DIGITS && whole ? (int)number : -1;
}

int device_number(Str line)
{
    static const char *const names[] = {"device_id", "dev_id", "device id", "deviceid", "devid",
                                        "logicid",   "chipid", "device",    "npu",      "card"};
    int number = -1;
    for (size_t i = 0; i < COUNT(names) && number < 0; i++) {
        Str name = str_from(names[i]);
        for (size_t at = text_find_folded(line, name, 0); at != SIZE_MAX && number < 0;
             at = text_find_folded(line, name, at + 1)) {
            bool whole = at == 0 || !is_word_char(line.at[at - 1]);
            number = whole ? number_at(line, at + name.length) : -1;
        }
    }
    return number;
}

int device_of_command(Str command)
{
    const Str option = STR(" -i ");
    bool asks = str_contains(command, STR("npu-smi ")) || str_contains(command, STR("hccn_tool "));
    size_t at = asks ? str_find(command, option, 0) : SIZE_MAX;
    return at == SIZE_MAX ? -1 : number_at(command, at + option.length);
}

const char *device_fill(Arena *arena, const char *text, int number)
{
    const Str option = STR("-i 0");
    Str rest = str_from(text);
    if (!str_contains(rest, option)) {
        return text;
    }
    Buf out = {.arena = arena};
    for (size_t at = str_find(rest, option, 0); at != SIZE_MAX; at = str_find(rest, option, 0)) {
        buf_addf(&out, "%.*s-i ", (int)at, rest.at);
        if (number < 0) {
            buf_add(&out, STR("N"));
        } else {
            buf_addf(&out, "%d", number);
        }
        rest = str_slice(rest, at + option.length, rest.length);
    }
    buf_add(&out, rest);
    return str_dup(arena, buf_str(&out));
}

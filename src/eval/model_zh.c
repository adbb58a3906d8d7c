/* Matches a message against the printf formats of model_zh.def. */
#include "eval/model_zh.h"

#include <string.h>

enum { MOST_ARGUMENTS = 8, MOST_DEPTH = 3 };

static const struct Row {
    const char *en, *zh;
} rows[] = {
#define ROW(en, zh) {en, zh},
#include "eval/model_zh.def"
#undef ROW
};

/* One conversion of a format, such as "%s" or "%.0f", and the literal text after it. */
typedef struct Conversion {
    bool number;
    Str literal;
} Conversion;

static Str literal_at(const char *format)
{
    return (Str){format, strcspn(format, "%")};
}

/* Reads the conversion at `format`, which points to a '%'; returns what follows the conversion and
 * its literal. */
static const char *read_conversion(const char *format, Conversion *conversion)
{
    format += 1 + strspn(format + 1, "0123456789.*l");
    conversion->number = *format != 's';
    conversion->literal = literal_at(format + 1);
    return format + 1 + conversion->literal.length;
}

static bool is_number(Str text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (strchr("0123456789+-.e", text.at[i]) == NULL || text.at[i] == '\0') {
            return false;
        }
    }
    return text.length > 0;
}

/* The number of bytes at the start of `text` that the argument of `conversion` has; SIZE_MAX = no
 * match. The last literal must be at the end; others match at their first occurrence. */
static size_t argument_length(Str text, const Conversion *conversion, bool last)
{
    Str literal = conversion->literal;
    if (last) {
        return str_ends(text, literal) ? text.length - literal.length : SIZE_MAX;
    }
    const char *found =
        literal.length == 0 ? text.at : memmem(text.at, text.length, literal.at, literal.length);
    return found == NULL ? SIZE_MAX : (size_t)(found - text.at);
}

static bool matches(const char *format, Str text, Str *arguments)
{
    Str start = literal_at(format);
    if (!str_starts(text, start)) {
        return false;
    }
    format += start.length;
    text = (Str){text.at + start.length, text.length - start.length};
    for (size_t count = 0; *format != '\0'; count++) {
        Conversion conversion;
        format = read_conversion(format, &conversion);
        size_t length = argument_length(text, &conversion, *format == '\0');
        if (length == SIZE_MAX || count == MOST_ARGUMENTS) {
            return false;
        }
        arguments[count] = (Str){text.at, length};
        if (conversion.number && !is_number(arguments[count])) {
            return false;
        }
        length += conversion.literal.length;
        text = (Str){text.at + length, text.length - length};
    }
    return text.length == 0;
}

static Str translate(Arena *arena, Str text, int depth);

/* `zh` with its arguments in place of "{0}", "{1}", … */
static Str fill(Arena *arena, const char *zh, const Str *arguments, int depth)
{
    Str made = STR("");
    while (*zh != '\0') {
        size_t plain = strcspn(zh, "{");
        made = str_format(arena, "%.*s%.*s", STR_ARG(made), (int)plain, zh);
        zh += plain;
        if (*zh == '{') {
            Str argument = translate(arena, arguments[zh[1] - '0'], depth + 1);
            made = str_format(arena, "%.*s%.*s", STR_ARG(made), STR_ARG(argument));
            zh += 3;
        }
    }
    return made;
}

static Str translate(Arena *arena, Str text, int depth)
{
    bool is_text = memchr(text.at, ' ', text.length) != NULL;
    if (depth > MOST_DEPTH || !is_text) {
        return text;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Str arguments[MOST_ARGUMENTS];
        if (matches(rows[i].en, text, arguments)) {
            return fill(arena, rows[i].zh, arguments, depth);
        }
    }
    return text;
}

Str model_zh(Arena *arena, Str message)
{
    return translate(arena, message, 0);
}

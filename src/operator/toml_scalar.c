/* Single values of TOML: strings, numbers, truth values, dates. */
#include "operator/toml_reader.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* --- strings */

static bool read_code_point(TomlReader *reader, int digits, Buf *out)
{
    uint32_t value = 0;
    for (int i = 0; i < digits; i++) {
        int digit = hex_digit(toml_peek(reader));
        if (digit < 0) {
            return toml_refuse(reader, "an escape needs more digits", "转义序列的位数不足");
        }
        value = value << 4 | (uint32_t)digit;
        reader->at++;
    }
    if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
        return toml_refuse(reader, "an escape names no character", "转义序列不是字符");
    }
    utf8_add(out, value);
    return true;
}

/* A backslash at the end of a line: white space is left out up to the next character. */
static bool skip_to_text(TomlReader *reader)
{
    toml_skip_blanks(reader);
    if (toml_peek(reader) != '\n' && !toml_take(reader, STR("\r\n"))) {
        return toml_refuse(reader, "unknown escape", "未知的转义序列");
    }
    if (toml_peek(reader) == '\n') {
        reader->at++;
    }
    reader->line++;
    for (;;) {
        toml_skip_blanks(reader);
        if (toml_take(reader, STR("\n")) || toml_take(reader, STR("\r\n"))) {
            reader->line++;
        } else {
            return true;
        }
    }
}

/* Reads what follows a backslash. */
static bool read_escape(TomlReader *reader, bool lines, Buf *out)
{
    static const char letters[] = "btnfr\"\\";
    static const char meanings[] = "\b\t\n\f\r\"\\";
    char letter = toml_peek(reader);
    const char *found = letter == '\0' ? NULL : strchr(letters, letter);
    if (found != NULL) {
        buf_add_char(out, meanings[found - letters]);
        reader->at++;
        return true;
    }
    if (letter == 'u' || letter == 'U') {
        reader->at++;
        return read_code_point(reader, letter == 'u' ? 4 : 8, out);
    }
    return lines ? skip_to_text(reader) : toml_refuse(reader, "unknown escape", "未知的转义序列");
}

/* A line end within a string of several lines; false for anything else. */
static bool take_line_end(TomlReader *reader, Buf *out)
{
    if (!toml_take(reader, STR("\n")) && !toml_take(reader, STR("\r\n"))) {
        return false;
    }
    reader->line++;
    buf_add_char(out, '\n');
    return true;
}

/* Three quotes end it; up to two more of them belong to the text. */
static bool take_end(TomlReader *reader, char quote, Buf *out)
{
    size_t count = 0;
    while (count < 5 && reader->at + count < reader->text.length &&
           reader->text.at[reader->at + count] == quote) {
        count++;
    }
    for (size_t i = 3; i < count; i++) {
        buf_add_char(out, quote);
    }
    reader->at += count >= 3 ? count : 0;
    return count >= 3;
}

bool toml_string(TomlReader *reader, bool lines, Str *text)
{
    char quote = toml_peek(reader);
    char three[] = {quote, quote, quote};
    bool several = toml_take(reader, (Str){three, 3});
    Buf out = {.arena = reader->arena};
    if (several && !lines) {
        return toml_refuse(reader, "a key has one line", "键必须在一行内");
    }
    reader->at += several ? 0 : 1;
    if (several && (toml_take(reader, STR("\n")) || toml_take(reader, STR("\r\n")))) {
        reader->line++; /* a line end right after the quotes does not count */
    }
    for (;;) {
        char next = toml_peek(reader);
        if (several ? take_end(reader, quote, &out) : next == quote) {
            reader->at += several ? 0 : 1;
            *text = buf_str(&out);
            return true;
        }
        if (several && take_line_end(reader, &out)) {
            continue;
        }
        if (next == '\0' || next == '\n' || next == '\r') {
            return toml_refuse(reader, "a string is not closed", "字符串未结束");
        }
        reader->at++;
        if (next == '\\' && quote == '"') {
            if (!read_escape(reader, several, &out)) {
                return false;
            }
        } else {
            buf_add_char(&out, next);
        }
    }
}

/* --- numbers */

/* Digits with single underscores between them. Moves `*at` past them. */
static bool take_digits(Str text, size_t *at, int base)
{
    size_t start = *at;
    while (*at < text.length) {
        int digit = hex_digit(text.at[*at]);
        bool between = text.at[*at] == '_' && *at > start && *at + 1 < text.length &&
                       hex_digit(text.at[*at + 1]) >= 0 && text.at[*at - 1] != '_';
        if (!between && (digit < 0 || digit >= base)) {
            break;
        }
        ++*at;
    }
    return *at > start && text.at[*at - 1] != '_';
}

static bool is_prefixed(Str text)
{
    static const struct {
        const char *prefix;
        int base;
    } forms[] = {{"0x", 16}, {"0o", 8}, {"0b", 2}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t at = 2;
        if (str_starts(text, str_from(forms[i].prefix))) {
            return take_digits(text, &at, forms[i].base) && at == text.length;
        }
    }
    return false;
}

static bool is_number(Str text)
{
    size_t at = text.length > 0 && (text.at[0] == '+' || text.at[0] == '-') ? 1 : 0;
    Str rest = str_slice(text, at, text.length);
    if (str_is(rest, "inf") || str_is(rest, "nan")) {
        return true;
    }
    bool zero = rest.length > 1 && rest.at[0] == '0' && (is_digit(rest.at[1]) || rest.at[1] == '_');
    if (zero || !take_digits(text, &at, 10)) {
        return false;
    }
    if (at < text.length && text.at[at] == '.') {
        at++;
        if (!take_digits(text, &at, 10)) {
            return false;
        }
    }
    if (at < text.length && lower_case(text.at[at]) == 'e') {
        at++;
        at += at < text.length && (text.at[at] == '+' || text.at[at] == '-') ? 1 : 0;
        return take_digits(text, &at, 10) && at == text.length;
    }
    return at == text.length;
}

/* --- dates */

/* `form` has a `0` for each digit; each run of them is one of `numbers`, in order. Moves `*at` past
 * it. */
static bool take_form(Str text, size_t *at, const char *form, int *numbers)
{
    int count = 0;
    bool in_number = false;
    for (; *form != '\0'; form++, ++*at) {
        if (*at >= text.length) {
            return false;
        }
        char c = text.at[*at];
        if (*form != '0') {
            in_number = false;
            if (c != *form) {
                return false;
            }
            continue;
        }
        if (!is_digit(c)) {
            return false;
        }
        numbers[count] = in_number ? numbers[count] * 10 + (c - '0') : c - '0';
        in_number = true;
        if (form[1] != '0') {
            count++;
        }
    }
    return true;
}

static bool is_day(const int *date)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (date[0] % 4 == 0 && date[0] % 100 != 0) || date[0] % 400 == 0;
    if (date[0] < 1 || date[1] < 1 || date[1] > 12) {
        return false;
    }
    return date[2] >= 1 && date[2] <= days[date[1] - 1] + (date[1] == 2 && leap ? 1 : 0);
}

static bool take_time(Str text, size_t *at)
{
    int time[3];
    if (!take_form(text, at, "00:00:00", time) || time[0] > 23 || time[1] > 59 || time[2] > 59) {
        return false;
    }
    if (*at < text.length && text.at[*at] == '.') {
        size_t start = ++*at;
        while (*at < text.length && is_digit(text.at[*at])) {
            ++*at;
        }
        return *at > start;
    }
    return true;
}

static bool take_zone(Str text, size_t *at)
{
    int zone[2];
    if (*at < text.length && lower_case(text.at[*at]) == 'z') {
        ++*at;
        return true;
    }
    if (*at >= text.length || (text.at[*at] != '+' && text.at[*at] != '-')) {
        return *at == text.length;
    }
    ++*at;
    return take_form(text, at, "00:00", zone) && zone[0] <= 23 && zone[1] <= 59;
}

static bool is_date(Str text)
{
    int date[3];
    size_t at = 0;
    if (take_time(text, &at)) {
        return at == text.length;
    }
    at = 0;
    if (!take_form(text, &at, "0000-00-00", date) || !is_day(date)) {
        return false;
    }
    if (at == text.length) {
        return true;
    }
    bool between = text.at[at] == ' ' || lower_case(text.at[at]) == 't';
    at++;
    return between && take_time(text, &at) && take_zone(text, &at) && at == text.length;
}

/* --- */

static bool is_plain_char(char c)
{
    return is_word_char(c) || c == '+' || c == '-' || c == '.' || c == ':';
}

bool toml_plain(TomlReader *reader, Str *text)
{
    size_t start = reader->at;
    while (is_plain_char(toml_peek(reader))) {
        reader->at++;
    }
    /* A date and its time may have a blank between them. */
    size_t after = reader->at + 1;
    if (reader->at - start == strlen("0000-00-00") && toml_peek(reader) == ' ' &&
        after < reader->text.length && is_digit(reader->text.at[after]) &&
        reader->text.at[start + 4] == '-') {
        reader->at = after;
        while (is_plain_char(toml_peek(reader))) {
            reader->at++;
        }
    }
    *text = str_slice(reader->text, start, reader->at);
    if (str_is(*text, "true") || str_is(*text, "false") || is_prefixed(*text) || is_number(*text) ||
        is_date(*text)) {
        return true;
    }
    return toml_refuse(reader, "not a value: text needs quotes", "不是有效的值：文本需要引号");
}

/* Reads commands that print an exit status, and their output; see log_status.h. */
#include "diagnose/log_status.h"

#include "base/ascii.h"

static const char sign[] = "$?", first[] = "${PIPESTATUS[0]}";

bool log_asks_first(Str command)
{
    return str_contains(command, str_from(first));
}

bool log_asks_status(Str command)
{
    static const char others[] = ";|&`<>";
    bool named = str_contains(command, str_from(sign)) || log_asks_first(command);
    bool asks = str_starts(command, STR("echo ")) && named;
    for (size_t i = 0; i < command.length && asks; i++) {
        asks = strchr(others, command.at[i]) == NULL;
    }
    return asks;
}

static void keep(char *to, Str text)
{
    text = str_slice(text, 0, LOG_STATUS_FORM - 1);
    memcpy(to, text.at, text.length);
    to[text.length] = '\0';
}

void log_status_form(LogStatusForm *form, Str command)
{
    Str text = str_trim(str_slice(command, strlen("echo "), command.length));
    bool quoted = text.length >= 2 && text.at[0] == '"' && text.at[text.length - 1] == '"';
    text = quoted ? str_slice(text, 1, text.length - 1) : text;
    Str name = log_asks_first(text) ? str_from(first) : str_from(sign);
    size_t at = str_find(text, name, 0);
    keep(form->before, at == SIZE_MAX ? text : str_slice(text, 0, at));
    keep(form->after, at == SIZE_MAX ? STR("") : str_slice(text, at + name.length, text.length));
}

int log_status_of(const LogStatusForm *form, Str line)
{
    enum { MOST_DIGITS = 3, TEN = 10 };
    Str before = str_trim(str_from(form->before)), after = str_trim(str_from(form->after));
    line = str_trim(line);
    if (!str_starts(line, before) || !str_ends(line, after) ||
        line.length < before.length + after.length) {
        return -1;
    }
    Str digits = str_trim(str_slice(line, before.length, line.length - after.length));
    int status = digits.length > 0 && digits.length <= MOST_DIGITS ? 0 : -1;
    for (size_t i = 0; i < digits.length && status >= 0; i++) {
        status = is_digit(digits.at[i]) ? status * TEN + (digits.at[i] - '0') : -1;
    }
    return status;
}

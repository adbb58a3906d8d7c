/* Addresses; see address.h. */
#include "init/address.h"

#include "base/ascii.h"

/* --- forms */

static bool is_name_char(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c != '\0' && strchr("-._", c) != NULL);
}

/* Whatever a plain YAML scalar may hold anywhere: no blank, no quote, nothing that ends it. */
static bool is_plain(Str address)
{
    for (size_t i = 0; i < address.length; i++) {
        char c = address.at[i];
        bool inner = c != '\0' && strchr(":@%+=", c) != NULL && i > 0 && i + 1 < address.length;
        if (!is_name_char(c) && c != '/' && c != '~' && !inner) {
            return false;
        }
    }
    return address.length > 0 && address.at[0] != '-';
}

/* OWNER/NAME[@REF] of a GitHub repository, whose URL will do as well; empty when it is none. */
static Str action_address(Arena *arena, Str address)
{
    Str site = STR("https://github.com/"), suffix = STR(".git");
    if (str_starts(address, site)) {
        address = str_slice(address, site.length, address.length);
        bool has_suffix = str_ends(address, suffix);
        address = str_slice(address, 0, address.length - (has_suffix ? suffix.length : 0));
    }
    size_t at = str_find(address, STR("@"), 0);
    Str name = str_slice(address, 0, at == SIZE_MAX ? address.length : at);
    size_t slash = str_find(name, STR("/"), 0);
    bool good = is_plain(address) && slash != SIZE_MAX && slash > 0 && slash + 1 < name.length &&
                str_find(name, STR("/"), slash + 1) == SIZE_MAX &&
                str_find(name, STR(":"), 0) == SIZE_MAX;
    if (!good) {
        return STR("");
    }
    return at == SIZE_MAX ? str_format(arena, "%.*s@main", STR_ARG(address)) : address;
}

/* --- texts */

static Str replaced(Arena *arena, Str text, Str part, Str by)
{
    size_t at = str_find(text, part, 0);
    if (at == SIZE_MAX) {
        return text;
    }
    Buf out = {.arena = arena};
    buf_add(&out, str_slice(text, 0, at));
    buf_add(&out, by);
    buf_add(&out, str_slice(text, at + part.length, text.length));
    return buf_str(&out);
}

/* What stands in the file where our text has the placeholder; empty when it is not our text. */
static Str address_in(Str before, Str text, Str placeholder)
{
    size_t start = str_find(text, placeholder, 0);
    if (start == SIZE_MAX || start > before.length ||
        !str_starts(before, str_slice(text, 0, start))) {
        return STR("");
    }
    size_t end = start;
    while (end < before.length && !is_space(before.at[end])) {
        end++;
    }
    return str_slice(before, start, end);
}

AddressState address_fill(Arena *arena, const InitClient *client, Str given, Str before, Str *text)
{
    *text = init_file_text(client->name);
    if (client->placeholder == NULL) {
        return ADDRESS_GOOD;
    }
    Str placeholder = str_from(client->placeholder);
    Str address = given.length > 0 ? given : address_in(before, *text, placeholder);
    address = address.length > 0 ? address : STR(PYPTO_LINT_REPOSITORY);
    if (address.length == 0 && client->without_address != NULL) {
        *text = init_file_text(client->without_address);
        return ADDRESS_GOOD;
    }
    if (address.length == 0) {
        return ADDRESS_MISSING;
    }
    if (client->kind == CLIENT_STARTER) {
        address = action_address(arena, address);
    }
    if (!is_plain(address)) {
        return ADDRESS_BAD;
    }
    *text = replaced(arena, *text, placeholder, address);
    return ADDRESS_GOOD;
}

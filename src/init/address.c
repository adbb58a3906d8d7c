/* Addresses; see address.h. */
#include "init/address.h"

#include "base/ascii.h"
#include "init/settings_text.h"

/* As releases are tagged. */
#define OWN_TAG "v" PYPTO_LINT_VERSION

/* --- forms */

static bool is_name_char(char c)
{
    return is_word_char(c) || c == '-' || c == '.';
}

/* Is it fit for a plain YAML scalar anywhere: no blank, no quote, nothing that ends it? */
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

/* Places of an address and of the revision that may follow it. */
typedef struct Parts {
    Str place, revision; /* the revision may be empty */
} Parts;

/* The revision follows the last "@" if that is in the last part of the path: one before it
 * belongs to a user's name. */
static Parts split(Str address)
{
    size_t at = address.length;
    while (at > 0 && strchr("/:@", address.at[at - 1]) == NULL) {
        at--;
    }
    bool found = at > 0 && address.at[at - 1] == '@' && at < address.length;
    /* git@host, without a path, names no revision. */
    found = found && str_find(str_slice(address, 0, at), STR("/"), 0) != SIZE_MAX;
    return found ? (Parts){str_slice(address, 0, at - 1), str_slice(address, at, address.length)}
                 : (Parts){address, STR("")};
}

/* OWNER/NAME of a GitHub repository, also from its URL; empty for other places. */
static Str action_place(Str place)
{
    Str site = STR("https://github.com/"), suffix = STR(".git");
    if (str_starts(place, site)) {
        place = str_slice(place, site.length, place.length);
        bool has_suffix = str_ends(place, suffix);
        place = str_slice(place, 0, place.length - (has_suffix ? suffix.length : 0));
    }
    size_t slash = str_find(place, STR("/"), 0);
    bool good = slash != SIZE_MAX && slash > 0 && slash + 1 < place.length &&
                str_find(place, STR("/"), slash + 1) == SIZE_MAX &&
                str_find(place, STR(":"), 0) == SIZE_MAX && !str_starts(place, STR(".")) &&
                str_find(place, STR("@"), 0) == SIZE_MAX && !str_starts(place, STR("~"));
    return good ? place : STR("");
}

/* Does git surely clone it: a URL, HOST:PATH with a user, or a path that begins as one? It would
 * look for OWNER/NAME alone below the project. */
static bool is_cloned(Str place)
{
    static const char *const starts[] = {"https://", "http://", "ssh://", "git://", "file://",
                                         "/",        "./",      "../",    "~/"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (str_starts(place, str_from(starts[i]))) {
            return place.length > strlen(starts[i]);
        }
    }
    size_t at = str_find(place, STR("@"), 0), colon = str_find(place, STR(":"), 0);
    return at != SIZE_MAX && colon != SIZE_MAX && at > 0 && at + 1 < colon &&
           str_find(place, STR("/"), 0) > colon;
}

static bool is_branch(Str revision)
{
    static const char *const names[] = {"main", "master", "trunk", "develop",
                                        "dev",  "HEAD",   "head",  "latest"};
    return STR_IS_ANY(revision, names);
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

/* The text in the file where ours has the placeholder; empty when the file is not ours. */
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

AddressState address_fill(Arena *arena, const Client *client, Str given, Str before, Str *text)
{
    *text = settings_text(arena, client);
    if (client->placeholder == NULL) {
        return ADDRESS_GOOD;
    }
    Str placeholder = str_from(client->placeholder);
    Str address = given.length > 0 ? given : address_in(before, *text, placeholder);
    address = address.length == 0 ? STR(PYPTO_LINT_REPOSITORY) : address;
    Parts parts = split(address);
    bool action = client->format == SETTINGS_STARTER;
    Str place = action ? action_place(parts.place) : parts.place;
    bool good = is_plain(address) && is_plain(place) && (action || is_cloned(place));
    if (given.length == 0 && !good && client->file_without_address != NULL) {
        *text = settings_file(client->file_without_address);
        return ADDRESS_GOOD;
    }
    if (address.length == 0) {
        return ADDRESS_MISSING;
    }
    if (!good || is_branch(parts.revision)) {
        return good ? ADDRESS_BRANCH : ADDRESS_BAD;
    }
    Str revision = parts.revision.length > 0 ? parts.revision : STR(OWN_TAG);
    if (action) {
        place = str_format(arena, "%.*s@%.*s", STR_ARG(place), STR_ARG(revision));
    } else {
        *text = replaced(arena, *text, STR("rev: " OWN_TAG),
                         str_format(arena, "rev: %.*s", STR_ARG(revision)));
    }
    *text = replaced(arena, *text, placeholder, place);
    return ADDRESS_GOOD;
}

/* Suite keys; see suite_keys.h. */
#include "harness/suite_keys.h"

#include "lint/suggest.h"

typedef struct KnownKey {
    const char *key;
    bool ours; /* the program reads it: else only make_inputs does, which may have one like it */
    bool is_short; /* replacing a letter makes another word: ctol, feed */
} KnownKey;

static const KnownKey known[] = {
    {"id", true, true},      {"level", true, false}, {"precision", true, false},
    {"atol", true, true},    {"rtol", true, true},   {"shape", false, false},
    {"dtype", false, false}, {"seed", false, true},
};
enum { KNOWN_COUNT = sizeof known / sizeof *known };

/* More than a slip of the finger, but with one meaning only. */
static const struct {
    const char *written, *meant;
} habits[] = {
    {"lvl", "level"},      {"prec", "precision"},       {"abs_tol", "atol"},
    {"rel_tol", "rtol"},   {"a_tol", "atol"},           {"r_tol", "rtol"},
    {"tolerance", "atol"}, {"precission", "precision"}, {"presision", "precision"},
};

static bool is_known(Str key)
{
    for (int i = 0; i < KNOWN_COUNT; i++) {
        if (str_is(key, known[i].key)) {
            return true;
        }
    }
    return false;
}

/* The same letters but for one that is replaced. */
static bool is_replacement(Str key, Str word)
{
    size_t different = 0;
    for (size_t i = 0; i < key.length && key.length == word.length; i++) {
        different += (key.at[i] | 0x20) != (word.at[i] | 0x20);
    }
    return key.length == word.length && different == 1;
}

static bool is_slip(Str key, const KnownKey *entry, json_t *object)
{
    Str word = str_from(entry->key);
    unsigned distance = edit_distance(key, word, 1);
    if (distance == 0) {
        return true; /* in other case */
    }
    if (distance > 1 || word.length < 4 || (key.at[0] | 0x20) != word.at[0] ||
        (entry->is_short && is_replacement(key, word))) {
        return false;
    }
    bool plural = key.length == word.length + 1 && str_starts(key, word) && str_ends(key, STR("s"));
    return entry->ours || (!plural && json_object_get(object, entry->key) == NULL);
}

static const char *meaning_of(Str key, json_t *object)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        if (edit_distance(key, str_from(habits[i].written), 1) == 0) {
            return habits[i].meant;
        }
    }
    for (int i = 0; i < KNOWN_COUNT; i++) {
        if (is_slip(key, &known[i], object)) {
            return known[i].key;
        }
    }
    return NULL;
}

const char *suite_misspelt_key(json_t *object, const char **meant)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const char *key = json_object_iter_key(at);
        *meant = is_known(str_from(key)) ? NULL : meaning_of(str_from(key), object);
        if (*meant != NULL) {
            return key;
        }
    }
    return NULL;
}

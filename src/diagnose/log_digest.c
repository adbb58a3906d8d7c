/* Collects the digest of a log; see log_digest.h. */
#include "diagnose/log_digest.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "diagnose/demangle.h"
#include "operator/text.h"

void log_digest_begin(LogDigest *digest, Arena *arena)
{
    memset(digest, 0, sizeof *digest);
    digest->arena = arena;
}

/* A hash that is the same for lines that differ in numbers only: times, processes, addresses,
 * counts. */
static uint64_t key_of(Str line)
{
    const uint64_t basis = 0xCBF29CE484222325U, prime = 0x100000001B3U; /* FNV-1a */
    uint64_t key = basis;
    for (size_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        bool number = is_digit(c) || (hex_digit(c) >= 0 && i > 0 && is_digit(line.at[i - 1]));
        if (number && i > 0 && is_digit(line.at[i - 1])) {
            continue;
        }
        key = (key ^ (unsigned char)(number ? '0' : c)) * prime;
    }
    return key == 0 ? 1 : key;
}

/* The slot of the key, or a free one; DIGEST_SLOTS when the key is new and there are too many. */
static uint32_t slot_of(const LogDigest *digest, uint64_t key)
{
    uint32_t slot = (uint32_t)(key % DIGEST_SLOTS);
    while (digest->slots[slot].key != 0 && digest->slots[slot].key != key) {
        slot = (slot + 1) % DIGEST_SLOTS;
    }
    bool full = digest->slots[slot].key == 0 && digest->keys >= DIGEST_MOST_KEYS;
    return full ? DIGEST_SLOTS : slot;
}

Str log_digest_text(Arena *arena, Buf *out, Str line)
{
    out->arena = arena;
    out->length = 0;
    utf8_add_text(out, str_slice(str_trim(line), 0, DIGEST_TEXT));
    return buf_str(out);
}

void log_digest_error(LogDigest *digest, Str file, uint64_t number, Str line)
{
    line = str_slice(str_trim(line), 0, DIGEST_TEXT);
    uint64_t key = key_of(line);
    uint32_t slot = slot_of(digest, key);
    digest->error_lines++;
    if (slot == DIGEST_SLOTS) {
        digest->other_lines++;
        return;
    }
    if (digest->slots[slot].key == 0) {
        digest->slots[slot].key = key;
        digest->keys++;
        if (digest->error_count < DIGEST_ERRORS) {
            digest->errors[digest->error_count++] =
                (DigestLine){file, str_copy(digest->arena, line), number, slot};
        }
    }
    digest->slots[slot].count++;
}

uint64_t log_digest_count(const LogDigest *digest, const DigestLine *line)
{
    return digest->slots[line->slot].count;
}

/* --- codes */

static bool is_capital_or_digit(char c)
{
    return is_digit(c) || (c >= 'A' && c <= 'Z');
}

/* F and five hexadecimal digits, E with a letter or digit and four digits, six digits, or ERR with
 * five digits; the family must be known. */
static bool is_code(Str word)
{
    enum { LENGTH = 6, TORCH_LENGTH = 8 };
    if (word.length == TORCH_LENGTH && str_starts(word, STR("ERR"))) {
        return code_family(word) != NULL;
    }
    if (word.length != LENGTH || !is_capital_or_digit(word.at[0])) {
        return false;
    }
    bool digits = true, hexadecimal = true;
    for (size_t i = 2; i < LENGTH; i++) {
        digits = digits && is_digit(word.at[i]);
        hexadecimal = hexadecimal && hex_digit(word.at[i]) >= 0 && is_capital_or_digit(word.at[i]);
    }
    bool form = word.at[0] == 'F'   ? hexadecimal && hex_digit(word.at[1]) >= 0
                : word.at[0] == 'E' ? digits && is_capital_or_digit(word.at[1])
                                    : digits && is_digit(word.at[0]) && is_digit(word.at[1]);
    return form && code_family(word) != NULL;
}

/* `module.path.Name`, where a part of the path or the end of the name says that it is an error. */
static bool is_exception_name(Str name)
{
    static const char *const parts[] = {".exc.", ".errors.", ".error.", ".exceptions."};
    size_t dot = name.length;
    while (dot > 0 && name.at[dot - 1] != '.') {
        dot--;
    }
    bool found = str_ends(name, STR("Error")) || str_ends(name, STR("Exception"));
    for (size_t i = 0; !found && i < sizeof parts / sizeof *parts; i++) {
        found = str_contains(name, str_from(parts[i]));
    }
    return found && dot < name.length && name.at[dot] >= 'A' && name.at[dot] <= 'Z';
}

bool log_digest_is_error(Str line)
{
    line = str_trim(line);
    size_t end = 0;
    while (end < line.length && (is_word_char(line.at[end]) || line.at[end] == '.')) {
        end++;
    }
    Str word = str_slice(line, 0, end);
    bool over = end == line.length || line.at[end] == ':' || line.at[end] == '!';
    return over && ((is_code(word) && !is_digit(word.at[0])) || is_exception_name(word));
}

static void add_code(LogDigest *digest, Str word)
{
    for (uint32_t i = 0; i < digest->code_count; i++) {
        if (str_is(word, digest->codes[i].name)) {
            digest->codes[i].count++;
            return;
        }
    }
    if (digest->code_count < DIGEST_CODES) {
        DigestCode *code = &digest->codes[digest->code_count++];
        memcpy(code->name, word.at, word.length);
        code->count = 1;
    }
}

void log_digest_codes(LogDigest *digest, Str line)
{
    static const char *const words[] = {"err", "ret", "code", "result", "status", "fail"};
    bool counts = false; /* numbers are codes only after such a word */
    for (size_t i = 0; i < sizeof words / sizeof *words && !counts; i++) {
        counts = text_contains_folded(line, str_from(words[i]));
    }
    for (size_t at = 0; at < line.length;) {
        size_t end = at;
        while (end < line.length && is_word_char(line.at[end])) {
            end++;
        }
        Str word = str_slice(line, at, end);
        if (is_code(word) && (counts || !is_digit(word.at[0]) || word.length == line.length)) {
            add_code(digest, word);
        }
        at = end + 1;
    }
}

/* --- native stacks */

/* "#3  0x… in name", "/lib/x.so(_Zname+0x1f) [0x…]", "frame #2: …". */
static bool is_frame(Str line)
{
    bool gdb = line.length > 2 && line.at[0] == '#' && is_digit(line.at[1]);
    bool torch = str_starts(line, STR("frame #"));
    bool libc = str_contains(line, STR("+0x")) && str_contains(line, STR("[0x"));
    return gdb || torch || libc;
}

void log_digest_frame(LogDigest *digest, Str line)
{
    line = str_slice(str_trim(line), 0, DIGEST_TEXT);
    if (digest->frame_count < DIGEST_FRAMES && is_frame(line)) {
        digest->frames[digest->frame_count++] = demangle_text(digest->arena, line);
    }
}

/* Checks what a line of evidence claims; see log_facts.h. */
#include "diagnose/log_facts.h"

#include "base/ascii.h"
#include "operator/text.h"

#include <stdlib.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum {
    HEADING_LINES = 64, /* of a table below its heading */
    MOST_NUMBERS = 8,   /* of a line */
};

static bool has_any(Str line, const char *const *words, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        found = str_contains(line, str_from(words[i]));
    }
    return found;
}

/* --- numbers */

/* The number at or soon after `at`, past signs, quotes and blanks; -1: none. */
static double number_at(Str line, size_t at)
{
    enum { MOST_BETWEEN = 6, MOST_DIGITS = 31 };
    char digits[MOST_DIGITS + 1];
    size_t from = at;
    while (from < line.length && from - at < MOST_BETWEEN &&
           strchr(" =:<>~'\"", line.at[from]) != NULL) {
        from++;
    }
    Str text = str_slice(line, from, from + MOST_DIGITS);
    if (text.length == 0 || !is_digit(text.at[0])) {
        return -1;
    }
    memcpy(digits, text.at, text.length);
    digits[text.length] = '\0';
    return strtod(digits, NULL);
}

/* The number after the first of the words that has one; -1: none. */
static double number_after(Str line, const char *const *words, size_t count)
{
    double number = -1;
    for (size_t i = 0; i < count && number < 0; i++) {
        size_t at = text_find_folded(line, str_from(words[i]), 0);
        number = at == SIZE_MAX ? -1 : number_at(line, at + strlen(words[i]));
    }
    return number;
}

/* --- claims that compare */

/* A test that passed, or the help of a command, says nothing of an error. */
static bool is_idle(Str line)
{
    static const char *const ends[] = {" ok", " OK", " passed", "(passed)", " PASSED"};
    line = str_trim(line);
    bool idle = str_starts(line, STR("Usage:")) || str_starts(line, STR("usage:"));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        idle = idle || str_ends(line, str_from(ends[i]));
    }
    return idle;
}

/* The name of a chip after `from`: Ascend and digits and letters, or nothing. */
static Str next_chip(Str line, size_t *from)
{
    const Str brand = STR("Ascend");
    for (size_t at = str_find(line, brand, *from); at != SIZE_MAX;
         at = str_find(line, brand, at + 1)) {
        size_t end = at + brand.length;
        if (end < line.length && is_digit(line.at[end])) {
            while (end < line.length && (is_digit(line.at[end]) || is_letter(line.at[end]))) {
                end++;
            }
            *from = end;
            return str_slice(line, at, end);
        }
    }
    return STR("");
}

/* Does the line name another chip than this file does so far, or two? Ascend910B3 is one of the
 * Ascend910B. */
static bool names_two_chips(LogFacts *facts, Str line)
{
    size_t from = 0;
    bool other = false;
    for (Str chip = next_chip(line, &from); chip.length > 0; chip = next_chip(line, &from)) {
        Str known = str_from(facts->chip);
        bool fits = str_starts(chip, known) || str_starts(known, chip);
        other = other || !fits;
        if (known.length == 0 && chip.length < sizeof facts->chip) {
            memcpy(facts->chip, chip.at, chip.length);
        }
    }
    return other;
}

/* Full inodes: a row of `df -i` below its heading. */
static bool is_inode_row(LogFacts *facts, Str line, uint64_t order)
{
    bool heading = str_contains(line, STR("IUse%"));
    facts->inodes_until = heading ? order + HEADING_LINES : facts->inodes_until;
    return !heading && order <= facts->inodes_until;
}

/* Are two processors named in the file, one of them in the line? */
static bool names_two_processors(LogFacts *facts, Str line)
{
    static const char *const arm[] = {"aarch64", "arm64", "ARM "};
    static const char *const intel[] = {"x86_64", "x86-64", "amd64"};
    facts->names_arm = facts->names_arm || has_any(line, arm, COUNT(arm));
    facts->names_intel = facts->names_intel || has_any(line, intel, COUNT(intel));
    return facts->names_arm && facts->names_intel;
}

/* Is the result as near to its reference as its type can tell numbers apart? Type and difference
 * may come in different lines. */
static bool is_rounding_only(LogFacts *facts, Str line)
{
    static const char *const bf16[] = {"bfloat16", "bf16", "BF16"};
    static const char *const fp16[] = {"float16", "fp16", "FP16", "torch.half"};
    static const char *const names[] = {"relative difference", "max_rel",    "max rel",
                                        "relative error",      "rel_err",    "rel err",
                                        "rel error",           "max_relerr", "rel_diff"};
    const double bf16_step = 0.0079, fp16_step = 0.00099; /* 2^-7 and 2^-10 */
    double difference = number_after(line, names, COUNT(names));
    if (has_any(line, bf16, COUNT(bf16))) {
        facts->step = bf16_step;
    } else if (has_any(line, fp16, COUNT(fp16))) {
        facts->step = fp16_step;
    }
    facts->has_difference = facts->has_difference || difference >= 0;
    facts->difference = difference > facts->difference ? difference : facts->difference;
    return facts->step > 0 && facts->has_difference && facts->difference <= facts->step;
}

/* "set_vec_tile_shapes(1, 8)": so few elements that most of the time goes into starting tasks. */
static bool is_tiny_tile(Str line)
{
    enum { TINY = 128 };
    size_t at = text_find_folded(line, STR("tile"), 0);
    while (at < line.length && strchr("([", line.at[at]) == NULL) {
        at++;
    }
    uint64_t product = 1;
    uint32_t count = 0;
    for (at++; at < line.length && strchr(")]", line.at[at]) == NULL && count < MOST_NUMBERS;) {
        double number = number_at(line, at);
        count += number >= 1;
        product *= number >= 1 && number <= TINY ? (uint64_t)number : number > TINY ? TINY + 1 : 1;
        while (at < line.length && strchr(",)]", line.at[at]) == NULL) {
            at++;
        }
        at += at < line.length && line.at[at] == ',';
    }
    return count > 0 && product <= TINY && at < line.length;
}

/* "vocab_size=32000, max id 32001": an index that the table does not have. */
static bool is_beyond_table(Str line)
{
    static const char *const sizes[] = {"vocab_size",       "vocab size",     "vocab",
                                        "num_embeddings",   "embedding rows", "num_rows",
                                        "rows of the table"};
    static const char *const ids[] = {"max id",        "max_id",   "max token", "max=", "max ",
                                      "maximum",       "token id", "token_id",  "id ",  "index ",
                                      "indices up to", "max:",     "max()"};
    double size = number_after(line, sizes, COUNT(sizes)), id = number_after(line, ids, COUNT(ids));
    return size > 0 && id >= size;
}

/* Are devices whose TLS is on named in the file as well as others? */
static bool names_both_tls(LogFacts *facts, Str line)
{
    static const char *const on[] = {"switch[1]", "switch [1]", "tls switch: 1"};
    static const char *const off[] = {"switch[0]", "switch [0]", "tls switch: 0"};
    facts->tls_on = facts->tls_on || has_any(line, on, COUNT(on));
    facts->tls_off = facts->tls_off || has_any(line, off, COUNT(off));
    return facts->tls_on && facts->tls_off;
}

/* "ASCEND_RT_VISIBLE_DEVICES=0,1,2": how many. */
static void take_visible(LogFacts *facts, Str line)
{
    const Str name = STR("VISIBLE_DEVICES=");
    size_t at = str_find(line, name, 0);
    if (at == SIZE_MAX) {
        return;
    }
    at += name.length;
    facts->visible = at < line.length && is_digit(line.at[at]);
    for (; at < line.length && (is_digit(line.at[at]) || line.at[at] == ','); at++) {
        facts->visible += line.at[at] == ',';
    }
}

/* Does the line start more processes than devices are visible? */
static bool starts_too_many(const LogFacts *facts, Str line)
{
    static const char *const names[] = {"nproc_per_node", "nproc-per-node"};
    return facts->visible > 0 && number_after(line, names, COUNT(names)) > facts->visible;
}

/* "blockDim=20, split: 40 parts". */
static bool starts_too_few(Str line)
{
    static const char *const cores[] = {"blockdim", "block_dim", "block dim"};
    static const char *const parts[] = {
        "split:", "split in ", "split into ", "parts:", "parts=", "used cores", "core num"};
    double started = number_after(line, cores, COUNT(cores));
    return started > 0 && number_after(line, parts, COUNT(parts)) > started;
}

/* Does the file name two values of one setting: a number after one of the words here, and another
 * one than the first that came after them? */
static bool names_two_values(double *first, Str line, const char *const *words, size_t count)
{
    bool other = false;
    for (size_t i = 0; i < count; i++) {
        Str word = str_from(words[i]);
        for (size_t at = text_find_folded(line, word, 0); at != SIZE_MAX;
             at = text_find_folded(line, word, at + 1)) {
            double value = number_at(line, at + word.length) + 1; /* 0: none */
            other = other || (value > 0 && *first > 0 && value != *first);
            *first = *first > 0 ? *first : value;
        }
    }
    return other;
}

/* "manual_seed(1)" after "manual_seed(0)". */
static bool names_two_seeds(LogFacts *facts, Str line)
{
    static const char *const words[] = {"seed("};
    return names_two_values(&facts->seed, line, words, COUNT(words));
}

/* "+ 1e-5" and "+ 1e-6": by their exponents. */
static bool names_two_epsilons(LogFacts *facts, Str line)
{
    static const char *const words[] = {"+ 1e-", "eps=1e-", "eps = 1e-", "eps: 1e-"};
    return names_two_values(&facts->epsilon, line, words, COUNT(words)) ||
           str_contains(line, STR("eps differs"));
}

/* A loss that grows, by the size of its gradient or by the learning rate. */
static bool is_diverging(Str line)
{
    static const char *const norms[] = {"gnorm", "grad_norm", "grad norm"};
    static const char *const rates[] = {"lr:", "lr=", "lr ", "learning rate", "learning_rate"};
    const double steep = 100, high = 0.01;
    return number_after(line, norms, COUNT(norms)) >= steep ||
           number_after(line, rates, COUNT(rates)) >= high;
}

/* "mem_alloc 31.0G" once more, and more than the last few times. A first step takes more than the
 * next ones anyway, so that two rises say nothing. */
static bool grows_steadily(LogFacts *facts, Str line)
{
    enum { LEAST_RISES = 4 };
    static const char *const names[] = {"mem_alloc", "mem_allocated", "memory_allocated",
                                        "allocated", "alloc",         "max_mem"};
    double memory = number_after(line, names, COUNT(names));
    facts->rises = memory > facts->memory && facts->memory > 0 ? facts->rises + 1 : 0;
    facts->memory = memory > 0 ? memory : facts->memory;
    return facts->rises >= LEAST_RISES;
}

/* Is an exp shown, and no maximum before it in the source? */
static bool is_plain_exp(LogFacts *facts, Str line)
{
    static const char *const maximum[] = {"amax(", "maximum(", ".max(", "reduce_max("};
    facts->takes_maximum = facts->takes_maximum || has_any(line, maximum, COUNT(maximum));
    return !facts->takes_maximum && !has_any(line, maximum, COUNT(maximum));
}

/* What comes after `word` as far as it is letters and digits: "910b" of "kernels-910b_8.0.0". */
static Str name_after(Str line, const char *word)
{
    size_t at = str_find(line, str_from(word), 0);
    size_t begin = at == SIZE_MAX ? line.length : at + strlen(word), end = begin;
    while (end < line.length && (is_letter(line.at[end]) || is_digit(line.at[end]))) {
        end++;
    }
    return str_slice(line, begin, end);
}

static void keep_name(char *kept, size_t size, Str name)
{
    if (name.length > 0 && name.length < size && is_digit(name.at[0])) {
        memcpy(kept, name.at, name.length);
        kept[name.length] = '\0';
    }
}

/* Is the chip of the kernels package another one than that of the folder that is looked for? */
static bool names_other_kernels(LogFacts *facts, Str line)
{
    keep_name(facts->package, sizeof facts->package, name_after(line, "kernels-"));
    bool missing = str_contains(line, STR("not exist")) || str_contains(line, STR("failed"));
    if (missing) {
        keep_name(facts->wanted, sizeof facts->wanted, name_after(line, "kernel/config/ascend"));
    }
    return facts->package[0] != '\0' && facts->wanted[0] != '\0' &&
           strcmp(facts->package, facts->wanted) != 0;
}

bool log_facts_prove(LogFacts *facts, Str id, Str line, uint64_t order)
{
    if (str_is(id, "seen.other-chip")) {
        return names_two_chips(facts, line);
    }
    if (str_is(id, "seen.inodes")) {
        return is_inode_row(facts, line, order);
    }
    if (str_is(id, "seen.other-processor")) {
        return names_two_processors(facts, line);
    }
    if (str_is(id, "seen.narrow-tolerance")) {
        return is_rounding_only(facts, line);
    }
    if (str_is(id, "seen.tiny-tile")) {
        return is_tiny_tile(line);
    }
    if (str_is(id, "seen.beyond-table")) {
        return is_beyond_table(line);
    }
    if (str_is(id, "seen.tls")) {
        return names_both_tls(facts, line);
    }
    if (str_is(id, "seen.too-many-ranks")) {
        return starts_too_many(facts, line);
    }
    if (str_is(id, "seen.fewer-blocks")) {
        return starts_too_few(line);
    }
    if (str_is(id, "seen.seeds")) {
        return names_two_seeds(facts, line);
    }
    if (str_is(id, "seen.epsilon")) {
        return names_two_epsilons(facts, line);
    }
    if (str_is(id, "seen.diverged")) {
        return is_diverging(line);
    }
    if (str_is(id, "seen.memory-grows")) {
        return grows_steadily(facts, line);
    }
    if (str_is(id, "seen.exp-overflow")) {
        return is_plain_exp(facts, line);
    }
    if (str_is(id, "seen.kernels-chip")) {
        return names_other_kernels(facts, line);
    }
    if (str_is(id, "seen.visible")) {
        take_visible(facts, line);
    }
    bool root = str_is(id, "seen.group") && str_contains(line, STR("uid=0("));
    return !root && !is_idle(line); /* root needs no group */
}

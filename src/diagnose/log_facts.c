/* Checks what a line of evidence claims; see log_facts.h. */
#include "diagnose/log_facts.h"

#include "base/ascii.h"
#include "diagnose/log_number.h"
#include "diagnose/word_list.h"
#include "operator/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { HEADING_LINES = 64 }; /* of a table below its heading */

typedef struct Claim {
    LogFacts *facts;
    Str line;
    uint64_t order;
} Claim;

/* --- claims that compare */

/* Is the line about a test that passed, or the help of a command? It explains no error. Evidence is
 * read before the meaning of the line is known (log_meaning.h), so only its end counts. */
static bool is_idle(Str line)
{
    static const char *const ends[] = {" ok", " OK", " passed", "(passed)", " PASSED"};
    line = str_trim(line);
    size_t share = str_ends(line, STR("%]")) ? str_find(line, STR(" ["), 0) : SIZE_MAX;
    line = share == SIZE_MAX ? line : str_trim(str_slice(line, 0, share)); /* "PASSED [ 50%]" */
    bool idle = str_starts(line, STR("Usage:")) || str_starts(line, STR("usage:"));
    return idle || ENDS_WITH(ends, line);
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

/* Does the line name a chip other than the first one in this file, or two chips? Ascend910B3 is a
 * kind of Ascend910B. */
static bool names_two_chips(const Claim *claim)
{
    LogFacts *facts = claim->facts;
    Str line = claim->line;
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

/* A row of `df -i` below its heading: inodes, not bytes, are used up. */
static bool is_inode_row(const Claim *claim)
{
    LogFacts *facts = claim->facts;
    Str line = claim->line;
    bool heading = str_contains(line, STR("IUse%"));
    facts->inodes_until = heading ? claim->order + HEADING_LINES : facts->inodes_until;
    return !heading && claim->order <= facts->inodes_until;
}

/* Have the lines so far named two kinds of processor? */
static bool names_two_processors(const Claim *claim)
{
    LogFacts *facts = claim->facts;
    Str line = claim->line;
    static const char *const arm[] = {"aarch64", "arm64", "ARM "};
    static const char *const intel[] = {"x86_64", "x86-64", "amd64"};
    facts->names_arm = facts->names_arm || HAS_TEXT(arm, line);
    facts->names_intel = facts->names_intel || HAS_TEXT(intel, line);
    return facts->names_arm && facts->names_intel;
}

/* "set_vec_tile_shapes(1, 8)": so few elements that starting tasks takes most of the time. False if
 * any entry is not a number. */
static bool is_tiny_tile(const Claim *claim)
{
    Str line = claim->line;
    enum { TINY = 128 };
    size_t at = text_find_folded(line, STR("tile"), 0);
    while (at < line.length && strchr("([", line.at[at]) == NULL) {
        at++;
    }
    double product = 1;
    uint32_t count = 0;
    while (at < line.length && strchr(")]", line.at[at]) == NULL) {
        size_t end = ++at; /* past the bracket or the comma */
        while (end < line.length && strchr(",)]", line.at[end]) == NULL) {
            end++;
        }
        Str entry = str_trim(str_slice(line, at, end));
        double number = 0;
        bool whole = entry.length > 0 && log_number_read(entry, 0, &number) == entry.length;
        bool last = end < line.length && line.at[end] != ',' && count > 0 && entry.length == 0;
        if ((!whole || number < 1) && !last) {
            return false;
        }
        count += whole;
        product *= whole ? number : 1; /* "(8,)" */
        at = end;
    }
    return count > 0 && product <= TINY && at < line.length;
}

static bool is_beyond_table(const Claim *claim)
{
    return log_table_beyond(&claim->facts->table, claim->line, claim->order);
}

/* Are devices whose TLS is on named in the file as well as others? */
static bool names_both_tls(const Claim *claim)
{
    LogFacts *facts = claim->facts;
    Str line = claim->line;
    static const char *const on[] = {"switch[1]", "switch [1]", "tls switch: 1"};
    static const char *const off[] = {"switch[0]", "switch [0]", "tls switch: 0"};
    facts->tls_on = facts->tls_on || HAS_TEXT(on, line);
    facts->tls_off = facts->tls_off || HAS_TEXT(off, line);
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
static bool starts_too_many(const Claim *claim)
{
    static const char *const names[] = {"nproc_per_node", "nproc-per-node"};
    return claim->facts->visible > 0 &&
           log_number_after(claim->line, names, COUNT(names)) > claim->facts->visible;
}

/* "blockDim=20, split: 40 parts". The number of cores on the chip does not count as parts. */
static bool starts_too_few(const Claim *claim)
{
    Str line = claim->line;
    static const char *const cores[] = {"blockdim", "block_dim", "block dim"};
    static const char *const parts[] = {"split:", "split in ", "split into ", "parts:", "parts="};
    double started = log_number_after(line, cores, COUNT(cores));
    return started > 0 && log_number_after(line, parts, COUNT(parts)) > started;
}

/* A loss that grows, by the size of its gradient or by the learning rate. */
static bool is_diverging(const Claim *claim)
{
    Str line = claim->line;
    static const char *const norms[] = {"gnorm", "grad_norm", "grad norm"};
    static const char *const rates[] = {"lr:", "lr=", "lr ", "learning rate", "learning_rate"};
    const double steep = 100, high = 0.01;
    return log_number_after(line, norms, COUNT(norms)) >= steep ||
           log_number_after(line, rates, COUNT(rates)) >= high;
}

/* "mem_alloc 31.0G" again and again, and nearly always more than before. Memory always rises in the
 * first steps, so two rises prove nothing, and memory that goes up and down does not grow. */
static bool grows_steadily(const Claim *claim)
{
    LogFacts *facts = claim->facts;
    enum { LEAST_RISES = 4, RISES_PER_FALL = 8 };
    static const char *const names[] = {"mem_alloc", "mem_allocated", "memory_allocated",
                                        "allocated", "alloc",         "max_mem"};
    double memory = log_number_after(claim->line, names, COUNT(names));
    bool known = memory > 0 && facts->memory > 0;
    facts->rises += known && memory > facts->memory;
    facts->falls += known && memory < facts->memory;
    facts->memory = memory > 0 ? memory : facts->memory;
    return facts->rises >= LEAST_RISES && facts->falls * RISES_PER_FALL <= facts->rises;
}

/* Does the source shown so far take an exp without ever taking a maximum? */
static bool is_plain_exp(const Claim *claim)
{
    LogFacts *facts = claim->facts;
    static const char *const maximum[] = {"amax(", "maximum(", ".max(", "reduce_max("};
    facts->takes_maximum = facts->takes_maximum || HAS_TEXT(maximum, claim->line);
    return !facts->takes_maximum;
}

/* The letters and digits after `word`: "910b" in "kernels-910b_8.0.0". */
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

/* Is the installed kernels package for a different chip than the missing folder? */
static bool names_other_kernels(const Claim *claim)
{
    LogFacts *facts = claim->facts;
    Str line = claim->line;
    keep_name(facts->package, sizeof facts->package, name_after(line, "kernels-"));
    bool missing = str_contains(line, STR("not exist")) || str_contains(line, STR("failed"));
    if (missing) {
        keep_name(facts->wanted, sizeof facts->wanted, name_after(line, "kernel/config/ascend"));
    }
    return facts->package[0] != '\0' && facts->wanted[0] != '\0' &&
           strcmp(facts->package, facts->wanted) != 0;
}

/* Also counts the visible devices, for starts_too_many. */
static bool lists_visible(const Claim *claim)
{
    take_visible(claim->facts, claim->line);
    return !is_idle(claim->line);
}

/* Are the groups those of a user? root does not need any. */
static bool is_of_user(const Claim *claim)
{
    return !str_contains(claim->line, STR("uid=0("));
}

/* Does the file that hides a module belong to the user, not to Python or a package? */
static bool is_own_file(const Claim *claim)
{
    static const char *const installed[] = {"/lib/python", "/lib64/python", "site-packages",
                                            "dist-packages"};
    return !HAS_TEXT(installed, claim->line);
}

/* "# y[:] = r": is the line that writes the output a comment? */
static bool is_commented(const Claim *claim)
{
    Str line = claim->line;
    size_t at = str_find(line, STR("[:] ="), 0);
    at = at == SIZE_MAX ? 0 : at;
    while (at > 0 && is_word_char(line.at[at - 1])) {
        at--;
    }
    while (at > 0 && line.at[at - 1] == ' ') {
        at--;
    }
    return at > 0 && line.at[at - 1] == '#';
}

static bool names_two_seeds(const Claim *claim)
{
    return log_settings_seeds(&claim->facts->settings, claim->line);
}

static bool names_two_epsilons(const Claim *claim)
{
    return log_settings_epsilons(&claim->facts->settings, claim->line);
}

static bool is_rounding_only(const Claim *claim)
{
    return log_rounding_line(&claim->facts->rounding, claim->line, claim->order);
}

/* A small difference, unless the result is known to have a wider type. */
static bool is_small_of_narrow(const Claim *claim)
{
    return !log_rounding_is_wide(&claim->facts->rounding, claim->order);
}

/* Rows of evidence that must prove more than their forms. For all others the line must not be idle.
 */
static const struct {
    const char *id;
    bool (*proves)(const Claim *claim);
    bool skips_idle; /* idle lines are not even read: a test that passed explains no failed one */
} claims[] = {
    {"seen.other-chip", names_two_chips, false},
    {"seen.inodes", is_inode_row, false},
    {"seen.other-processor", names_two_processors, false},
    {"seen.narrow-tolerance", is_rounding_only, true},
    {"hint.small", is_small_of_narrow, true},
    {"seen.tiny-tile", is_tiny_tile, true},
    {"seen.beyond-table", is_beyond_table, true},
    {"seen.tls", names_both_tls, false},
    {"seen.too-many-ranks", starts_too_many, false},
    {"seen.fewer-blocks", starts_too_few, true},
    {"seen.seeds", names_two_seeds, true},
    {"seen.epsilon", names_two_epsilons, true},
    {"seen.diverged", is_diverging, false},
    {"seen.memory-grows", grows_steadily, false},
    {"seen.exp-overflow", is_plain_exp, false},
    {"seen.kernels-chip", names_other_kernels, false},
    {"seen.visible", lists_visible, false},
    {"seen.group", is_of_user, true},
    {"seen.shadow", is_own_file, false},
    {"seen.not-written", is_commented, false},
};

bool log_facts_prove(LogFacts *facts, Str id, Str line, uint64_t order)
{
    const Claim claim = {facts, line, order};
    facts->rounding.withdrawn = 0;
    for (size_t i = 0; i < COUNT(claims); i++) {
        if (str_is(id, claims[i].id)) {
            return (!claims[i].skips_idle || !is_idle(line)) && claims[i].proves(&claim);
        }
    }
    return !is_idle(line);
}

bool log_facts_is_rounding(Str id)
{
    return str_is(id, "seen.narrow-tolerance") || str_is(id, "hint.small");
}

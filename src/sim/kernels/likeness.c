/* What a result that differs looks like in terms of its reference; see sim/places.h.
 *
 * Each likeness is tried on all elements and given up at the first few that it does not explain. It
 * counts only when it explains enough elements whose expected value is far from zero: within the
 * tolerance of zero everything looks like everything. */
#include "sim/kernels/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH = 8,         /* elements that must speak for a likeness */
    EACH_GROUP = 4,     /* … on the average for each group with a number of its own */
    MISSES = 1000,      /* one in so many may differ for another reason */
    MOST_SHIFTS = 1024, /* coordinates that a shift is looked for */
};

/* Elements that are looked at in search of distances: what it may cost, about a second. */
static const size_t MOST_LOOKED_AT = (size_t)1 << 28;
/* Of the norm of the error to that of the reference: what rounding and approximation explain. */
static const double SMALL_ERROR = 0.015;
/* Times the tolerance: an expected value that large says something. */
static const double TELLING = 4;

const char *pts_likeness_name(PtsLikeness likeness)
{
    static const char *const names[] = {
        [PTS_LIKE_NOTHING] = "nothing",
        [PTS_LIKE_NOT_FINITE] = "not_finite",
        [PTS_LIKE_ZEROS] = "zeros",
        [PTS_LIKE_ONE_NUMBER] = "one_number",
        [PTS_LIKE_SIGN] = "sign",
        [PTS_LIKE_FACTOR] = "factor",
        [PTS_LIKE_OFFSET] = "offset",
        [PTS_LIKE_TRANSPOSED] = "transposed",
        [PTS_LIKE_REVERSED] = "reversed",
        [PTS_LIKE_SHIFTED] = "shifted",
        [PTS_LIKE_REPEATED] = "repeated",
        [PTS_LIKE_ACCUMULATED] = "accumulated",
        [PTS_LIKE_ROW_FACTOR] = "row_factor",
        [PTS_LIKE_COLUMN_FACTOR] = "column_factor",
        [PTS_LIKE_ROW_OFFSET] = "row_offset",
        [PTS_LIKE_COLUMN_OFFSET] = "column_offset",
        [PTS_LIKE_SMALL_ERROR] = "small_error",
    };
    return names[likeness];
}

/* --- counting for and against */

typedef struct Votes {
    size_t tried, missed, failing, telling; /* failing: those that are explained */
} Votes;

static double room_at(const Compared *compared, double expected)
{
    return compared->tolerance.atol + compared->tolerance.rtol * fabs(expected);
}

static bool is_near(const Compared *compared, double candidate, double expected)
{
    return candidate == expected || fabs(candidate - expected) <= room_at(compared, expected);
}

/* Elements that are close do not count, so that a part that is wrong can be like something.
 * `near`: is the element what is expected there? False: give it up. */
static bool vote_as(const Compared *compared, Votes *votes, size_t i, bool near, double expected)
{
    if (compared->mask[i] != 0) {
        return true;
    }
    votes->tried++;
    if (!near) {
        votes->missed++;
        return votes->missed <= compared->out / MISSES;
    }
    votes->failing++;
    votes->telling += fabs(expected) > TELLING * room_at(compared, expected);
    return true;
}

static bool vote(const Compared *compared, Votes *votes, size_t i, double expected)
{
    bool near = is_near(compared, number_at(compared, CANDIDATE, i), expected);
    return vote_as(compared, votes, i, near, expected);
}

static bool is_won(const Compared *compared, const Votes *votes)
{
    return votes->telling >= ENOUGH && votes->failing * 2 >= compared->out &&
           votes->missed <= votes->tried / MISSES;
}

/* --- the result by itself */

/* Not finite, zeros, one number: of all elements that are out of tolerance. */
static PtsLikeness likeness_of_candidate(const Compared *compared)
{
    bool no_number = true;
    bool zero = true;
    bool same = true;
    double common = NAN;
    for (size_t i = 0; i < compared->count && (no_number || zero || same); i++) {
        if (compared->mask[i] != 0) {
            continue;
        }
        double number = number_at(compared, CANDIDATE, i);
        common = isnan(common) ? number : common;
        no_number = no_number && !isfinite(number);
        zero = zero && number == 0;
        same = same && number == common;
    }
    return no_number                         ? PTS_LIKE_NOT_FINITE
           : zero                            ? PTS_LIKE_ZEROS
           : same && compared->out >= ENOUGH ? PTS_LIKE_ONE_NUMBER
                                             : PTS_LIKE_NOTHING;
}

/* --- the reference in another order */

/* Extents before an axis, of it, and behind it; for two axes also between them. */
typedef struct Split {
    size_t outer, extent, between, other, inner;
} Split;

static Split split_at(const Compared *compared, int axis, int other)
{
    Split split = {1, compared->extent[axis], 1, 1, 1};
    for (int i = 0; i < compared->rank; i++) {
        size_t *part = i < axis                   ? &split.outer
                       : i == axis                ? NULL
                       : other >= 0 && i < other  ? &split.between
                       : other >= 0 && i == other ? &split.other
                                                  : &split.inner;
        if (part != NULL) {
            *part *= compared->extent[i];
        }
    }
    return split;
}

/* Where the reference has what stands at `i` of a result that lies in memory with the two axes
 * swapped. */
static size_t swapped(const Split *split, size_t i)
{
    size_t inner = i % split->inner;
    size_t rest = i / split->inner;
    size_t on_axis = rest % split->extent;
    rest /= split->extent;
    size_t between = rest % split->between;
    rest /= split->between;
    size_t on_other = rest % split->other;
    size_t outer = rest / split->other;
    return (((outer * split->extent + on_axis) * split->between + between) * split->other +
            on_other) *
               split->inner +
           inner;
}

static bool is_transposed(const Compared *compared, int axis, int other)
{
    Split split = split_at(compared, axis, other);
    Votes votes = {0};
    for (size_t i = 0; i < compared->count; i++) {
        if (!vote(compared, &votes, i, number_at(compared, REFERENCE, swapped(&split, i)))) {
            return false;
        }
    }
    return is_won(compared, &votes);
}

static bool is_reversed(const Compared *compared, int axis)
{
    Split split = split_at(compared, axis, -1);
    Votes votes = {0};
    for (size_t i = 0; i < compared->count; i++) {
        size_t at = i / split.inner % split.extent;
        size_t from = i + (split.extent - 1 - 2 * at) * split.inner; /* modulo 2^64 */
        if (!vote(compared, &votes, i, number_at(compared, REFERENCE, from))) {
            return false;
        }
    }
    return is_won(compared, &votes);
}

/* False when the budget is spent. */
static bool spend(size_t *budget)
{
    *budget -= *budget > 0;
    return *budget > 0;
}

static bool is_shifted(const Compared *compared, const Split *split, int64_t distance,
                       size_t *budget)
{
    Votes votes = {0};
    for (size_t i = compared->first; i < compared->count; i++) {
        int64_t from = (int64_t)(i / split->inner % split->extent) + distance;
        if (!spend(budget)) {
            return false;
        }
        if (from < 0 || from >= (int64_t)split->extent) {
            continue;
        }
        size_t at = i + (size_t)(distance * (int64_t)split->inner);
        if (!vote(compared, &votes, i, number_at(compared, REFERENCE, at))) {
            return false;
        }
    }
    return is_won(compared, &votes);
}

static bool find_shift(const Compared *compared, PtsPlaces *places, int axis, size_t *budget)
{
    Split split = split_at(compared, axis, -1);
    for (int64_t k = 1; k <= (int64_t)split.extent / 2 && k <= MOST_SHIFTS; k++) {
        for (int64_t distance = k; distance >= -k; distance -= 2 * k) {
            if (is_shifted(compared, &split, distance, budget)) {
                places->distance = distance;
                return true;
            }
        }
    }
    return false;
}

/* The result has the same at a distance of `k`; the reference does not. */
static bool repeats(const Compared *compared, const Split *split, size_t k, size_t *budget)
{
    size_t out = 0;
    bool reference_does = true;
    for (size_t i = 0; i < compared->count; i++) {
        if (!spend(budget)) {
            return false;
        }
        if (i / split->inner % split->extent + k >= split->extent) {
            continue;
        }
        size_t next = i + k * split->inner;
        double reference = number_at(compared, REFERENCE, i);
        if (number_at(compared, CANDIDATE, i) != number_at(compared, CANDIDATE, next)) {
            return false;
        }
        reference_does =
            reference_does && is_near(compared, number_at(compared, REFERENCE, next), reference);
        out += compared->mask[next] == 0;
    }
    return !reference_does && out >= ENOUGH && out * 2 >= compared->out;
}

static bool find_repetition(const Compared *compared, PtsPlaces *places, int axis, size_t *budget)
{
    Split split = split_at(compared, axis, -1);
    for (size_t k = 1; k <= split.extent / 2 && k <= MOST_SHIFTS; k++) {
        if (repeats(compared, &split, k, budget)) {
            places->distance = (int64_t)k;
            return true;
        }
    }
    return false;
}

/* Each part is what it should be plus the part before it, `k` coordinates back. */
static bool is_accumulated(const Compared *compared, const Split *split, size_t k, size_t *budget)
{
    Votes votes = {0};
    for (size_t i = compared->first; i < compared->count; i++) {
        if (!spend(budget)) {
            return false;
        }
        if (i / split->inner % split->extent < k || compared->mask[i] != 0) {
            continue;
        }
        double before = number_at(compared, CANDIDATE, i - k * split->inner);
        double expected = number_at(compared, REFERENCE, i) + before;
        /* Both may be off by as much as they may: where they cancel, the sum has no room. */
        double room = room_at(compared, expected) + room_at(compared, before);
        bool near = fabs(number_at(compared, CANDIDATE, i) - expected) <= room;
        if (!vote_as(compared, &votes, i, near, expected)) {
            return false;
        }
    }
    return is_won(compared, &votes);
}

/* The first part is right; the next one may have a start that was met by chance. */
static bool find_accumulation(const Compared *compared, PtsPlaces *places, int axis, size_t *budget)
{
    Split split = split_at(compared, axis, -1);
    for (size_t k = places->axes[axis].range[0][0]; k > 0 && k <= MOST_SHIFTS; k--) {
        if (is_accumulated(compared, &split, k, budget)) {
            places->distance = (int64_t)k;
            return true;
        }
    }
    return false;
}

/* --- the reference with a number */

typedef struct Group {
    double products, squares, differences; /* of elements out of tolerance */
    size_t count;
} Group;

/* Elements of which axis share a number: none, those of a row, those of a column. */
typedef enum Grouping { ALL, ROW, COLUMN } Grouping;

static size_t group_of(const Compared *compared, Grouping grouping, size_t i)
{
    size_t columns = compared->extent[compared->rank - 1];
    return grouping == ALL ? 0 : grouping == ROW ? i / columns : i % columns;
}

static void fill_groups(const Compared *compared, Grouping grouping, Group *groups)
{
    for (size_t i = 0; i < compared->count; i++) {
        double candidate = number_at(compared, CANDIDATE, i);
        double reference = number_at(compared, REFERENCE, i);
        if (compared->mask[i] == 0 && isfinite(candidate) && isfinite(reference)) {
            Group *group = &groups[group_of(compared, grouping, i)];
            group->products += candidate * reference;
            group->squares += reference * reference;
            group->differences += candidate - reference;
            group->count++;
        }
    }
}

/* Does one number for each group explain all that is out of tolerance? */
static bool fits(const Compared *compared, Grouping grouping, const Group *groups, bool is_factor)
{
    Votes votes = {0};
    for (size_t i = 0; i < compared->count; i++) {
        const Group *group = &groups[group_of(compared, grouping, i)];
        double reference = number_at(compared, REFERENCE, i);
        if (compared->mask[i] != 0) {
            continue;
        }
        double expected = is_factor ? reference * (group->products / group->squares)
                                    : reference + group->differences / (double)group->count;
        if (!vote(compared, &votes, i, expected)) {
            return false;
        }
    }
    return is_won(compared, &votes);
}

/* Is the reference one number wherever it is not met? Then a factor is as good as an offset. */
static bool is_uniform(const Compared *compared)
{
    double least = INFINITY;
    double most = -INFINITY;
    for (size_t i = 0; i < compared->count; i++) {
        if (compared->mask[i] == 0) {
            double reference = number_at(compared, REFERENCE, i);
            least = reference < least ? reference : least;
            most = reference > most ? reference : most;
        }
    }
    return !(most - least > TELLING * room_at(compared, most));
}

static PtsLikeness try_numbers(const Compared *compared, Grouping grouping, Group *groups,
                               PtsPlaces *places)
{
    static const PtsLikeness factors[] = {PTS_LIKE_FACTOR, PTS_LIKE_ROW_FACTOR,
                                          PTS_LIKE_COLUMN_FACTOR};
    static const PtsLikeness offsets[] = {PTS_LIKE_OFFSET, PTS_LIKE_ROW_OFFSET,
                                          PTS_LIKE_COLUMN_OFFSET};
    fill_groups(compared, grouping, groups);
    if (fits(compared, grouping, groups, true)) {
        places->number = grouping == ALL ? groups->products / groups->squares : 0;
        bool is_sign = grouping == ALL && fabs(places->number + 1) < SMALL_ERROR;
        return is_sign ? PTS_LIKE_SIGN : factors[grouping];
    }
    if (fits(compared, grouping, groups, false)) {
        places->number = grouping == ALL ? groups->differences / (double)groups->count : 0;
        return offsets[grouping];
    }
    return PTS_LIKE_NOTHING;
}

/* One number for all, or one for each row or column. False when memory ran out. */
static bool find_number(const Compared *compared, Grouping from, Grouping to, PtsPlaces *places)
{
    if (places->likeness != PTS_LIKE_NOTHING || is_uniform(compared)) {
        return true;
    }
    size_t columns = compared->extent[compared->rank - 1];
    const size_t counts[] = {[ALL] = 1, [ROW] = compared->count / columns, [COLUMN] = columns};
    for (Grouping grouping = from; grouping <= to; grouping++) {
        bool enough = compared->out >= counts[grouping] * EACH_GROUP;
        if (grouping != ALL && (compared->rank < 2 || counts[grouping] < 2 || !enough)) {
            continue;
        }
        Group *groups = calloc(counts[grouping], sizeof *groups);
        if (groups == NULL) {
            return false;
        }
        places->likeness = try_numbers(compared, grouping, groups, places);
        free(groups);
        if (places->likeness != PTS_LIKE_NOTHING) {
            return true;
        }
    }
    return true;
}

/* Rounding is not a matter of the place: an error in a part of an axis is of another kind. */
static bool is_spread(PtsPlace place)
{
    return place == PTS_PLACE_EVERYWHERE || place == PTS_PLACE_SCATTERED ||
           place == PTS_PLACE_ONE_ELEMENT || place == PTS_PLACE_LARGE;
}

static void find_small_error(const Compared *compared, PtsPlaces *places)
{
    if (!is_spread(places->place)) {
        return;
    }
    double error = 0;
    double whole = 0;
    for (size_t i = 0; i < compared->count; i++) {
        double reference = number_at(compared, REFERENCE, i);
        double difference = number_at(compared, CANDIDATE, i) - reference;
        error += difference * difference;
        whole += reference * reference;
    }
    double ratio = whole > 0 ? sqrt(error / whole) : INFINITY;
    if (isfinite(ratio) && ratio <= SMALL_ERROR) {
        places->likeness = PTS_LIKE_SMALL_ERROR;
        places->number = ratio;
    }
}

/* --- all */

static void find_order(const Compared *compared, PtsPlaces *places)
{
    size_t budget = MOST_LOOKED_AT;
    for (int axis = 0; axis < compared->rank; axis++) {
        for (int other = axis + 1; other < compared->rank; other++) {
            if (compared->extent[axis] > 1 && compared->extent[other] > 1 &&
                is_transposed(compared, axis, other)) {
                places->likeness = PTS_LIKE_TRANSPOSED;
                places->axis = axis;
                places->other = other;
                return;
            }
        }
    }
    for (int axis = 0; axis < compared->rank && places->likeness == PTS_LIKE_NOTHING; axis++) {
        places->axis = axis;
        places->likeness = compared->extent[axis] < 2                         ? PTS_LIKE_NOTHING
                           : is_reversed(compared, axis)                      ? PTS_LIKE_REVERSED
                           : find_repetition(compared, places, axis, &budget) ? PTS_LIKE_REPEATED
                           : find_shift(compared, places, axis, &budget)      ? PTS_LIKE_SHIFTED
                           : find_accumulation(compared, places, axis, &budget)
                               ? PTS_LIKE_ACCUMULATED
                               : PTS_LIKE_NOTHING;
    }
    places->axis = places->likeness == PTS_LIKE_NOTHING ? -1 : places->axis;
}

bool pts_find_likeness(const Compared *compared, PtsPlaces *places)
{
    places->likeness = likeness_of_candidate(compared);
    if (!find_number(compared, ALL, ALL, places)) {
        return false;
    }
    if (places->likeness == PTS_LIKE_NOTHING) {
        find_order(compared, places);
    }
    if (!find_number(compared, ROW, COLUMN, places)) {
        return false;
    }
    if (places->likeness == PTS_LIKE_NOTHING) {
        find_small_error(compared, places);
    }
    return true;
}

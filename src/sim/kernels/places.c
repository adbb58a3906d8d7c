/* Where a result differs; see sim/places.h. One pass marks the coordinates of each axis that are
 * hit and notes extremes; the kind of place is then read off these marks. */
#include "sim/kernels/places.h"

#include "model/error.h"
#include "sim/kernels/common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_SIDE = 4,  /* of a matrix whose diagonal means something */
    LEAST_MARKS = 3, /* runs that make a period, elements that make a diagonal */
    NEARLY_ALL =
        16, /* an axis counts as hit when fewer than one in so many is not, beside others */
    LEAST_DENSITY = 4, /* a box counts when at least one in so many of its elements is hit */
};

/* What one pass over the elements finds. */
typedef struct Survey {
    uint8_t *hits[PTS_PLACES_RANK]; /* a mark for each coordinate */
    size_t first, last, worst;
    double worst_difference;
    int64_t least_diagonal, most_diagonal;    /* column − row */
    double least_hit, most_hit, most_passing; /* magnitudes of the reference */
    bool passing_nonzero;                     /* a close element whose reference is not 0 */
} Survey;

const char *pts_place_name(PtsPlace place)
{
    static const char *const names[] = {
        [PTS_PLACE_NOWHERE] = "nowhere",
        [PTS_PLACE_ONE_ELEMENT] = "one_element",
        [PTS_PLACE_EVERYWHERE] = "everywhere",
        [PTS_PLACE_DIAGONAL] = "diagonal",
        [PTS_PLACE_UPPER] = "upper_triangle",
        [PTS_PLACE_LOWER] = "lower_triangle",
        [PTS_PLACE_ZEROS] = "reference_zero",
        [PTS_PLACE_LARGE] = "reference_large",
        [PTS_PLACE_LAST] = "last",
        [PTS_PLACE_FIRST] = "first",
        [PTS_PLACE_ALL_BUT_FIRST] = "all_but_first",
        [PTS_PLACE_ALL_BUT_LAST] = "all_but_last",
        [PTS_PLACE_LAST_HALF] = "last_half",
        [PTS_PLACE_FIRST_HALF] = "first_half",
        [PTS_PLACE_RANGE] = "range",
        [PTS_PLACE_PERIODIC] = "periodic",
        [PTS_PLACE_TILE] = "tile",
        [PTS_PLACE_SCATTERED] = "scattered",
    };
    return names[place];
}

static void index_of(const Compared *compared, size_t element, size_t *index)
{
    for (int axis = compared->rank - 1; axis >= 0; axis--) {
        size_t extent = compared->extent[axis] > 0 ? compared->extent[axis] : 1;
        index[axis] = element % extent;
        element /= extent;
    }
}

/* --- the pass */

static void note_hit(const Compared *compared, Survey *survey, size_t i, const size_t *index)
{
    int rank = compared->rank;
    for (int axis = 0; axis < rank; axis++) {
        survey->hits[axis][index[axis]] = 1;
    }
    if (rank >= 2) {
        int64_t diagonal = (int64_t)index[rank - 1] - (int64_t)index[rank - 2];
        survey->least_diagonal =
            diagonal < survey->least_diagonal ? diagonal : survey->least_diagonal;
        survey->most_diagonal = diagonal > survey->most_diagonal ? diagonal : survey->most_diagonal;
    }
    double reference = number_at(compared, REFERENCE, i);
    double difference = fabs(number_at(compared, CANDIDATE, i) - reference);
    difference = isnan(difference) ? INFINITY : difference;
    if (survey->first == SIZE_MAX) {
        survey->first = i;
    }
    survey->last = i;
    if (difference > survey->worst_difference) {
        survey->worst_difference = difference;
        survey->worst = i;
    }
    double size = isnan(reference) ? INFINITY : fabs(reference);
    survey->least_hit = size < survey->least_hit ? size : survey->least_hit;
    survey->most_hit = size > survey->most_hit ? size : survey->most_hit;
}

static void step(const Compared *compared, size_t *index)
{
    for (int axis = compared->rank - 1; axis >= 0; axis--) {
        if (++index[axis] < compared->extent[axis]) {
            return;
        }
        index[axis] = 0;
    }
}

static void survey_all(const Compared *compared, Survey *survey)
{
    size_t index[PTS_PLACES_RANK] = {0};
    for (size_t i = 0; i < compared->count; i++) {
        if (compared->mask[i] == 0) {
            note_hit(compared, survey, i, index);
        } else {
            double size = fabs(number_at(compared, REFERENCE, i));
            survey->most_passing = size > survey->most_passing ? size : survey->most_passing;
            survey->passing_nonzero = survey->passing_nonzero || size > 0;
        }
        step(compared, index);
    }
}

/* --- axes */

/* Are all runs of one length, at one distance? The last one may be cut by the end. */
static void note_run(PtsAxisPlaces *axis, size_t first, size_t last, size_t *previous)
{
    size_t length = last - first + 1;
    if (axis->ranges < PTS_PLACES_RANGES) {
        axis->range[axis->ranges][0] = first;
        axis->range[axis->ranges][1] = last;
    }
    bool cut = last + 1 == axis->extent && length < axis->run;
    if (axis->ranges == 0) {
        axis->run = length;
    } else if (axis->ranges == 1 && (length == axis->run || cut)) {
        axis->period = first - *previous;
    } else if (first - *previous != axis->period || (length != axis->run && !cut)) {
        axis->period = 0;
    }
    *previous = first;
    axis->ranges++;
    axis->hit += length;
}

static void read_axis(const uint8_t *hits, size_t extent, PtsAxisPlaces *axis)
{
    size_t previous = 0;
    *axis = (PtsAxisPlaces){.extent = extent};
    for (size_t at = 0; at < extent; at++) {
        size_t first = at;
        while (at < extent && hits[at]) {
            at++;
        }
        if (at > first) {
            note_run(axis, first, at - 1, &previous);
        }
    }
    if (axis->ranges < LEAST_MARKS) {
        axis->period = 0;
    }
}

/* --- kinds */

static PtsPlace place_on_axis(const PtsAxisPlaces *axis)
{
    bool whole_half = axis->hit * 2 == axis->extent;
    bool most = axis->hit * 2 > axis->extent;
    if (axis->ranges == 1 && axis->range[0][1] + 1 == axis->extent) {
        return whole_half ? PTS_PLACE_LAST_HALF : most ? PTS_PLACE_ALL_BUT_FIRST : PTS_PLACE_LAST;
    }
    if (axis->ranges == 1 && axis->range[0][0] == 0) {
        return whole_half ? PTS_PLACE_FIRST_HALF : most ? PTS_PLACE_ALL_BUT_LAST : PTS_PLACE_FIRST;
    }
    if (axis->ranges == 1) {
        return PTS_PLACE_RANGE;
    }
    return axis->period > 0 ? PTS_PLACE_PERIODIC : PTS_PLACE_SCATTERED;
}

/* Diagonals and triangles of the last two axes; PTS_PLACE_NOWHERE when it is none of them. */
static PtsPlace place_in_square(const Compared *compared, const Survey *survey, PtsPlaces *places)
{
    int rank = compared->rank;
    size_t side = rank >= 2 ? compared->extent[rank - 1] : 0;
    if (side < LEAST_SIDE || compared->extent[rank - 2] != side ||
        places->out_of_tolerance < LEAST_MARKS) {
        return PTS_PLACE_NOWHERE;
    }
    if (survey->least_diagonal == survey->most_diagonal) {
        places->diagonal = survey->least_diagonal;
        return PTS_PLACE_DIAGONAL;
    }
    size_t triangle = side * (side - 1) / 2 * (compared->count / side / side);
    bool fills = places->out_of_tolerance * 2 >= triangle;
    return survey->least_diagonal >= 0 && fills  ? PTS_PLACE_UPPER
           : survey->most_diagonal <= 0 && fills ? PTS_PLACE_LOWER
                                                 : PTS_PLACE_NOWHERE;
}

static PtsPlace place_by_reference(const Survey *survey, bool few)
{
    if (survey->most_hit == 0 && survey->passing_nonzero) {
        return PTS_PLACE_ZEROS;
    }
    return few && survey->passing_nonzero && survey->least_hit > survey->most_passing
               ? PTS_PLACE_LARGE
               : PTS_PLACE_NOWHERE;
}

/* By the axes on which only a part is hit. */
static PtsPlace place_by_axes(const Compared *compared, PtsPlaces *places, size_t slack)
{
    int partial = 0;
    int ranges = 0;
    double box = 1;
    for (int axis = 0; axis < compared->rank; axis++) {
        const PtsAxisPlaces *on = &places->axes[axis];
        bool is_partial = on->hit + (slack == 0 ? 0 : on->extent / slack) < on->extent;
        partial += is_partial;
        ranges += is_partial && on->ranges == 1;
        places->place_axis = is_partial ? axis : places->place_axis;
        box *= (double)on->hit;
    }
    bool dense = (double)places->out_of_tolerance * (double)LEAST_DENSITY >= box;
    PtsPlace found = PTS_PLACE_SCATTERED;
    if (partial == 0) {
        bool most = places->out_of_tolerance * 2 >= compared->count;
        found = most ? PTS_PLACE_EVERYWHERE : PTS_PLACE_SCATTERED;
    } else if (dense && partial == 1) {
        found = place_on_axis(&places->axes[places->place_axis]);
    } else if (dense && partial == ranges) {
        found = PTS_PLACE_TILE;
    }
    bool has_axis = found >= PTS_PLACE_LAST && found <= PTS_PLACE_PERIODIC;
    places->place_axis = has_axis ? places->place_axis : -1;
    return found;
}

static void read_survey(const Compared *compared, const Survey *survey, PtsPlaces *places)
{
    index_of(compared, survey->first, places->first);
    index_of(compared, survey->last, places->last);
    index_of(compared, survey->worst, places->worst);
    for (int axis = 0; axis < compared->rank; axis++) {
        read_axis(survey->hits[axis], compared->extent[axis], &places->axes[axis]);
    }
    if (places->out_of_tolerance == 1) {
        places->place = PTS_PLACE_ONE_ELEMENT;
        return;
    }
    PtsPlace by_axes = place_by_axes(compared, places, NEARLY_ALL);
    if (by_axes == PTS_PLACE_EVERYWHERE || by_axes == PTS_PLACE_SCATTERED) {
        by_axes = place_by_axes(compared, places, 0);
    }
    bool open = by_axes == PTS_PLACE_SCATTERED ||
                (by_axes == PTS_PLACE_EVERYWHERE && places->out_of_tolerance < compared->count);
    bool few = places->out_of_tolerance * 2 < compared->count; /* others are within of zero */
    PtsPlace square = place_in_square(compared, survey, places);
    PtsPlace by_value = open ? place_by_reference(survey, few) : PTS_PLACE_NOWHERE;
    places->place = square != PTS_PLACE_NOWHERE     ? square
                    : by_value != PTS_PLACE_NOWHERE ? by_value
                                                    : by_axes;
    places->place_axis = places->place == by_axes ? places->place_axis : -1;
}

/* --- preparation */

/* Room that one call needs; freed as a whole. */
typedef struct Room {
    void *numbers[2];
    uint8_t *mask, *hits;
} Room;

static void leave(Room *room)
{
    free(room->numbers[0]);
    free(room->numbers[1]);
    free(room->mask);
    free(room->hits);
}

/* Both tensors in the dtype that they are compared in; its own memory where they already are. */
static bool widen(const void *const *tensors, PtsDtype dtype, Room *room, Compared *compared)
{
    PtsDtype common = pts_compare_dtype(dtype);
    Conversion conversion = pts_conversion(dtype, common);
    for (int which = 0; which < 2; which++) {
        const void *numbers = tensors[which];
        if (!conversion.is_same) {
            room->numbers[which] = malloc(compared->count * pts_dtype_bytes(common) + 1);
            if (room->numbers[which] == NULL) {
                return false;
            }
            pts_convert_run(&conversion, compared->count, room->numbers[which], numbers);
            numbers = room->numbers[which];
        }
        compared->wide[which] = common == PTS_DOUBLE ? numbers : NULL;
        compared->narrow[which] = common == PTS_DOUBLE ? NULL : numbers;
    }
    return true;
}

/* Which elements are close, as pts_compare decides. */
static bool judge(const void *const *tensors, PtsDtype dtype, Room *room, Compared *compared,
                  PtsError *error)
{
    double differences[BLOCK];
    size_t size = pts_dtype_bytes(dtype);
    for (size_t done = 0; done < compared->count; done += BLOCK) {
        size_t part = compared->count - done < BLOCK ? compared->count - done : BLOCK;
        PtsComparison comparison;
        PtsComparisonDetails details = {.differences = differences, .mask = room->mask + done};
        if (!pts_compare_details((const char *)tensors[0] + done * size,
                                 (const char *)tensors[1] + done * size, dtype, part,
                                 compared->tolerance, &comparison, &details, error)) {
            return false;
        }
        compared->out += comparison.out_of_tolerance;
    }
    compared->mask = room->mask;
    return true;
}

static bool find(const void *const *tensors, PtsDtype dtype, Room *room, Compared *compared,
                 PtsPlaces *places, PtsError *error)
{
    size_t marks = 1;
    for (int axis = 0; axis < compared->rank; axis++) {
        marks += compared->extent[axis];
    }
    room->mask = malloc(compared->count + 1);
    room->hits = calloc(marks, 1);
    if (room->mask == NULL || room->hits == NULL || !widen(tensors, dtype, room, compared)) {
        return pts_fail_memory(error);
    }
    if (!judge(tensors, dtype, room, compared, error)) {
        return false;
    }
    places->out_of_tolerance = compared->out;
    if (compared->out == 0) {
        return true;
    }
    Survey survey = {.first = SIZE_MAX,
                     .worst_difference = -1,
                     .least_diagonal = INT64_MAX,
                     .most_diagonal = INT64_MIN,
                     .least_hit = INFINITY};
    uint8_t *hits = room->hits;
    for (int axis = 0; axis < compared->rank; axis++) {
        survey.hits[axis] = hits;
        hits += compared->extent[axis];
    }
    survey_all(compared, &survey);
    read_survey(compared, &survey, places);
    pts_map_places(compared, tensors[CANDIDATE], dtype, places);
    compared->first = survey.first;
    return pts_find_likeness(compared, places) || pts_fail_memory(error);
}

bool pts_places(const void *candidate, const void *reference, PtsDtype dtype, int rank,
                const size_t *extents, PtsTolerance tolerance, PtsPlaces *places, PtsError *error)
{
    const void *const tensors[2] = {candidate, reference};
    Compared compared = {.count = 1, .rank = rank, .tolerance = tolerance};
    for (int axis = 0; axis < rank; axis++) {
        compared.extent[axis] = extents[axis];
        compared.count *= extents[axis];
    }
    *places = (PtsPlaces){
        .elements = compared.count, .rank = rank, .place_axis = -1, .axis = -1, .other = -1};
    if (!pts_dtype_is_supported(dtype)) {
        return pts_fail(error, PTS_E_PLANNED, "comparison of %s is not simulated yet",
                        pts_dtype_name(dtype));
    }
    Room room = {0};
    bool good = find(tensors, dtype, &room, &compared, places, error);
    leave(&room);
    return good;
}

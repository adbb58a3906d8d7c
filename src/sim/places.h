/* Places of differences: where a result differs from its reference, and what it looks like there.
 *
 * Everything here is about indices, counts and relations; no value of a tensor appears in it. */
#ifndef PTOSIM_PLACES_H
#define PTOSIM_PLACES_H

#include "sim/compare.h"

enum {
    PTS_PLACES_RANK = 8,   /* axes; callers join leading ones beyond that */
    PTS_PLACES_RANGES = 4, /* most ranges of an axis that are reported */
    PTS_PLACES_MAP = 64,   /* most rows, and columns, of a map */
};

/* The set of elements that are out of tolerance. Only the first kind that fits is reported. */
typedef enum PtsPlace {
    PTS_PLACE_NOWHERE, /* none is */
    PTS_PLACE_ONE_ELEMENT,
    PTS_PLACE_EVERYWHERE,    /* at least half of all, in every row of every axis */
    PTS_PLACE_DIAGONAL,      /* column − row is `diagonal`, of the last two axes */
    PTS_PLACE_UPPER,         /* above the diagonal of the last two axes */
    PTS_PLACE_LOWER,         /* below it */
    PTS_PLACE_ZEROS,         /* only where the reference is 0 */
    PTS_PLACE_LARGE,         /* less than half: where its magnitude is larger than elsewhere */
    PTS_PLACE_LAST,          /* one axis: from some coordinate to the end, less than half of it */
    PTS_PLACE_FIRST,         /* from the start to some coordinate, less than half of it */
    PTS_PLACE_ALL_BUT_FIRST, /* from some coordinate to the end, more than half of it */
    PTS_PLACE_ALL_BUT_LAST,  /* from the start to some coordinate, more than half of it */
    PTS_PLACE_LAST_HALF,     /* exactly half of it */
    PTS_PLACE_FIRST_HALF,    /* exactly half of it */
    PTS_PLACE_RANGE,         /* some coordinates in the middle */
    PTS_PLACE_PERIODIC,      /* `run` coordinates of every `period` */
    PTS_PLACE_TILE,          /* a range on each of several axes */
    PTS_PLACE_SCATTERED,     /* none of these */
} PtsPlace;

/* What the result is in terms of the reference at the elements that are out of tolerance. */
typedef enum PtsLikeness {
    PTS_LIKE_NOTHING,
    PTS_LIKE_NOT_FINITE,    /* every such element of the result is NaN or infinite */
    PTS_LIKE_ZEROS,         /* … is 0 */
    PTS_LIKE_ONE_NUMBER,    /* … is the same number */
    PTS_LIKE_SIGN,          /* the reference times −1 */
    PTS_LIKE_FACTOR,        /* the reference times `number` */
    PTS_LIKE_OFFSET,        /* the reference plus `number` */
    PTS_LIKE_TRANSPOSED,    /* the reference with `axis` and `other` swapped */
    PTS_LIKE_REVERSED,      /* backwards along `axis` */
    PTS_LIKE_SHIFTED,       /* at i stands what belongs at i + `distance`, along `axis` */
    PTS_LIKE_REPEATED,      /* the result repeats every `distance`, along `axis` */
    PTS_LIKE_ACCUMULATED,   /* each `distance` contains what came before it, along `axis` */
    PTS_LIKE_ROW_FACTOR,    /* a factor of its own for each index of all but the last axis */
    PTS_LIKE_COLUMN_FACTOR, /* … for each index of the last axis */
    PTS_LIKE_ROW_OFFSET,    /* an offset likewise */
    PTS_LIKE_COLUMN_OFFSET, /* an offset likewise */
    PTS_LIKE_SMALL_ERROR,   /* `number` is the error's norm relative to the reference's, small */
} PtsLikeness;

/* Coordinates of one axis at which an element is out of tolerance. */
typedef struct PtsAxisPlaces {
    size_t extent;
    size_t hit;                         /* how many coordinates */
    size_t run, period;                 /* runs of one length at one distance; period 0: not */
    size_t ranges;                      /* how many runs there are */
    size_t range[PTS_PLACES_RANGES][2]; /* the first of them: first and last coordinate */
} PtsAxisPlaces;

typedef struct PtsPlaces {
    size_t elements, out_of_tolerance;
    int rank;
    size_t first[PTS_PLACES_RANK], last[PTS_PLACES_RANK]; /* indices, in the order of memory */
    size_t worst[PTS_PLACES_RANK];                        /* not finite before the largest */
    PtsAxisPlaces axes[PTS_PLACES_RANK];
    PtsPlace place;
    PtsLikeness likeness;
    int place_axis;   /* of the place; −1 = none */
    int64_t diagonal; /* of PTS_PLACE_DIAGONAL: column − row */
    int axis, other;  /* of the likeness; −1 = none */
    int64_t distance;
    double number;
    /* The worst of each block of a grid over the elements as rows of the last axis: '.' within
     * tolerance; '1' … '9' beyond it, up to 2, 4 … times; 'n' not finite; 'u' never written. */
    size_t map_rows, map_columns;
    char map[PTS_PLACES_MAP * PTS_PLACES_MAP + 1];
} PtsPlaces;

/* Places of `rank` axes (1 … PTS_PLACES_RANK) with these extents; the elements are dense. False
 * with an error for dtypes that cannot be compared, and when memory ran out. */
bool pts_places(const void *candidate, const void *reference, PtsDtype dtype, int rank,
                const size_t *extents, PtsTolerance tolerance, PtsPlaces *places, PtsError *error);

/* "last", "transposed" … */
const char *pts_place_name(PtsPlace place);
const char *pts_likeness_name(PtsLikeness likeness);

#endif

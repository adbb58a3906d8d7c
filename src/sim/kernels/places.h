/* What the two halves of sim/places.h share: places.c (where) and likeness.c (what). */
#ifndef PTOSIM_KERNELS_PLACES_H
#define PTOSIM_KERNELS_PLACES_H

#include "sim/places.h"

/* Two tensors as numbers of one kind, and which elements are close. */
typedef struct Compared {
    const float *narrow[2]; /* the candidate, the reference; NULL when wide */
    const double *wide[2];
    const uint8_t *mask; /* 0 = out of tolerance */
    size_t count, out;
    size_t first; /* the first that is out of tolerance */
    int rank;
    size_t extent[PTS_PLACES_RANK];
    PtsTolerance tolerance;
} Compared;

enum { CANDIDATE, REFERENCE };

static inline double number_at(const Compared *compared, int which, size_t i)
{
    return compared->wide[which] != NULL ? compared->wide[which][i]
                                         : (double)compared->narrow[which][i];
}

/* Draws the map; the elements as the caller gave them tell which were never written. */
void pts_map_places(const Compared *compared, const void *candidate, PtsDtype dtype,
                    PtsPlaces *places);

/* Sets likeness, axis, other, distance and number. False when memory ran out. */
bool pts_find_likeness(const Compared *compared, PtsPlaces *places);

#endif

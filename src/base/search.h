/* Search in sorted lists. */
#ifndef PYPTO_LINT_BASE_SEARCH_H
#define PYPTO_LINT_BASE_SEARCH_H

/* Sets `at`, a variable, to the first index from 0 on for which `before`, an expression of it, is
 * false, and to `count` when it is true for all. The items for which it is true come first. */
#define LOWER_BOUND(at, count, before)                                                             \
    do {                                                                                           \
        __typeof__(at) low_ = 0, high_ = (count);                                                  \
        while (low_ < high_) {                                                                     \
            (at) = low_ + (high_ - low_) / 2;                                                      \
            if (before) {                                                                          \
                low_ = (at) + 1;                                                                   \
            } else {                                                                               \
                high_ = (at);                                                                      \
            }                                                                                      \
        }                                                                                          \
        (at) = low_;                                                                               \
    } while (0)

#endif

/* LogRounding: is the difference between a result and its reference only rounding of its type? */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_ROUNDING_H
#define PYPTO_LINT_DIAGNOSE_LOG_ROUNDING_H

#include "base/str.h"

typedef struct LogRounding {
    double step;                           /* rounding of the last type named; 0: not 16-bit */
    double difference;                     /* the largest relative one reported nearby */
    uint64_t step_order, difference_order; /* of the lines that name them; 0: none */
    uint64_t
        withdrawn; /* set by a line that refutes proofs since this order; the caller clears it */
} LogRounding;

/* Reads types and differences in the line. True if both are known, close to each other, and the
 * difference does not exceed the rounding of the type. */
bool log_rounding_line(LogRounding *rounding, Str line, uint64_t order);

/* Is a difference in the line with this order one of a result known not to have a 16-bit type? */
bool log_rounding_is_wide(const LogRounding *rounding, uint64_t order);

#endif

/* LogRounding: is a result as near to its reference as its type can tell numbers apart? */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_ROUNDING_H
#define PYPTO_LINT_DIAGNOSE_LOG_ROUNDING_H

#include "base/str.h"

typedef struct LogRounding {
    double step;                           /* of the type that was named last; 0: no 16-bit type */
    double difference;                     /* the largest relative one that was named nearby */
    uint64_t step_order, difference_order; /* of the lines that name them; 0: none */
    uint64_t withdrawn; /* the line says that answers since then were wrong; 0: none */
} LogRounding;

/* Takes the types and differences in the line; the answer is yes if both are known, near each
 * other, and the difference is not above the rounding of the type. */
bool log_rounding_line(LogRounding *rounding, Str line, uint64_t order);

/* Does a difference in this line belong to a result that is known to have no 16-bit type? */
bool log_rounding_is_wide(const LogRounding *rounding, uint64_t order);

#endif

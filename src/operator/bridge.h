/* Bridge: `<op>_pypto_impl.py`, a file of an operator directory that connects the operator with its
 * surroundings and has nothing of PyPTO in it. */
#ifndef PYPTO_LINT_OPERATOR_BRIDGE_H
#define PYPTO_LINT_OPERATOR_BRIDGE_H

#include "operator/operator.h"

/* Is the file of the operator's scope a bridge: by its name, and because it parses and imports
 * nothing of the package pypto? */
bool operator_is_bridge(Operator *op);

#endif

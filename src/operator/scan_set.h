/* Scan set: which implementation files the impl rules examine (docs/internals/python-model.md,
 * "Scan set"). */
#ifndef PYPTO_LINT_OPERATOR_SCAN_SET_H
#define PYPTO_LINT_OPERATOR_SCAN_SET_H

#include "operator/operator.h"

/* Fills op->scan from the operator's scope. */
void scan_set_fill(Operator *op);

/* The implementation files of the whole operator, whatever the scope. */
PyFiles operator_implementations(Operator *op);

#endif

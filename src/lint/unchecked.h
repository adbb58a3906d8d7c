/* What a run could not look at: a gate must not take it for clean. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_UNCHECKED_H
#define PYPTO_LINT_LINT_UNCHECKED_H

#include "lint/request.h"

/* Adds a notice for each file and folder of the operator that a rule asked for and that could not
 * be read. It is an error when the system refused; a file that is larger than the limit or a
 * document that is not UTF-8 is an error in a gate only (elsewhere OL00 or the notice says it).
 * `text` (NULL: none): what was looked at instead of the file op->file. */
void note_unchecked(Notices *notices, Operator *op, const TextSource *text, bool gate);

#endif

/* What the fuzz drivers share. A driver asserts more than "no crash": it stops the run with
 * abort(). */
#ifndef PYPTO_LINT_TESTS_FUZZ_H
#define PYPTO_LINT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As assert, in every kind of build. */
#define REQUIRE(condition) ((condition) ? (void)0 : abort())

#endif

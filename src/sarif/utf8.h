/*
 * Reading UTF-8 that may be broken. */
#ifndef SARIF_UTF8_H
#define SARIF_UTF8_H

#include "sarif/sarif.h"

#define SARIF_REPLACEMENT      UINT32_C(0xFFFD)
#define SARIF_REPLACEMENT_UTF8 "\xEF\xBF\xBD"

/*
 * Reads one code point at `data` (`size` > 0) and returns the bytes consumed. A broken sequence
 * gives SARIF_REPLACEMENT for each maximal subpart, as browsers, Node and Python replace it, so
 * that our text and hashes are theirs. `valid` tells a written U+FFFD from a repaired one. */
size_t sarif_utf8_next(const char *data, size_t size, uint32_t *code_point, bool *valid);

/*
 * Bytes of the longest start of `text` with at most `limit` UTF-16 units, ending between code
 * points; text.size when all of it fits. */
size_t sarif_utf8_prefix(SarifText text, size_t limit);

#endif

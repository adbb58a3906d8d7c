/* Keys of texts that are compared again and again: FNV-1a. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_KEY_H
#define PYPTO_LINT_DIAGNOSE_LOG_KEY_H

#include "base/str.h"

#define LOG_KEY_BASIS UINT64_C(0xCBF29CE484222325)

/* The key of what has `key` with the bytes after it. */
static inline uint64_t log_key_mix(uint64_t key, const void *bytes, size_t count)
{
    const uint64_t prime = 0x100000001B3U;
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        key = (key ^ at[i]) * prime;
    }
    return key;
}

static inline uint64_t log_key(Str text)
{
    return log_key_mix(LOG_KEY_BASIS, text.at, text.length);
}

#endif

/* What only some versions of the product check: one table, and what becomes of a failed check. */
#include "model/check_version.h"

#include "model/infer.h"

#include <stdarg.h>
#include <stdio.h>

typedef enum Version { V9_1, V9_2, ANY } Version;

/* `until`: the last version that makes it; ANY = all later ones. */
static const struct {
    Version since, until;
    PtsErrorKind kind;
    uint32_t code;
    const char *symbol;
} checks[] = {
    [PTS_CHECK_SLOPE] = {V9_2, ANY, PTS_E_VALUE},
    [PTS_CHECK_EMPTY] = {V9_2, ANY, PTS_E_PARAMETER},
    [PTS_CHECK_SPLIT] = {V9_2, ANY, PTS_E_PARAMETER},
    [PTS_CHECK_SCRATCH] = {V9_2, ANY, PTS_E_PARAMETER}, /* advice: a warning of its own */
    [PTS_CHECK_ASSEMBLES] = {V9_1, V9_1, PTS_E_PARAMETER},
};

bool pts_makes_check(const PtsOptions *options, PtsVersionCheck check)
{
    Version version = options->is_9_1 ? V9_1 : V9_2;
    return version >= checks[check].since && version <= checks[check].until;
}

bool emit_version_fail(PtsEmit *emit, PtsVersionCheck check, const char *format, ...)
{
    char message[640];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (pts_makes_check(&emit->context->options, check)) {
        return emit_fail(emit, checks[check].kind, checks[check].code, checks[check].symbol, "%s",
                         message);
    }
    return pts_record_warn(emit->program, checks[check].code, "pypto-version", emit->site,
                           "%s (an error since PyPTO 9.2)", message);
}

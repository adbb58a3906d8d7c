/* LogSettings: is one setting of a kernel and its reference named with two values? */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SETTINGS_H
#define PYPTO_LINT_DIAGNOSE_LOG_SETTINGS_H

#include "base/str.h"

enum { LOG_GENERATORS = 4 };

typedef struct LogSettings {
    uint64_t generator[LOG_GENERATORS]; /* keys of those that were seeded, and their first seeds */
    double seed[LOG_GENERATORS];
    uint32_t generators;
    double epsilon[2]; /* of the reference and of the kernel; 0: none */
    bool several[2];   /* it has more than one, so that nobody knows which ones go together */
} LogSettings;

/* Does the line seed a generator with another number than before? Each kind of generator (random,
 * np.random, torch) may have a seed of its own. */
bool log_settings_seeds(LogSettings *settings, Str line);

/* Has the kernel another eps than its reference, by this line or by it and one before? Optimizers
 * and layers that nobody calls the kernel or the reference have one of their own. */
bool log_settings_epsilons(LogSettings *settings, Str line);

#endif

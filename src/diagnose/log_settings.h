/* LogSettings: does the log show different values of a setting in a kernel and its reference? */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_SETTINGS_H
#define PYPTO_LINT_DIAGNOSE_LOG_SETTINGS_H

#include "base/str.h"

enum { LOG_GENERATORS = 4 };

typedef struct LogSettings {
    uint64_t generator[LOG_GENERATORS]; /* keys of the generators that were seeded */
    double seed[LOG_GENERATORS];        /* their first seeds */
    uint32_t generators;
    double epsilon[2]; /* of the reference and of the kernel; 0: none */
    bool several[2];   /* more than one on that side: which ones belong together is not known */
} LogSettings;

/* Does the line seed a generator with a different number than before? Each kind of generator
 * (random, np.random, torch) may have its own seed. */
bool log_settings_seeds(LogSettings *settings, Str line);

/* Does this line, alone or with an earlier one, show a kernel whose eps differs from that of its
 * reference? Optimizers, and layers not called kernel or reference, have their own eps. */
bool log_settings_epsilons(LogSettings *settings, Str line);

#endif

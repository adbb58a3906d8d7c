/* Compares settings of kernels and references; see log_settings.h. */
#include "diagnose/log_settings.h"

#include "base/ascii.h"
#include "diagnose/log_key.h"
#include "diagnose/log_number.h"
#include "diagnose/word_list.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Remembers the generator's first seed; true if this one differs from it. */
static bool take_seed(LogSettings *settings, uint64_t generator, double seed)
{
    uint32_t at = 0;
    while (at < settings->generators && settings->generator[at] != generator) {
        at++;
    }
    if (at < settings->generators) {
        return settings->seed[at] != seed;
    }
    if (at < LOG_GENERATORS) {
        settings->generator[at] = generator;
        settings->seed[at] = seed;
        settings->generators++;
    }
    return false;
}

bool log_settings_seeds(LogSettings *settings, Str line)
{
    const Str call = STR("seed(");
    bool other = false;
    for (size_t at = str_find(line, call, 0); at != SIZE_MAX; at = str_find(line, call, at + 1)) {
        double seed = log_number_at(line, at + call.length);
        size_t begin = at;
        while (begin > 0 && (is_word_char(line.at[begin - 1]) || line.at[begin - 1] == '.')) {
            begin--;
        }
        other |= seed >= 0 && take_seed(settings, log_key(str_slice(line, begin, at)), seed);
    }
    return other;
}

/* Is the value small enough for an eps, and not `known`? */
static bool is_new_epsilon(double value, double known)
{
    const double largest = 1e-3;
    return value > 0 && value <= largest && value != known;
}

/* The first eps in the line ("+ 1e-5", "eps=1e-5") other than `known`; 0: none. */
static double epsilon_in(Str line, double known)
{
    const Str sum = STR("+ 1e-");
    static const char *const names[] = {"eps=", "eps = ", "eps: ", "epsilon=", "epsilon = "};
    double value = 0;
    for (size_t at = str_find(line, sum, 0); at != SIZE_MAX && !is_new_epsilon(value, known);
         at = str_find(line, sum, at + 1)) {
        value = log_number_at(line, at + strlen("+ "));
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        Str name = str_from(names[i]);
        for (size_t at = word_find(line, name, 0); at != SIZE_MAX && !is_new_epsilon(value, known);
             at = word_find(line, name, at + 1)) {
            value = log_number_at(line, at + name.length);
        }
    }
    return is_new_epsilon(value, known) ? value : 0;
}

/* Remembers an eps of the kernel (side 1) or the reference (side 0). */
static void take_epsilon(LogSettings *settings, int side, double epsilon)
{
    double *known = &settings->epsilon[side];
    settings->several[side] = settings->several[side] || (*known > 0 && *known != epsilon);
    *known = *known > 0 ? *known : epsilon;
}

bool log_settings_epsilons(LogSettings *settings, Str line)
{
    static const char *const references[] = {"golden", "ref", "reference", "expected"};
    static const char *const kernels[] = {"kernel", "pypto"};
    static const char *const results[] = {"npu", "out", "output", "actual"}; /* in one line */
    static const char *const others[] = {"adam",    "adamw",    "optim",     "optimizer",
                                         "rmsprop", "adagrad",  "lamb",      "betas",
                                         "lr",      "adadelta", "optimizers"};
    static const char *const said[] = {"eps differs"};
    double first = epsilon_in(line, 0), second = epsilon_in(line, first);
    bool reference = HAS_WORD(references, line), kernel = HAS_WORD(kernels, line);
    if (HAS_WORD(said, line)) {
        return true;
    }
    if (first == 0 || HAS_WORD(others, line)) {
        return false;
    }
    if (second > 0) {
        return reference && (kernel || HAS_WORD(results, line));
    }
    if (reference != kernel) {
        take_epsilon(settings, kernel ? 1 : 0, first);
    }
    bool clear = !settings->several[0] && !settings->several[1];
    bool both = settings->epsilon[0] > 0 && settings->epsilon[1] > 0;
    return reference != kernel && clear && both && settings->epsilon[0] != settings->epsilon[1];
}

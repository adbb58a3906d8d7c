/* Checks which versions are compatible; see fit.h. */
#include "environment/fit.h"

#include "base/ascii.h"

/* The oldest CANN that each torch_npu is released for. The release notes list the exact pairs; a
 * torch_npu that is not in this table is not judged. */
static const struct {
    unsigned torch_npu[2], cann[2];
} oldest_cann[] = {
    {{2, 1}, {7, 0}}, {{2, 2}, {8, 0}}, {{2, 3}, {8, 0}}, {{2, 4}, {8, 0}},
    {{2, 5}, {8, 0}}, {{2, 6}, {8, 1}}, {{2, 7}, {8, 2}}, {{2, 8}, {8, 3}},
};

/* The first torch that is built for NumPy 2. */
static const unsigned numpy_two_torch[2] = {2, 3};

typedef struct Fit {
    Environment *environment;
    Strs misfits;
    uint32_t judged;
    Text recipe;
} Fit;

/* Reads up to three numbers separated by dots; missing ones are 0: "8.0.RC3" is 8.0.0. False with
 * fewer than two. */
static bool read_numbers(Str text, unsigned numbers[3])
{
    enum { MOST = 100000 };
    uint32_t count = 0;
    for (size_t at = 0; at < text.length && count < 3 && is_digit(text.at[at]);) {
        unsigned number = 0;
        while (at < text.length && is_digit(text.at[at]) && number < MOST) {
            number = number * 10 + (unsigned)(text.at[at++] - '0');
        }
        numbers[count++] = number;
        at += at < text.length && text.at[at] == '.' ? 1 : text.length;
    }
    for (uint32_t i = count; i < 3; i++) {
        numbers[i] = 0;
    }
    return count >= 2;
}

static bool is_older(const unsigned a[2], const unsigned b[2])
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

static void judge(Fit *fit, bool fits, Str misfit, Text recipe)
{
    fit->judged++;
    if (!fits) {
        VEC_PUSH(fit->environment->arena, &fit->misfits, misfit);
        fit->recipe = fit->recipe.en == NULL ? recipe : fit->recipe;
    }
}

static void judge_torch(Fit *fit)
{
    const Environment *given = fit->environment;
    unsigned torch[3], npu[3];
    if (read_numbers(given->torch, torch) && read_numbers(given->torch_npu, npu)) {
        judge(fit, memcmp(torch, npu, sizeof torch) == 0,
              str_format(given->arena, "torch %.*s, torch_npu %.*s", STR_ARG(given->torch),
                         STR_ARG(given->torch_npu)),
              (Text){"install the torch_npu whose major.minor.patch is torch's",
                     "安装主.次.修订号与 torch 相同的 torch_npu"});
    }
}

static void judge_cann(Fit *fit)
{
    const Environment *given = fit->environment;
    unsigned npu[3], cann[3], pypto[3];
    bool has_cann = read_numbers(given->cann_version, cann);
    bool has_npu = has_cann && read_numbers(given->torch_npu, npu);
    for (size_t i = 0; i < sizeof oldest_cann / sizeof *oldest_cann && has_npu; i++) {
        if (memcmp(oldest_cann[i].torch_npu, npu, sizeof oldest_cann[i].torch_npu) == 0) {
            judge(fit, !is_older(cann, oldest_cann[i].cann),
                  str_format(given->arena, "torch_npu %.*s, CANN %.*s (>= %u.%u)",
                             STR_ARG(given->torch_npu), STR_ARG(given->cann_version),
                             oldest_cann[i].cann[0], oldest_cann[i].cann[1]),
                  (Text){"install a CANN that the release notes of this torch_npu list",
                         "安装该 torch_npu 发行说明列出的 CANN"});
        }
    }
    /* PyPTO is released together with CANN, under the same number. */
    if (has_cann && read_numbers(given->pypto, pypto) && pypto[0] > 0) {
        judge(fit, pypto[0] == cann[0] && pypto[1] == cann[1],
              str_format(given->arena, "PyPTO %.*s, CANN %.*s", STR_ARG(given->pypto),
                         STR_ARG(given->cann_version)),
              (Text){"install PyPTO and CANN of one release", "安装同一版本的 PyPTO 与 CANN"});
    }
}

static void judge_numpy(Fit *fit)
{
    const Environment *given = fit->environment;
    unsigned torch[3], numpy[3];
    if (read_numbers(given->torch, torch) && read_numbers(given->numpy, numpy)) {
        judge(fit, numpy[0] < 2 || !is_older(torch, numpy_two_torch),
              str_format(given->arena, "torch %.*s, numpy %.*s", STR_ARG(given->torch),
                         STR_ARG(given->numpy)),
              (Text){"pip install 'numpy<2'", "pip install 'numpy<2'"});
    }
}

void environment_add_fit(Environment *environment)
{
    static const Text label = {"Versions", "版本配套"};
    Fit fit = {.environment = environment};
    bool zh = environment->lang == LANG_ZH;
    judge_torch(&fit);
    judge_cann(&fit);
    judge_numpy(&fit);
    bool good = fit.misfits.count == 0;
    Str value = fit.judged == 0 ? (zh ? STR("没有可比较的版本") : STR("nothing to compare"))
                : good
                    ? (zh ? STR("所比较的版本配套") : STR("the versions compared are compatible"))
                    : (zh ? STR("不配套") : STR("incompatible"));
    Fact *fact = environment_add(environment, "versions", label,
                                 fit.judged == 0 ? FACT_NOT_CHECKED
                                 : good          ? FACT_OK
                                                 : FACT_BAD,
                                 value);
    fact->details = fit.misfits;
    if (!good) {
        environment_recipe(environment, fact, fit.recipe);
    }
}

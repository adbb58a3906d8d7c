/* Doctor; see doctor.h. */
#include "lint/doctor.h"
#include "lint/project_product.h"

#include "base/path.h"
#include "lint/discover.h"
#include "lint/plan.h"
#include "lint/rule_sets.h"
#include "lint/unchecked.h"
#include "operator/python_run.h"
#include "operator/scan_set.h"
#include "operator/state.h"

Text file_state_text(FileState state)
{
    static const Text texts[] = {
        [FILE_IS_PRESENT] = {"present", "存在"},         [FILE_IS_EMPTY] = {"empty", "空文件"},
        [FILE_IS_STUB] = {"stub", "待实现桩"},           [FILE_IS_BROKEN] = {"broken", "语法错误"},
        [FILE_IS_UNREADABLE] = {"unreadable", "不可读"}, [FILE_IS_MISSING] = {"missing", "缺失"},
    };
    return texts[state];
}

/* --- files */

static FileState python_state(const PyFile *file)
{
    switch (file->parsed.status) {
    case PARSE_ABSENT:
        return FILE_IS_EMPTY;
    case PARSE_ERROR:
        if (file->parsed.source.text.length == 0) {
            return FILE_IS_UNREADABLE;
        }
        return file->is_stub ? FILE_IS_STUB : FILE_IS_BROKEN;
    case PARSE_OK:
        break;
    }
    return file->is_stub ? FILE_IS_STUB : FILE_IS_PRESENT;
}

static DoctorFile look_at(Operator *op, Str path, const char *stages)
{
    DoctorFile file = {path, FILE_IS_MISSING, stages};
    if (!operator_has_file(op, path)) {
        return file;
    }
    if (str_ends(path, STR(".py"))) {
        file.state = python_state(operator_python(op, path));
        return file;
    }
    const Document *document = operator_document(op, path);
    file.state = !document->readable          ? FILE_IS_UNREADABLE
                 : document->text.length == 0 ? FILE_IS_EMPTY
                                              : FILE_IS_PRESENT;
    return file;
}

static void look_at_artifacts(Doctor *doctor, Operator *op)
{
    /* The operator's name is between `before` and `after`; modules/ is listed by phase. */
    static const struct {
        const char *before, *after, *stages;
    } table[] = {
        {"SPEC.md", NULL, "1"},
        {"API_REPORT.md", NULL, "1"},
        {"", GOLDEN_END, "2"},
        {"GOLDEN_PERF_REPORT.md", NULL, "2"},
        {"DESIGN.md", NULL, "3"},
        {"eval/module_interfaces.yaml", NULL, "4"},
        {"eval/test_inputs.py", NULL, "4"},
        {"eval/adversarial_suite.json", NULL, "4"},
        {"eval/adversarial_runner.py", NULL, "4"},
        {"eval/evaluation_report.json", NULL, "4"},
        {"MEMORY.md", NULL, "5"},
        {"", IMPL_END, "5"},
        {"README.md", NULL, "5"},
        {TEST_START, ".py", "5/6"},
        {"", "_tuning_report.md", "7"},
        {STATE_PATH, NULL, "1-7"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        Str path = table[i].after == NULL ? str_from(table[i].before)
                                          : str_format(op->arena, "%s%.*s%s", table[i].before,
                                                       STR_ARG(op->name), table[i].after);
        DoctorFile file = look_at(op, path, table[i].stages);
        VEC_PUSH(op->arena, &doctor->artifacts, file);
    }
}

/* --- phases */

/* The highest phase that has a file in modules/. */
static int highest_phase(Operator *op)
{
    int highest = 0;
    for (int k = 1; k <= MAX_PHASES; k++) {
        Str suffix = phase_suffix(op->arena, k);
        if (operator_has_file(op, operator_module(op, KIND_IMPL, suffix)) ||
            operator_has_file(op, operator_module(op, KIND_GOLDEN, suffix)) ||
            operator_has_file(op, operator_module(op, KIND_TEST, suffix))) {
            highest = k;
        }
    }
    return highest;
}

static void look_at_module_count(Doctor *doctor, Operator *op)
{
    doctor->count = module_count_read(operator_document(op, STR("MEMORY.md"))->text,
                                      operator_document(op, STR("DESIGN.md"))->text);
}

static void look_at_phases(Doctor *doctor, Operator *op)
{
    int count = highest_phase(op);
    /* A single module is built without phases. */
    if (doctor->count.known && doctor->count.count > 1 && doctor->count.count > count) {
        count = doctor->count.count > MAX_PHASES ? MAX_PHASES + 1 : (int)doctor->count.count;
    }
    doctor->phases_cut = count > MAX_PHASES;
    for (int k = 1; k <= count && k <= MAX_PHASES; k++) {
        DoctorPhase phase = {.number = k, .suffix = phase_suffix(op->arena, k)};
        phase.impl = look_at(op, operator_module(op, KIND_IMPL, phase.suffix), "5");
        phase.golden = look_at(op, operator_module(op, KIND_GOLDEN, phase.suffix), "5");
        phase.test = look_at(op, operator_module(op, KIND_TEST, phase.suffix), "5");
        VEC_PUSH(op->arena, &doctor->phases, phase);
    }
}

/* --- name and stage */

static void add_if_there(Doctor *doctor, Operator *op, Str path)
{
    if (operator_has_file(op, path)) {
        VEC_PUSH(op->arena, &doctor->stage_artifacts, path);
    }
}

/* The files that decide about the inferred stage. */
static void explain_stage(Doctor *doctor, Operator *op)
{
    switch (doctor->stage) {
    case 5:
        add_if_there(doctor, op, operator_artifact(op, KIND_IMPL));
        add_if_there(doctor, op, operator_artifact(op, KIND_TEST));
        add_if_there(doctor, op, STR("README.md"));
        break;
    case 4:
        add_if_there(doctor, op, STR("DESIGN.md"));
        add_if_there(doctor, op, operator_artifact(op, KIND_GOLDEN));
        break;
    case 3:
        add_if_there(doctor, op, STR("API_REPORT.md"));
        break;
    case 2:
        add_if_there(doctor, op, STR("SPEC.md"));
        break;
    default:
        break;
    }
}

static void look_at_state(Doctor *doctor, Operator *op)
{
    const OperatorState *state = operator_state(op);
    doctor->name_from_state = state->operator_name.length > 0;
    op->name = doctor->name_from_state ? state->operator_name : directory_name(op->arena, op->dir);
    doctor->name = op->name;
    StateError error = state_error(op->arena, state);
    bool broken = error.en.length > 0;
    if (broken) {
        notice_add_text(&doctor->unreadable, STR(STATE_PATH), true,
                        doctor->unreadable.lang == LANG_ZH ? error.zh : error.en);
    }
    doctor->state_exists = state->exists || broken;
    doctor->state_valid = !broken;
    op->stage_guessed = !state->exists || broken;
    if (!op->stage_guessed) {
        op->stage = state->current_stage;
        doctor->stage_source = STAGE_FROM_STATE;
    } else {
        op->stage = stage_from_artifacts(op->arena, op->dir, op->name);
        doctor->stage_source = op->stage != 0 ? STAGE_FROM_ARTIFACTS : STAGE_UNKNOWN;
    }
    doctor->stage = op->stage;
    if (doctor->stage_source == STAGE_FROM_ARTIFACTS) {
        explain_stage(doctor, op);
    }
}

/* --- rules */

static void look_at_rules(Doctor *doctor, Operator *op, const Config *config)
{
    const Request request = {.what.set = SET_SCOPE};
    Rules wanted = select_rules(op->arena, &request, config, op);
    uint32_t next = 0; /* `wanted` keeps the order of the registry */
    for (uint32_t i = 0; i < rule_registry_count; i++) {
        const Rule *rule = rule_registry[i];
        bool is_wanted = next < wanted.count && wanted.items[next] == rule;
        next += is_wanted;
        Strs *list = !is_wanted               ? &doctor->switched_off
                     : !rule_is_due(rule, op) ? &doctor->out_of_stage
                                              : &doctor->run;
        Str id = str_from(rule->id);
        VEC_PUSH(op->arena, list, id);
    }
}

Doctor *doctor_look(Arena *arena, Str dir, Lang lang)
{
    Doctor *doctor = ARENA_NEW(arena, Doctor);
    Operator *op = ARENA_NEW(arena, Operator);
    Plan plan;
    plan_begin(&plan, arena, &(Caller){0});
    doctor->dir = dir;
    doctor->unreadable = (Notices){.arena = arena, .lang = lang};
    doctor->absolute = path_real(arena, dir);
    doctor->recognised = is_operator_folder(arena, doctor->absolute);
    const Settings *settings = plan_settings(&plan, doctor->absolute, lang);
    const Config *config = &settings->config;
    doctor->config_error = settings->error;
    doctor->config = config->path;
    op->arena = arena;
    op->dir = dir;
    op->max_file = config_file_limit(config, false);
    look_at_state(doctor, op);
    look_at_module_count(doctor, op);
    look_at_phases(doctor, op);
    look_at_artifacts(doctor, op);
    scan_set_fill(op);
    for (uint32_t i = 0; i < op->scan.count; i++) {
        Str path = pyfile_path(op->scan.items[i]);
        VEC_PUSH(arena, &doctor->scan, path);
        doctor->kernels += op->scan.items[i]->kernels.count;
    }
    look_at_rules(doctor, op, config);
    const char *python = python_interpreter(arena, STR(""));
    doctor->python = str_from(python == NULL ? "" : python);
    doctor->python_wanted = python_wanted(arena, STR(""));
    doctor->installed = plan_installed(&plan, doctor->absolute, STR(""));
    doctor->product = product_choose(STR(""), config->pypto, config->path, doctor->installed);
    doctor->product_text = product_text(arena, &doctor->product, lang == LANG_ZH);
    doctor->installed_remark = installed_remark(arena, doctor->installed, lang);
    note_unchecked(&doctor->unreadable, op, NULL, true);
    return doctor;
}

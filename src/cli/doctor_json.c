/* `doctor --format json`; the members are described in docs/command-line.md. */
#include "cli/doctor_print.h"

#include "lint/result.h"

static json_t *texts_value(JsonTree *tree, const Strs *texts)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < texts->count; i++) {
        json_append(tree, array, json_text_or_null(texts->items[i]));
    }
    return array;
}

static json_t *file_value(JsonTree *tree, const DoctorFile *file)
{
    json_t *object = json_object();
    json_put(tree, object, "path", json_text_or_null(file->path));
    json_put(tree, object, "state", json_string(file_state_text(file->state).en));
    json_put(tree, object, "stages", json_string(file->stages));
    return object;
}

static json_t *phases_value(JsonTree *tree, const Doctor *doctor)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < doctor->phases.count; i++) {
        const DoctorPhase *phase = &doctor->phases.items[i];
        json_t *files = json_array();
        json_append(tree, files, file_value(tree, &phase->impl));
        json_append(tree, files, file_value(tree, &phase->golden));
        json_append(tree, files, file_value(tree, &phase->test));
        json_t *object = json_object();
        json_put(tree, object, "phase", json_integer(phase->number));
        json_put(tree, object, "suffix", json_text_or_null(phase->suffix));
        json_put(tree, object, "files", files);
        json_append(tree, array, object);
    }
    return array;
}

static json_t *artifacts_value(JsonTree *tree, const Doctor *doctor)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < doctor->artifacts.count; i++) {
        json_append(tree, array, file_value(tree, &doctor->artifacts.items[i]));
    }
    return array;
}

static json_t *unreadable_value(JsonTree *tree, const Doctor *doctor)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < doctor->unreadable.count; i++) {
        const Notice *notice = &doctor->unreadable.items[i];
        json_t *object = json_object();
        json_put(tree, object, "file", json_text_or_null(notice->file));
        json_put(tree, object, "message", json_text_or_null(notice->message));
        json_append(tree, array, object);
    }
    return array;
}

static json_t *stage_value(JsonTree *tree, const Doctor *doctor)
{
    static const char *const sources[] = {[STAGE_FROM_STATE] = "state file",
                                          [STAGE_FROM_ARTIFACTS] = "artifacts",
                                          [STAGE_UNKNOWN] = "unknown"};
    json_t *object = json_object();
    json_put(tree, object, "number", json_integer(doctor->stage));
    json_put(tree, object, "source", json_string(sources[doctor->stage_source]));
    json_put(tree, object, "artifacts", texts_value(tree, &doctor->stage_artifacts));
    return object;
}

static void put_modules(JsonTree *tree, json_t *root, const Doctor *doctor)
{
    const ModuleCount *count = &doctor->count;
    Str source = !count->known ? STR("") : count->in_design ? STR("DESIGN.md") : STR("MEMORY.md");
    json_put(tree, root, "module_count", count->known ? json_integer(count->count) : json_null());
    json_put(tree, root, "module_count_source", json_text_or_null(source));
}

/* The name of each rule in the lists beside it. */
static json_t *names_value(JsonTree *tree, const Doctor *doctor)
{
    const Strs *const lists[] = {&doctor->run, &doctor->out_of_stage, &doctor->switched_off};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (uint32_t k = 0; k < lists[i]->count; k++) {
            const Rule *rule = rule_find(lists[i]->items[k]);
            if (rule != NULL) {
                json_put(tree, object, rule->id, json_string(rule->name));
            }
        }
    }
    return object;
}

static json_t *rules_value(JsonTree *tree, const Doctor *doctor)
{
    json_t *object = json_object();
    json_put(tree, object, "run", texts_value(tree, &doctor->run));
    json_put(tree, object, "out_of_stage", texts_value(tree, &doctor->out_of_stage));
    json_put(tree, object, "switched_off", texts_value(tree, &doctor->switched_off));
    json_put(tree, object, "names", names_value(tree, doctor));
    return object;
}

static json_t *product_value(JsonTree *tree, const Doctor *doctor)
{
    static const char *const sources[] = {[PRODUCT_ASSUMED] = "default",
                                          [PRODUCT_INSTALLED] = "installed",
                                          [PRODUCT_SETTING] = "settings",
                                          [PRODUCT_VARIABLE] = "environment",
                                          [PRODUCT_OPTION] = "option"};
    const Product *product = &doctor->product;
    const InstalledProduct *installed = doctor->installed;
    json_t *object = json_object();
    json_put(tree, object, "version", json_string(product_version_names[product->version]));
    json_put(tree, object, "source", json_string(sources[product->source]));
    json_put(tree, object, "place", json_text_or_null(product->place));
    json_put(tree, object, "installed",
             json_text_or_null(installed == NULL ? STR("") : installed->place));
    json_put(tree, object, "installed_number",
             json_text_or_null(installed == NULL ? STR("") : installed->number));
    return object;
}

/* Takes nothing from an arena, whose failures would jump over the code that frees the tree. */
static json_t *doctor_value(JsonTree *tree, const Doctor *doctor)
{
    const char *state = !doctor->state_exists ? "missing"
                        : doctor->state_valid ? "valid"
                                              : "invalid";
    json_t *root = json_object();
    json_put(tree, root, "schema_version", json_integer(1));
    json_put(tree, root, "op_dir", json_text_or_null(doctor->dir));
    json_put(tree, root, "absolute", json_text_or_null(doctor->absolute));
    json_put(tree, root, "recognised", json_boolean(doctor->recognised));
    json_put(tree, root, "op_name", json_text_or_null(doctor->name));
    json_put(tree, root, "op_name_source",
             json_string(doctor->name_from_state ? "state file" : "folder"));
    json_put(tree, root, "state_file", json_string(state));
    json_put(tree, root, "stage", stage_value(tree, doctor));
    put_modules(tree, root, doctor);
    json_put(tree, root, "phases", phases_value(tree, doctor));
    json_put(tree, root, "artifacts", artifacts_value(tree, doctor));
    json_put(tree, root, "scope", json_string("operator"));
    json_put(tree, root, "implementation_files", texts_value(tree, &doctor->scan));
    json_put(tree, root, "kernels", json_integer((json_int_t)doctor->kernels));
    json_put(tree, root, "pypto", product_value(tree, doctor));
    json_put(tree, root, "python", json_text_or_null(doctor->python));
    json_put(tree, root, "settings", json_text_or_null(doctor->config));
    json_put(tree, root, "settings_error", json_text_or_null(doctor->config_error));
    json_put(tree, root, "rules", rules_value(tree, doctor));
    json_put(tree, root, "unreadable", unreadable_value(tree, doctor));
    return root;
}

bool doctor_print_json(Arena *arena, const Doctor *doctor)
{
    JsonTree tree = {false};
    json_t *root = doctor_value(&tree, doctor);
    return json_print(arena, &tree, root);
}

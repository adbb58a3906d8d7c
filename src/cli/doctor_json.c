/* `doctor --format json`; the members are described in docs/command-line.md. */
#include "cli/doctor_print.h"

#include <jansson.h>
#include <stdlib.h>

/* NULL becomes null; a text that is not UTF-8 (a file name may be anything) becomes null, too. */
static json_t *text_value(Str text)
{
    json_t *value = text.length == 0 ? NULL : json_stringn(text.at, text.length);
    return value == NULL ? json_null() : value;
}

static json_t *texts_value(const Strs *texts)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < texts->count; i++) {
        json_array_append_new(array, text_value(texts->items[i]));
    }
    return array;
}

static json_t *file_value(const DoctorFile *file)
{
    return json_pack("{s:o, s:s, s:s}", "path", text_value(file->path), "state",
                     file_state_text(file->state).en, "stages", file->stages);
}

static json_t *phases_value(const Doctor *doctor)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < doctor->phases.count; i++) {
        const DoctorPhase *phase = &doctor->phases.items[i];
        json_t *files = json_pack("[o, o, o]", file_value(&phase->impl), file_value(&phase->golden),
                                  file_value(&phase->test));
        json_array_append_new(array, json_pack("{s:i, s:o, s:o}", "phase", phase->number, "suffix",
                                               text_value(phase->suffix), "files", files));
    }
    return array;
}

static json_t *artifacts_value(const Doctor *doctor)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < doctor->artifacts.count; i++) {
        json_array_append_new(array, file_value(&doctor->artifacts.items[i]));
    }
    return array;
}

static json_t *unreadable_value(const Doctor *doctor)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < doctor->unreadable.count; i++) {
        const Notice *notice = &doctor->unreadable.items[i];
        json_array_append_new(array, json_pack("{s:o, s:o}", "file", text_value(notice->file),
                                               "message", text_value(notice->message)));
    }
    return array;
}

static json_t *stage_value(const Doctor *doctor)
{
    static const char *const sources[] = {[STAGE_FROM_STATE] = "state file",
                                          [STAGE_FROM_ARTIFACTS] = "artifacts",
                                          [STAGE_UNKNOWN] = "unknown"};
    return json_pack("{s:i, s:s, s:o}", "number", doctor->stage, "source",
                     sources[doctor->stage_source], "artifacts",
                     texts_value(&doctor->stage_artifacts));
}

static json_t *doctor_value(const Doctor *doctor)
{
    json_t *root = json_object();
    json_object_set_new(root, "schema_version", json_integer(1));
    json_object_set_new(root, "op_dir", text_value(doctor->dir));
    json_object_set_new(root, "absolute", text_value(doctor->absolute));
    json_object_set_new(root, "recognised", json_boolean(doctor->recognised));
    json_object_set_new(root, "op_name", text_value(doctor->name));
    json_object_set_new(root, "op_name_source",
                        json_string(doctor->name_from_state ? "state file" : "folder"));
    const char *state = !doctor->state_exists ? "missing"
                        : doctor->state_valid ? "valid"
                                              : "invalid";
    json_object_set_new(root, "state_file", json_string(state));
    json_object_set_new(root, "stage", stage_value(doctor));
    const ModuleCount *count = &doctor->count;
    json_t *number = count->known ? json_integer(count->count) : json_null();
    json_object_set_new(root, "module_count", number);
    Str source = !count->known ? STR("") : count->in_design ? STR("DESIGN.md") : STR("MEMORY.md");
    json_object_set_new(root, "module_count_source", text_value(source));
    json_object_set_new(root, "phases", phases_value(doctor));
    json_object_set_new(root, "artifacts", artifacts_value(doctor));
    json_object_set_new(root, "scope", json_string("operator"));
    json_object_set_new(root, "implementation_files", texts_value(&doctor->scan));
    json_object_set_new(root, "settings", text_value(doctor->config));
    json_object_set_new(root, "settings_error", text_value(doctor->config_error));
    json_t *rules = json_pack("{s:o, s:o, s:o}", "run", texts_value(&doctor->run), "out_of_stage",
                              texts_value(&doctor->out_of_stage), "switched_off",
                              texts_value(&doctor->switched_off));
    json_object_set_new(root, "rules", rules);
    json_object_set_new(root, "unreadable", unreadable_value(doctor));
    return root;
}

bool doctor_print_json(const Doctor *doctor)
{
    json_t *root = doctor_value(doctor);
    char *text = root == NULL ? NULL : json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    bool good = text != NULL && print_all(str_from(text)) && print_all(STR("\n"));
    if (text == NULL) {
        trouble("out of memory");
    }
    free(text);
    return good;
}

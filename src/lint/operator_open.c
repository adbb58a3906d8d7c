/* Opening an operator: its name, stage, scope and files as a unit of work asks for them. */
#include "lint/operator_open.h"

#include "base/path.h"
#include "lint/discover.h"
#include "operator/bridge.h"
#include "operator/scan_set.h"
#include "operator/state.h"

static int loose_stage(Str file)
{
    int stage = stage_from_file(path_basename(file));
    return stage == 0 ? 5 : stage;
}

/* Name and stage by the state file; without a sound one, by what is there. */
static void read_state(Operator *op, const Unit *unit)
{
    const OperatorState *state = operator_state(op);
    StateError error = state_error(op->arena, state);
    op->name = state->operator_name.length > 0 ? state->operator_name
                                               : directory_name(op->arena, unit->dir);
    op->state_error = unit->request->who.lang == LANG_ZH ? error.zh : error.en;
    op->stage_guessed = !state->exists || error.en.length > 0;
    if (!op->stage_guessed) {
        op->stage = state->current_stage;
    } else if (unit->file.length > 0) {
        op->stage = stage_from_file(path_basename(unit->file));
    } else {
        op->stage = stage_from_artifacts(op->arena, unit->dir, op->name);
    }
}

/* What the request says takes precedence. */
static void take_wanted_stage(Operator *op, const Request *request)
{
    if (request->what.stage != 0 || request->what.has_stage) {
        op->stage = request->what.stage;
        op->stage_guessed = request->what.stage_guessed;
    } else if (request->what.phase != 0) {
        op->stage = 5;
        op->stage_guessed = false;
    } else if (request->what.design) {
        op->stage = 4;
        op->stage_guessed = false;
    }
}

Operator *operator_open(Unit *unit)
{
    Arena *arena = &unit->arena;
    const Request *request = unit->request;
    Operator *op = ARENA_NEW(arena, Operator);
    op->arena = arena;
    op->dir = unit->dir;
    op->state = unit->state;
    op->loose = unit->loose;
    op->may_execute =
        request->what.gate && !request->who.no_exec && !unit->loose && unit->text == NULL;
    op->no_exec = request->who.no_exec;
    op->interpreter = request->who.python;
    op->upstream = request->who.upstream;
    op->stop_hook = request->who.hook == HOOK_STOP;
    op->edited = request->what.edited;
    const Config *config = &unit->settings->config;
    op->max_file = config_file_limit(config, request->who.hook != HOOK_NONE);
    op->installed = unit->installed;
    op->product = product_choose(request->who.pypto, config->pypto, config->path, unit->installed);
    op->soc = config->soc;
    op->show_types = request->what.show_types;
    op->gate = request->what.gate;
    /* A document from standard input is one of the workflow's. */
    op->plain = profile_of(request, config, unit->loose) == PROFILE_KERNEL &&
                !(unit->loose && str_ends(unit->file, STR(".md")));
    op->strict = config->semantics == SEMANTICS_STRICT;
    if (unit->loose) {
        op->name = artifact_stem(path_basename(unit->file));
        op->stage = op->plain ? 5 : loose_stage(unit->file);
    } else {
        read_state(op, unit);
    }
    take_wanted_stage(op, request);
    if (unit->file.length > 0) {
        op->scope = SCOPE_FILE;
        op->file = unit->file;
    } else if (request->what.phase != 0) {
        op->scope = SCOPE_PHASE;
        op->phase = request->what.phase;
    }
    return op;
}

/* Puts the text from standard input in the place of the file. */
static void take_text(Operator *op, const TextSource *text)
{
    if (str_ends(op->file, STR(".md"))) {
        operator_document_text(op, op->file, text->text);
        return;
    }
    PyFile *file = operator_python_text(op, op->file, text->text);
    if (!file->is_stub) {
        VEC_PUSH(op->arena, &op->scan, file);
    }
}

void operator_fill(Operator *op, const TextSource *text)
{
    if (text != NULL) {
        take_text(op, text);
    } else {
        scan_set_fill(op);
    }
    op->bridge = operator_is_bridge(op);
}

/* A decorator whose last name is `jit`: with pypto in the file, some way of writing a kernel. */
static bool has_jit_decorator(const PyFile *file)
{
    const Module *module = pyfile_module(file);
    for (uint32_t i = 0; i < file->functions.count; i++) {
        NodeId function = file->functions.ids[i];
        for (NodeId id = node_child(module, function, ROLE_DECORATOR); id != NO_NODE;
             id = node_next(module, id)) {
            NodeId chain = node_is(module, id, NODE_CALL) ? call_func(module, id) : id;
            bool named =
                node_is(module, chain, NODE_NAME) || node_is(module, chain, NODE_ATTRIBUTE);
            if (named && str_is(node_name(module, chain), "jit")) {
                return true;
            }
        }
    }
    return false;
}

bool operator_may_hold_kernel(const Operator *op)
{
    if (op->scan.count == 0) {
        return false;
    }
    const PyFile *file = op->scan.items[0];
    Str text = file->parsed.source.text;
    if (file->parsed.status == PARSE_ERROR) {
        /* Without a text, discovery found `jit` in it, and there is nothing else to go by. */
        return text.length == 0 ||
               (str_contains(text, STR("pypto")) && str_contains(text, STR("jit")));
    }
    return pyfile_module(file) != NULL && str_contains(text, STR("pypto")) &&
           (has_jit_decorator(file) || pyfile_calls_jit(file));
}

void operator_read_artifacts(Operator *op)
{
    if (op->edited.length > 0) {
        if (str_ends(op->edited, STR(".py"))) {
            operator_python(op, op->edited);
        }
        return;
    }
    if (op->scope != SCOPE_DEFAULT || op->loose) {
        return;
    }
    if (op->stage >= 2 || op->stage_guessed) {
        operator_python(op, operator_artifact(op, KIND_GOLDEN));
    }
    if (op->stage >= 5 || op->stage_guessed) {
        operator_python(op, operator_artifact(op, KIND_TEST));
    }
}

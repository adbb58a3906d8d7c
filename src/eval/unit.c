/* Units: the files that an evaluation sees. The first one is linted; in the others only launches of
 * its kernels get findings. */
#include "eval/state.h"

/* Does the file have a node of this kind, a name or an attribute, that is named `word`? */
static bool has_word(const Module *module, NodeKind kind, const char *word)
{
    NodeList list = module_nodes(module, kind);
    for (uint32_t i = 0; i < list.count; i++) {
        if (str_is(node_name(module, list.ids[i]), word)) {
            return true;
        }
    }
    return false;
}

static bool mentions(const Module *module, const char *word)
{
    return has_word(module, NODE_NAME, word);
}

bool unit_changes_frozen(Unit *unit)
{
    if (unit->changes_frozen == 0) {
        bool changes = mentions(unit->module, "vars") ||
                       has_word(unit->module, NODE_ATTRIBUTE, "__dict__") ||
                       has_word(unit->module, NODE_ATTRIBUTE, "__setattr__");
        unit->changes_frozen = 1 + changes;
    }
    return unit->changes_frozen == 2;
}

uint32_t unit_add(Eval *eval, const PyFile *file, Str name)
{
    Unit *unit = ARENA_NEW(eval->arena, Unit);
    const Module *module = pyfile_module(file);
    unit->name = name;
    unit->file = file;
    unit->module = module;
    static const char *const dynamic[] = {"exec",   "eval",     "globals", "setattr",
                                          "locals", "builtins", "vars"};
    for (size_t i = 0; i < sizeof dynamic / sizeof *dynamic; i++) {
        unit->dynamic_names = unit->dynamic_names || mentions(module, dynamic[i]);
    }
    unit->changes_builtins =
        mentions(module, "exec") || mentions(module, "eval") || mentions(module, "builtins");
    unit->locals = ARENA_ARRAY(eval->arena, Strs, module->node_count);
    unit->loops = ARENA_ARRAY(eval->arena, const struct LoopNames *, module->node_count);
    unit->globals = scope_new(eval, NULL, 0);
    VEC_PUSH(eval->arena, &eval->units, unit);
    return eval->units.count - 1;
}

static void load(Eval *eval, uint32_t number)
{
    const Unit *unit = eval->units.items[number];
    eval->unit = number;
    eval->file = unit->file;
    eval->module = unit->module;
    eval->globals = unit->globals;
    eval->locals = unit->locals;
    eval->loops = unit->loops;
    eval->set_names = unit->set_names;
    eval->has_set_names = unit->has_set_names;
    eval->star_import = unit->star_import;
    eval->dynamic_names = unit->dynamic_names;
}

uint32_t unit_switch(Eval *eval, uint32_t number)
{
    uint32_t before = eval->unit;
    if (number == before && eval->module != NULL) {
        return before;
    }
    if (eval->module != NULL) {
        Unit *unit = eval->units.items[before];
        unit->set_names = eval->set_names;
        unit->has_set_names = eval->has_set_names;
        unit->star_import = eval->star_import;
    }
    load(eval, number);
    return before;
}

void unit_walk(Eval *eval, uint32_t number)
{
    Unit *unit = eval->units.items[number];
    if (unit->walked) {
        return; /* also while it is being walked: a cyclic import sees what is bound so far */
    }
    unit->walked = true;
    Frame *outer = eval->frame;
    uint32_t before = unit_switch(eval, number);
    uint32_t assumed = eval->assumed, region = eval->region;
    Frame frame = {.scope = eval->globals};
    Value name = value_text(eval->arena, number == 0 ? STR("__main__") : unit->name);
    eval->globals->birth = eval->clock + 1;
    scope_set(eval, eval->globals, STR("__name__"), name);
    eval->assumed = 0;
    eval->region = ++eval->clock;
    eval->frame = &frame;
    bool hosting = eval->hosting;
    eval->hosting = true;
    eval_body(eval, 0, ROLE_BODY);
    eval->hosting = hosting;
    unit->whole = unit->file->parsed.skimmed == SKIMMED_NOTHING;
    eval->frame = outer;
    eval->assumed = assumed;
    eval->region = region;
    unit_switch(eval, before);
}

static bool find_unit(Eval *eval, Str name, uint32_t *number)
{
    enum { MOST_UNITS = 16 };
    for (uint32_t i = 0; i < eval->units.count; i++) {
        if (str_equal(eval->units.items[i]->name, name)) {
            *number = i;
            return true;
        }
    }
    if (eval->finder == NULL || eval->units.count >= MOST_UNITS) {
        return false;
    }
    const PyFile *file = eval->finder->find(eval->finder->context, name);
    if (file == NULL || pyfile_module(file) == NULL) {
        return false;
    }
    *number = unit_add(eval, file, name);
    return true;
}

Str unit_last_part(Str name)
{
    for (size_t dot = str_find(name, STR("."), 0); dot != SIZE_MAX;
         dot = str_find(name, STR("."), 0)) {
        name = str_slice(name, dot + 1, name.length);
    }
    return name;
}

static bool walk_found(Eval *eval, Str module, uint32_t *number)
{
    Str last = unit_last_part(module); /* files in folders are known by their own names alone */
    if (eval->drive != NULL || last.length == 0 || !find_unit(eval, last, number)) {
        return false;
    }
    unit_walk(eval, *number);
    return true;
}

bool unit_import(Eval *eval, Str module, Str name, Value *value)
{
    uint32_t number;
    if (!walk_found(eval, module, &number)) {
        return false;
    }
    const Value *found = scope_get(eval->units.items[number]->globals, name);
    *value = found == NULL ? value_unknown() : *found;
    return true;
}

/* Does `from module import *` take the name? `all`: its __all__, or NULL. */
static bool is_public(const Value *all, Str name)
{
    if (all == NULL) {
        return !str_starts(name, STR("_"));
    }
    for (uint32_t i = 0; i < all->as.sequence->count; i++) {
        Value item = all->as.sequence->items[i];
        if (item.kind == VALUE_STR && str_equal(*item.as.text, name)) {
            return true;
        }
    }
    return false;
}

void unit_import_all(Eval *eval, Str module)
{
    uint32_t number;
    if (!walk_found(eval, module, &number) || number == eval->unit) {
        return;
    }
    const Bindings *names = &eval->units.items[number]->globals->bindings;
    const Value *all = scope_get(eval->units.items[number]->globals, STR("__all__"));
    if (all != NULL && !value_has_items(*all)) {
        return;
    }
    for (uint32_t i = 0; i < names->count; i++) {
        if (is_public(all, names->items[i].name)) {
            eval_bind(eval, names->items[i].name, names->items[i].value);
        }
    }
}

const Strs *unit_without(Eval *eval, Str module, Str name)
{
    uint32_t number;
    if (!walk_found(eval, module, &number) || number == eval->unit) {
        return NULL;
    }
    const Unit *unit = eval->units.items[number];
    uint32_t home = unit_switch(eval, number);
    const Strs *names = eval_locals(eval, 0);
    bool open = !unit->whole || eval->star_import || eval->dynamic_names ||
                strs_sorted_have(names, name) || strs_sorted_have(names, STR("__getattr__")) ||
                eval_is_global(eval, name) || scope_get(unit->globals, name) != NULL;
    unit_switch(eval, home);
    return open ? NULL : names;
}

bool unit_module(Eval *eval, Str module, Value *value)
{
    uint32_t number;
    if (!walk_found(eval, module, &number)) {
        return false;
    }
    *value = (Value){.kind = VALUE_MODULE, .as.integer = number};
    return true;
}

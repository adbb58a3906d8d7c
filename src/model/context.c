/* Contexts: hardware, options, symbols, names and the scopes of settings. */
#include "model/context.h"

#include "model/partial.h"

#include "base/str.h"

#include <stdlib.h>

/* Most memory that names and scopes of a context may take. */
#define CONTEXT_BUDGET ((size_t)256 << 20)

static void open_outermost(void *argument)
{
    PtsContext *context = argument;
    PtsScope outermost = {.label = ""};
    VEC_PUSH(&context->arena, &context->scopes, outermost);
    if (context->options.warn != NULL) {
        context->options.warn = str_dup(&context->arena, str_from(context->options.warn));
    }
}

PtsContext *pts_context_new(const PtsSoc *soc, const PtsOptions *options)
{
    PtsContext *context = calloc(1, sizeof *context);
    if (context == NULL) {
        return NULL;
    }
    arena_init(&context->arena, CONTEXT_BUDGET);
    context->symbols = pts_sym_table_new();
    if (soc != NULL) {
        context->soc = *soc;
    }
    if (options != NULL) {
        context->options = *options;
    }
    if (context->symbols == NULL || !arena_try(&context->arena, open_outermost, context)) {
        pts_context_free(context);
        return NULL;
    }
    return context;
}

void pts_context_free(PtsContext *context)
{
    if (context != NULL) {
        pts_sym_table_free(context->symbols);
        arena_free(&context->arena);
        free(context);
    }
}

bool pts_context_is_9_1(const PtsContext *context)
{
    return context->options.is_9_1;
}

const PtsSoc *pts_context_soc(const PtsContext *context)
{
    return &context->soc;
}

void pts_context_set_soc(PtsContext *context, const PtsSoc *soc)
{
    context->soc = *soc;
}

void pts_context_add_soc(PtsContext *context, const PtsSoc *soc)
{
    if (context->other_soc_count < PTS_MAX_OTHER_SOCS) {
        context->other_socs[context->other_soc_count++] = *soc;
    }
}

PtsSymTable *pts_context_symbols(const PtsContext *context)
{
    return context->symbols;
}

PtsRunState *pts_context_run_state(PtsContext *context)
{
    return &context->run_state;
}

const PtsOptions *pts_context_options(const PtsContext *context)
{
    return &context->options;
}

/* ---- names ---- */

static uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    }
    return hash;
}

PtsName *pts_context_name(PtsContext *context, const char *text)
{
    uint32_t *chain = &context->name_chains[hash_text(text) % PTS_NAME_CHAINS];
    for (uint32_t at = *chain; at != 0; at = context->names.items[at - 1].next) {
        if (strcmp(context->names.items[at - 1].text, text) == 0) {
            return &context->names.items[at - 1];
        }
    }
    PtsName name = {.symbol = PTS_SYM_NONE, .next = *chain};
    name.text = str_dup(&context->arena, str_from(text));
    VEC_PUSH(&context->arena, &context->names, name);
    *chain = context->names.count;
    return &context->names.items[*chain - 1];
}

typedef struct NameCall {
    PtsContext *context;
    const char *text;
    PtsName *name;
} NameCall;

static void call_name(void *argument)
{
    NameCall *call = argument;
    call->name = pts_context_name(call->context, call->text);
}

/* The entry, or NULL when memory ran out. */
static PtsName *try_name(PtsContext *context, const char *text)
{
    NameCall call = {.context = context, .text = text == NULL ? "" : text};
    return arena_try(&context->arena, call_name, &call) ? call.name : NULL;
}

const char *pts_site_file(PtsContext *context, const char *file)
{
    if (file == NULL) {
        return NULL;
    }
    const PtsName *name = try_name(context, file);
    return name == NULL ? NULL : name->text;
}

PtsSym pts_sym_symbol(PtsContext *context, const char *text, PtsError *error)
{
    PtsName *name = try_name(context, text);
    if (name == NULL) {
        pts_fail_memory(error);
        return PTS_SYM_NONE;
    }
    if (name->symbol == PTS_SYM_NONE) {
        /* An axis of a parameter, or never bound and 0. */
        name->symbol = pts_sym_new_bounded_atom(context->symbols, name->text, 0, INT64_MAX, error);
    }
    return name->symbol;
}

/* ---- settings ---- */

PtsScope *pts_context_scope(const PtsContext *context)
{
    return &context->scopes.items[context->scopes.count - 1];
}

bool pts_config_set_vector_tile(PtsContext *context, int count, const int64_t *tile,
                                PtsError *error)
{
    if (count < 1 || count > PTS_MAX_TILE) {
        return pts_fail(error, PTS_E_VALUE, "vec tile shapes must have 1 to %d entries, got %d",
                        PTS_MAX_TILE, count);
    }
    for (int i = 0; i < count; i++) {
        bool open = context->options.partial && tile[i] == PTS_TILE_UNKNOWN;
        if (tile[i] <= 0 && !open) {
            return pts_fail(error, PTS_E_VALUE,
                            "vec tile shapes must be positive, entry %d is %lld", i,
                            (long long)tile[i]);
        }
    }
    PtsScope *scope = pts_context_scope(context);
    scope->vector_tile_count = count;
    for (int i = 0; i < count; i++) {
        scope->vector_tile[i] = tile[i];
    }
    return true;
}

int pts_config_vector_tile(const PtsContext *context, int64_t tile[PTS_MAX_TILE])
{
    const PtsScope *scope = pts_context_scope(context);
    for (int i = 0; i < scope->vector_tile_count; i++) {
        tile[i] = scope->vector_tile[i];
    }
    return scope->vector_tile_count;
}

bool pts_config_set_cube_tile(PtsContext *context, const PtsCubeTile *tile, PtsError *error)
{
    if (tile == NULL) {
        return pts_fail(error, PTS_E_VALUE, "cube tile missing");
    }
    /* Values are checked where a matmul uses them, as in the product. */
    PtsScope *scope = pts_context_scope(context);
    scope->cube_tile = *tile;
    scope->cube_tile.set = true;
    return true;
}

PtsCubeTile pts_config_cube_tile(const PtsContext *context)
{
    return pts_context_scope(context)->cube_tile;
}

bool pts_config_set_label(PtsContext *context, const char *label)
{
    const PtsName *name = try_name(context, label);
    if (name == NULL) {
        return false;
    }
    pts_context_scope(context)->label = name->text;
    return true;
}

static void call_push(void *argument)
{
    PtsContext *context = argument;
    PtsScope scope = *pts_context_scope(context);
    VEC_PUSH(&context->arena, &context->scopes, scope);
}

bool pts_scope_push(PtsContext *context, PtsError *error)
{
    if (context->scopes.count >= PTS_MAX_SCOPES) {
        return pts_fail(error, PTS_E_MEMORY, "more than %d scopes of settings are open",
                        PTS_MAX_SCOPES);
    }
    return arena_try(&context->arena, call_push, context) || pts_fail_memory(error);
}

void pts_scope_pop(PtsContext *context)
{
    if (context->scopes.count > 1) {
        context->scopes.count--;
    }
}

int pts_scope_depth(const PtsContext *context)
{
    return (int)context->scopes.count - 1;
}

void pts_scope_unwind(PtsContext *context, int depth)
{
    while (depth >= 0 && pts_scope_depth(context) > depth) {
        pts_scope_pop(context);
    }
}

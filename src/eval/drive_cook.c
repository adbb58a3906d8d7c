/* Runs recipes (model/recipe.h): converts values of the evaluator to values of recipes, and
 * back. */
#include "eval/drive.h"
#include "model/error.h"
#include "model/recipe.h"

#include <stdio.h>

/* Where a recipe takes lists of lists they are short; longer ones are not converted. */
enum { COOK_DEPTH = 3, COOK_ITEMS = 256, COOK_INNER = 8, MOST_PARAMETERS = 16 };

static PtsValue value_of(Eval *eval, Value *value, int depth);

static void take_items(Eval *eval, const Sequence *items, PtsValue *made, int depth)
{
    if (items->count > (depth == 0 ? COOK_ITEMS : COOK_INNER)) {
        made->is_open = true;
        return;
    }
    PtsValue *copies = ARENA_ARRAY(eval->arena, PtsValue, items->count + 1);
    for (uint32_t i = 0; i < items->count; i++) {
        copies[i] = value_of(eval, &items->items[i], depth + 1);
    }
    made->items = copies;
    made->count = items->count;
}

static void take_pairs(Eval *eval, const Dict *dict, PtsValue *made, int depth)
{
    made->is_open = dict->lost || dict->count > COOK_INNER;
    if (made->is_open) {
        return;
    }
    PtsValue *pairs = ARENA_ARRAY(eval->arena, PtsValue, (size_t)2 * dict->count + 1);
    for (uint32_t i = 0; i < dict->count; i++) {
        pairs[(size_t)2 * i] = value_of(eval, &dict->keys[i], depth + 1);
        pairs[(size_t)2 * i + 1] = value_of(eval, &dict->values[i], depth + 1);
    }
    made->items = pairs;
    made->count = dict->count;
}

/* A symbol with an unknown part may turn out to be an integer. */
static void take_symbol(Eval *eval, Value value, PtsValue *made)
{
    bool is_number = value.kind == VALUE_NUMBER;
    made->sym = is_number && value.handle == 0 ? PTS_SYM_NONE : drive_sym(eval, value);
    bool open = made->sym == PTS_SYM_NONE || pts_sym_is_unknown(eval->drive->context, made->sym);
    made->kind = is_number || open ? PTS_VALUE_NUMBER : PTS_VALUE_SYM;
}

static void take_member(Value value, PtsValue *made)
{
    int dtype = drive_dtype(value);
    if (dtype >= 0 || value.handle > 0) {
        made->kind = PTS_VALUE_MEMBER;
        made->type = dtype >= 0 ? "DataType" : value.as.fact->name;
        made->integer = dtype >= 0 ? dtype : (int64_t)value.handle - 1;
    }
}

static void take_scalar(Eval *eval, Value value, PtsValue *made)
{
    static const PtsValueKind kinds[] = {[VALUE_NONE] = PTS_VALUE_NONE,
                                         [VALUE_BOOL] = PTS_VALUE_BOOL,
                                         [VALUE_INT] = PTS_VALUE_INT,
                                         [VALUE_FLOAT] = PTS_VALUE_FLOAT,
                                         [VALUE_STR] = PTS_VALUE_TEXT};
    made->kind = kinds[value.kind];
    if (value.kind == VALUE_FLOAT) {
        made->real = value.as.number;
    } else if (value.kind == VALUE_STR) {
        made->text = str_dup(eval->arena, *value.as.text);
    } else if (value.kind != VALUE_NONE) {
        made->integer = value.as.integer;
    }
}

static void take_element(Value value, PtsValue *made)
{
    made->kind = value.handle > 0 ? PTS_VALUE_ELEMENT : PTS_VALUE_UNKNOWN;
    made->dtype = value.handle > 0 ? (PtsDtype)(value.handle - 1) : PTS_BOTTOM;
    made->is_real = value.flag;
    made->real = value.flag ? value.as.number : (double)value.as.integer;
    made->integer = value.flag ? 0 : value.as.integer;
}

static PtsValue value_of(Eval *eval, Value *value, int depth)
{
    PtsValue made = pts_value(PTS_VALUE_UNKNOWN);
    made.origin = value;
    if (depth > COOK_DEPTH) {
        return made;
    }
    switch ((ValueKind)value->kind) {
    case VALUE_NONE:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_FLOAT:
    case VALUE_STR:
        take_scalar(eval, *value, &made);
        break;
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_SLICE:
        made.kind = value->kind == VALUE_LIST    ? PTS_VALUE_LIST
                    : value->kind == VALUE_TUPLE ? PTS_VALUE_TUPLE
                                                 : PTS_VALUE_SLICE;
        made.is_open = value->kind != VALUE_SLICE && !value_has_items(*value);
        take_items(eval, value->as.sequence, &made, depth);
        break;
    case VALUE_DICT:
        made.kind = PTS_VALUE_DICT;
        take_pairs(eval, value->as.dict, &made, depth);
        break;
    case VALUE_NUMBER:
    case VALUE_SYMBOL:
    case VALUE_NAMED:
        take_symbol(eval, *value, &made);
        break;
    case VALUE_TENSOR:
        made.kind = PTS_VALUE_TENSOR;
        made.slot = drive_has_slot(eval, *value) ? value->handle - 1 : PTS_SLOT_NONE;
        break;
    case VALUE_ELEMENT:
        take_element(*value, &made);
        break;
    case VALUE_MEMBER:
        take_member(*value, &made);
        break;
    case VALUE_DOTS:
        made.kind = PTS_VALUE_DOTS;
        break;
    case VALUE_FUNCTION:
    case VALUE_API:
        made.type = value_type(*value);
        made.kind = made.type == NULL ? PTS_VALUE_UNKNOWN : PTS_VALUE_OTHER;
        break;
    default:
        if (host_is_dtype(*value)) {
            made.kind = PTS_VALUE_OTHER;
            made.type = "dtype"; /* of torch */
        }
        break;
    }
    return made;
}

static Value value_from(Eval *eval, const PtsValue *value)
{
    if (value->origin != NULL) {
        return *(const Value *)value->origin;
    }
    switch (value->kind) {
    case PTS_VALUE_NONE:
        return value_none();
    case PTS_VALUE_BOOL:
        return value_bool(value->integer != 0);
    case PTS_VALUE_INT:
        return value_int(value->integer);
    case PTS_VALUE_FLOAT:
        return value_float(value->real);
    case PTS_VALUE_TENSOR:
        return drive_tensor(value->slot);
    case PTS_VALUE_SYM:
        return drive_symbol_value(eval, value->sym);
    default:
        return value_unknown();
    }
}

/* --- callbacks for recipes */

static Eval *own(PtsCook *cook)
{
    return cook->self;
}

static PtsValue kept_value(Eval *eval, Value value)
{
    Value *copy = ARENA_NEW(eval->arena, Value);
    *copy = value;
    return value_of(eval, copy, 0);
}

static bool host_emit(PtsCook *cook, PtsOp op, uint32_t count, const PtsValue *operands,
                      const PtsAttributes *attributes, PtsValue *result)
{
    Eval *eval = own(cook);
    Value *values = ARENA_ARRAY(eval->arena, Value, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        values[i] =
            operands[i].kind == PTS_VALUE_MISSING ? value_none() : value_from(eval, &operands[i]);
    }
    bool known = attributes->unknown != PTS_UNKNOWN_ALL;
    *result = kept_value(eval, drive_emit(eval, op, count, values, known ? attributes : NULL));
    cook->failed = eval->stopped;
    return !cook->failed;
}

static bool host_refuse(PtsCook *cook, PtsOp op, const PtsError *error)
{
    Eval *eval = own(cook);
    if (drive_may_record(eval)) {
        drive_refused(eval, op == PTS_OP_COUNT ? EVAL_DTYPE : drive_rule(op, error), error);
    }
    return false;
}

static bool host_warn(PtsCook *cook, const char *message)
{
    (void)cook;
    (void)message;
    return true;
}

static bool host_info(PtsCook *cook, const PtsValue *tensor, PtsSlotInfo *info)
{
    return drive_info(own(cook), drive_tensor(tensor->slot), info);
}

static bool host_element(PtsCook *cook, const PtsValue *tensor, int rank, const PtsSym *index,
                         PtsValue *result)
{
    Eval *eval = own(cook);
    PtsError error;
    *result = pts_value(PTS_VALUE_UNKNOWN);
    if (!drive_may_record(eval) || tensor->slot == PTS_SLOT_NONE) {
        return !eval->stopped;
    }
    *result = pts_value_sym(pts_element_read(eval->drive->program, tensor->slot, rank, index,
                                             drive_site(eval, eval->drive->node), &error));
    if (result->sym == PTS_SYM_NONE && drive_keep_read(eval, &error)) {
        pts_trust_reads(eval->drive->program, true);
        *result = pts_value_sym(pts_element_read(eval->drive->program, tensor->slot, rank, index,
                                                 drive_site(eval, eval->drive->node), &error));
        pts_trust_reads(eval->drive->program, false);
    }
    if (result->sym == PTS_SYM_NONE) {
        bool unwritten = error.code == PTS_CODE_UNWRITTEN;
        drive_refused(eval, unwritten ? EVAL_STATE : EVAL_WINDOW, &error);
    }
    return true;
}

static bool host_take_form(PtsCook *cook, const PtsValue *tensor, const PtsValue *source)
{
    (void)cook;
    (void)tensor;
    (void)source;
    return true;
}

static bool host_whole(PtsCook *cook, PtsValue *value)
{
    (void)cook;
    (void)value;
    return false;
}

static void host_write(PtsCook *cook, const PtsValue *value, char *text, size_t size)
{
    Eval *eval = own(cook);
    Buf buf = {.arena = eval->arena};
    if (value->sym != PTS_SYM_NONE) {
        pts_sym_text(cook->context, value->sym, text, size);
    } else if (value_repr(&buf, *(const Value *)value->origin, 0)) {
        Str shown = buf_str(&buf);
        snprintf(text, size, "%.*s", STR_ARG(shown));
    }
}

static PtsSym host_unknown(PtsCook *cook)
{
    return drive_unknown(own(cook));
}

static void host_lose(PtsCook *cook, const PtsValue *tensor)
{
    drive_lose(own(cook), value_from(own(cook), tensor));
}

/* An operation of whose result only the form is known, such as a cast that may do nothing. */
static PtsValue host_form(PtsCook *cook, const PtsSlotInfo *form, PtsDtype dtype)
{
    Eval *eval = own(cook);
    PtsError error;
    eval->drive->carried = true;
    if (!drive_may_record(eval)) {
        cook->failed = true;
        return pts_value_tensor(PTS_SLOT_NONE);
    }
    return pts_value_tensor(pts_declare_partial(eval->drive->program, dtype, form->rank,
                                                form->shape, form->format, "",
                                                drive_site(eval, eval->drive->node), &error));
}

static const PtsCookHost host = {
    .emit = host_emit,
    .refuse = host_refuse,
    .warn = host_warn,
    .info = host_info,
    .element = host_element,
    .take_form = host_take_form,
    .whole = host_whole,
    .write = host_write,
    .unknown = host_unknown,
    .lose = host_lose,
    .form = host_form,
};

/* --- running one */

static Value follow(Eval *eval, const PtsRecipe *recipe, const PtsValue *arguments)
{
    PtsCook cook = {.host = &host,
                    .self = eval,
                    .context = eval->drive->context,
                    .is_9_1 = eval->product != NULL && eval->product->version == PRODUCT_9_1};
    PtsValue result;
    if (!pts_recipe_follow(recipe, &cook, arguments, &result)) {
        return value_unknown();
    }
    if (result.kind == PTS_VALUE_UNKNOWN) {
        eval->drive->carried = true;
    }
    return value_from(eval, &result);
}

Value drive_cook(Eval *eval, const char *name, uint32_t count, Value *arguments)
{
    const PtsRecipe *recipe = pts_recipe_find(name, strlen(name));
    PtsValue values[MOST_PARAMETERS];
    eval->drive->moved = eval->drive->moved || strcmp(name, "__getitem__") != 0;
    for (uint32_t i = 0; i < MOST_PARAMETERS; i++) {
        values[i] = i < count ? value_of(eval, &arguments[i], 0) : pts_value(PTS_VALUE_MISSING);
    }
    return follow(eval, recipe, values);
}

/* All positional arguments as a tuple. */
static Value all_arguments(Eval *eval, const Arguments *arguments)
{
    Value tuple = value_sequence(eval->arena, VALUE_TUPLE, arguments->positional);
    for (uint32_t i = 0; i < arguments->positional; i++) {
        sequence_add(eval->arena, tuple.as.sequence, arguments->values[i]);
    }
    return tuple;
}

/* The recipe of a function, or NULL. It is remembered for entries of the table only: any other fact
 * is on a caller's stack, where the next one may have the same address. */
static const PtsRecipe *recipe_of(Eval *eval, const ApiFact *fact)
{
    if (fact < api_facts || fact >= api_facts + api_fact_count) {
        return pts_recipe_find(fact->name, strlen(fact->name));
    }
    KnownRecipe *known = &eval->recipes[(uintptr_t)fact / sizeof *fact % RECIPE_SLOTS];
    if (known->fact != fact) {
        *known = (KnownRecipe){fact, pts_recipe_find(fact->name, strlen(fact->name))};
    }
    return known->recipe;
}

bool drive_cooked(Eval *eval, const Arguments *arguments, const ApiFact *fact, Value *result)
{
    const PtsRecipe *recipe = recipe_of(eval, fact);
    if (recipe == NULL) {
        return false;
    }
    PtsValue values[MOST_PARAMETERS];
    Str rest = str_from(pts_recipe_parameters(recipe));
    for (uint32_t place = 0; rest.length > 0 && place < MOST_PARAMETERS; place++) {
        size_t end = str_find(rest, STR(" "), 0);
        Str word = str_slice(rest, 0, end);
        rest = end == SIZE_MAX ? STR("") : str_slice(rest, end + 1, rest.length);
        bool marked = word.at[0] == '*' || word.at[0] == '+';
        const char *name = str_dup(eval->arena, str_slice(word, marked, word.length));
        const Value *given =
            drive_argument(arguments, name, word.at[0] == '*' ? UINT32_MAX : place);
        Value *kept = ARENA_NEW(eval->arena, Value);
        if (word.at[0] == '+') {
            *kept = all_arguments(eval, arguments);
        } else if (given != NULL) {
            *kept = *given;
        }
        bool missing = word.at[0] != '+' && given == NULL;
        values[place] = missing ? pts_value(PTS_VALUE_MISSING) : value_of(eval, kept, 0);
    }
    *result = follow(eval, recipe, values);
    if (result->kind == VALUE_UNKNOWN && fact->gives_tensor) {
        *result = value_tensor();
    }
    return true;
}

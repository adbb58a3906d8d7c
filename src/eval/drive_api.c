/* Functions of the package that record one operation: their arguments into operands and
 * attributes. */
#include "eval/drive_recipes.h"

#include <math.h>

/* --- arguments */

static bool is_among(Str names, Str name)
{
    while (names.length > 0) {
        size_t end = str_find(names, STR("|"), 0);
        if (str_equal(str_slice(names, 0, end), name)) {
            return true;
        }
        names = end == SIZE_MAX ? STR("") : str_slice(names, end + 1, names.length);
    }
    return false;
}

static const Value *find_argument(const Arguments *arguments, Str names, uint32_t place)
{
    if (place < arguments->positional) {
        return &arguments->values[place];
    }
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        if (is_among(names, arguments->names[i])) {
            return &arguments->values[arguments->positional + i];
        }
    }
    return NULL;
}

const Value *drive_argument(const Arguments *arguments, const char *names, uint32_t place)
{
    return find_argument(arguments, str_from(names), place);
}

/* --- attributes */

typedef struct Filling {
    Eval *eval;
    const Recipe *recipe;
    PtsAttributes attributes;
    Value operands[PTS_MAX_OPERANDS];
    uint32_t count;
    bool known, refused;
} Filling;

static void refuse_kind(Filling *filling, Str name, const char *wanted, Value value)
{
    const char *kind = drive_kind_name(value);
    filling->known = false;
    if (kind == NULL || filling->refused) {
        return;
    }
    filling->refused = true;
    drive_refuse(filling->eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                 "%s(): '%.*s' must be %s, not %s", filling->recipe->name, STR_ARG(name), wanted,
                 kind);
}

static void fill_int(Filling *filling, Str name, Value value, int *field, unsigned open)
{
    value = drive_plain(filling->eval, value);
    if (value.kind == VALUE_INT && value.as.integer >= INT32_MIN && value.as.integer <= INT32_MAX) {
        *field = (int)value.as.integer;
    } else if (value.kind == VALUE_MEMBER && value.handle > 0) {
        *field = (int)value.handle - 1;
    } else if (value.kind == VALUE_FLOAT || value.kind == VALUE_NONE || value.kind == VALUE_STR ||
               value.kind == VALUE_LIST || value.kind == VALUE_TENSOR) {
        refuse_kind(filling, name, "an integer", value);
    } else {
        filling->attributes.unknown |= open;
    }
}

static void fill_bool(Filling *filling, Str name, Value value, bool *field)
{
    *field = value.kind == VALUE_BOOL && value.as.integer != 0;
    if (drive_kind_name(value) == NULL) {
        filling->attributes.unknown |= PTS_UNKNOWN_KEEPDIM;
    } else if (value.kind != VALUE_BOOL) {
        refuse_kind(filling, name, "a bool", value);
    }
}

static void fill_real(Filling *filling, Value value, double *field)
{
    value = drive_plain(filling->eval, value);
    if (value.kind == VALUE_FLOAT || (value.kind == VALUE_ELEMENT && value.flag)) {
        *field = value.as.number;
    } else if (value.kind == VALUE_INT || value.kind == VALUE_ELEMENT) {
        *field = (double)value.as.integer;
    } else {
        filling->attributes.unknown |= PTS_UNKNOWN_COUNT;
    }
}

static void fill_list(Filling *filling, Str name, Value value, char kind)
{
    Eval *eval = filling->eval;
    PtsAttributes *attributes = &filling->attributes;
    if (kind == 'V' && value.kind == VALUE_NONE) {
        return;
    }
    SymList list = drive_list(eval, value, kind == 'O');
    if (list.is_bad) {
        filling->known = false;
        return;
    }
    if (!list.fits && value_has_items(value)) {
        filling->refused = true;
        filling->known = false;
        drive_refuse(eval, EVAL_SHAPE, PTS_VALUE_ERROR, 0xF00002,
                     "%s(): '%.*s' has %d entries; at most %d are possible", filling->recipe->name,
                     STR_ARG(name), list.count, PTS_MAX_RANK);
        return;
    }
    if (!list.fits || !list.known || (kind == 'S' && !list.fixed)) {
        attributes->unknown |= PTS_UNKNOWN_LISTS;
        return;
    }
    int *rank = kind == 'O'   ? &attributes->offset_rank
                : kind == 'V' ? &attributes->valid_rank
                              : &attributes->shape_rank;
    PtsSym *items = kind == 'O'   ? attributes->offsets
                    : kind == 'V' ? attributes->valid
                                  : attributes->shape;
    *rank = list.count;
    memcpy(items, list.items, sizeof list.items);
}

static void fill_operand(Filling *filling, Str name, Value value, char kind)
{
    bool tensor = value.kind == VALUE_TENSOR;
    bool none = value.kind == VALUE_NONE;
    filling->operands[filling->count++] = value;
    if (kind == 'T' && !tensor) {
        refuse_kind(filling, name, "a tensor", value);
    } else if (kind == '?' && !tensor && !none) {
        filling->known = false;
    } else if (kind == 'C' && (value.kind == VALUE_INT || value.kind == VALUE_BOOL)) {
        refuse_kind(filling, name, "a tensor, a float or an Element", value);
    } else if (kind != 'T' && (value.kind == VALUE_STR || value.kind == VALUE_LIST ||
                               value.kind == VALUE_DICT || value.kind == VALUE_TUPLE)) {
        refuse_kind(filling, name, "a tensor or a number", value);
    }
}

/* The attribute that a kind of parameter is; NULL: none of ints, none of flags. */
static int *int_field(PtsAttributes *attributes, char kind)
{
    switch (kind) {
    case 'd':
        return &attributes->dim;
    case 'e':
        return &attributes->dim1;
    case 'c':
        return &attributes->count;
    case 'm':
        return &attributes->mode;
    default:
        return NULL;
    }
}

static bool *bool_field(PtsAttributes *attributes, char kind)
{
    switch (kind) {
    case 'k':
        return &attributes->keepdim;
    case 'l':
        return &attributes->largest;
    case 'g':
        return &attributes->descending;
    case 'a':
        return &attributes->a_trans;
    case 'b':
        return &attributes->b_trans;
    default:
        return NULL;
    }
}

static void fill_sym(Filling *filling, Value value, PtsSym *field)
{
    *field = drive_sym(filling->eval, drive_plain(filling->eval, value));
    filling->attributes.unknown |= *field == PTS_SYM_NONE ? PTS_UNKNOWN_COUNT : 0U;
}

static void fill(Filling *filling, Str name, Value value, char kind)
{
    PtsAttributes *attributes = &filling->attributes;
    int *number = int_field(attributes, kind);
    bool *flag = bool_field(attributes, kind);
    int dtype = kind == 'y' ? drive_dtype(value) : -1;
    if (number != NULL) {
        attributes->has_dim = attributes->has_dim || kind == 'd';
        bool axis = kind == 'd' || kind == 'e';
        fill_int(filling, name, value, number, axis ? PTS_UNKNOWN_DIM : PTS_UNKNOWN_COUNT);
    } else if (flag != NULL) {
        fill_bool(filling, name, value, flag);
    } else if (kind == 'r') {
        fill_real(filling, value, &attributes->real);
    } else if (kind == 'y') {
        attributes->dtype = dtype < 0 ? PTS_BOTTOM : (PtsDtype)dtype;
        attributes->unknown |= dtype < 0 ? PTS_UNKNOWN_DTYPE : 0U;
    } else if (kind == 'D') {
        fill_sym(filling, value, &attributes->diagonal);
    } else if (kind == 'Z') {
        attributes->shape_rank = 1;
        fill_sym(filling, value, &attributes->shape[0]);
    } else if (kind == 'S' || kind == 'L' || kind == 'O' || kind == 'V') {
        fill_list(filling, name, value, kind);
    } else if (kind != 'x') {
        fill_operand(filling, name, value, kind);
    }
}

/* An argument that is left out: None for an operand, "=…" or the attribute's own default. */
static void fill_missing(Filling *filling, Str name, Str word, char kind)
{
    size_t equals = str_find(word, STR("="), 0);
    int64_t number = 0;
    if (equals != SIZE_MAX) {
        number = word.at[equals + 1] == '-' ? -1 : 0;
        fill(filling, name, value_int(number), kind);
    } else if (kind == 'r') {
        filling->attributes.real = 0.01; /* lrelu's */
    } else if (kind == '?' || kind == 'N') {
        fill(filling, name, value_none(), kind);
    }
}

/* where() asks for the condition's data type before anything else. */
static bool has_condition(Eval *eval, const Recipe *recipe, const Arguments *arguments)
{
    PtsSlotInfo info;
    bool asked = recipe->op == PTS_OP_WHERE && arguments->positional > 0 &&
                 drive_info(eval, arguments->values[0], &info) && info.dtype != PTS_BOTTOM &&
                 info.dtype != PTS_BOOL;
    if (asked) {
        drive_refuse(eval, EVAL_DTYPE, PTS_TYPE_ERROR, 0xF00001,
                     "where(): 'condition' must be a DT_BOOL tensor, not DataType.%s",
                     pts_dtype_name(info.dtype));
    }
    return !asked;
}

static Value follow(Eval *eval, const Recipe *recipe, const Arguments *arguments)
{
    Filling filling = {.eval = eval, .recipe = recipe, .attributes = PTS_ATTRIBUTES, .known = true};
    Str rest = str_from(recipe->parameters);
    for (uint32_t place = 0; rest.length > 0 && !eval->stopped; place++) {
        size_t end = str_find(rest, STR(" "), 0);
        Str word = str_slice(rest, 0, end);
        rest = end == SIZE_MAX ? STR("") : str_slice(rest, end + 1, rest.length);
        size_t colon = str_find(word, STR(":"), 0);
        Str names = str_slice(word, word.at[0] == '@' ? 1 : 0, colon);
        char kind = word.at[colon + 1];
        Str name = str_slice(names, 0, str_find(names, STR("|"), 0));
        const Value *given = find_argument(arguments, names, place);
        bool default_none = given != NULL && given->kind == VALUE_NONE &&
                            str_find(word, STR("="), 0) != SIZE_MAX && kind == 'd';
        if (given != NULL && !default_none) {
            fill(&filling, name, *given, kind);
        } else {
            fill_missing(&filling, name, word, kind);
        }
    }
    if (eval->stopped) {
        return value_unknown();
    }
    return drive_emit(eval, recipe->op, filling.count, filling.operands,
                      filling.known ? &filling.attributes : NULL);
}

/* --- calls */

/* A callee that may do anything: it may write what it gets and set tiles. */
static Value anything(Eval *eval, const Arguments *arguments)
{
    Drive *drive = eval->drive;
    if (!drive_may_record(eval)) {
        return value_unknown();
    }
    drive->carried = true;
    drive_lose_tiles(eval);
    for (uint32_t i = 0; i < arguments->positional + arguments->keywords; i++) {
        drive_lose(eval, arguments->values[i]);
        if (value_is_sequence(arguments->values[i]) || arguments->values[i].kind == VALUE_DICT) {
            drive_end(eval); /* it may hold tensors */
        }
    }
    return value_unknown();
}

static Value call_symbolic(Eval *eval, const Arguments *arguments, Str name, bool *found)
{
    Value first = arguments->positional > 0 ? arguments->values[0] : value_unknown();
    Value second = arguments->positional > 1 ? arguments->values[1] : value_unknown();
    *found = true;
    if ((str_is(name, "min") || str_is(name, "max")) && arguments->positional == 2) {
        return drive_symbol_operation(eval, str_is(name, "min") ? PTS_SYM_MIN : PTS_SYM_MAX, first,
                                      second);
    }
    if (str_is(name, "cond") && arguments->positional == 1) {
        return first.kind == VALUE_SYMBOL || first.kind == VALUE_BOOL ? first : value_unknown();
    }
    if (str_is(name, "is_loop_begin") || str_is(name, "is_loop_end")) {
        return arguments->positional == 1 ? drive_edge(eval, first, str_is(name, "is_loop_end"))
                                          : value_unknown();
    }
    if (str_is(name, "symbolic_scalar") || str_is(name, "SymbolicScalar")) {
        return arguments->positional == 1 && drive_is_integer(first) ? first : value_unknown();
    }
    *found = false;
    return value_unknown();
}

Value drive_api(Eval *eval, const Arguments *arguments, const ApiFact *fact)
{
    Drive *drive = eval->drive;
    Str name = str_from(fact->name);
    Value result;
    bool found;
    drive->node = arguments->call;
    if (arguments->open) {
        return anything(eval, arguments);
    }
    if (!drive_check_dtypes(eval, arguments, fact)) {
        return value_tensor();
    }
    if (str_is(name, "loop") || str_is(name, "loop_unroll")) {
        Arguments *copy = ARENA_NEW(eval->arena, Arguments);
        *copy = *arguments;
        return (Value){.kind = VALUE_LOOP, .flag = str_is(name, "loop_unroll"), .as.loop = copy};
    }
    result = call_symbolic(eval, arguments, name, &found);
    if (found || drive_setting(eval, arguments, name, &result) ||
        drive_cooked(eval, arguments, fact, &result) ||
        drive_composed(eval, arguments, name, &result)) {
        return result;
    }
    const Recipe *recipe = drive_recipe(name);
    if (recipe != NULL && !has_condition(eval, recipe, arguments)) {
        return value_tensor();
    }
    if (recipe != NULL) {
        return follow(eval, recipe, arguments);
    }
    anything(eval, arguments);
    return fact->gives_tensor ? value_tensor() : value_unknown();
}

/* t.exp() is pypto.exp(t), but for assemble and move. */
Value drive_method(Eval *eval, const Arguments *arguments, Value self, Str name)
{
    Arguments with = *arguments;
    uint32_t count = arguments->positional + arguments->keywords + 1;
    with.values = ARENA_ARRAY(eval->arena, Value, count + 1);
    with.nodes = ARENA_ARRAY(eval->arena, NodeId, count + 1);
    with.values[0] = self;
    with.nodes[0] = arguments->call;
    memcpy(with.values + 1, arguments->values, (count - 1) * sizeof *with.values);
    memcpy(with.nodes + 1, arguments->nodes, (count - 1) * sizeof *with.nodes);
    with.positional++;
    eval->drive->node = arguments->call;
    if (str_is(name, "move") && with.positional == 2 && !with.open) {
        return drive_cook(eval, "move", 2, with.values);
    }
    if (str_is(name, "assemble")) {
        const Value *source = drive_argument(arguments, "src", 0);
        const Value *offsets = drive_argument(arguments, "offsets", 1);
        Value given[3] = {source == NULL ? value_unknown() : *source,
                          offsets == NULL ? value_unknown() : *offsets, self};
        Arguments turned = {.call = arguments->call,
                            .values = given,
                            .positional = 3,
                            .nodes = with.nodes,
                            .names = arguments->names};
        return drive_api(eval, &turned, api_fact_find(name));
    }
    const ApiFact *fact = api_fact_find(name);
    if (fact != NULL) {
        return drive_api(eval, &with, fact);
    }
    const ApiFact method = {.name = str_dup(eval->arena, name), .gives_tensor = true};
    Value result; /* of a function that is there as a method only */
    return !with.open && drive_cooked(eval, &with, &method, &result) ? result
                                                                     : anything(eval, &with);
}

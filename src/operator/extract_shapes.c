/* Extract: the shapes that SPEC.md declares and those that a test writes. */
#include "operator/extract.h"

#include "base/ascii.h"
#include "operator/text.h"

/* --- set of shapes */

static Str shape_key(Shape shape)
{
    return (Str){(const char *)shape.sizes, shape.count * sizeof *shape.sizes};
}

bool shape_set_has(const ShapeSet *set, Shape shape)
{
    return map_find(&set->known, shape_key(shape)) != MAP_NONE;
}

static void shape_set_add(Arena *arena, ShapeSet *set, Shape shape)
{
    if (!shape_set_has(set, shape)) {
        map_add(&set->known, arena, shape_key(shape));
        VEC_PUSH(arena, &set->shapes, shape);
    }
}

Str shape_show(Arena *arena, Shape shape)
{
    Buf out = {.arena = arena};
    buf_add(&out, STR("["));
    for (uint32_t i = 0; i < shape.count; i++) {
        buf_addf(&out, "%s%lld", i == 0 ? "" : ", ", (long long)shape.sizes[i]);
    }
    buf_add(&out, STR("]"));
    return buf_str(&out);
}

/* --- p0_shapes */

/* Do all elements convert to integers? Then the shape, in the arena. */
static bool integer_list(Arena *arena, const Value *value, Shape *shape)
{
    if (!value_is(value, VALUE_LIST)) {
        return false;
    }
    int64_t *sizes = ARENA_ARRAY(arena, int64_t, value->count + 1);
    for (uint32_t i = 0; i < value->count; i++) {
        if (!value_to_int(value->items[i], &sizes[i])) {
            return false;
        }
    }
    *shape = (Shape){sizes, value->count, value->line};
    return true;
}

static void add_declared(Arena *arena, P0Shapes *out, const Value *value)
{
    Shape shape;
    if (!integer_list(arena, value, &shape)) {
        return;
    }
    if (shape.count >= 2) {
        shape_set_add(arena, &out->shapes, shape);
    } else {
        out->short_shapes += shape.count == 1;
    }
}

P0Shapes p0_shapes_read(Arena *arena, const Value *p0_shapes)
{
    P0Shapes out = {0};
    if (!value_is(p0_shapes, VALUE_LIST)) {
        return out;
    }
    for (uint32_t i = 0; i < p0_shapes->count; i++) {
        const Value *item = p0_shapes->items[i];
        Shape shape;
        if (item->kind == VALUE_MAPPING) {
            for (uint32_t k = 0; k < item->count; k++) {
                add_declared(arena, &out, item->entries[k].value);
            }
        } else if (integer_list(arena, item, &shape)) {
            add_declared(arena, &out, item);
        } else if (item->kind == VALUE_LIST) {
            for (uint32_t k = 0; k < item->count; k++) {
                add_declared(arena, &out, item->items[k]);
            }
        }
    }
    return out;
}

/* --- shapes in a test */

/* Digits from `*at`, as a number that saturates. */
static int64_t read_size(Str text, size_t *at)
{
    int64_t size = 0;
    for (; *at < text.length && is_digit(text.at[*at]); (*at)++) {
        int64_t digit = text.at[*at] - '0';
        size = size > (INT64_MAX - digit) / 10 ? INT64_MAX : size * 10 + digit;
    }
    return size;
}

typedef VEC(int64_t) Sizes;

/* Reads `8, 16)` after an opening bracket; returns where reading stopped. */
static size_t read_sizes(Arena *arena, Str text, size_t at, Sizes *sizes, bool *closed)
{
    *closed = false;
    while (at < text.length && is_digit(text.at[at])) {
        int64_t size = read_size(text, &at);
        VEC_PUSH(arena, sizes, size);
        *closed = at < text.length && (text.at[at] == ']' || text.at[at] == ')');
        size_t comma = text_skip_space(text, at);
        if (*closed || comma >= text.length || text.at[comma] != ',') {
            break;
        }
        at = text_skip_space(text, comma + 1);
    }
    return at;
}

void shapes_in_text(Arena *arena, Str text, ShapeSet *set)
{
    for (size_t at = 0; at < text.length;) {
        if (text.at[at] != '[' && text.at[at] != '(') {
            at++;
            continue;
        }
        Sizes sizes = {0};
        bool closed;
        at = read_sizes(arena, text, at + 1, &sizes, &closed);
        if (closed && sizes.count >= 2) {
            shape_set_add(arena, set, (Shape){sizes.items, sizes.count, 0});
        }
    }
}

static void add_pair(Arena *arena, ShapeSet *set, const Module *module, NodeId first, NodeId second)
{
    int64_t *sizes = ARENA_ARRAY(arena, int64_t, 2);
    if (first != NO_NODE && second != NO_NODE && node_int(module, first, true, &sizes[0]) &&
        node_int(module, second, true, &sizes[1])) {
        shape_set_add(arena, set, (Shape){sizes, 2, 0});
    }
}

/* The name in `torch.name(…)`, else empty. */
static Str torch_call(const Module *module, NodeId call)
{
    NodeId func = call_func(module, call);
    bool torch = node_is(module, func, NODE_ATTRIBUTE) &&
                 node_is_name(module, attribute_value(module, func), STR("torch"));
    return torch ? node_name(module, func) : STR("");
}

static void shapes_of_call(Arena *arena, const Module *module, NodeId call, ShapeSet *set)
{
    NodeId first = call_arg(module, call, 0), second = call_arg(module, call, 1);
    NodeId third = call_arg(module, call, 2);
    if (str_is(call_name(module, call), "_run_and_check") && third != NO_NODE) {
        add_pair(arena, set, module, second, third);
        return;
    }
    Str name = torch_call(module, call);
    bool makes = str_is(name, "randn") || str_is(name, "zeros") || str_is(name, "ones") ||
                 str_is(name, "empty") || str_is(name, "full");
    if (!makes || first == NO_NODE) {
        return;
    }
    if (str_is(name, "randn") && second != NO_NODE) {
        add_pair(arena, set, module, first, second);
    }
    if (node_is(module, first, NODE_LIST) || node_is(module, first, NODE_TUPLE)) {
        add_pair(arena, set, module, node_nth(module, first, ROLE_ELT, 0),
                 node_nth(module, first, ROLE_ELT, 1));
    }
}

ShapeSet covered_shapes(Arena *arena, const PyFile *test)
{
    ShapeSet set = {0};
    shapes_in_text(arena, test->parsed.source.text, &set);
    const Module *module = pyfile_module(test);
    if (module == NULL) {
        return set;
    }
    NodeList calls = module_nodes(module, NODE_CALL);
    for (uint32_t i = 0; i < calls.count; i++) {
        shapes_of_call(arena, module, calls.ids[i], &set);
    }
    return set;
}

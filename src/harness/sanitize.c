/* Sanitize: see sanitize.h. The walk keeps its own stack: a tree may be deeper than ours. */
#include "harness/sanitize.h"

#include "base/vec.h"

typedef VEC(json_t *) Trees;

static const char *const forbidden[] = {
    "golden_tensors", "golden_values", "golden_source", "raw_inputs",
    "input_tensors",  "truth",         "truth_tuple",
};

static void clean_object(Arena *arena, json_t *object, Trees *open)
{
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        json_object_del(object, forbidden[i]);
    }
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        VEC_PUSH(arena, open, value);
    }
}

void sanitize(Arena *arena, json_t *root)
{
    Trees open = {0};
    VEC_PUSH(arena, &open, root);
    while (open.count > 0) {
        json_t *tree = open.items[--open.count];
        if (json_is_object(tree)) {
            clean_object(arena, tree, &open);
        }
        for (size_t i = 0; i < json_array_size(tree); i++) {
            VEC_PUSH(arena, &open, json_array_get(tree, i));
        }
    }
}

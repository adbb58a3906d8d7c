/* Tiles and other settings of a kernel that is being recorded. */
#include "eval/drive.h"

#include <stdio.h>

/* The ints of a list; unknown ones become open entries. False if there are too many. */
static bool ints_of(Eval *eval, const Value *items, uint32_t count, int64_t *numbers, uint32_t most)
{
    for (uint32_t i = 0; i < count && count <= most; i++) {
        Value value = drive_plain(eval, items[i]);
        numbers[i] = value.kind == VALUE_INT ? value.as.integer : PTS_TILE_UNKNOWN;
    }
    return count <= most;
}

static void set_vector_tile(Eval *eval, const Arguments *arguments)
{
    Drive *drive = eval->drive;
    int64_t tile[PTS_MAX_TILE];
    PtsError error;
    const Value *items = arguments->values;
    uint32_t count = arguments->positional;
    pts_config_lose_vector_tile(drive->context);
    bool one = count == 1 && (value_is_sequence(items[0]) || items[0].kind == VALUE_UNKNOWN);
    if (one && value_is_sequence(items[0])) {
        drive_refuse(eval, EVAL_VECTOR_TILE, PTS_TYPE_ERROR, 0xF00001,
                     "set_vec_tile_shapes() takes integers, not a %s of them: write "
                     "set_vec_tile_shapes(*shape)",
                     items[0].kind == VALUE_LIST ? "list" : "tuple");
    }
    if (one || (count <= PTS_MAX_TILE &&
                !drive_check_tile(eval, EVAL_VECTOR_TILE, "set_vec_tile_shapes", items, count))) {
        return;
    }
    if (count < 1 || count > PTS_MAX_TILE) {
        drive_refuse(eval, EVAL_VECTOR_TILE, PTS_VALUE_ERROR, 0xF00002,
                     "set_vec_tile_shapes() takes 1 to %d integers, not %u", PTS_MAX_TILE, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        Value value = drive_plain(eval, items[i]);
        if (value.kind == VALUE_INT && value.as.integer <= 0) {
            drive_refuse(eval, EVAL_VECTOR_TILE, PTS_VALUE_ERROR, 0xF00002,
                         "set_vec_tile_shapes() takes positive integers, not %lld",
                         (long long)value.as.integer);
            return;
        }
    }
    if (ints_of(eval, items, count, tile, PTS_MAX_TILE) &&
        !pts_config_set_vector_tile(drive->context, (int)count, tile, &error)) {
        drive_refused(eval, EVAL_VECTOR_TILE, &error);
    }
}

/* False if it was refused. An unknown list leaves the entries open. */
static bool cube_list(Eval *eval, const Value *given, const char *name, int least, int most,
                      int64_t *numbers)
{
    for (int i = 0; i < most; i++) {
        numbers[i] = PTS_TILE_UNKNOWN;
    }
    bool scalar = given != NULL && (value_is_int(*given) || given->kind == VALUE_FLOAT ||
                                    given->kind == VALUE_STR || given->kind == VALUE_NONE);
    if (scalar) {
        drive_refuse(eval, EVAL_CUBE_TILE, PTS_TYPE_ERROR, 0xF00001, "%s must be a list, not %s",
                     name, value_type(*given));
        return false;
    }
    if (given == NULL || !value_has_items(*given)) {
        return true;
    }
    int count = (int)given->as.sequence->count;
    if (count < least || count > most) {
        drive_refuse(eval, EVAL_CUBE_TILE, PTS_VALUE_ERROR, 0xF00002,
                     "%s must have %s elements, not %d", name,
                     least == most ? "exactly 2" : "2 or 3", count);
        return false;
    }
    if (!drive_check_tile(eval, EVAL_CUBE_TILE, "set_cube_tile_shapes", given->as.sequence->items,
                          (uint32_t)count)) {
        return false;
    }
    ints_of(eval, given->as.sequence->items, (uint32_t)count, numbers, 3);
    if (count == 2 && most == 3) {
        numbers[2] = numbers[1];
    }
    return true;
}

static void set_cube_tile(Eval *eval, const Arguments *arguments)
{
    Drive *drive = eval->drive;
    PtsCubeTile tile = {.set = true};
    PtsError error;
    const Value *split = drive_argument(arguments, "enable_split_k", 3);
    pts_config_lose_cube_tile(drive->context);
    bool ok = cube_list(eval, drive_argument(arguments, "m", 0), "m", 2, 2, tile.m) &&
              cube_list(eval, drive_argument(arguments, "k", 1), "k", 2, 3, tile.k) &&
              cube_list(eval, drive_argument(arguments, "n", 2), "n", 2, 2, tile.n);
    tile.split_k = split != NULL && split->kind == VALUE_BOOL && split->as.integer != 0;
    if (ok && !pts_config_set_cube_tile(drive->context, &tile, &error)) {
        drive_refused(eval, EVAL_CUBE_TILE, &error);
    }
}

static Value vector_tile(Eval *eval)
{
    int64_t tile[PTS_MAX_TILE];
    int count = pts_config_vector_tile(eval->drive->context, tile);
    if (count < 0) {
        return value_unknown();
    }
    Value list = value_sequence(eval->arena, VALUE_LIST, (uint32_t)count);
    list.as.sequence->birth = eval->clock;
    for (int i = 0; i < count; i++) {
        sequence_add(eval->arena, list.as.sequence,
                     tile[i] == PTS_TILE_UNKNOWN ? value_number() : value_int(tile[i]));
    }
    return list;
}

void drive_options(Eval *eval, const Arguments *arguments)
{
    static const char *const names[] = {"vec_tile_shapes", "cube_tile_shapes"};
    const Value *lists[2] = {NULL, NULL};
    bool open = arguments->open || arguments->positional > 1;
    eval->drive->has_conv_tiles = eval->drive->has_conv_tiles ||
                                  drive_argument(arguments, "conv_tile_shapes", UINT32_MAX) != NULL;
    for (uint32_t i = 0; i < arguments->keywords; i++) {
        const Value *value = &arguments->values[arguments->positional + i];
        for (int k = 0; k < 2; k++) {
            lists[k] = str_is(arguments->names[i], names[k]) && value->kind != VALUE_NONE
                           ? value
                           : lists[k];
        }
    }
    if (open) {
        drive_lose_tiles(eval);
        return;
    }
    for (int k = 0; k < 2; k++) {
        Arguments inner = {.call = arguments->call};
        if (lists[k] == NULL) {
            continue;
        }
        if (value_has_items(*lists[k])) {
            inner.values = lists[k]->as.sequence->items;
            inner.positional = lists[k]->as.sequence->count;
        }
        if (k == 0 && inner.positional > 0) {
            set_vector_tile(eval, &inner);
        } else if (k == 0) {
            pts_config_lose_vector_tile(eval->drive->context);
        } else if (inner.positional >= 3) {
            set_cube_tile(eval, &inner);
        } else {
            pts_config_lose_cube_tile(eval->drive->context);
        }
    }
}

/* Functions that neither record nor set tiles. */
static const char *const harmless[] = {"set_pass_options",
                                       "set_host_options",
                                       "set_codegen_options",
                                       "set_runtime_options",
                                       "set_verify_options",
                                       "set_debug_options",
                                       "set_semantic_label",
                                       "set_matrix_size",
                                       "set_conv_tile_shapes",
                                       "log_debug",
                                       "log_info",
                                       "log_warn",
                                       "log_error",
                                       "log_event",
                                       "set_print_options",
                                       "set_global_config",
                                       "pass_verify_print",
                                       "pass_verify_save",
                                       "log_fatal",
                                       "set_log_level",
                                       "get_log_level",
                                       "get_current_function",
                                       "get_last_function",
                                       "get_current_scope",
                                       "get_options_tree",
                                       "get_global_config",
                                       "set_pass_config",
                                       "get_pass_config",
                                       "get_pass_configs",
                                       "set_pass_default_config",
                                       "get_pass_default_config",
                                       "experimental.set_operation_options",
                                       "experimental.get_operation_options",
                                       "pypto_impl.TileL0Info",
                                       "pypto_impl.TileL1Info",
                                       "get_cube_tile_shapes",
                                       "get_conv_tile_shapes",
                                       "get_pass_options",
                                       "get_host_options",
                                       "get_runtime_options",
                                       "get_debug_options",
                                       "get_codegen_options",
                                       "get_verify_options"};

bool drive_setting(Eval *eval, const Arguments *arguments, Str name, Value *result)
{
    *result = value_none();
    eval->drive->has_conv_tiles =
        eval->drive->has_conv_tiles || str_is(name, "set_conv_tile_shapes");
    if (str_is(name, "get_vec_tile_shapes")) {
        *result = vector_tile(eval);
        return true;
    }
    if (str_is(name, "set_semantic_label") && arguments->positional == 1) {
        drive_check_text(eval, arguments->values[0], "set_semantic_label() takes a string");
    }
    bool vector = str_is(name, "set_vec_tile_shapes"), cube = str_is(name, "set_cube_tile_shapes");
    if (!vector && !cube) {
        *result = value_unknown();
        return STR_IS_ANY(name, harmless);
    }
    if (!drive_may_record(eval)) {
        return true;
    }
    if (vector) {
        set_vector_tile(eval, arguments);
    } else {
        set_cube_tile(eval, arguments);
    }
    return true;
}

/* The tiles of a convolution: FC6101 when they do not fit into the buffers, and what documentation
 * says of channels. */
#include "model/infer.h"

enum {
    FIELDS = 3, /* numbers in one entry of attributes.valid */
    FIELD_BITS = 20,
    CHANNELS_BYTES = 32 /* C0 */
};

/* In the order of set_conv_tile_shapes; 0 = not given. */
typedef enum ConvTileField {
    TILE_H_IN,
    TILE_H_OUT,
    TILE_W_IN,
    TILE_W_OUT,
    TILE_CIN_INPUT,
    TILE_CIN_WEIGHT,
    TILE_N,
    TILE_BATCH,
    TILE_L0_H,
    TILE_L0_W,
    TILE_L0_K,
    TILE_L0_N,
    TILE_COUNT
} ConvTileField;

typedef struct ConvTile {
    PtsEmit *emit;
    int64_t field[TILE_COUNT];
    int64_t size; /* bytes of an element */
} ConvTile;

/* A buffer and what one tile holds of it: input and weight, or the sums. */
typedef struct ConvBuffer {
    const char *name;
    int64_t room, first, second;
} ConvBuffer;

static void read_tile(ConvTile *tile)
{
    const PtsAttributes *attributes = &tile->emit->attributes;
    for (int i = 0; i < TILE_COUNT; i++) {
        int64_t entry = 0;
        if (i / FIELDS < attributes->valid_rank) {
            pts_sym_value(tile->emit->context, attributes->valid[i / FIELDS], &entry);
        }
        tile->field[i] = entry >> (i % FIELDS * FIELD_BITS) & ((INT64_C(1) << FIELD_BITS) - 1);
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Extent of a spatial axis, counted from the last; 1 where there is none. */
static int64_t space_of(PtsEmit *emit, int tensor, int from_last)
{
    const PtsSlotState *state = emit->tensor[tensor];
    int axis = state->rank - 1 - from_last;
    return axis < 2 ? 1 : emit_extent(emit, state->shape[axis]);
}

static int64_t whole_channels(const ConvTile *tile)
{
    int64_t unit = CHANNELS_BYTES / tile->size;
    int64_t channels = emit_extent(tile->emit, tile->emit->tensor[1]->shape[1]);
    return channels < 0 ? -1 : (channels + unit - 1) / unit * unit;
}

static bool check_channel_tile(const ConvTile *tile, ConvTileField field, const char *name)
{
    int64_t unit = CHANNELS_BYTES / tile->size, given = tile->field[field];
    int64_t most = whole_channels(tile);
    if (given == 0 || most < 0 || (given % unit == 0 && given <= most)) {
        return true;
    }
    return pts_record_warn(
        tile->emit->program, 0, "conv-tile", tile->emit->site,
        "conv: %s must be a multiple of %lld and at most %lld (the channels of a "
        "group, rounded up), it is %lld",
        name, (long long)unit, (long long)most, (long long)given);
}

static bool check_buffer(const ConvTile *tile, const ConvBuffer *buffer)
{
    int64_t total = buffer->first + buffer->second;
    return buffer->room <= 0 || total <= buffer->room ||
           emit_limit(tile->emit, "conv-capacity", 0xFC6101, "BUFFER_LIMIT",
                      "conv: the tiles take %lld + %lld = %lld bytes of %s, which has %lld",
                      (long long)buffer->first, (long long)buffer->second, (long long)total,
                      buffer->name, (long long)buffer->room);
}

static bool check_l1(const ConvTile *tile, const PtsSoc *soc)
{
    const int64_t *field = tile->field;
    PtsEmit *emit = tile->emit;
    if (field[TILE_H_IN] == 0 || field[TILE_W_IN] == 0 || field[TILE_CIN_INPUT] == 0) {
        return true;
    }
    for (int tensor = 0; tensor < 2; tensor++) {
        for (int i = 0; i < emit->tensor[tensor]->rank; i++) {
            if (emit_extent(emit, emit->tensor[tensor]->shape[i]) < 0) {
                return true; /* not known */
            }
        }
    }
    int64_t batch = field[TILE_BATCH] > 0 ? field[TILE_BATCH] : 1;
    int64_t input = least(batch, emit_extent(emit, emit->tensor[0]->shape[0])) *
                    least(field[TILE_H_IN], space_of(emit, 0, 1)) *
                    least(field[TILE_W_IN], space_of(emit, 0, 0)) *
                    least(field[TILE_CIN_INPUT], whole_channels(tile)) * tile->size;
    int64_t weight = least(field[TILE_N], emit_extent(emit, emit->tensor[1]->shape[0])) *
                     least(field[TILE_CIN_WEIGHT], whole_channels(tile)) * space_of(emit, 1, 0) *
                     space_of(emit, 1, 1) * tile->size;
    return check_buffer(tile, &(ConvBuffer){"MEM_L1", soc->l1, input, weight});
}

static bool check_l0(const ConvTile *tile, const PtsSoc *soc)
{
    const int64_t *field = tile->field;
    int64_t places = field[TILE_L0_H] * field[TILE_L0_W];
    const ConvBuffer buffers[] = {
        {"MEM_L0A", soc->l0a, places * field[TILE_L0_K] * tile->size, 0},
        {"MEM_L0B", soc->l0b, field[TILE_L0_K] * field[TILE_L0_N] * tile->size, 0},
        {"MEM_L0C", soc->l0c, places * field[TILE_L0_N] * 4, 0},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers && ok; i++) {
        ok = check_buffer(tile, &buffers[i]);
    }
    return ok;
}

bool pts_check_conv(PtsEmit *emit)
{
    const PtsSoc *soc = pts_context_soc(emit->context);
    ConvTile tile = {.emit = emit, .size = (int64_t)pts_dtype_bytes(emit->first->dtype)};
    read_tile(&tile);
    if (tile.size <= 0) {
        return true; /* a data type that is not known */
    }
    return check_channel_tile(&tile, TILE_CIN_INPUT, "tileCinFmap") &&
           check_channel_tile(&tile, TILE_CIN_WEIGHT, "tileCinWeight") && check_l1(&tile, soc) &&
           check_l0(&tile, soc);
}

/* Categories: the tables; see category.h. */
#include "harness/judge/category.h"

#include "base/ascii.h"
#include "operator/text.h"

const char *category_name(Category category)
{
    static const char *const names[] = {
        [CATEGORY_STRUCTURAL] = "structural", [CATEGORY_RUNTIME] = "runtime",
        [CATEGORY_PRECISION] = "precision",   [CATEGORY_OTHER] = "other",
        [CATEGORY_INFRA] = "infra",           [CATEGORY_NONE] = "other",
    };
    return names[category];
}

const char *verdict_category_name(VerdictCategory route)
{
    static const char *const names[] = {
        [ROUTE_PRECISION] = "precision",
        [ROUTE_AICORE] = "aicore",
        [ROUTE_HOST_CRASH] = "host_crash",
        [ROUTE_WORKSPACE_OVERLAP] = "workspace_overlap",
        [ROUTE_OOM] = "oom",
        [ROUTE_TILE_SHAPE] = "tile_shape",
        [ROUTE_STRUCTURE] = "structure",
        [ROUTE_LAYOUT] = "layout",
        [ROUTE_TIMEOUT] = "timeout",
        [ROUTE_OTHER] = "other",
    };
    return names[route];
}

/* Codes with a single cause. For all other codes the message decides. */
static const struct {
    const char *code;
    VerdictCategory route;
} code_routes[] = {
    {"F0000C", ROUTE_TILE_SHAPE}, /* INVALID_TILE, of matmul */
    {"F21003", ROUTE_TILE_SHAPE}, /* INVALID_VAL of the graph: tile shape not set */
    {"F40005", ROUTE_TILE_SHAPE}, /* MEMORY_ALLOCATION: the tile exceeds an on-chip buffer */
    {"F42003", ROUTE_TILE_SHAPE}, /* FUNCTION_EXPAND_FEATURE: rank of the tile */
    {"FC1000", ROUTE_TILE_SHAPE}, /* CONFIG_TILE */
    {"FC1001", ROUTE_TILE_SHAPE}, /* CONFIG_ALIGNMENT */
    {"FC4000", ROUTE_TILE_SHAPE}, /* configuration of matmul */
    {"FC4001", ROUTE_TILE_SHAPE}, {"FC4002", ROUTE_TILE_SHAPE},
    {"FC6101", ROUTE_TILE_SHAPE}, /* buffer limit of conv */
};

/* Where a text is searched for: a log also has warnings, which say less than a message. */
enum { IN_MESSAGE = 1, IN_LOG = 2, IN_BOTH = 3 };

/* The first one found decides. In lower case; case does not matter. */
static const struct {
    const char *text;
    VerdictCategory route;
    uint8_t where;
} text_routes[] = {
    {"rtmalloc failed", ROUTE_OOM, IN_BOTH},
    {"out of memory", ROUTE_OOM, IN_BOTH},
    {"memoryerror", ROUTE_OOM, IN_BOTH},
    {"std::bad_alloc", ROUTE_OOM, IN_BOTH},
    {"can't allocate memory", ROUTE_OOM, IN_BOTH},
    {"cannot allocate memory", ROUTE_OOM, IN_BOTH},
    {"aicore error", ROUTE_AICORE, IN_BOTH},
    {"ai core error", ROUTE_AICORE, IN_BOTH},
    {"aicore exception", ROUTE_AICORE, IN_BOTH},
    {".cce", ROUTE_AICORE, IN_BOTH},
    {"workspace overlap", ROUTE_WORKSPACE_OVERLAP, IN_BOTH},
    {"overlapping workspace", ROUTE_WORKSPACE_OVERLAP, IN_BOTH},
    {"tile shape not set", ROUTE_TILE_SHAPE, IN_BOTH},
    {"buffer size exceeded", ROUTE_TILE_SHAPE, IN_BOTH},
    {"l0a size exceeded", ROUTE_TILE_SHAPE, IN_BOTH},
    {"l0b size exceeded", ROUTE_TILE_SHAPE, IN_BOTH},
    {"l0c size exceeded", ROUTE_TILE_SHAPE, IN_BOTH},
    {"l1 size exceeded", ROUTE_TILE_SHAPE, IN_BOTH},
    {"ub size exceeded", ROUTE_TILE_SHAPE, IN_BOTH},
    {"in/output total size", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"tile shape", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"tile size", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"tile align", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"invalid tile values", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"invalid l1/l0 relation", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"must be aligned to", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"split-k", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"split_k", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"ol48", ROUTE_TILE_SHAPE, IN_MESSAGE},
    {"segmentation fault", ROUTE_HOST_CRASH, IN_BOTH},
    {"fatal python error", ROUTE_HOST_CRASH, IN_LOG},
};

static bool route_of_code(Str code, VerdictCategory *route)
{
    for (size_t i = 0; i < sizeof code_routes / sizeof *code_routes; i++) {
        if (str_is(code, code_routes[i].code)) {
            *route = code_routes[i].route;
            return true;
        }
    }
    return false;
}

/* Does the word end here? For file names that end in .cce; true for all other parts. */
static bool is_whole(Str text, size_t at, Str part)
{
    size_t end = at + part.length;
    if (part.at[0] != '.' || end >= text.length) {
        return true;
    }
    char next = text.at[end];
    return !is_word_char(next);
}

static bool holds(Str text, Str part)
{
    for (size_t at = 0; at < text.length; at++) {
        at = text_find_folded(text, part, at);
        if (at == SIZE_MAX) {
            return false;
        }
        if (is_whole(text, at, part)) {
            return true;
        }
    }
    return false;
}

static bool route_of_text(Str text, uint8_t where, VerdictCategory *route)
{
    for (size_t i = 0; i < sizeof text_routes / sizeof *text_routes; i++) {
        if ((text_routes[i].where & where) != 0 && holds(text, str_from(text_routes[i].text))) {
            *route = text_routes[i].route;
            return true;
        }
    }
    return false;
}

/* The code after the last `ErrCode:` in the text, or nothing. */
static Str last_code(Str text)
{
    enum { CODE_LENGTH = 6 };
    const Str mark = STR("errcode:");
    Str code = STR("");
    for (size_t at = text_find_folded(text, mark, 0); at != SIZE_MAX;
         at = text_find_folded(text, mark, at)) {
        at += mark.length;
        while (at < text.length && is_blank(text.at[at])) {
            at++;
        }
        Str found = str_slice(text, at, at + CODE_LENGTH);
        code = found.length == CODE_LENGTH && found.at[0] == 'F' ? found : code;
    }
    return code;
}

VerdictCategory verdict_category_of(Str code, Str message, Str log)
{
    VerdictCategory route = ROUTE_OTHER;
    Str known = code.length > 0 ? code : last_code(message);
    if (route_of_code(known, &route) || route_of_text(message, IN_MESSAGE, &route)) {
        return route;
    }
    if (route_of_text(log, IN_LOG, &route) || known.length > 0) {
        return route;
    }
    (void)route_of_code(last_code(log), &route);
    return route;
}

VerdictCategory verdict_category_of_values(Str log)
{
    VerdictCategory route = ROUTE_OTHER;
    (void)route_of_text(log, IN_LOG, &route);
    return route == ROUTE_AICORE || route == ROUTE_WORKSPACE_OVERLAP ? route : ROUTE_PRECISION;
}

/* Which operator; see operator_place.h. */
#include "cli/operator_place.h"

#include "base/path.h"
#include "harness/plan/contract.h"
#include "lint/discover.h"
#include "operator/state.h"

static bool is_path(Str op)
{
    return str_contains(op, STR("/")) || str_is(op, ".") || str_is(op, "..");
}

static bool name_is_usable(Str name)
{
    if (!is_python_name(name)) {
        print_error("%.*s cannot name an operator: its files are Python modules", STR_ARG(name));
        return false;
    }
    return true;
}

bool operator_name_of(Arena *arena, Str op, Str *name)
{
    *name = is_path(op) ? directory_name(arena, op) : op;
    return name_is_usable(*name);
}

static bool find_by_name(Arena *arena, Str op, Str *dir)
{
    Str folders[] = {str_format(arena, "custom/%.*s", STR_ARG(op)), str_from(str_dup(arena, op))};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (file_is_directory(folders[i].at)) {
            *dir = folders[i];
            return true;
        }
    }
    print_error("no operator %.*s: neither custom/%.*s nor %.*s is a folder here", STR_ARG(op),
                STR_ARG(op), STR_ARG(op));
    return false;
}

static bool find_here(Arena *arena, Str *dir)
{
    Str found;
    if (!operator_of_folder(arena, working_directory(arena), &found)) {
        print_error("not in an operator directory: name the operator with --op");
        return false;
    }
    *dir = str_from(str_dup(arena, found));
    return true;
}

bool operator_place(Arena *arena, Str op, Str op_dir, OperatorPlace *place)
{
    if (op.length > 0 && op_dir.length > 0) {
        print_error("--op and --op-dir exclude each other");
        return false;
    }
    Str path = op_dir.length > 0 ? op_dir : is_path(op) ? op : STR("");
    if (path.length > 0) {
        path = path_without_slash(path);
        place->dir = str_copy(arena, path);
        if (!file_is_directory(place->dir.at)) {
            print_error("%.*s is not a folder", STR_ARG(path));
            return false;
        }
    } else if (op.length > 0 ? !find_by_name(arena, op, &place->dir)
                             : !find_here(arena, &place->dir)) {
        return false;
    }
    OperatorState state = state_read(arena, place->dir);
    place->name =
        state.operator_name.length > 0 ? state.operator_name : directory_name(arena, place->dir);
    return name_is_usable(place->name);
}

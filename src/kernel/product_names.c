/* Names of an installed package; see product_names.h.
 *
 * A list of modules still to read grows with the imports of those read before; a module is
 * read once, so cycles end. Each file is parsed in an arena of its own. */
#include "kernel/product_names.h"

#include "base/map.h"
#include "base/path.h"

/* A module of the package: "" for the package itself, "op.math". */
typedef struct PackageModule {
    Strs names;          /* bound at its top */
    VEC(uint32_t) stars; /* modules that it takes with `*` */
    bool has_all;        /* `names` are those of a literal __all__ */
    bool is_missing;     /* no file: part of the compiled extension, say */
} PackageModule;

typedef struct Package {
    Arena *arena;
    Str folder;  /* without symlinks */
    Map numbers; /* name of a module → its number */
    VEC(PackageModule) modules;
    ReadFiles *files;
    size_t bytes;
    bool partial;
} Package;

/* What is being taken from one file; `path` is the module's name, `is_package` that of a folder. */
typedef struct Taking {
    Package *package;
    const Module *module;
    Str path;
    bool is_package;
    PackageModule made;
    Str text; /* of the file */
    Arena *scratch;
} Taking;

static uint32_t module_number(Package *package, Str path)
{
    uint32_t number = map_find(&package->numbers, path);
    if (number == MAP_NONE && package->numbers.keys.count < PRODUCT_MAX_FILES) {
        Str kept = {str_dup(package->arena, path), path.length};
        number = map_add(&package->numbers, package->arena, kept);
        PackageModule none = {.has_all = false};
        VEC_PUSH(package->arena, &package->modules, none);
    }
    package->partial = package->partial || number == MAP_NONE;
    return number;
}

static void add_name(Taking *taking, Str name)
{
    Arena *arena = taking->package->arena;
    if (name.length == 0 || name.at[0] == '_' || name.length > PRODUCT_MAX_NAME) {
        return;
    }
    if (taking->made.names.count >= PRODUCT_MAX_NAMES) {
        taking->package->partial = true;
        return;
    }
    Str kept = {str_dup(arena, name), name.length};
    VEC_PUSH(arena, &taking->made.names, kept);
}

/* --- imports */

static Str without_last(Str path)
{
    size_t at = path.length;
    while (at > 0 && path.at[at - 1] != '.') {
        at--;
    }
    return str_slice(path, 0, at > 0 ? at - 1 : 0);
}

static Str joined(Arena *arena, Str folder, Str name)
{
    return folder.length == 0 ? name
           : name.length == 0 ? folder
                              : str_format(arena, "%.*s.%.*s", STR_ARG(folder), STR_ARG(name));
}

/* The module below the package that `from` names; false for one of another package. */
static bool imported_module(const Taking *taking, const Node *from, Str *path)
{
    Str name = {from->name, from->name_length};
    if (from->extra == 0) {
        if (!is_pypto_module(name)) {
            return false;
        }
        *path = str_slice(name, sizeof "pypto", name.length);
        return true;
    }
    Str base = taking->is_package ? taking->path : without_last(taking->path);
    for (uint32_t up = 1; up < from->extra; up++) {
        if (base.length == 0) {
            return false; /* above the package */
        }
        base = without_last(base);
    }
    *path = joined(taking->scratch, base, name);
    return true;
}

/* Notes the modules on the way to one: "op", then "op.math". Returns the number of the last. */
static uint32_t note_module(Taking *taking, Str path)
{
    uint32_t number = 0;
    for (size_t at = 0; at < path.length;) {
        size_t dot = str_find(path, STR("."), at);
        at = dot == SIZE_MAX ? path.length : dot;
        number = module_number(taking->package, str_slice(path, 0, at));
        at++;
    }
    return number;
}

/* A module's path on disk, without the ending of a file. */
static Str module_place(const Package *package, Arena *scratch, Str path)
{
    char *place = str_dup(scratch, path);
    for (size_t i = 0; i < path.length; i++) {
        place[i] = place[i] == '.' ? '/' : place[i];
    }
    return path.length == 0 ? package->folder
                            : path_join(scratch, package->folder, str_from(place));
}

/* Is there a file or folder for a sub-module of that name? */
static bool may_be_module(const Taking *taking, Str path)
{
    Str folder = module_place(taking->package, taking->scratch, path);
    return file_is_directory(folder.at) ||
           file_exists(str_format(taking->scratch, "%s.py", folder.at).at);
}

static void take_from(Taking *taking, NodeId id)
{
    const Module *module = taking->module;
    Str path;
    bool own = imported_module(taking, node_at(module, id), &path);
    uint32_t number = own ? note_module(taking, path) : MAP_NONE;
    for (NodeId alias = node_child(module, id, ROLE_NAME); alias != NO_NODE;
         alias = node_next(module, alias)) {
        if (!str_is(node_name(module, alias), "*")) {
            add_name(taking, alias_bound_name(module, alias));
            Str below = joined(taking->scratch, path, node_name(module, alias));
            if (own && number != MAP_NONE && may_be_module(taking, below)) {
                note_module(taking, below);
            }
        } else if (number != MAP_NONE) {
            VEC_PUSH(taking->package->arena, &taking->made.stars, number);
        } else {
            taking->package->partial = true;
        }
    }
}

static void take_import(Taking *taking, NodeId id)
{
    const Module *module = taking->module;
    for (NodeId alias = node_child(module, id, ROLE_NAME); alias != NO_NODE;
         alias = node_next(module, alias)) {
        add_name(taking, alias_bound_name(module, alias));
        Str name = node_name(module, alias);
        if (str_starts(name, STR("pypto."))) {
            note_module(taking, str_slice(name, sizeof "pypto", name.length));
        }
    }
}

/* --- bindings */

/* Is the name a target: of an assignment, a loop, a `with`? */
static bool is_target(const Module *module, NodeId id)
{
    while (true) {
        const Node *node = node_at(module, id);
        NodeKind parent = node_kind(module, node->parent);
        if (node->role == ROLE_TARGET) {
            return parent != NODE_DELETE &&
                   (parent != NODE_ANN_ASSIGN ||
                    node_child(module, node->parent, ROLE_VALUE) != NO_NODE);
        }
        if (node->role == ROLE_OPTIONAL_VARS) {
            return true;
        }
        if (parent != NODE_TUPLE && parent != NODE_LIST && parent != NODE_STARRED) {
            return false;
        }
        id = node->parent;
    }
}

/* `__all__ = [...]` of literal names; true when the statement is about __all__. */
static bool take_all(Taking *taking, NodeId id)
{
    const Module *module = taking->module;
    NodeId target = node_child(module, id, ROLE_TARGET);
    NodeId value = node_child(module, id, ROLE_VALUE);
    if (target == NO_NODE || !node_is_name(module, target, STR("__all__"))) {
        return false;
    }
    if (taking->path.length == 0) {
        return true; /* attributes of the package do not ask it */
    }
    bool is_list = node_is(module, id, NODE_ASSIGN) && value != NO_NODE &&
                   (node_is(module, value, NODE_LIST) || node_is(module, value, NODE_TUPLE));
    VEC(Str) found = {0};
    for (NodeId item = is_list ? node_child(module, value, ROLE_ELT) : NO_NODE; item != NO_NODE;
         item = node_next(module, item)) {
        Str name;
        is_list = is_list && node_string(module, item, taking->scratch, &name);
        if (is_list) {
            VEC_PUSH(taking->scratch, &found, name);
        }
    }
    if (!is_list) {
        taking->package->partial = true;
        return true;
    }
    taking->made.names.count = 0;
    for (uint32_t i = 0; i < found.count; i++) {
        add_name(taking, found.items[i]);
    }
    taking->made.has_all = true;
    return true;
}

/* Does only a type checker run what is below this `if`? */
static bool is_for_types(const Module *module, NodeId id)
{
    NodeId test = node_child(module, id, ROLE_TEST);
    const Node *node = node_at(module, test);
    return (node->kind == NODE_NAME || node->kind == NODE_ATTRIBUTE) &&
           str_is(node_name(module, test), "TYPE_CHECKING");
}

static bool has_own_scope(NodeKind kind)
{
    return kind == NODE_FUNCTION_DEF || kind == NODE_ASYNC_FUNCTION_DEF || kind == NODE_CLASS_DEF ||
           kind == NODE_LAMBDA || (kind >= NODE_LIST_COMP && kind <= NODE_GENERATOR_EXP);
}

static bool is_type_only(const Module *module, NodeId id)
{
    const Node *node = node_at(module, id);
    return node->role == ROLE_BODY && node_is(module, node->parent, NODE_IF) &&
           is_for_types(module, node->parent);
}

/* What the statements at the top of the module bind, those in `try` and `if` included. After a
 * literal __all__ no other binding counts. */
static void take_names(Taking *taking)
{
    const Module *module = taking->module;
    for (NodeId id = 1; id < module->node_count;) {
        const Node *node = node_at(module, id);
        NodeKind kind = (NodeKind)node->kind;
        if (is_type_only(module, id)) {
            id = node->subtree_end;
            continue;
        }
        bool closed = taking->made.has_all;
        uint32_t before = taking->made.names.count;
        if (kind == NODE_IMPORT_FROM) {
            take_from(taking, id);
        } else if (kind == NODE_IMPORT) {
            take_import(taking, id);
        } else if (kind == NODE_ASSIGN || kind == NODE_AUG_ASSIGN || kind == NODE_ANN_ASSIGN) {
            closed = take_all(taking, id) ? false : closed;
        } else if (has_own_scope(kind)) {
            add_name(taking, node_name(module, id));
        } else if (kind == NODE_NAME && is_target(module, id)) {
            add_name(taking, node_name(module, id));
        }
        taking->made.names.count = closed ? before : taking->made.names.count;
        id = has_own_scope(kind) ? node->subtree_end : id + 1;
    }
}

static void take_module(void *argument)
{
    Taking *taking = argument;
    Parsed parsed;
    python_parse(&parsed, taking->scratch, taking->path, taking->text);
    taking->module = parsed.module;
    if (parsed.module != NULL) {
        take_names(taking);
    }
    taking->package->partial = taking->package->partial || parsed.status == PARSE_ERROR;
}

/* --- files */

/* The file of a module, if it is a regular one inside the package. */
static Str module_file(const Package *package, Arena *scratch, Str path, bool *is_package)
{
    static const char *const ends[] = {"/__init__.py", ".py", "/__init__.pyi", ".pyi"};
    Str base = module_place(package, scratch, path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        bool is_folder = i % 2 == 0;
        Str real = path_real(scratch, str_format(scratch, "%.*s%s", STR_ARG(base), ends[i]));
        Str inside;
        if (real.length > 0 && file_is_regular(real.at) &&
            path_below(package->folder, real, &inside)) {
            *is_package = is_folder;
            return real;
        }
    }
    return STR("");
}

typedef struct Reading {
    Taking *taking;
    uint32_t number;
    struct stat info;
    Str file;
} Reading;

static void read_file(void *argument)
{
    Reading *reading = argument;
    Taking *taking = reading->taking;
    Package *package = taking->package;
    size_t left = PRODUCT_MAX_BYTES - package->bytes;
    size_t limit = left < PRODUCT_MAX_FILE_BYTES ? left : PRODUCT_MAX_FILE_BYTES;
    Str reason;
    if (file_read(taking->scratch, reading->file.at, limit, &taking->text, &reason) != FILE_OK) {
        package->partial = true;
        return;
    }
    package->bytes += taking->text.length;
    ReadFile entry = {.path = {str_dup(package->arena, reading->file), reading->file.length},
                      .seconds = reading->info.st_mtim.tv_sec,
                      .nanoseconds = reading->info.st_mtim.tv_nsec,
                      .size = reading->info.st_size};
    VEC_PUSH(package->arena, package->files, entry);
    package->partial = !arena_try(taking->scratch, take_module, taking) || package->partial;
    package->modules.items[reading->number] = taking->made;
}

/* Reads one module, as far as it has a file. Its tree is given back. */
static void read_module(Package *package, uint32_t number)
{
    Arena scratch;
    Reading reading = {.number = number};
    arena_init(&scratch, PRODUCT_PARSE_BUDGET);
    Taking taking = {
        .package = package, .path = package->numbers.keys.items[number], .scratch = &scratch};
    reading.taking = &taking;
    reading.file = module_file(package, &scratch, taking.path, &taking.is_package);
    package->modules.items[number].is_missing = true;
    bool good = true;
    if (reading.file.length > 0 && file_stat(reading.file.at, &reading.info)) {
        package->modules.items[number].is_missing = false;
        good = arena_try(package->arena, read_file, &reading);
    }
    arena_free(&scratch);
    if (!good) {
        arena_fail(package->arena);
    }
}

/* --- the names of the package */

static void collect(Package *package, Strs *names)
{
    Arena *arena = package->arena;
    bool seen[PRODUCT_MAX_FILES] = {true};
    VEC(uint32_t) open = {0};
    VEC_PUSH(arena, &open, 0);
    while (open.count > 0) {
        const PackageModule *module = &package->modules.items[open.items[--open.count]];
        for (uint32_t i = 0; i < module->names.count; i++) {
            VEC_PUSH(arena, names, module->names.items[i]);
        }
        package->partial = package->partial || module->is_missing;
        for (uint32_t i = 0; i < module->stars.count && !module->has_all; i++) {
            uint32_t star = module->stars.items[i];
            if (!seen[star]) {
                seen[star] = true;
                VEC_PUSH(arena, &open, star);
            }
        }
    }
}

bool product_names_read(Arena *arena, Str folder, Strs *names, ReadFiles *files, bool *partial)
{
    Package package = {.arena = arena, .folder = path_real(arena, folder), .files = files};
    module_number(&package, STR(""));
    if (package.folder.length > 0) {
        read_module(&package, 0);
    }
    if (files->count == 0) {
        return false;
    }
    for (uint32_t i = 1; i < package.numbers.keys.count; i++) {
        Str path = package.numbers.keys.items[i];
        read_module(&package, i);
        if (str_find(path, STR("."), 0) == SIZE_MAX && path.at[0] != '_') {
            VEC_PUSH(arena, names, path); /* an attribute once it was imported */
        }
    }
    collect(&package, names);
    strs_sort_unique(names);
    *partial = package.partial;
    return true;
}

/* Finding the installed package; see product.h. Nothing is started, and of the package's own files
 * only regular ones inside its folder are read. */
#include "kernel/product_names.h"

#include "base/path.h"
#include "base/program.h"

#include <stdlib.h>

/* Bounds for what a project or an environment variable can make us look at. */
enum {
    MAX_SITES = 64,         /* folders of packages */
    MAX_PATH_FILES = 64,    /* *.pth in one folder of packages */
    MAX_PATH_BYTES = 65536, /* of one of them */
    MAX_TEXT_BYTES = 262144 /* of METADATA, version.info, version.cmake, entry.py */
};

typedef struct Search {
    Arena *arena;
    Strs sites; /* where packages may lie, in the order that counts */
    InstalledProduct *found;
} Search;

static Str text_of(Search *search, Str path)
{
    Str text, reason;
    bool read = file_read(search->arena, path.at, MAX_TEXT_BYTES, &text, &reason) == FILE_OK;
    return read ? text : STR("");
}

static Str file_in(Search *search, Str folder, const char *name)
{
    return path_join(search->arena, folder, str_from(name));
}

/* The rest of the first line that begins with `start`, up to the first empty line. */
static Str header(Str text, Str start)
{
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR("\n"), at);
        end = end == SIZE_MAX ? text.length : end;
        Str line = str_trim(str_slice(text, at, end));
        if (line.length == 0) {
            break;
        }
        if (str_starts(line, start)) {
            return str_trim(str_slice(line, start.length, line.length));
        }
        at = end + 1;
    }
    return STR("");
}

/* --- the version */

/* The number that a source tree says: set_cann_package(pypto VERSION "9.2.0") in version.cmake. */
static Str number_of_tree(Search *search, Str package)
{
    Str folder = package;
    for (int up = 0; up < 4; up++) {
        Str text = text_of(search, file_in(search, folder, "version.cmake"));
        size_t call = str_find(text, STR("set_cann_package("), 0);
        size_t word = call == SIZE_MAX ? SIZE_MAX : str_find(text, STR("VERSION \""), call);
        if (word != SIZE_MAX) {
            size_t start = word + sizeof "VERSION \"" - 1;
            size_t end = str_find(text, STR("\""), start);
            return end == SIZE_MAX ? STR("") : str_slice(text, start, end);
        }
        folder = path_parent(folder);
        folder = (Str){str_dup(search->arena, folder), folder.length};
    }
    return STR("");
}

/* The number in the metadata beside a package. */
static Str number_of_metadata(Search *search, Str site)
{
    DirEntries entries = {0};
    directory_list(search->arena, site.at, &entries);
    for (uint32_t i = 0; i < entries.count; i++) {
        Str name = entries.items[i].name;
        if (str_starts(name, STR("pypto-")) && str_ends(name, STR(".dist-info"))) {
            Str path =
                path_join(search->arena, path_join(search->arena, site, name), STR("METADATA"));
            Str number = header(text_of(search, path), STR("X-Run-Version:"));
            if (number.length > 0) {
                return number;
            }
        }
    }
    return STR("");
}

/* What `new_ir` of the decorator is by default: 1, 0, or -1 when the package does not have it. */
static int new_front_end(Search *search, Str package)
{
    Str text = text_of(search, file_in(search, package, "frontend/parser/entry.py"));
    size_t at = 0;
    while ((at = str_find(text, STR("new_ir"), at)) != SIZE_MAX) {
        at += sizeof "new_ir" - 1;
        size_t end = at;
        while (end < text.length && strchr("=,)\n#", text.at[end]) == NULL) {
            end++;
        }
        Str rest = str_trim(str_slice(text, end < text.length ? end + 1 : end, end + 16));
        if (end < text.length && text.at[end] == '=' && str_starts(rest, STR("True"))) {
            return 1;
        }
        if (end < text.length && text.at[end] == '=' && str_starts(rest, STR("False"))) {
            return 0;
        }
    }
    return -1;
}

/* The names decide over the number: a beta of 9.2 calls itself 9.1.0. */
static void settle_version(Search *search, InstalledProduct *found)
{
    int front_end = new_front_end(search, found->place);
    bool newer = found->has_names && strs_sorted_have(&found->names, STR("isnan")) &&
                 strs_sorted_have(&found->names, STR("jit"));
    if (newer || front_end == 1) {
        found->is_other = found->is_other && found->version == PRODUCT_9_2;
        found->version = PRODUCT_9_2;
    } else if (found->has_names && !found->is_partial) {
        found->is_other = found->is_other && found->version == PRODUCT_9_1;
        found->version = PRODUCT_9_1;
    }
    found->old_front_end = found->version == PRODUCT_9_2 && front_end == 0;
}

/* --- the package */

/* Has it the names that no kernel does without, and the folder of the product's operations? A
 * stand-in of somebody's tests has not, and says nothing about names. */
static bool has_core(Search *search, const InstalledProduct *found)
{
    static const char *const core[] = {"frontend", "Tensor", "loop", "view", "DT_FP32"};
    bool has =
        found->has_names && file_is_directory(path_join(search->arena, found->place, STR("op")).at);
    for (size_t i = 0; i < sizeof core / sizeof *core && has; i++) {
        has = strs_sorted_have(&found->names, str_from(core[i]));
    }
    return has;
}

/* Is it this program's simulator, which has the package's name? */
static bool is_simulator(Search *search, Str package)
{
    return file_is_regular(file_in(search, package, "_coverage.py").at);
}

static bool take_package(Search *search, Str folder)
{
    Str given = file_in(search, folder, "pypto");
    if (!file_is_regular(file_in(search, given, "__init__.py").at) || is_simulator(search, given)) {
        return false;
    }
    InstalledProduct *found = ARENA_NEW(search->arena, InstalledProduct);
    Str real = path_real(search->arena, given);
    found->place = real.length > 0 ? real : given;
    found->has_names =
        product_cache_read(search->arena, found->place, &found->names, &found->is_partial);
    if (!found->has_names) {
        ReadFiles files = {0};
        found->has_names = product_names_read(search->arena, found->place, &found->names, &files,
                                              &found->is_partial);
        if (found->has_names) {
            product_cache_write(search->arena, found->place, &found->names, &files,
                                found->is_partial);
        }
    }
    found->number = number_of_metadata(search, folder);
    if (found->number.length == 0) {
        found->number = number_of_tree(search, found->place);
    }
    found->version = PRODUCT_9_2;
    if (!product_version_nearest(found->number, &found->version, &found->is_other)) {
        found->number = STR("");
    }
    found->has_names = has_core(search, found) ||
                       (found->has_names && found->is_partial && found->number.length > 0);
    settle_version(search, found);
    bool is_product = found->number.length > 0 || found->has_names;
    search->found = is_product ? found : NULL; /* else another package of that name */
    return is_product;
}

/* An editable installation: folders that *.pth files name, and the tree of direct_url.json. */
static bool take_editable(Search *search, Str site)
{
    DirEntries entries = {0};
    unsigned files = 0;
    directory_list(search->arena, site.at, &entries);
    for (uint32_t i = 0; i < entries.count && files < MAX_PATH_FILES; i++) {
        Str name = entries.items[i].name;
        if (!str_ends(name, STR(".pth"))) {
            continue;
        }
        files++;
        Str text, reason;
        Str path = path_join(search->arena, site, name);
        if (file_read(search->arena, path.at, MAX_PATH_BYTES, &text, &reason) != FILE_OK) {
            continue;
        }
        for (size_t at = 0; at < text.length;) {
            size_t end = str_find(text, STR("\n"), at);
            end = end == SIZE_MAX ? text.length : end;
            Str line = str_trim(str_slice(text, at, end));
            at = end + 1;
            if (path_is_absolute(line) &&
                take_package(search, (Str){str_dup(search->arena, line), line.length})) {
                return true;
            }
        }
    }
    for (uint32_t i = 0; i < entries.count; i++) {
        Str name = entries.items[i].name;
        if (!str_starts(name, STR("pypto-")) || !str_ends(name, STR(".dist-info"))) {
            continue;
        }
        Str info = path_join(search->arena, site, name);
        Str text = text_of(search, file_in(search, info, "direct_url.json"));
        size_t start = str_find(text, STR("\"file:///"), 0);
        size_t end = start == SIZE_MAX ? SIZE_MAX : str_find(text, STR("\""), start + 1);
        if (end != SIZE_MAX) {
            Str root = str_slice(text, start + sizeof "\"file://" - 1, end);
            root = (Str){str_dup(search->arena, root), root.length};
            if (take_package(search, file_in(search, root, "python")) ||
                take_package(search, root)) {
                return true;
            }
        }
    }
    return false;
}

/* --- where packages lie */

static void add_site(Search *search, Str folder)
{
    if (folder.length > 0 && search->sites.count < MAX_SITES) {
        VEC_PUSH(search->arena, &search->sites, folder);
    }
}

static void add_variable(Search *search)
{
    const char *variable = getenv("PYTHONPATH");
    Str path = variable == NULL ? STR("") : str_from(variable);
    for (size_t start = 0; start < path.length;) {
        size_t end = str_find(path, STR(":"), start);
        end = end == SIZE_MAX ? path.length : end;
        Str folder = str_slice(path, start, end);
        add_site(search, (Str){str_dup(search->arena, folder), folder.length});
        start = end + 1;
    }
}

/* lib/python3.*: only that of `minor` ("python3.11"), unless it is empty. */
static void add_prefix(Search *search, Str prefix, Str minor)
{
    static const char *const libraries[] = {"local/lib", "lib", "lib64"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        DirEntries entries = {0};
        Str library = file_in(search, prefix, libraries[i]);
        directory_list(search->arena, library.at, &entries);
        for (uint32_t j = 0; j < entries.count; j++) {
            Str name = entries.items[j].name;
            bool wanted =
                str_is(name, "python3") || (str_starts(name, STR("python3.")) &&
                                            (minor.length == 0 || str_equal(name, minor)));
            if (wanted) {
                Str folder = path_join(search->arena, library, name);
                add_site(search, file_in(search, folder, "site-packages"));
                add_site(search, file_in(search, folder, "dist-packages"));
            }
        }
    }
}

/* The folders of an interpreter: of its virtual environment, else of its installation. */
static void add_interpreter(Search *search, Str path)
{
    Str absolute = path_absolute(search->arena, path);
    if (absolute.length == 0) {
        return;
    }
    Str folder = path_folder(absolute);
    Str prefix = path_folder((Str){str_dup(search->arena, folder), folder.length});
    prefix = (Str){str_dup(search->arena, prefix), prefix.length};
    if (file_is_regular(file_in(search, prefix, "pyvenv.cfg").at)) {
        add_prefix(search, prefix, STR(""));
        Str text = text_of(search, file_in(search, prefix, "pyvenv.cfg"));
        if (!str_contains(text, STR("include-system-site-packages = true"))) {
            return;
        }
    }
    Str real = path_real(search->arena, absolute);
    Str minor = str_starts(path_name(real), STR("python3.")) ? path_name(real) : STR("");
    folder = path_folder(path_folder(real));
    add_prefix(search, (Str){str_dup(search->arena, folder), folder.length}, minor);
    const char *home = getenv("HOME");
    if (home != NULL && path_is_absolute(str_from(home))) {
        add_prefix(search, str_format(search->arena, "%s/.local", home), minor);
    }
}

void product_environments(Arena *arena, Str folder, Strs *prefixes)
{
    static const char *const names[] = {".venv", "venv", "."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Str place = i == 2 ? folder : path_join(arena, folder, str_from(names[i]));
        if (file_is_regular(path_join(arena, place, STR("pyvenv.cfg")).at)) {
            VEC_PUSH(arena, prefixes, place);
        }
    }
}

/* The version of the toolkit, when there is no Python package. */
static void take_toolkit(Search *search)
{
    static const char *const places[] = {"share/info/pypto/version.info",
                                         "../share/info/pypto/version.info"};
    const char *home = getenv("ASCEND_HOME_PATH");
    for (size_t i = 0; home != NULL && path_is_absolute(str_from(home)) && i < 2; i++) {
        Str path = file_in(search, str_from(home), places[i]);
        Str number = header(text_of(search, path), STR("Version="));
        InstalledProduct found = {.place = path, .number = number};
        if (product_version_nearest(number, &found.version, &found.is_other)) {
            search->found = ARENA_NEW(search->arena, InstalledProduct);
            *search->found = found;
            return;
        }
    }
}

const InstalledProduct *product_installed(Arena *arena, const Strs *environments, Str python)
{
    Search search = {.arena = arena};
    add_variable(&search);
    const char *variable = getenv("PYPTO_LINT_PYTHON");
    if (python.length > 0 && str_contains(python, STR("/"))) {
        add_interpreter(&search, python);
    } else if (variable != NULL && strchr(variable, '/') != NULL) {
        add_interpreter(&search, str_from(variable));
    }
    for (uint32_t i = 0; i < environments->count; i++) {
        add_prefix(&search, environments->items[i], STR(""));
    }
    const char *usual = program_find(arena, STR("python3"));
    if (usual != NULL) {
        add_interpreter(&search, str_from(usual));
    }
    for (uint32_t i = 0; i < search.sites.count && search.found == NULL; i++) {
        Str site = search.sites.items[i];
        if (!take_package(&search, site)) {
            take_editable(&search, site);
        }
    }
    if (search.found == NULL) {
        take_toolkit(&search);
    }
    return search.found;
}

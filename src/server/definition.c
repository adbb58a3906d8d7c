/* Definitions: where a name is defined in its file, or in the implementation, golden, test or
 * module contract of its operator. */
#include "base/ascii.h"
#include "base/path.h"
#include "lint/discover.h"
#include "operator/operator.h"
#include "server/caret.h"
#include "server/job.h"

enum { MOST_FILES = 64, MOST_MODULES = 100 };

/* Finds where `name` is defined at the top level of Python text. */
static bool find_python(Str text, Str name, size_t *found)
{
    static const char *const heads[] = {"def ", "async def ", "class ", ""};
    for (size_t at = 0; at < text.length;) {
        size_t end = str_find(text, STR("\n"), at);
        end = end == SIZE_MAX ? text.length : end;
        Str line = str_slice(text, at, end);
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
            Str head = str_from(heads[i]);
            Str rest = str_slice(line, head.length, line.length);
            char next = rest.length > name.length ? rest.at[name.length] : '\0';
            bool assigns = head.length > 0 || next == ' ' || next == '=' || next == ':';
            if (str_starts(line, head) && str_starts(rest, name) && next != '\0' &&
                !is_word_char(next) && assigns) {
                *found = at + head.length;
                return true;
            }
        }
        at = end + 1;
    }
    return false;
}

/* Finds `name` in the text, but not as a part of a longer word. */
static bool find_word(Str text, Str name, size_t *found)
{
    for (size_t at = 0; (at = str_find(text, name, at)) != SIZE_MAX; at++) {
        size_t end = at + name.length;
        bool whole = (at == 0 || !is_word_char(text.at[at - 1])) &&
                     (end >= text.length || !is_word_char(text.at[end]));
        if (whole) {
            *found = at;
            return true;
        }
    }
    return false;
}

static void add_location(Work *work, const Source *source, size_t at, size_t length)
{
    Encoding encoding = work->facts->encoding;
    Range range = {position_of(source, (uint32_t)at, encoding),
                   position_of(source, (uint32_t)(at + length), encoding)};
    Buf *out = work->out;
    buf_add(out, out->at[out->length - 1] == '[' ? STR("{\"uri\":") : STR(",{\"uri\":"));
    json_add_string(out, work_uri(work, source->path));
    buf_add(out, STR(",\"range\":"));
    work_add_range(out, range);
    buf_add_char(out, '}');
}

/* Adds the Python files and module contracts of a folder. */
static void add_files(Work *work, Strs *files, Str folder)
{
    DirEntries entries;
    if (!directory_list(work->arena, str_dup(work->arena, folder), &entries)) {
        return;
    }
    for (uint32_t i = 0; i < entries.count && files->count < MOST_FILES; i++) {
        Str name = entries.items[i].name;
        bool fits = str_ends(name, STR(".py")) || str_is(name, "module_interfaces.yaml");
        if (fits && entries.items[i].is_regular) {
            VEC_PUSH(work->arena, files, path_join(work->arena, folder, name));
        }
    }
}

/* The files that a name may lead to: the file itself first. `*operator` gets the operator
 * directory, if there is one. */
static Strs candidates(Work *work, Str *operator)
{
    Strs files = {0};
    Str dir;
    Str folder = path_folder(work->path);
    VEC_PUSH(work->arena, &files, work->path);
    if (operator_of_folder(work->arena, folder, &dir)) {
        dir = *operator= str_copy(work->arena, dir);
        add_files(work, &files, dir);
        add_files(work, &files, path_join(work->arena, dir, STR("modules")));
        add_files(work, &files, path_join(work->arena, dir, STR("eval")));
    } else {
        add_files(work, &files, folder);
    }
    return files;
}

/* --- modules: `module_2` of a contract is `OP_module12_impl.py` and its companions */

/* The module number in the name of a file or function; 0 without one. */
static int module_of_name(Arena *arena, Str name)
{
    static const char mark[] = "_module";
    size_t at = str_find(name, STR("_module"), 0);
    size_t start = at == SIZE_MAX ? name.length : at + sizeof mark - 1;
    size_t end = start;
    while (end < name.length && is_digit(name.at[end])) {
        end++;
    }
    Str digits = str_slice(name, start, end);
    for (int k = 1; digits.length > 0 && k < MOST_MODULES; k++) {
        if (str_equal(digits, phase_suffix(arena, k))) {
            return k;
        }
    }
    return 0;
}

/* The number after the last `key` in the text; 0 without one. */
static int number_behind(Str text, Str key)
{
    size_t at = 0, last = SIZE_MAX;
    while ((at = str_find(text, key, at)) != SIZE_MAX) {
        last = at++;
    }
    int number = 0;
    for (at = last == SIZE_MAX ? text.length : last + key.length;
         at < text.length && is_digit(text.at[at]) && number < MOST_MODULES; at++) {
        number = number * 10 + (text.at[at] - '0');
    }
    return number;
}

/* The module that a word of a contract refers to: `module_2`, or the name of a module, whose id
 * precedes it. 0 for other words. */
static int module_of_word(Str text, const Caret *caret)
{
    int number =
        str_starts(caret->word, STR("module_")) ? number_behind(caret->word, STR("module_")) : 0;
    Str before = str_slice(text, 0, caret->word_start);
    bool name = str_ends(before, STR("\n    name: "));
    return number > 0 ? number : name ? number_behind(before, STR("- id: ")) : 0;
}

/* What the word at the place may mean. */
typedef struct Meaning {
    Str word;
    Str op;    /* the operator's name, when the word is that */
    int asked; /* the module that a contract names; 0: none */
    int own;   /* the module number in the word; 0: none */
} Meaning;

/* Is it one of the files `STEM_impl.py`, `STEM_golden.py` and `test_STEM.py`? */
static bool is_companion(Str file, Str stem)
{
    Str test = STR("test_");
    Str rest = str_starts(file, test) ? str_slice(file, test.length, file.length) : file;
    Str tail = str_slice(rest, stem.length, rest.length);
    return str_starts(rest, stem) && (str_is(tail, "_impl.py") || str_is(tail, "_golden.py") ||
                                      (rest.length < file.length && str_is(tail, ".py")));
}

/* Does the word refer to the whole file? `softmax_golden`, `module_interfaces.yaml`, `module_2`. */
static bool names_file(Arena *arena, Str path, const Meaning *meaning)
{
    Str file = path_name(path);
    bool python = str_ends(file, STR(".py"));
    bool module = python && meaning->asked > 0 && module_of_name(arena, file) == meaning->asked;
    bool companion = meaning->op.length > 0 && is_companion(file, meaning->op);
    return str_equal(file, meaning->word) || module || companion ||
           (python && str_equal(str_slice(file, 0, file.length - 3), meaning->word));
}

static void look_into(Work *work, Str path, const Meaning *meaning, bool here)
{
    Source source;
    size_t at = 0;
    if (!work_source(work, path, &source)) {
        return;
    }
    bool python = str_ends(path, STR(".py"));
    Str name = meaning->word;
    Str entry = str_format(work->arena, "- id: %d", meaning->own);
    if (!here && names_file(work->arena, path, meaning)) {
        add_location(work, &source, 0, 0);
    } else if (python && find_python(source.text, name, &at)) {
        add_location(work, &source, at, name.length);
    } else if (!python && !here && meaning->own > 0 && find_word(source.text, entry, &at)) {
        add_location(work, &source, at, entry.length);
    } else if (!python && !here && find_word(source.text, name, &at)) {
        add_location(work, &source, at, name.length);
    }
}

void definition_job(Work *work)
{
    Source source;
    buf_add(work->out, STR("["));
    if (work_source(work, work->path, &source)) {
        Caret caret = caret_at(source.text, work_offset(work, &source));
        bool contract = str_ends(work->path, STR(".yaml"));
        Str dir = STR("");
        Strs files = candidates(work, &dir);
        Meaning meaning = {.word = caret.word,
                           .op = str_equal(path_name(dir), caret.word) ? caret.word : STR(""),
                           .asked = contract ? module_of_word(source.text, &caret) : 0,
                           .own = contract ? 0 : module_of_name(work->arena, caret.word)};
        for (uint32_t i = 0; i < files.count && caret.word.length > 0; i++) {
            bool here = i == 0;
            if (here || !str_equal(files.items[i], work->path)) {
                look_into(work, files.items[i], &meaning, here);
            }
        }
    }
    buf_add(work->out, STR("]"));
}

/* Options of `check` that do not go together. */
#include "base/path.h"
#include "cli/command_check_options.h"

#include "base/utf8.h"

/* The options that leave something out by what git or a baseline says. */
static bool check_filters(const CheckOptions *options)
{
    const Question *what = &options->request.what;
    bool changes = what->staged || what->changed_since.length > 0;
    if (what->staged && what->changed_since.length > 0) {
        print_error("--staged and --changed-since exclude each other");
        return false;
    }
    if (what->new_only && !changes) {
        print_error("--new-only needs --changed-since or --staged");
        return false;
    }
    if (changes && options->read_stdin) {
        print_error("--staged and --changed-since do not go with the path '-'");
        return false;
    }
    if (!what->update_baseline) {
        return true;
    }
    if (what->baseline.length == 0) {
        print_error("--update-baseline needs --baseline");
        return false;
    }
    if (changes || options->read_stdin || what->fix || what->remove_unused || what->phase != 0 ||
        what->design || what->file.length > 0) {
        print_error("--update-baseline goes with whole files and operators as they are: not with "
                    "--changed-since, --staged, --fix, --phase, --design, --file or '-'");
        return false;
    }
    return true;
}

/* Components, not characters: "..odd.py" is a name. */
static bool has_parent_folder(Str path)
{
    size_t at = 0;
    while (at < path.length) {
        size_t end = str_find(path, STR("/"), at);
        end = end == SIZE_MAX ? path.length : end;
        if (str_is(str_slice(path, at, end), "..")) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

/* --file names a place in the operator directory. */
static bool check_file(const Question *what)
{
    if (what->file.length > 0 && what->op_dir.length == 0) {
        print_error("--file needs --op-dir");
        return false;
    }
    if (path_is_absolute(what->file)) {
        print_error("--file is relative to the operator directory: '%.*s'", STR_ARG(what->file));
        return false;
    }
    if (has_parent_folder(what->file)) {
        print_error("--file stays in the operator directory, without '..': '%.*s'",
                    STR_ARG(what->file));
        return false;
    }
    return true;
}

/* --add-suppressions needs a reason that fits into a comment, and writes nothing else. */
static bool check_suppressions(const CheckOptions *options)
{
    const Question *what = &options->request.what;
    Str reason = what->reason;
    if (what->add_suppressions != (str_trim(reason).length > 0)) {
        print_error("--add-suppressions and --reason TEXT go together");
        return false;
    }
    for (size_t i = 0; i < reason.length; i++) {
        if ((unsigned char)reason.at[i] < ' ' || reason.at[i] == 127) {
            print_error("--reason takes one line of text");
            return false;
        }
    }
    if (utf8_first_error(reason) != SIZE_MAX) {
        print_error("--reason takes text in UTF-8");
        return false;
    }
    if (what->add_suppressions && (what->fix || what->remove_unused || options->read_stdin)) {
        print_error("--add-suppressions goes neither with --fix nor with "
                    "--remove-unused-suppressions nor with '-'");
        return false;
    }
    return true;
}

bool check_options_fit(const CheckOptions *options)
{
    const Question *what = &options->request.what;
    if (options->watch && (options->read_stdin || options->show_files || options->show_settings)) {
        print_error("--watch goes neither with '-' nor with --show-files nor with --show-settings");
        return false;
    }
    if (options->quiet && options->verbose) {
        print_error("--quiet and --verbose exclude each other");
        return false;
    }
    if (!check_suppressions(options)) {
        return false;
    }
    if (!check_filters(options)) {
        return false;
    }
    if (what->phase != 0 && what->file.length > 0) {
        print_error("--phase and --file exclude each other");
        return false;
    }
    if (what->design && (what->phase != 0 || what->file.length > 0)) {
        print_error("--design goes with neither --phase nor --file");
        return false;
    }
    if (what->op_dir.length > 0 && what->paths.count > 0) {
        print_error("--op-dir and PATH exclude each other");
        return false;
    }
    if (!check_file(what)) {
        return false;
    }
    if (options->stdin_name.length > 0 && !options->read_stdin) {
        print_error("--stdin-filename goes with the path '-'");
        return false;
    }
    if (what->suggestions && !what->fix && !options->diff) {
        print_error("--suggestions goes with --fix or --diff");
        return false;
    }
    if (what->remove_unused && options->read_stdin) {
        print_error("--remove-unused-suppressions needs the whole operator, not '-'");
        return false;
    }
    return true;
}

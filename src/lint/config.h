/* Configuration: .pypto-lint.yaml or [tool.pypto-lint] of pyproject.toml, data only. The nearest
 * file wins, from the linted place upwards. */
#ifndef PYPTO_LINT_LINT_CONFIG_H
#define PYPTO_LINT_LINT_CONFIG_H

#include "base/file.h"
#include "lint/result.h"
#include "operator/yaml_value.h"

#define CONFIG_FILE_NAME    ".pypto-lint.yaml"
#define CONFIG_PROJECT_FILE "pyproject.toml" /* its table [tool.pypto-lint] */

/* Largest configuration that is read, bytes; largest value of max-file-size (positions are 32
 * bits). */
enum {
    CONFIG_MAX_BYTES = 64 * 1024,
    CONFIG_MAX_PROJECT_BYTES = 1024 * 1024, /* other programs have their settings there, too */
    CONFIG_MAX_FILE_SIZE = 1024 * 1024 * 1024
};

/* Files beyond this are not read unless configured: generated code, not kernels. The parser takes
 * up to 100 bytes of memory and 0.2 µs for a byte of source. */
enum { CONFIG_DEFAULT_FILE_SIZE = 1024 * 1024 };

/* The largest max-file-size that takes effect. The settings are the linted project's, and a file of
 * 1 GiB would cost a hundred times its size in memory; a hook has seconds. */
enum { CONFIG_MOST_FILE_SIZE = 64 * 1024 * 1024, CONFIG_MOST_HOOK_SIZE = 4 * 1024 * 1024 };

/* A `per-path` entry: rules ignored for files that match a pattern. */
typedef struct PathRules {
    Str pattern; /* as in .gitignore, relative to the folder of the configuration */
    Strs ignore; /* rule ids, prefixes, dimensions */
} PathRules;

/* `kernel-semantics`: what becomes of the rules KS…. */
typedef enum Semantics {
    SEMANTICS_UNSET, /* on; warn with the Python linter's flags */
    SEMANTICS_OFF,
    SEMANTICS_WARN, /* every FAIL of theirs is a WARN */
    SEMANTICS_ON,
    SEMANTICS_STRICT, /* on, and advice is a WARN */
} Semantics;

/* `severity`: another one for some rules. */
typedef struct SeverityEntry {
    Str selector;
    Severity severity;
} SeverityEntry;

/* `options`: settings of single rules. */
typedef struct OptionEntry {
    const Rule *rule;
    const char *name; /* of its RuleOption */
    double number;
} OptionEntry;

typedef struct Config {
    Str path;    /* of the file; empty when there is none */
    Str folder;  /* that `per_path` patterns are relative to, absolute; empty when there is none */
    Strs select; /* empty = all */
    Strs extend_select;
    Strs ignore;
    Profile profile;
    VEC(SeverityEntry) severities; /* of several that name a rule the last one counts */
    VEC(OptionEntry) options;
    bool has_exclude;             /* `exclude` takes the place of what is skipped by its name */
    Strs exclude, extend_exclude; /* patterns as in .gitignore, relative to `folder` */
    VEC(PathRules) per_path;
    bool has_fail_on;
    Severity fail_on;
    bool fail_never;
    bool has_lang;
    Lang lang;
    size_t max_file_size;             /* bytes; 0 = not set */
    bool allow_s0_suppressions;       /* S0 findings may be suppressed by comments */
    bool allow_suppressions_in_gates; /* gates and hooks honour suppressions */
    bool stop_block_always; /* `stop-block: always`: the stop hook blocks a second time, too */
    Semantics semantics;
    Str soc;      /* hardware, as hardware_name has it; empty = not set */
    Str pypto;    /* the product's version, "9.1" or "9.2"; empty = not set */
    Strs remarks; /* messages about selectors of retired ids; for notices */
} Config;

/* One settings file as it was read. */
typedef struct ConfigFile {
    Str path;
    FileStatus status;
    Str reason;      /* why it could not be read; may be empty */
    YamlResult yaml; /* of FILE_OK */
} ConfigFile;

/* Reads the file. `fenced`: it was found, not named, so it must not lead out of its project. */
void config_open(ConfigFile *file, Arena *arena, Str path, bool fenced);
/* Is it a pyproject.toml to be passed over: without a table of ours, missing, or not a regular
 * file? */
bool config_is_foreign(const ConfigFile *file);
/* What a file says. One that is missing or broken (unreadable, YAML error, unknown or repeated key,
 * wrong type, unknown rule): false, `*error` = "PATH:LINE: message" in `lang`, with a suggestion
 * for a misspelt key, and only the path in `config`. */
bool config_read(Config *config, Arena *arena, const ConfigFile *file, Lang lang, Str *error);

/* Size of the largest file that is read, bytes; in a hook (`hook`) the cap is lower. */
static inline size_t config_file_limit(const Config *config, bool hook)
{
    size_t most = hook ? CONFIG_MOST_HOOK_SIZE : CONFIG_MOST_FILE_SIZE;
    size_t wanted = config->max_file_size == 0 ? CONFIG_DEFAULT_FILE_SIZE : config->max_file_size;
    return wanted < most ? wanted : most;
}

/* Does a `per-path` entry ignore this rule for the file at this absolute path? A pattern also
 * applies to all files below a folder that it matches. */
bool config_path_ignores(const Config *config, Str path, const Rule *rule);

/* Do `exclude` and `extend-exclude` leave out this place (absolute)? Folders above it are not
 * tried. */
bool config_excludes(const Config *config, Str path, bool is_folder);
/* The rule as it counts with these settings: with the severity that they give it. In the arena. */
const Rule *config_rule(const Config *config, Arena *arena, const Rule *rule);

/* The hardware that kernels can be judged for, sorted, until NULL (rules/semantics.c). */
const char *hardware_name(size_t index);

/* Is it the form of an id or of the beginning of one: "OL", "OL4", "OL48", "KS"? */
bool selector_is_id(Str selector);
/* Does a selector name this rule: an id "OL48", its name "tile-not-constant", a prefix "OL4", a
 * dimension "D1", or "ALL"? Small letters count as capitals. */
bool selector_matches(Str selector, const Rule *rule);
/* The rule whose name this is, or NULL. */
const Rule *rule_named(Str name);
/* Is it well-formed and does it match some rule, or a retired id? If not, `*message` (arena) says
 * why with a suggestion ("did you mean …"); for a retired id it is accepted and `*message` explains
 * the state. Otherwise `*message` is empty. */
bool selector_check(Str selector, Arena *arena, Lang lang, Str *message);
/* Text about a retired id (OL27, OL35, OL36, OL38), or NULL. */
const Text *retired_rule(Str id);

#endif

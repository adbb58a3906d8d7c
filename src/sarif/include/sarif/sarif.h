/*
 * libsarif: writes SARIF 2.1.0 logs that GitHub code scanning accepts.
 *
 * Plain structs in, one complete buffer out. The caller owns everything it passes in; the library
 * copies nothing and keeps nothing after a call. A zeroed struct is a valid "nothing to say": every
 * member that is left at zero is left out of the log, or replaced when the format requires it. */
#ifndef SARIF_SARIF_H
#define SARIF_SARIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Bytes with a length, meant to be UTF-8; each broken sequence is written as U+FFFD. `size` 0 means
 * "absent" (only a snippet tells an empty text, `data` not NULL, from an absent one). */
typedef struct SarifText {
    const char *data;
    size_t size;
} SarifText;

/* The text of a string literal: in an expression, and as the initialiser of a static object. */
#define SARIF_TEXT_INIT(literal)                                                                   \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }
#define SARIF_TEXT(literal) ((SarifText)SARIF_TEXT_INIT(literal))

/* The text of a NUL-terminated string; NULL gives the absent text. */
SarifText sarif_text(const char *string);

typedef enum SarifStatus {
    SARIF_OK,
    SARIF_NO_MEMORY,          /* an allocation failed */
    SARIF_BAD_RULE_INDEX,     /* a result names a rule that its run does not have */
    SARIF_DUPLICATE_RULE,     /* two rules of one run have the same id */
    SARIF_DUPLICATE_CATEGORY, /* two runs have the same tool and category: GitHub rejects those */
    SARIF_TOO_MANY_RUNS,      /* more than SARIF_MAX_RUNS */
} SarifStatus;

/* An English sentence for a status, for error messages. Never NULL. */
const char *sarif_status_text(SarifStatus status);

/* Resizes `block` (NULL: a new one) to `size` bytes; `size` 0 frees it and returns NULL. */
typedef void *(*SarifReallocate)(void *context, void *block, size_t size);

/* Where memory comes from. A NULL `reallocate` means realloc and free. */
typedef struct SarifAllocator {
    SarifReallocate reallocate;
    void *context;
} SarifAllocator;

/* GitHub rejects a file above these. What is over them is cut, and the log says so. */
enum {
    SARIF_MAX_RUNS = 20,
    SARIF_MAX_RESULTS = 25000,     /* of one run; the most severe are kept */
    SARIF_MAX_RULES = 25000,       /* of one run; those that results name are kept */
    SARIF_MAX_TAGS = 20,           /* of one rule; GitHub shows the first ten */
    SARIF_MAX_RELATED = 999,       /* of one result: 1000 locations with its own */
    SARIF_MAX_FLOW_STEPS = 10000,  /* of one result */
    SARIF_MAX_NAME = 255,          /* UTF-16 units of a rule's name */
    SARIF_MAX_DESCRIPTION = 1024,  /* UTF-16 units of a rule's descriptions */
    SARIF_MAX_FIXES = 32,          /* of one result; ours: each is compared with those before it */
    SARIF_MAX_SNIPPET_SIZE = 8192, /* bytes; ours: a minified line must not eat the 10 MB limit */
};

typedef enum SarifLevel {
    SARIF_DEFAULT_LEVEL, /* in a result: the rule's level; in a rule or notification: warning */
    SARIF_NONE,
    SARIF_NOTE,
    SARIF_WARNING,
    SARIF_ERROR,
} SarifLevel;

typedef enum SarifPrecision {
    SARIF_NO_PRECISION,
    SARIF_LOW,
    SARIF_MEDIUM,
    SARIF_HIGH,
    SARIF_VERY_HIGH,
} SarifPrecision;

typedef enum SarifColumnKind { SARIF_CODE_POINTS, SARIF_UTF16_UNITS } SarifColumnKind;

typedef enum SarifPropertyKind {
    SARIF_PROPERTY_TEXT,
    SARIF_PROPERTY_INTEGER,
    SARIF_PROPERTY_BOOLEAN,
    SARIF_PROPERTY_LIST,
} SarifPropertyKind;

/* One member of a property bag; `kind` says which value is read. */
typedef struct SarifProperty {
    SarifText key;
    SarifPropertyKind kind;
    SarifText text;
    int64_t integer;
    bool boolean;
    const SarifText *list;
    size_t list_count;
} SarifProperty;

typedef struct SarifProperties {
    const SarifProperty *items;
    size_t count;
} SarifProperties;

/*
 * Lines and columns count from 1 in the run's column kind; the end column is exclusive. Line 0 is
 * the whole file and becomes the empty region 1:1-1:1; a zero column is column 1; an end before the
 * start becomes the start. `snippet` is the region's own text. */
typedef struct SarifRegion {
    uint32_t start_line;
    uint32_t start_column;
    uint32_t end_line;
    uint32_t end_column;
    SarifText snippet;
} SarifRegion;

/*
 * A place. `path` is a plain path, not a URI: relative to the base `base_id` (absent: the run's
 * first base), or absolute. `context` is a larger region of whole lines around `region` (columns
 * are not read); start_line 0: none; dropped when it does not contain the region. `message` is read
 * in related locations and flow steps only. */
typedef struct SarifLocation {
    SarifText path;
    SarifText base_id;
    SarifRegion region;
    SarifRegion context;
    SarifText message;
    SarifText logical_name; /* the enclosing thing's full name, "module.function" */
    SarifText logical_kind; /* "function", "type", "module", … */
} SarifLocation;

/* `path` absent: the file of the result. An empty `deleted` region inserts before it. */
typedef struct SarifReplacement {
    SarifText path;
    SarifText base_id;
    SarifRegion deleted;
    SarifText inserted;
} SarifReplacement;

/* Replacements that belong together; those of one file stand next to each other. */
typedef struct SarifFix {
    SarifText description;
    const SarifReplacement *replacements;
    size_t replacement_count;
} SarifFix;

typedef enum SarifSuppressionKind { SARIF_IN_SOURCE, SARIF_EXTERNAL } SarifSuppressionKind;

typedef struct SarifSuppression {
    SarifSuppressionKind kind;
    SarifText justification;
} SarifSuppression;

/* A named value: a fingerprint, or a message string of a rule. */
typedef struct SarifPair {
    SarifText key;
    SarifText value;
} SarifPair;

/*
 * A rule, or the description of a kind of notification. `id` must be unique in its run. `name` is
 * turned into PascalCase ("no-eval" -> "NoEval"). What is absent but required is taken from the
 * next best text: help from the full description, that from the short one, that from the name. */
typedef struct SarifRule {
    SarifText id;
    SarifText name;
    SarifText short_description;
    SarifText full_description;
    SarifText help_text;
    SarifText help_markdown;
    SarifText help_uri; /* an absolute URI; left out when it has no scheme */
    SarifLevel level;   /* also gives properties["problem.severity"] */
    SarifPrecision precision;
    const SarifText *tags;
    size_t tag_count;
    const SarifPair *messages; /* messageStrings: id and text with {0} for the arguments */
    size_t message_count;
    SarifProperties properties;
} SarifRule;

/*
 * One finding. In `message`, `[text](2)` links to related[1]: related locations have the ids 1, 2,
 * … `line_hash` is what sarif_lines_hash() gives for the finding's line. */
typedef struct SarifResult {
    size_t rule; /* index in the run's rules */
    SarifLevel level;
    SarifText message;
    SarifText message_id; /* a key of the rule's `messages`, with its arguments */
    const SarifText *message_arguments;
    size_t message_argument_count;
    SarifLocation location;
    const SarifLocation *related;
    size_t related_count;
    const SarifLocation *flow; /* how it comes about, step by step */
    size_t flow_count;
    SarifText line_hash;
    const SarifPair *fingerprints; /* further partialFingerprints */
    size_t fingerprint_count;
    const SarifFix *fixes;
    size_t fix_count;
    const SarifSuppression *suppressions;
    size_t suppression_count;
    SarifProperties properties;
} SarifResult;

/* A file that was looked at. One that is listed twice is written once. */
typedef struct SarifArtifact {
    SarifText path;
    SarifText base_id;
    bool analysis_target;
    bool has_length;
    uint64_t length; /* bytes */
    SarifText mime_type;
    SarifText encoding;
    SarifText source_language;
    SarifText sha256;   /* hex digits */
    SarifText contents; /* the whole text: for viewers without the files, at the price of size */
} SarifArtifact;

/* What the tool has to say about its own run: a file it could not read, a broken setting. */
typedef struct SarifNotification {
    SarifLevel level;
    SarifText descriptor_id; /* an id of the tool's notifications */
    SarifText rule_id;       /* the rule that it is about */
    SarifText message;
    SarifLocation location; /* absent path: none */
} SarifNotification;

typedef struct SarifInvocation {
    bool execution_successful; /* false when the run is not complete */
    bool has_exit_code;
    int exit_code;
    SarifText exit_code_description;
    SarifText command_line;
    const SarifText *arguments;
    size_t argument_count;
    SarifText working_directory; /* a path */
    SarifText start_time_utc;    /* 2025-01-31T23:59:59Z; leave out for the same bytes every time */
    SarifText end_time_utc;
    const SarifNotification *notifications;
    size_t notification_count;
} SarifInvocation;

/* A root of relative paths. `path` is absolute or a URI; absent: only the name is written. */
typedef struct SarifUriBase {
    SarifText id;
    SarifText path;
    SarifText description;
} SarifUriBase;

/* The revision of the files. `base_id` is where the repository is checked out (absent: first). */
typedef struct SarifProvenance {
    SarifText repository_uri;
    SarifText revision_id;
    SarifText branch;
    SarifText base_id;
} SarifProvenance;

typedef struct SarifTool {
    SarifText name;
    SarifText full_name;
    SarifText organization;
    SarifText version;
    SarifText semantic_version;
    SarifText information_uri;
    const SarifRule *notifications; /* the kinds of notification */
    size_t notification_count;
} SarifTool;

typedef struct SarifRun {
    SarifTool tool;
    const SarifRule *rules;
    size_t rule_count;
    const SarifResult *results;
    size_t result_count;
    const SarifArtifact *artifacts;
    size_t artifact_count;
    const SarifInvocation *invocations;
    size_t invocation_count;
    const SarifUriBase *uri_bases;
    size_t uri_base_count;
    const SarifProvenance *provenance;
    size_t provenance_count;
    SarifText automation_id; /* "pypto-lint/5/": GitHub's category is what precedes the last '/' */
    SarifText language;      /* "en-US" (when absent), "zh-CN": of the messages, ours included */
    SarifColumnKind column_kind;
    const SarifText *newline_sequences; /* absent: "\r\n", "\n" */
    size_t newline_sequence_count;
    SarifText default_encoding;
    SarifText default_source_language;
    SarifProperties properties;
} SarifRun;

typedef struct SarifOptions {
    SarifAllocator allocator;
    unsigned indent;         /* spaces a level; 0: everything on one line */
    bool keep_suppressed;    /* write suppressed results too: GitHub opens an alert for each */
    bool separate_same_line; /* do not merge the results of one rule on one line */
    size_t max_results;      /* of one run; 0, or more than SARIF_MAX_RESULTS: SARIF_MAX_RESULTS */
} SarifOptions;

/* The log, and what became of the results: written + merged + suppressed + cut = given. */
typedef struct SarifOutput {
    char *data; /* UTF-8, ends with a newline; no terminating NUL */
    size_t size;
    size_t results_written;
    size_t results_merged;
    size_t results_suppressed;
    size_t results_cut;
} SarifOutput;

/*
 * Writes one log with `run_count` runs. `options` may be NULL. On SARIF_OK `output` holds the
 * complete log, to be freed with sarif_output_free(); on an error it is all zero. The same input
 * gives the same bytes. Thread-safe as long as the allocator is. */
SarifStatus sarif_write(const SarifRun *runs, size_t run_count, const SarifOptions *options,
                        SarifOutput *output);

/* Frees the buffer with the allocator that made it (NULL: free) and zeroes `output`. */
void sarif_output_free(SarifOutput *output, const SarifAllocator *allocator);

/* The hashes of all lines of one text, as GitHub's upload action computes them. */
typedef struct SarifLines SarifLines;

enum { SARIF_LINE_HASH_SIZE = 40 }; /* 16 hex digits, ':', 20 digits, NUL, rounded up */

/*
 * Hashes every line of `text` (a file's whole content, a byte order mark included) in one pass.
 * Make one only for files that have findings. `allocator` may be NULL; it must outlive the
 * lines. */
SarifStatus sarif_lines_create(SarifText text, const SarifAllocator *allocator, SarifLines **lines);

void sarif_lines_free(SarifLines *lines);

/* Number of lines: line ends (LF, CR or CRLF) plus one. */
size_t sarif_lines_count(const SarifLines *lines);

/*
 * Writes "hash:n" of a line (from 1; 0, the whole file, is taken as 1) into `out`; n tells the
 * nth line with that hash. Returns the length, or 0 with an empty string when there is no such
 * line. */
size_t sarif_lines_hash(const SarifLines *lines, size_t line, char out[SARIF_LINE_HASH_SIZE]);

#ifdef __cplusplus
}
#endif

#endif

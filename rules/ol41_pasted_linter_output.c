/* OL41: output of the linter that was pasted into an artifact.
 *
 * Looks at the text of the implementation, golden, test and README of the operator and of all
 * Python artifacts in modules/. Documents that keep the lint history are left out. */
#include "operator/text.h"
#include "rules/common.h"

/* Lower case, as text_find_folded wants them. */
static const char *const tokens[] = {"[pypto-op-lint]", "交付门禁阻断",    "以下规则违规",
                                     "fix_hints:",      "blocking_rules:", "docs_ref:"};
enum { TOKEN_COUNT = sizeof tokens / sizeof *tokens };

static bool has_token(Str text)
{
    for (int i = 0; i < TOKEN_COUNT; i++) {
        if (text_contains_folded(text, str_from(tokens[i]))) {
            return true;
        }
    }
    return false;
}

static void report_tokens(RuleRun *run, const Source *source)
{
    for (int i = 0; i < TOKEN_COUNT; i++) {
        Str token = str_from(tokens[i]);
        size_t at = text_find_folded(source->text, token, 0);
        for (; at != SIZE_MAX; at = text_find_folded(source->text, token, at + token.length)) {
            Place place = {.file = source->path,
                           .source = source,
                           .start = (uint32_t)at,
                           .end = (uint32_t)(at + token.length)};
            report(run, STATUS_FAIL, place, "%.*s contains linter output: '%s'",
                   "%.*s 中含有 lint 输出：'%s'", STR_ARG(source->path), tokens[i]);
        }
    }
}

/* The file if some rule has read it already, or NULL. */
static const PyFile *loaded(const Operator *op, Str path)
{
    for (uint32_t i = 0; i < op->python.count; i++) {
        if (str_equal(pyfile_path(op->python.items[i]), path)) {
            return op->python.items[i];
        }
    }
    return NULL;
}

/* Only a file with a token, or one that cannot be read, is opened as Python: the others need not
 * parse for this rule. */
static void check_python(RuleRun *run, Str path)
{
    Operator *op = run->op;
    const PyFile *file = loaded(op, path);
    if (file == NULL) {
        Str text;
        FileStatus status = operator_read(op, path, &text, NULL);
        if (status == FILE_MISSING || status == FILE_NOT_REGULAR ||
            (status == FILE_OK && !has_token(text))) {
            return;
        }
        file = operator_python(op, path);
    }
    report_tokens(run, &file->parsed.source);
}

static bool is_artifact(Str path)
{
    Str name = path_basename(path);
    return str_ends(name, STR(IMPL_END)) || str_ends(name, STR(GOLDEN_END)) ||
           str_starts(name, STR(TEST_START));
}

static void check(RuleRun *run)
{
    Operator *op = run->op;
    if (op->edited.length > 0) {
        check_python(run, op->edited);
        return;
    }
    check_python(run, operator_artifact(op, KIND_IMPL));
    check_python(run, operator_artifact(op, KIND_GOLDEN));
    check_python(run, operator_artifact(op, KIND_TEST));
    report_tokens(run, &operator_document(op, STR("README.md"))->source);
    Strs modules = operator_modules(op, STR(""), STR(".py"));
    for (uint32_t i = 0; i < modules.count; i++) {
        if (is_artifact(modules.items[i])) {
            check_python(run, modules.items[i]);
        }
    }
}

const Rule ol41 = {
    .id = "OL41",
    .name = "pasted-linter-output",
    .order = 37,
    .severity = S1,
    .dimension = D2,
    .effort = E1,
    .stages = STAGE(5) | STAGE(6),
    .target = TARGET_GATE,
    .sets = IN(SET_CONSISTENCY) | IN(SET_PYTHON),
    .fix = FIX_NONE,
    .hint = {"Delete the pasted linter output from the file.", "从文件中删除粘贴的 lint 输出。"},
    .check = check,
};

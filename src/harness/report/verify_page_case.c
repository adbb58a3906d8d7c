/* A failing case in the page of `verify --html`; see verify_page_case.h. */
#include "harness/report/verify_page_case.h"

#include "base/file.h"
#include "harness/judge/case_sentences.h"
#include "harness/report/warning_text.h"
#include "report/page.h"
#include "report/page_source.h"
#include "report/report_common.h"

enum {
    MOST_WARNINGS = 30,        /* of a case */
    MOST_CITED = 4,            /* lines */
    MOST_SOURCE = 1024 * 1024, /* bytes of a file that is shown */
};

const char *page_say(const VerifyPage *page, const char *en, const char *zh)
{
    return words(page->lang, en, zh);
}

void page_text_add(VerifyPage *page, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value)) {
        Str text = {json_string_value(value), json_string_length(value)};
        xml_add(page->out, warning_text(page->out->arena, page->lang, text));
    }
}

/* One line of the list about an output, left out where there is nothing to say. */
static void add_fact(VerifyPage *page, const char *term, Str text)
{
    if (text.length > 0) {
        buf_addf(page->out, "<dt>%s</dt><dd>", term);
        xml_add(page->out, text);
        buf_add(page->out, STR("</dd>\n"));
    }
}

/* ---- lines of the kernel */

/* The file as it may be shown: Python of the operator, but no reference, inputs or test. The place
 * was checked by the worker's judge; what the path leads to may have changed since. */
static bool read_kernel(const VerifyPage *page, Str file, Str *text)
{
    const Verification *run = page->verification;
    Arena *arena = page->out->arena;
    bool is_apart = str_equal(file, path_basename(run->impl)); /* --impl in another folder */
    Str inside = path_join(arena, run->op_dir, file);
    Str path = path_real(arena, is_apart && !file_exists(inside.at) ? run->impl : inside);
    bool is_impl = run->impl.length > 0 && str_equal(path, path_real(arena, run->impl));
    bool is_below = str_starts(path, run->op_dir) && path.length > run->op_dir.length &&
                    path.at[run->op_dir.length] == '/';
    const Str hidden[] = {run->golden, run->reference, run->inputs, run->test_file};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (hidden[i].length > 0 && str_equal(path, path_real(arena, hidden[i]))) {
            return false;
        }
    }
    Str error = STR("");
    return (is_impl || is_below) && str_ends(path, STR(".py")) &&
           !str_ends(path, STR("_golden.py")) &&
           file_read(arena, str_dup(arena, path), MOST_SOURCE, text, &error) == FILE_OK;
}

void page_place_add(VerifyPage *page, SourcePlace place, bool is_main)
{
    Str text = STR("");
    if (place.line > 0 && read_kernel(page, place.file, &text)) {
        page_source_add(page->out, text, place.line, is_main, page->lang);
    }
}

/* A line that is worth a look besides the main one: folded. */
static void add_folded(VerifyPage *page, SourcePlace place)
{
    buf_add(page->out, STR("<details><summary class=\"place\">"));
    xml_add(page->out, source_place_text(page->out->arena, place));
    buf_add(page->out, STR("</summary>\n"));
    page_place_add(page, place, false);
    buf_add(page->out, STR("</details>\n"));
}

/* ---- an output */

static void add_shape(VerifyPage *page, const LeafShape *shape)
{
    buf_add_char(page->out, '[');
    for (uint32_t i = 0; i < shape->rank; i++) {
        buf_addf(page->out, "%s%lld", i == 0 ? "" : ", ", (long long)shape->extents[i]);
    }
    buf_add(page->out, STR("] "));
}

static Str likeness_of(const VerifyPage *page, const Leaf *leaf)
{
    Buf text = {.arena = page->out->arena};
    const LeafPlaces *places = leaf->places;
    bool is_said = leaf->never.length > 0 && places != NULL && places->likeness != NULL &&
                   strcmp(places->likeness->name, "never_written") == 0;
    if (places != NULL && !is_said) {
        leaf_places_add_likeness(&text, leaf->places, leaf->equals, page->lang);
    }
    return buf_str(&text);
}

static Str pattern_of(const VerifyPage *page, const Leaf *leaf)
{
    Buf text = {.arena = page->out->arena};
    if (leaf->structure.length > 0) {
        return leaf->structure;
    }
    if (leaf->places != NULL) {
        leaf_places_add_where(&text, leaf->places, page->lang);
        buf_add(&text, str_from(page_say(page, "; ", "；")));
        leaf_places_add_indices(&text, leaf->places, page->lang);
    }
    return buf_str(&text);
}

/* Which elements, without the words that the list has for it. */
static Str never_of(const VerifyPage *page, const Leaf *leaf)
{
    Str never = page->lang == LANG_ZH ? leaf->never_zh : leaf->never;
    Str before = page->lang == LANG_ZH ? STR("从未写入：") : STR("never written: ");
    return str_starts(never, before) ? str_slice(never, before.length, never.length) : never;
}

/* How many elements, by how much, and what was allowed. */
static Str tolerance_of(const VerifyPage *page, const Leaf *leaf, const SuiteCase *source)
{
    Buf text = {.arena = page->out->arena};
    buf_addf(&text,
             page_say(page, "%llu of %llu elements beyond atol %g, rtol %g",
                      "%llu / %llu 个元素超出 atol %g、rtol %g"),
             (unsigned long long)leaf->out_of_tolerance, (unsigned long long)leaf->elements,
             source->atol, source->rtol);
    if (leaf->max_abs_diff.known) {
        buf_addf(&text, page_say(page, "; the largest difference is %.3g", "；最大差异 %.3g"),
                 leaf->max_abs_diff.value);
    }
    if (leaf->nonfinite > 0) {
        buf_addf(&text, page_say(page, "; NaN or infinite: %llu", "；NaN 或无穷：%llu"),
                 (unsigned long long)leaf->nonfinite);
    }
    return buf_str(&text);
}

static const BlameWriter *writer_of(const Blame *blame, uint32_t output)
{
    for (uint32_t i = 0; i < blame->writer_count; i++) {
        if (blame->writers[i].output == output) {
            return &blame->writers[i];
        }
    }
    return NULL;
}

static void add_output(VerifyPage *page, const CaseResult *result, uint32_t number,
                       const SuiteCase *source)
{
    Buf *out = page->out;
    const Leaf *leaf = &result->leaves.items[number];
    buf_add(out, STR("<h4 class=\"text\">"));
    xml_add(out, leaf->output);
    buf_add(out, STR(" <span class=\"code\">"));
    xml_add(out, leaf->name);
    buf_add_char(out, ' ');
    add_shape(page, &leaf->shape);
    xml_add(out, leaf->dtype);
    buf_add(out, STR("</span></h4>\n<dl>\n"));
    add_fact(page, page_say(page, "where", "位置"), pattern_of(page, leaf));
    add_fact(page, page_say(page, "looks like", "表现"), likeness_of(page, leaf));
    add_fact(page, page_say(page, "never written", "从未写入"), never_of(page, leaf));
    if (leaf->structure.length == 0) {
        add_fact(page, page_say(page, "tolerance", "容差"), tolerance_of(page, leaf, source));
    }
    const BlameWriter *writer = writer_of(&result->blame, number);
    if (writer != NULL) {
        Buf text = {.arena = out->arena};
        blame_add_writer(&text, writer, page->lang);
        add_fact(page, page_say(page, "worst element written by", "最差元素的写入处"),
                 buf_str(&text));
    }
    buf_add(out, STR("</dl>\n"));
    page_map_add(page, result, leaf);
    if (writer != NULL && writer->place.line != result->blame.place.line) {
        add_folded(page, writer->place);
    }
}

/* ---- the case */

static void add_warnings(VerifyPage *page, const json_t *check)
{
    const json_t *warnings = json_object_get(check, "warnings");
    for (size_t i = 0; i < json_array_size(warnings) && i < MOST_WARNINGS; i++) {
        buf_addf(page->out, "<p class=\"text\"><span class=\"tag warn\">%s</span> ",
                 page_say(page, "Warning", "警告"));
        page_text_add(page, json_array_get(warnings, i), "warning");
        buf_add(page->out, STR("</p>\n"));
    }
}

/* Which line of the kernel makes it wrong, if somebody searched. A line that the page has shown is
 * named only. */
static void add_blame(VerifyPage *page, const Blame *blame)
{
    if (blame->status == BLAME_NONE) {
        return;
    }
    Buf text = {.arena = page->out->arena};
    bool is_found = blame->status == BLAME_FOUND;
    bool is_shown = is_found && blame->place.line == page->shown.line &&
                    str_equal(blame->place.file, page->shown.file);
    if (is_shown) {
        buf_add(&text, source_place_text(text.arena, blame->place));
        buf_add(&text, str_from(page_say(page, ", shown above", "，见上文")));
    } else {
        blame_add(&text, blame, page->lang);
    }
    buf_addf(page->out, "<p class=\"text\"><strong>%s</strong> ",
             page_say(page, "Blame:", "定位："));
    xml_add(page->out, buf_str(&text));
    buf_add(page->out, STR("</p>\n"));
    if (is_found && !is_shown) {
        page_place_add(page, blame->place, true);
    }
    for (uint32_t i = 0; blame->status == BLAME_UNSURE && i < blame->candidate_count; i++) {
        add_folded(page, blame->candidates[i]);
    }
}

/* The results of a case; NULL when the report names one that did not run. */
static const CaseModes *modes_of(const VerifyPage *page, const json_t *check)
{
    const Verification *verification = page->verification;
    const char *id = json_string_value(json_object_get(check, "id"));
    for (uint32_t i = 0; id != NULL && i < verification->cases.count; i++) {
        if (str_is(verification->results[i].source->id, id)) {
            return &verification->results[i];
        }
    }
    return NULL;
}

static bool is_listed(const Leaf *leaf)
{
    return leaf->structure.length > 0 || (leaf->judged && !leaf->all_close);
}

/* What failed in the mode: the outputs that are listed below, or what the report says. */
static void add_failure(VerifyPage *page, Mode mode, const CaseResult *result)
{
    Buf *out = page->out;
    buf_addf(out, "<p class=\"text\"><span class=\"tag fail\">%s</span> ", mode_name(mode));
    uint32_t listed = 0;
    for (uint32_t i = 0; i < result->leaves.count; i++) {
        if (is_listed(&result->leaves.items[i])) {
            buf_add(out, listed++ == 0 ? str_from(page_say(page, "wrong: ", "有误："))
                                       : str_from(page_say(page, ", ", "、")));
            xml_add(out, leaf_title(out->arena, &result->leaves.items[i]));
        }
    }
    if (listed == 0) {
        xml_add(out, summary_text(out->arena, page->lang, result));
    }
    buf_add(out, STR("</p>\n"));
}

/* The lines that warnings of the simulator cite, each once, but for that of the first failure. */
static void add_cited(VerifyPage *page, const SimFindings *findings)
{
    SourcePlace shown[MOST_CITED + 1] = {page->shown};
    uint32_t count = 1;
    for (uint32_t i = 0; i < findings->count && count <= MOST_CITED; i++) {
        SourcePlace place = findings->items[i].place;
        bool is_new = place.line > 0 && !findings->items[i].is_note;
        for (uint32_t j = 0; j < count && is_new; j++) {
            is_new = place.line != shown[j].line || !str_equal(place.file, shown[j].file);
        }
        if (is_new) {
            add_folded(page, place);
            shown[count++] = place;
        }
    }
}

static void add_mode(VerifyPage *page, const CaseModes *modes, Mode mode)
{
    const CaseResult *result = &modes->by_mode[mode];
    if (result->verdict != VERDICT_FAIL && result->verdict != VERDICT_ERROR) {
        return;
    }
    add_failure(page, mode, result);
    add_blame(page, &result->blame);
    for (uint32_t i = 0; i < result->leaves.count; i++) {
        if (is_listed(&result->leaves.items[i])) {
            add_output(page, result, i, modes->source);
        }
    }
    if (result->leaves.count == 0) { /* it raised: where */
        page_place_add(page, result->raised_at, true);
    }
    add_cited(page, &result->findings);
}

/* The failures of a case that did not run. */
static void add_summaries(VerifyPage *page, const json_t *check)
{
    const json_t *failures = json_object_get(check, "failures");
    for (size_t i = 0; i < json_array_size(failures); i++) {
        const json_t *failure = json_array_get(failures, i);
        buf_add(page->out, STR("<p class=\"text\"><span class=\"tag fail\">"));
        page_text_add(page, failure, "mode");
        buf_add(page->out, STR("</span> "));
        page_text_add(page, failure, "summary");
        buf_add(page->out, STR("</p>\n"));
    }
}

void page_case_add(VerifyPage *page, const json_t *check, size_t number)
{
    Buf *out = page->out;
    buf_addf(out, "<article class=\"card\" id=\"case-%zu\">\n<h3>", number);
    page_text_add(page, check, "id");
    buf_add_char(out, ' ');
    page_text_add(page, check, "level");
    buf_add(out, STR("</h3>\n"));
    const CaseModes *modes = modes_of(page, check);
    if (modes == NULL) {
        add_summaries(page, check);
    }
    for (int mode = 0; modes != NULL && mode < MODE_COUNT; mode++) {
        add_mode(page, modes, (Mode)mode);
    }
    add_warnings(page, check);
    buf_add(out, STR("</article>\n"));
}

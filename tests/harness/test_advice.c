/* Tests of places, findings and advice: what workers tell of differences and warnings, the words
 * for it in both languages, and what is recommended for it. */
#include "document/json.h"
#include "harness/judge/verify_advice.h"
#include "sim/places.h"
#include "sim/ptosim.h"

#include "arena_fixture.h"

#define assert_text_has(text, part)   assert_non_null(strstr(str_dup(&arena, (text)), (part)))
#define assert_text_lacks(text, part) assert_null(strstr(str_dup(&arena, (text)), (part)))

/* --- the table */

static void test_rows(void **unused)
{
    (void)unused;
    for (const AdviceRow *row = advice_table; row->name != NULL; row++) {
        assert_true(row->words.en != NULL && row->words.zh != NULL);
        assert_string_not_equal(row->words.en, row->words.zh);
        bool advised = row->kind != ADVICE_FINDING;
        assert_true((row->advice.en != NULL) == advised);
        assert_true((row->advice.zh != NULL) == advised);
        /* Braces stand in both languages or in none. */
        assert_true((strstr(row->words.en, "{}") != NULL) == (strstr(row->words.zh, "{}") != NULL));
        assert_ptr_equal(advice_row(row->kind, str_from(row->name)), row);
    }
    assert_null(advice_row(ADVICE_CODE, STR("F99999")));
    assert_null(advice_row(ADVICE_PLACE, STR("transposed")));
}

/* Whatever the simulator says has a row. */
static void test_names_of_the_simulator(void **unused)
{
    (void)unused;
    for (PtsPlace place = PTS_PLACE_ONE_ELEMENT; place <= PTS_PLACE_SCATTERED; place++) {
        assert_non_null(advice_row(ADVICE_PLACE, str_from(pts_place_name(place))));
    }
    for (PtsLikeness like = PTS_LIKE_NOT_FINITE; like <= PTS_LIKE_SMALL_ERROR; like++) {
        assert_non_null(advice_row(ADVICE_LIKENESS, str_from(pts_likeness_name(like))));
    }
    /* PTOSIM_WARN makes warnings of these: without a row the report would not mention them. */
    for (size_t i = 0; pts_check_id(i) != NULL; i++) {
        assert_non_null(advice_row(ADVICE_FINDING, str_from(pts_check_id(i))));
    }
}

/* --- places */

#define AXES                                                                                       \
    "\"axes\":[{\"extent\":12,\"hit\":3,\"run\":3,\"period\":0,\"runs\":1,\"ranges\":[[9,11]]},"   \
    "{\"extent\":16,\"hit\":16,\"run\":16,\"period\":0,\"runs\":1,\"ranges\":[[0,15]]}]"
#define INDICES "\"first\":[9,0],\"last\":[11,15],\"worst\":[10,3]"
#define WHERE(like, more)                                                                          \
    "{" INDICES "," AXES ",\"place\":\"last\",\"place_axis\":0,\"likeness\":\"" like "\"" more "}"

static const LeafPlaces *read_places(const char *text)
{
    json_t *tree = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(tree);
    const LeafPlaces *places = leaf_places_read(&arena, tree);
    json_decref(tree);
    return places;
}

static Str where(const char *text, Lang lang)
{
    Buf out = {.arena = &arena};
    leaf_places_add_where(&out, read_places(text), lang);
    return buf_str(&out);
}

static Str likeness(const char *text, Lang lang)
{
    Buf out = {.arena = &arena};
    leaf_places_add_likeness(&out, read_places(text), STR("dk (out1)"), lang);
    return buf_str(&out);
}

static void test_where(void **unused)
{
    (void)unused;
    const char *rows = WHERE("nothing", "");
    assert_true(
        str_is(where(rows, LANG_EN), "only the last rows: rows 9..11 of 12, all 16 columns"));
    assert_true(str_is(where(rows, LANG_ZH), "只有最后的行：行 9..11（共 12），全部 16 列"));
    Buf out = {.arena = &arena};
    leaf_places_add_indices(&out, read_places(rows), LANG_EN);
    assert_true(str_is(buf_str(&out), "first [9, 0], last [11, 15], worst [10, 3]"));
    const char *every = "{\"first\":[3],\"last\":[15],\"worst\":[7],\"place\":\"periodic\","
                        "\"place_axis\":0,\"axes\":[{\"extent\":16,\"hit\":4,\"run\":1,"
                        "\"period\":4,\"runs\":5,\"ranges\":[[3,3],[7,7],[11,11],[15,15]]}]}";
    assert_true(str_is(where(every, LANG_EN), "at regular distances among the elements: elements "
                                              "3, 7, 11, 15, … of 16 (1 in every 4)"));
    assert_text_has(where(every, LANG_ZH), "每 4 个中有 1 个");
}

static void test_likeness(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *english;
    } rows[] = {
        {WHERE("nothing", ""), ""},
        {WHERE("factor", ",\"number\":0.12499"), "it is the reference times 0.125"},
        {WHERE("offset", ",\"number\":-2"), "it is the reference plus -2"},
        {WHERE("transposed", ",\"axis\":0,\"other\":1"),
         "it is the reference with axes 0 and 1 swapped"},
        {WHERE("shifted", ",\"axis\":0,\"distance\":-2"),
         "each place has what belongs 2 rows earlier"},
        {WHERE("shifted", ",\"axis\":1,\"distance\":1"),
         "each place has what belongs 1 column further on"},
        {WHERE("repeated", ",\"axis\":0,\"distance\":4"), "the result repeats every 4 rows"},
        {WHERE("reversed", ",\"axis\":0"), "it is the reference with the rows in reverse order"},
        {WHERE("sign", ""), "it is the reference with the opposite sign"},
        {WHERE("nothing", ",\"equals\":1"), "it is what dk (out1) should be"},
        {WHERE("unheard_of", ""), ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(str_dup(&arena, likeness(rows[i].text, LANG_EN)), rows[i].english);
        assert_true((likeness(rows[i].text, LANG_ZH).length > 0) == (*rows[i].english != '\0'));
    }
}

/* What arrives is whatever bytes a worker wrote. */
static void test_broken_places(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "{}",
        "[]",
        "3",
        "{\"axes\":[]}",
        "{\"axes\":[{},{},{},{},{},{},{},{},{}]," INDICES ",\"place\":\"last\"}",
        "{" INDICES "," AXES "}",
        "{" INDICES "," AXES ",\"place\":\"the values 3.14 and 2.72\"}",
        "{" AXES ",\"place\":\"last\"}",
        "{\"first\":[9],\"last\":[11,15],\"worst\":[10,3]," AXES ",\"place\":\"last\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_null(read_places(texts[i]));
    }
    const LeafPlaces *places =
        read_places(WHERE("factor", ",\"axis\":99,\"other\":-7,\"equals\":\"x\",\"number\":\"y\""));
    assert_non_null(places);
    assert_int_equal(places->axis, -1);
    assert_int_equal(places->other, -1);
    assert_int_equal(places->equals, -1);
    assert_true(places->number == 0);
}

/* --- findings */

static SimFindings read_findings(const char *text)
{
    json_t *tree = json_loads(text, 0, NULL);
    assert_non_null(tree);
    SimFindings findings = sim_findings_read(&arena, tree);
    json_decref(tree);
    return findings;
}

static void test_findings(void **unused)
{
    (void)unused;
    SimFindings findings = read_findings(
        "[{\"id\":\"parallel-accumulation\",\"file\":\"modules/x_impl.py\",\"line\":7,\"count\":2},"
        "{\"id\":\"alignment\",\"code\":\"FC1001\",\"file\":\"x_impl.py\",\"line\":3},"
        "{\"id\":\"the golden value is 3.14\",\"file\":\"x_impl.py\",\"line\":3},"
        "{\"id\":\"no-output\",\"code\":\"3.1415\",\"file\":\"value 3.14\",\"line\":3},"
        "{\"id\":\"no-output\",\"file\":\"x.py\",\"line\":-3}, 7, null]");
    assert_int_equal(findings.count, 4);
    Str text = sim_finding_text(&arena, &findings.items[0], LANG_EN);
    assert_text_has(text, "modules/x_impl.py:7: iterations of a parallel loop");
    assert_text_has(text, "[parallel-accumulation]");
    assert_false(findings.items[0].is_note);
    assert_int_equal(findings.items[0].count, 2);
    text = sim_finding_text(&arena, &findings.items[1], LANG_EN);
    assert_text_has(text, "x_impl.py:3: FC1001 the last entry");
    assert_true(findings.items[1].is_note);
    for (uint32_t i = 2; i < 4; i++) { /* no place that could carry a text */
        text = sim_finding_text(&arena, &findings.items[i], LANG_EN);
        assert_text_lacks(text, "3.14");
        assert_int_equal(findings.items[i].place.line, 0);
    }
    text = sim_finding_text(&arena, &findings.items[0], LANG_ZH);
    assert_text_has(text, "并行循环");
}

static void test_merged_findings(void **unused)
{
    (void)unused;
    const char *one = "[{\"id\":\"alignment\",\"file\":\"a.py\",\"line\":3,\"count\":5},"
                      "{\"id\":\"alignment\",\"file\":\"a.py\",\"line\":3},"
                      "{\"id\":\"alignment\",\"file\":\"a.py\",\"line\":4}]";
    FindingSum sum = {0};
    SimFindings first = read_findings(one);
    SimFindings second = read_findings("[{\"id\":\"alignment\",\"file\":\"a.py\",\"line\":3}]");
    sim_findings_merge(&arena, &sum, &first);
    sim_findings_merge(&arena, &sum, &second);
    assert_int_equal(sum.findings.count, 2);
    assert_int_equal(sum.findings.items[0].count, 2); /* jobs */
    assert_int_equal(sum.findings.items[1].count, 1);
}

/* A suite may have 10000 cases with 200 findings each. Comparing each with each would take an hour
 * here, which is far beyond the limit of this test. */
static void test_many_merged_findings(void **unused)
{
    (void)unused;
    enum { JOBS = 2000 };
    FindingSum sum = {0};
    SimFinding items[FINDINGS_MOST];
    SimFindings job = {.items = items, .count = FINDINGS_MOST};
    for (uint32_t i = 0; i < JOBS; i++) {
        for (uint32_t k = 0; k < FINDINGS_MOST; k++) { /* the first is the same in all jobs */
            uint32_t line = k == 0 ? 1 : i * FINDINGS_MOST + k + 1;
            items[k] = (SimFinding){
                .id = STR("alignment"), .code = STR(""), .place = {STR("a.py"), line}, .count = 1};
        }
        sim_findings_merge(&arena, &sum, &job);
    }
    assert_int_equal(sum.findings.count, JOBS * (FINDINGS_MOST - 1) + 1);
    assert_int_equal(sum.findings.items[0].count, JOBS);
    assert_int_equal(sum.findings.items[JOBS].count, 1);
}

/* --- advice */

static const SuiteCase plain = {
    .id = {"L2_canonical", 12}, .level = {"L2", 2}, .precision = true, .atol = 1e-3, .rtol = 1e-3};

static const char *advice_on(const char *result, Str *summary)
{
    static VEC(Str) names;
    names.count = 0;
    VEC_PUSH(&arena, &names, STR("dq"));
    const Strs outputs = {.items = names.items, .count = 1, .capacity = names.capacity};
    CaseContext context = {
        .kind = RESULT_OF_CASE, .mode = MODE_SIM, .source = &plain, .outputs = &outputs};
    WorkerOutcome outcome = {.end = PROCESS_EXITED, .result = str_from(result), .log = STR("")};
    CaseModes tried = {.source = &plain};
    case_result_read(&arena, &context, &outcome, &tried.by_mode[MODE_SIM]);
    case_result_skip(&tried.by_mode[MODE_NPU], NULL);
    Judgement judgement;
    judge(&arena, &tried, 1, NULL, &judgement);
    *summary = judgement.first.summary;
    Str chinese = verify_advice(&arena, &judgement.first, LANG_ZH);
    assert_true(chinese.length > 0);
    return str_dup(&arena, verify_advice(&arena, &judgement.first, LANG_EN));
}

#define LEAF(structure, more)                                                                      \
    "{\"end\":\"compared\",\"stage\":\"done\",\"launches\":1,\"leaves\":[{\"name\":\"out0\","      \
    "\"structure\":" structure                                                                     \
    ",\"all_close\":false,\"elements\":192,\"out_of_tolerance\":48" more "}]}"
#define RAISED(code)                                                                               \
    "{\"end\":\"raised\",\"stage\":\"wrapper\",\"error\":{\"type\":\"PyptoRtError\",\"message\":"  \
    "\"m\",\"code\":\"" code "\",\"kind\":null,\"file\":\"modules/x_impl.py\",\"line\":32}}"

static void test_advice(void **unused)
{
    (void)unused;
    Str summary;
    const char *advice = advice_on(LEAF("null", ",\"where\":" WHERE("zeros", "")), &summary);
    assert_non_null(strstr(advice, "written back"));
    assert_non_null(strstr(advice, "does the loop reach the last block"));
    assert_text_has(summary, "dq (out0) differs on sim: 48 of 192");
    assert_text_has(summary, "rows 9..11 of 12");
    assert_text_has(summary, "all of them are 0");
    advice = advice_on(LEAF("null", ",\"where\":" WHERE("transposed", ",\"axis\":0,\"other\":1")),
                       &summary);
    assert_non_null(strstr(advice, "a_trans"));
    assert_null(strstr(advice, "last block"));
    advice = advice_on(LEAF("null", ",\"where\":" WHERE("never_written", "")), &summary);
    assert_non_null(strstr(advice, "Write them"));
    advice = advice_on(LEAF("null", ""), &summary); /* no places: by the category */
    assert_non_null(strstr(advice, "step by step"));
    advice = advice_on(LEAF("\"dtype\"", ""), &summary);
    assert_non_null(strstr(advice, "contract's dtype"));
    advice = advice_on("{\"end\":\"compared\",\"stage\":\"done\",\"launches\":0,\"leaves\":[]}",
                       &summary);
    assert_non_null(strstr(advice, "call the kernel"));
    advice = advice_on(RAISED("F74006"), &summary);
    assert_non_null(strstr(advice, "out of range"));
    assert_null(strstr(advice, "overlap"));
    assert_text_has(summary, "at modules/x_impl.py:32, F74006: an element or window lies outside");
    advice = advice_on(RAISED("F40005"), &summary);
    assert_non_null(strstr(advice, "tile of this operation smaller"));
}

/* --- memory that nobody wrote */

#define NEVER(bounds)                                                                              \
    "{\"end\":\"compared\",\"stage\":\"done\",\"launches\":1,\"leaves\":[{\"name\":\"out0\","      \
    "\"structure\":null,\"all_close\":false}],\"provenance\":{\"known\":true,\"outputs\":[{"       \
    "\"name\":\"out0\",\"elements\":6,\"never_written\":2,\"never\":" bounds "}]}}"

/* Bounds outside their axis are as if they were missing. */
static void test_bounds_of_the_unwritten(void **unused)
{
    (void)unused;
    Str summary;
    advice_on(NEVER("[[0,1,2],[2,2,3]]"), &summary);
    assert_text_has(summary, "never written: column 2 (of 0..2)");
    static const char *const broken[] = {
        NEVER("[[-9223372036854775808,9223372036854775807,3]]"),
        NEVER("[[0,9223372036854775807,3]]"),
        NEVER("[[0,1,2],[2,1,3]]"),
        NEVER("[[0,1,2],[3,3,3]]"),
        NEVER("[[0,1,2],7]"),
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        advice_on(broken[i], &summary);
        assert_text_has(summary, "never written: 2 of 6 elements");
    }
}

/* --- the environment's faults, and what looks like one */

static void test_symptoms(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *id;
    } rows[] = {
        {"x.cpp:9:3: error: no member named 'TPARTMAX' in namespace 'pto'", "tile_library"},
        {"error: no template named 'TileAcc' in namespace 'pto::tile'", "tile_library"},
        {"fatal error: 'pto/pto-inst.hpp' file not found", "tile_library"},
        {"error: use of undeclared identifier 'pto'", "tile_library"},
        {"error: unknown type name 'bfloat16_t'", "missing_dtype"},
        {"error: unknown type name 'hifloat8_t'; did you mean", "missing_dtype"},
        {"error: unknown type name 'float8_e4m3_t'", "missing_dtype"},
        {"error: unknown type name 'float8_e5m2_t'", "missing_dtype"},
        {"error: unknown type name 'float8_e8m0_t'", "missing_dtype"},
        {"error: unknown type name 'float4_e2m1x2_t'", "missing_dtype"},
        {"error: unknown type name 'float4_e1m2x2_t'", "missing_dtype"},
        {"open device: Device or resource busy", "device_occupied"},
        {"the device is occupied by pid 12", "device_occupied"},
        {"drvDeviceOpen: device busy", "device_occupied"},
        {"NPU 3: the device is busy", "device_occupied"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Symptom *symptom = symptom_find(str_from(rows[i].text), MODE_NPU, false);
        assert_non_null(symptom);
        assert_string_equal(symptom->id, rows[i].id);
        assert_true(symptom->decisive);
        assert_null(symptom_find(str_from(rows[i].text), MODE_SIM, false));
        /* Whatever file of the device's code the log names besides. */
        Str result =
            str_format(&arena, "{\"end\":\"raised\",\"stage\":\"wrapper\",\"error\":{\"type\":"
                               "\"RuntimeError\",\"message\":\"compile failed: k.cce\",\"code\":"
                               "null,\"kind\":null}}");
        CaseContext context = {.kind = RESULT_OF_CASE, .mode = MODE_NPU, .source = &plain};
        WorkerOutcome outcome = {
            .end = PROCESS_EXITED, .result = result, .log = str_from(rows[i].text)};
        CaseResult case_result;
        case_result_read(&arena, &context, &outcome, &case_result);
        assert_true(case_result.blocked);
        assert_string_equal(category_name(case_result.category), "infra");
    }
    assert_null(symptom_find(STR("error: no member named 'x' in 'Tile'"), MODE_NPU, false));
}

static void test_sizes_on_chip(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"L0C size exceeded: 262144 > 131072", "l0a size exceeded",
                                        "L0B size exceeded", "L1 size exceeded",
                                        "UB size exceeded"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(verdict_category_of(STR(""), str_from(texts[i]), STR("")),
                         ROUTE_TILE_SHAPE);
        assert_int_equal(verdict_category_of(STR(""), STR("failed"), str_from(texts[i])),
                         ROUTE_TILE_SHAPE);
    }
    assert_int_equal(verdict_category_of(STR("F74006"), STR("out of range"), STR("")), ROUTE_OTHER);
}

/* --- the fingerprint */

/* One mode says nothing of whether modes disagree, and the sentence must not sound like several. */
static void test_fingerprint_of_one_mode(void **unused)
{
    (void)unused;
    FirstFailure first = {.fingerprint = DIVERGENCE_ALL_FAIL};
    assert_text_has(fingerprint_meaning(&arena, &first, LANG_EN), "no mode ran this case");
    first.basis[MODE_SIM] = true;
    assert_text_has(fingerprint_meaning(&arena, &first, LANG_EN),
                    "sim fails, and no other mode ran: algorithm");
    assert_text_has(fingerprint_meaning(&arena, &first, LANG_ZH), "sim 未通过，且没有运行其他模式");
    first.basis[MODE_NPU] = true;
    assert_text_has(fingerprint_meaning(&arena, &first, LANG_EN), "sim and npu both fail");
    assert_text_has(fingerprint_meaning(&arena, &first, LANG_ZH), "sim 和 npu 均未通过");
    first.basis[MODE_SIM] = false;
    assert_text_has(fingerprint_meaning(&arena, &first, LANG_EN), "npu fails, and no other");
    first.fingerprint = DIVERGENCE_NPU_ONLY;
    assert_text_has(fingerprint_meaning(&arena, &first, LANG_EN), "leave the algorithm alone");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fingerprint_of_one_mode),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_names_of_the_simulator),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_likeness),
        cmocka_unit_test(test_broken_places),
        cmocka_unit_test(test_findings),
        cmocka_unit_test(test_merged_findings),
        cmocka_unit_test(test_many_merged_findings),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_bounds_of_the_unwritten),
        cmocka_unit_test(test_symptoms),
        cmocka_unit_test(test_sizes_on_chip),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* Hardware descriptions, and contexts. */
#include "record_fixture.h"

#include <stdio.h>
#include <unistd.h>

static void every_description_loads(void **state)
{
    /* sizes in bytes, from the data sheets */
    static const struct {
        const char *name;
        int arch;
        int64_t l0a, l0c, l1, ub, l2;
    } rows[] = {
        {"910B1", 2201, 65536, 131072, 524288, 196608, 201326592},
        {"910C", 2201, 65536, 131072, 524288, 196608, 201326592},
        {"910B", 2201, 65536, 131072, 524288, 196608, 201326592},
        {"910C4", 2201, 65536, 131072, 524288, 196608, 201326592},
        {"950PR", 3510, 65536, 262144, 524288, 253952, 134217728},
        {"950DT", 3510, 65536, 262144, 524288, 253952, 134217728},
        {"950DT_9581", 3510, 65536, 262144, 524288, 253952, 134217728},
        {"950DT_9581X", 3510, 65536, 262144, 524288, 253952, 134217728},
        {"kirinX90", 3003, 65536, 131072, 1048576, 131072, 0},
        {"kirin9030", 3113, 32768, 65536, 524288, 131072, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fixture f;
        fixture_open(&f, rows[i].name, PTS_PROFILE_DEVICE);
        assert_string_equal(f.soc.name, rows[i].name);
        assert_int_equal(f.soc.arch, rows[i].arch);
        assert_int_equal(f.soc.l0a, rows[i].l0a);
        assert_int_equal(f.soc.l0c, rows[i].l0c);
        assert_int_equal(f.soc.l1, rows[i].l1);
        assert_int_equal(f.soc.ub, rows[i].ub);
        assert_int_equal(f.soc.l2, rows[i].l2);
        assert_true(f.soc.clock_mhz > 0 && f.soc.rate_ddr > 0);
        fixture_close(&f);
    }
}

/* What sets the variants apart, from the data sheets. */
static void variants_have_other_memories(void **state)
{
    static const struct {
        const char *name;
        int64_t gibibytes;
        int cube_cores, vector_cores;
    } rows[] = {{"910B", 64, 24, 48},  {"910C4", 32, 24, 48},       {"950PR", 128, 28, 56},
                {"950DT", 96, 28, 56}, {"950DT_9581", 144, 32, 64}, {"950DT_9581X", 144, 32, 64}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Fixture f;
        fixture_open(&f, rows[i].name, PTS_PROFILE_DEVICE);
        assert_int_equal(f.soc.device_memory, rows[i].gibibytes << 30);
        assert_int_equal(f.soc.cube_cores, rows[i].cube_cores);
        assert_int_equal(f.soc.vector_cores, rows[i].vector_cores);
        fixture_close(&f);
    }
}

/* Loads a description; gives the message of the error, or "". */
static const char *load(const char *text)
{
    static PtsError error;
    char path[] = "/tmp/soc-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    PtsSoc soc;
    bool ok = pts_soc_load(path, &soc, &error);
    unlink(path);
    return ok ? "" : strchr(error.message, ':') + 1; /* without the path */
}

static void mistakes_name_the_line(void **state)
{
    (void)state;
    assert_string_equal(load("name = x\nwhat = 3\n"), "2: unknown key: what");
    assert_string_equal(load("# only\n\nname x\n"), "3: no `key = value`: name x");
    assert_string_equal(load("arch = many\n"), "1: not a number: many");
    assert_string_equal(load("ub = 3 GB\n"), "1: unknown unit: GB");
    assert_string_equal(load("ub = -3 KiB\n"), "1: not a number: -3 KiB");
    assert_string_equal(load("ub = 0.3 B\n"), "1: not a whole number in range: 0.3 B");
    assert_string_equal(load("ub = 1e30\n"), "1: not a whole number in range: 1e30");
    assert_string_equal(load("name = x\nname = y\n"), "2: key given twice: name");
    assert_string_equal(load("name = a-name-that-is-longer-than-the-field-for-it\n"),
                        "1: bad text: a-name-that-is-longer-than-the-field-for-it");
    assert_string_equal(load("name = x\n"), "1: key missing at the end: arch");
    PtsSoc soc;
    PtsError error;
    assert_false(pts_soc_load("/nowhere/x.soc", &soc, &error));
    assert_non_null(strstr(error.message, "/nowhere/x.soc: cannot be read"));
}

static void names_and_scopes(void **state)
{
    Fixture f;
    (void)state;
    fixture_open(&f, "910B1", PTS_PROFILE_DEVICE);
    const char *file = pts_site_file(f.context, "kernel.py");
    char copy[] = "kernel.py";
    assert_ptr_equal(pts_site_file(f.context, copy), file);
    assert_null(pts_site_file(f.context, NULL));
    int64_t tile[PTS_MAX_TILE] = {32, 32};
    assert_int_equal(pts_scope_depth(f.context), 0);
    assert_true(pts_scope_push(f.context, &f.error));
    assert_true(pts_config_set_vector_tile(f.context, 2, tile, &f.error));
    assert_true(pts_scope_push(f.context, &f.error));
    assert_int_equal(pts_config_vector_tile(f.context, tile), 2); /* inherited */
    pts_scope_unwind(f.context, 0);
    assert_int_equal(pts_config_vector_tile(f.context, tile), 4);
    pts_scope_pop(f.context); /* the outermost stays */
    assert_int_equal(pts_config_vector_tile(f.context, tile), 4);
    while (pts_scope_push(f.context, &f.error)) {
        assert_true(pts_scope_depth(f.context) < 10000);
    }
    assert_int_equal(f.error.kind, PTS_MEMORY_ERROR);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_description_loads),
        cmocka_unit_test(variants_have_other_memories),
        cmocka_unit_test(mistakes_name_the_line),
        cmocka_unit_test(names_and_scopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

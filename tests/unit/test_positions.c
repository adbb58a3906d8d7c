/* Tests of the server's texts: positions in each encoding, and edits against a text that is put
 * together anew each time. */
#include "server/documents.h"
#include "server/frame.h"
#include "server/uri.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_counts(void **state)
{
    (void)state;
    /* a, e with acute, a Chinese character, an emoji beyond U+FFFF, b */
    Str text = STR("a\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x8E\x89"
                   "b");
    assert_int_equal(encoding_count(ENCODING_UTF8, text), 11);
    assert_int_equal(encoding_count(ENCODING_UTF16, text), 6);
    assert_int_equal(encoding_count(ENCODING_UTF32, text), 5);
    assert_int_equal(encoding_offset(ENCODING_UTF16, text, 3), 6);
    assert_int_equal(encoding_offset(ENCODING_UTF16, text, 4), 6); /* within the pair */
    assert_int_equal(encoding_offset(ENCODING_UTF16, text, 5), 10);
    assert_int_equal(encoding_offset(ENCODING_UTF8, text, 8), 6); /* within its bytes */
    assert_int_equal(encoding_offset(ENCODING_UTF32, text, 4), 10);
    for (int encoding = ENCODING_UTF16; encoding <= ENCODING_UTF32; encoding++) {
        assert_int_equal(encoding_offset((Encoding)encoding, text, 900), text.length);
        assert_int_equal(encoding_offset((Encoding)encoding, text, 0), 0);
    }
    assert_int_equal(encoding_count(ENCODING_UTF16, STR("\xFF\xC3")), 2); /* not UTF-8 */
}

static void test_lines(void **state)
{
    (void)state;
    Str text = STR("one\r\ntwo\rthree\n\nfive");
    static const size_t starts[] = {0, 5, 9, 15, 16};
    static const char *const lines[] = {"one", "two", "three", "", "five"};
    for (uint32_t i = 0; i < 5; i++) {
        size_t start = 0, before = 0;
        assert_true(line_forward(text, i, &start, &before));
        assert_int_equal(start, starts[i]);
        assert_int_equal(before, i == 0 ? 0 : starts[i - 1]);
        Str line = line_at(text, start);
        assert_int_equal(line.length, strlen(lines[i]));
        assert_memory_equal(line.at, lines[i], line.length);
    }
    size_t start = 0, before = 0;
    assert_false(line_forward(text, 5, &start, &before));
}

static void test_regions(void **state)
{
    (void)state;
    Arena arena;
    Source source;
    arena_init(&arena, 0);
    source_init(&source, &arena, STR("x.py"),
                STR("\xEF\xBB\xBF"
                    "ab\r\n\xF0\x9F\x8E\x89 cd\n"));
    /* Columns count code points, the mark does not count; for the client it is a character. */
    Range range = range_of(&source, (Region){1, 1, 1, 3}, ENCODING_UTF16);
    assert_int_equal(range.start.character, 1);
    assert_int_equal(range.end.character, 3);
    range = range_of(&source, (Region){2, 3, 2, 5}, ENCODING_UTF16);
    assert_int_equal(range.start.line, 1);
    assert_int_equal(range.start.character, 3);
    assert_int_equal(range.end.character, 5);
    range = range_of(&source, (Region){2, 3, 2, 5}, ENCODING_UTF8);
    assert_int_equal(range.start.character, 5);
    range = range_of(&source, (Region){0}, ENCODING_UTF16);
    assert_int_equal(range.end.line, 0);
    range = range_of(&source, (Region){90, 3, 91, 5}, ENCODING_UTF16); /* no such line */
    assert_int_equal(range.start.line, 2);
    assert_int_equal(position_offset(&source, (Position){1, 2}, ENCODING_UTF16), 11);
    assert_int_equal(position_offset(&source, (Position){7, 0}, ENCODING_UTF16),
                     source.text.length);
    Position place = position_of(&source, 12, ENCODING_UTF16);
    assert_int_equal(place.line, 1);
    assert_int_equal(place.character, 3);
    arena_free(&arena);
}

/* --- edits at random */

static uint32_t next_random(uint32_t most)
{
    static uint64_t seed = 88172645463325252ULL;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed % (most + 1));
}

/* The position of an offset, counted byte by byte. */
static Position naive_position(const char *text, size_t offset, Encoding encoding)
{
    Position place = {0, 0};
    for (size_t i = 0; i < offset; i++) {
        unsigned char c = (unsigned char)text[i];
        bool ends = c == '\n' || (c == '\r' && text[i + 1] != '\n');
        bool lead = (c & 0xC0) != 0x80;
        if (ends) {
            place.line++;
            place.character = 0;
        } else if (c != '\r') {
            uint32_t units = (uint32_t)lead + (encoding == ENCODING_UTF16 && c >= 0xF0);
            place.character += encoding == ENCODING_UTF8 ? 1 : units;
        }
    }
    return place;
}

/* An offset where a client can have a place: not within a character, nor within CR LF. */
static size_t random_place(const char *text, size_t length)
{
    size_t at = next_random((uint32_t)length);
    while (at > 0 && (((unsigned char)text[at] & 0xC0) == 0x80 ||
                      (text[at] == '\n' && text[at - 1] == '\r'))) {
        at--;
    }
    return at;
}

enum { ROOM = 1 << 16 };

static void random_edits(Encoding encoding)
{
    static const char *const pieces[] = {
        "\r", "\n", "\r\n", "x", "\xC3\xA9", "\xF0\x9F\x8E\x89", "", "a line\nand another\r\n"};
    static char model[ROOM], other[ROOM];
    EditedText text = {0};
    snprintf(model, ROOM, "one\ntwo\r\nthree\rfour \xF0\x9F\x8E\x89\n");
    assert_true(text_set(&text, str_from(model)));
    for (int i = 0; i < 4000; i++) {
        size_t length = strlen(model);
        size_t start = random_place(model, length);
        size_t end = random_place(model, length < start + 5 ? length : start + 5);
        end = end < start ? start : end;
        const char *piece = pieces[next_random(7)];
        Range range = {naive_position(model, start, encoding),
                       naive_position(model, end, encoding)};
        assert_true(text_replace(&text, range, str_from(piece), encoding));
        snprintf(other, ROOM, "%.*s%s%s", (int)start, model, piece, model + end);
        memcpy(model, other, ROOM);
        assert_int_equal(text.length, strlen(model));
        assert_memory_equal(text_str(&text).at, model, text.length);
        if (text.length > ROOM / 4) {
            model[random_place(model, 100)] = '\0';
            assert_true(text_set(&text, str_from(model)));
        }
    }
    text_free(&text);
}

static void test_random_edits(void **state)
{
    (void)state;
    random_edits(ENCODING_UTF16);
    random_edits(ENCODING_UTF8);
    random_edits(ENCODING_UTF32);
}

static void test_limits(void **state)
{
    (void)state;
    EditedText text = {0};
    char *much = calloc(1, TEXT_MOST_BYTES + 1);
    assert_non_null(much);
    assert_false(text_set(&text, (Str){much, TEXT_MOST_BYTES + 1}));
    assert_int_equal(text.length, 0);
    assert_true(text_set(&text, STR("ab")));
    Range all = {{0, 0}, {9, 9}};
    assert_false(text_replace(&text, all, (Str){much, TEXT_MOST_BYTES + 1}, ENCODING_UTF8));
    assert_int_equal(text.length, 2);
    assert_true(text_replace(&text, (Range){{5, 5}, {0, 1}}, STR("c"), ENCODING_UTF8));
    assert_memory_equal(text_str(&text).at, "abc", 3);
    free(much);
    text_free(&text);
}

/* --- frames and addresses */

static void test_frames(void **state)
{
    (void)state;
    static const char bytes[] = "Content-Length: 2\r\n\r\n{}content-length:4\r\nX: y\r\n\r\n[{}]";
    FrameReader reader = {0};
    Str message;
    const char *error;
    int messages = 0;
    for (size_t i = 0; i < sizeof bytes - 1; i++) {
        *frame_room(&reader, 1) = bytes[i];
        frame_filled(&reader, 1);
        FrameStatus status = frame_next(&reader, &message, &error);
        assert_int_not_equal(status, FRAME_BROKEN);
        if (status == FRAME_WHOLE) {
            assert_true(str_is(message, messages++ == 0 ? "{}" : "[{}]"));
        }
    }
    assert_int_equal(messages, 2);
    frame_free(&reader);
}

static void test_addresses(void **state)
{
    (void)state;
    Arena arena;
    arena_init(&arena, 0);
    static const struct {
        const char *uri, *path;
    } cases[] = {
        {"file:///nowhere/a%20b.py", "/nowhere/a b.py"},
        {"FILE:///nowhere/%C3%A9.py", "/nowhere/\xC3\xA9.py"},
        {"file://localhost/nowhere/x", "/nowhere/x"},
        {"file:///nowhere/x?y#z", "/nowhere/x"},
        {"file:///nowhere/x%3Fy", "/nowhere/x?y"},
        {"file://other/nowhere/x", ""},
        {"file:///nowhere/%0", ""},
        {"file:///nowhere/%zz", ""},
        {"file:///nowhere/%00", ""},
        {"file://", ""},
        {"untitled:Untitled-1", ""},
        {"http://host/x", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Str path = uri_path(&arena, str_from(cases[i].uri));
        assert_true(str_is(path, cases[i].path));
    }
    Str there = STR("/a b/\xE6\xBC\xA2%#?.py");
    assert_true(str_is(uri_of_path(&arena, there), "file:///a%20b/%E6%BC%A2%25%23%3F.py"));
    assert_true(str_equal(uri_path(&arena, uri_of_path(&arena, there)), there));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),    cmocka_unit_test(test_lines),
        cmocka_unit_test(test_regions),   cmocka_unit_test(test_random_edits),
        cmocka_unit_test(test_limits),    cmocka_unit_test(test_frames),
        cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

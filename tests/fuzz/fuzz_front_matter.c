/* Fuzz driver: the front matter of a document, both of its readers, and the schemas over it.
 *
 * Lines of values lie within the document, a refused YAML text has a reason, and a value can be
 * shown in one line of valid UTF-8. The input is also read as a scalar and as a Python literal. */
#include "base/utf8.h"
#include "fuzz.h"
#include "operator/extract.h"
#include "operator/schema.h"
#include "operator/text.h"
#include "operator/yaml_value.h"

enum { SHOWN = 80, SHOWN_MOST = SHOWN + 64 };

static void check_shown(Arena *arena, const Value *value)
{
    Str shown = value_show(arena, value, SHOWN);
    REQUIRE(shown.length <= SHOWN_MOST && utf8_first_error(shown) == SIZE_MAX);
    REQUIRE(str_find(shown, STR("\n"), 0) == SIZE_MAX);
    int64_t integer;
    double real;
    (void)value_to_int(value, &integer);
    (void)value_to_real(value, &real);
    REQUIRE(value == NULL || value_kind_name(value) != NULL);
}

static void check_schemas(Arena *arena, const FrontMatter *front, uint32_t lines)
{
    for (int kind = SCHEMA_SPEC; kind <= SCHEMA_API_REPORT; kind++) {
        SchemaErrors errors = schema_check(arena, (SchemaKind)kind, front);
        for (uint32_t i = 0; i < errors.count; i++) {
            REQUIRE(errors.items[i].line <= lines && errors.items[i].message.length > 0);
            REQUIRE(utf8_first_error(errors.items[i].message_zh) == SIZE_MAX);
        }
        REQUIRE(front->metadata->count > 0 || errors.count > 0);
    }
}

static void check_document(Arena *arena, Str text)
{
    FrontMatter front = front_matter_read(arena, text);
    uint32_t lines = text_count_lines(text) + 1;
    REQUIRE(value_is(front.metadata, VALUE_MAPPING));
    REQUIRE(front.body_line >= 1 && front.body_line <= lines && front.fault_line <= lines);
    REQUIRE(front.yaml_line <= lines && front.header.length + front.body.length <= text.length);
    REQUIRE(front.recognised || (front.header.length == 0 && front.body.length == text.length));
    REQUIRE(!front.yaml_failed || front.yaml_error.length > 0);
    uint32_t body_line = 0;
    Str body = front_matter_body(text, &body_line);
    REQUIRE(body.at == front.body.at && body.length == front.body.length);
    REQUIRE(body_line == front.body_line);
    check_shown(arena, front.metadata);
    check_schemas(arena, &front, lines);
    P0Shapes shapes = p0_shapes_read(arena, value_get(front.metadata, "p0_shapes"));
    for (uint32_t i = 0; i < shapes.shapes.shapes.count; i++) {
        Shape shape = shapes.shapes.shapes.items[i];
        REQUIRE(shape.count >= 2 && shape.line <= lines && shape_set_has(&shapes.shapes, shape));
    }
    (void)tolerance_mode(value_get(front.metadata, "tolerance"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    jmp_buf env;
    Str text = {(const char *)data, size};
    if (utf8_first_error(text) != SIZE_MAX) {
        return 0; /* documents that are not UTF-8 are not read */
    }
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    check_document(&arena, text);
    Buf headed = {.arena = &arena};
    buf_add(&headed, STR("---\n"));
    buf_add(&headed, text);
    buf_add(&headed, STR("\n---\nbody\n"));
    check_document(&arena, buf_str(&headed));
    YamlResult yaml = yaml_value_read(&arena, text, 7);
    REQUIRE(yaml.ok || (yaml.error.length > 0 && yaml.error_zh.length > 0));
    check_shown(&arena, yaml.ok ? yaml.value : NULL);
    const Value *scalar = scalar_value(&arena, text, 1);
    REQUIRE(scalar != NULL);
    check_shown(&arena, scalar);
    check_shown(&arena, python_literal(&arena, text, 1));
    arena_free(&arena);
    return 0;
}

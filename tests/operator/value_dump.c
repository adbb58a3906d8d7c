/* value_dump: reads texts from standard input, each preceded by its length in bytes and a line
 * feed, and prints one line of JSON for each: what the reader named on the command line (yaml,
 * literal, scalar) makes of it. */
#include "operator/front_matter.h"
#include "operator/yaml_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_string(Str text)
{
    putchar('"');
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

static void print_value(const Value *value);

static void print_parts(const Value *value)
{
    for (uint32_t i = 0; i < value->count; i++) {
        printf(",");
        if (value->kind == VALUE_MAPPING) {
            printf("[");
            print_value(value->entries[i].key);
            printf(",");
            print_value(value->entries[i].value);
            printf("]");
        } else {
            print_value(value->items[i]);
        }
    }
}

static void print_real(double number)
{
    if (isnan(number)) {
        printf("[\"real\",\"nan\"]");
    } else if (isinf(number)) {
        printf("[\"real\",\"%sinf\"]", number < 0 ? "-" : "");
    } else {
        printf("[\"real\",%.17g]", number);
    }
}

static void print_value(const Value *value)
{
    switch (value->kind) {
    case VALUE_NULL:
        printf("[\"null\"]");
        break;
    case VALUE_BOOL:
        printf("[\"bool\",%d]", value->boolean);
        break;
    case VALUE_INT:
        if (value->is_big) {
            printf("[\"big\",%.6e]", value->real);
        } else {
            printf("[\"int\",%lld]", (long long)value->integer);
        }
        break;
    case VALUE_REAL:
        print_real(value->real);
        break;
    case VALUE_STRING:
        printf("[\"string\",");
        print_string(value->text);
        printf("]");
        break;
    default:
        printf("[\"%s\"", value->kind == VALUE_MAPPING ? "mapping"
                          : value->kind == VALUE_SET   ? "set"
                          : value->is_tuple            ? "tuple"
                                                       : "list");
        print_parts(value);
        printf("]");
    }
}

static void dump(Arena *arena, const char *reader, Str text)
{
    const Value *value = NULL;
    bool ok = true;
    if (strcmp(reader, "yaml") == 0) {
        YamlResult result = yaml_value_read(arena, text, 1);
        value = result.value;
        ok = result.ok;
    } else if (strcmp(reader, "literal") == 0) {
        value = python_literal(arena, text, 1);
        ok = value != NULL;
    } else {
        value = scalar_value(arena, text, 1);
    }
    if (!ok) {
        printf("[\"error\"]");
    } else if (value == NULL) {
        printf("[\"null\"]");
    } else {
        print_value(value);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    size_t length;
    while (argc == 2 && scanf("%zu", &length) == 1 && getchar() == '\n') {
        char *text = malloc(length + 1);
        if (text == NULL || fread(text, 1, length, stdin) != length) {
            free(text);
            return 1;
        }
        Arena arena;
        arena_init(&arena, 0);
        dump(&arena, argv[1], (Str){text, length});
        arena_free(&arena);
        free(text);
    }
    return argc == 2 ? 0 : 2;
}

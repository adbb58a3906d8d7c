/* Test program: reads file names from standard input, lexes each file, and prints a JSON line with
 * its errors for each: {"path": …, "errors": [[line, column, "message"], …], "comments": n}. With
 * --snippets standard input holds texts instead, each after a line with its length in bytes; the
 * line then has the cleaned copy too.
 * With --bench it lexes the files named as arguments again and again and prints MB/s.
 * With --clean it writes the cleaned copy of the file named. */
#include "base/utf8.h"
#include "python/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static bool read_file(const char *path, char **text, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    size_t capacity = 1 << 16;
    *text = malloc(capacity);
    *length = 0;
    size_t got = 0;
    while (*text != NULL && (got = fread(*text + *length, 1, capacity - *length, file)) > 0) {
        *length += got;
        if (*length == capacity) {
            capacity *= 2;
            char *larger = realloc(*text, capacity);
            if (larger == NULL) {
                free(*text);
            }
            *text = larger;
        }
    }
    fclose(file);
    return *text != NULL;
}

static void print_json_string(Str text)
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

static void dump(const char *path, Str text)
{
    Arena arena;
    arena_init(&arena, 0);
    Source source;
    Lexed lexed;
    printf("{\"path\": ");
    print_json_string(str_from(path));
    printf(", \"errors\": [");
    if (utf8_first_error(text) != SIZE_MAX || memchr(text.at, 0, text.length) != NULL) {
        printf("[1, 1, \"not UTF-8 text\"]], \"comments\": 0}\n");
        fflush(stdout);
        return;
    }
    source_init(&source, &arena, str_from(path), text);
    python_lex(&lexed, &arena, &source);
    for (uint32_t i = 0; i < lexed.errors.count; i++) {
        SyntaxError error = lexed.errors.items[i];
        printf("%s[%u, %u, ", i == 0 ? "" : ", ", source_line(&source, error.start),
               source_column(&source, error.start));
        print_json_string(error.message);
        putchar(']');
    }
    printf("], \"comments\": %u", lexed.comments.count);
    if (*path == '\0') {
        printf(", \"clean\": ");
        print_json_string((Str){lexed.clean, text.length});
    }
    printf("}\n");
    fflush(stdout);
    arena_free(&arena);
}

static double lex_once(Str text)
{
    struct timespec before;
    struct timespec after;
    Arena arena;
    Source source;
    Lexed lexed;
    arena_init(&arena, 0);
    source_init(&source, &arena, STR("bench.py"), text);
    clock_gettime(CLOCK_MONOTONIC, &before);
    python_lex(&lexed, &arena, &source);
    clock_gettime(CLOCK_MONOTONIC, &after);
    arena_free(&arena);
    return (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
}

static int with_file(const char *option, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    if (!read_file(path, &text, &length)) {
        return 1;
    }
    Str whole = {text, length};
    if (strcmp(option, "--bench") == 0) {
        double best = lex_once(whole);
        for (int i = 0; i < 20; i++) {
            double seconds = lex_once(whole);
            best = seconds < best ? seconds : best;
        }
        printf("%s: %.0f MB/s\n", path, (double)length / best / 1e6);
    } else {
        Arena arena;
        Source source;
        Lexed lexed;
        arena_init(&arena, 0);
        source_init(&source, &arena, str_from(path), whole);
        python_lex(&lexed, &arena, &source);
        fwrite(lexed.clean, 1, length, stdout);
        arena_free(&arena);
    }
    free(text);
    return 0;
}

static int read_snippets(void)
{
    char line[32];
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t length = strtoul(line, NULL, 10);
        char *text = malloc(length + (length == 0));
        if (text == NULL || fread(text, 1, length, stdin) != length) {
            free(text);
            return 1;
        }
        dump("", (Str){text, length});
        free(text);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--snippets") == 0) {
        return read_snippets();
    }
    if (argc > 2) {
        int status = 0;
        for (int i = 2; i < argc; i++) {
            status |= with_file(argv[1], argv[i]);
        }
        return status;
    }
    char path[4096];
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        char *text = NULL;
        size_t length = 0;
        if (read_file(path, &text, &length)) {
            /* An exact copy, so that the address sanitizer sees reads past the end. */
            char *exact = malloc(length + (length == 0));
            if (exact != NULL) {
                if (length > 0) {
                    memcpy(exact, text, length);
                }
                dump(path, (Str){exact, length});
                free(exact);
            }
            free(text);
        }
    }
    return 0;
}

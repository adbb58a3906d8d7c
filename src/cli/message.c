/* Standard output and standard error; see message.h. */
#include "cli/message.h"

#include "report/terminal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Messages quote what they are about: names, settings, arguments. It is escaped here, once for all
 * of them. Line ends are kept where the text has lines of its own. */
static void add_escaped(Buf *out, Str text, bool lines)
{
    for (size_t start = 0; start <= text.length;) {
        size_t end = lines ? str_find(text, STR("\n"), start) : SIZE_MAX;
        end = end == SIZE_MAX ? text.length : end;
        terminal_add(out, str_slice(text, start, end));
        if (end < text.length) {
            buf_add_char(out, '\n');
        }
        start = end + 1;
    }
}

typedef struct Message {
    Buf out;
    Str text;
    bool lines;
} Message;

static void compose(void *argument)
{
    Message *message = argument;
    buf_add(&message->out, message->lines ? STR("") : STR("pypto-lint: "));
    add_escaped(&message->out, message->text, message->lines);
    buf_add(&message->out, message->lines ? STR("") : STR("\n"));
}

/* Takes memory of its own: these are the messages for when there is none left, too. */
static void print_text(Str text, bool lines)
{
    Arena arena;
    arena_init(&arena, 0);
    Message message = {.out = {.arena = &arena}, .text = text, .lines = lines};
    if (arena_try(&arena, compose, &message)) {
        fwrite(message.out.at, 1, message.out.length, stderr);
    } else {
        fputs("pypto-lint: out of memory\n", stderr);
    }
    arena_free(&arena);
}

__attribute__((format(printf, 1, 0))) static void print_message(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0) {
        fputs("pypto-lint: out of memory\n", stderr);
        return;
    }
    print_text(str_from(text), false);
    free(text);
}

int print_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(format, args);
    va_end(args);
    return EXIT_ERROR;
}

void print_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(format, args);
    va_end(args);
}

void print_error_lines(Str text)
{
    if (text.length > 0) {
        print_text(text, true);
    }
}

void print_errors(const RunResult *result)
{
    for (uint32_t i = 0; i < result->notices.count; i++) {
        const Notice *notice = &result->notices.items[i];
        if (notice->is_error) {
            print_error("%.*s%s%.*s", STR_ARG(notice->file), notice->file.length > 0 ? ": " : "",
                        STR_ARG(notice->message));
        }
    }
}

bool print_all(Str text)
{
    size_t done = 0;
    while (done < text.length) {
        ssize_t wrote = write(STDOUT_FILENO, text.at + done, text.length - done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            /* `pypto-lint … | head` is not our error, but the status must not say "clean". */
            if (errno != EPIPE) {
                print_error("standard output: %s", strerror(errno));
            }
            return false;
        }
        done += (size_t)wrote;
    }
    return true;
}

bool json_print(Arena *arena, const JsonTree *tree, json_t *root)
{
    Buf out = {.arena = arena};
    if (!json_add_built(&out, tree, root, JSON_INDENT(2))) {
        print_error("out of memory");
        return false;
    }
    return print_all(buf_str(&out));
}

/* Runs commands; see commands.h. This is the only place that runs code of the project: a client
 * sends `workspace/executeCommand` when its user has chosen a command. */
#include "server/commands.h"

#include "base/clock.h"
#include "base/program.h"
#include "process/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

const ProgramCommand program_commands[] = {
    [COMMAND_RUN] = {"pypto-lint.run",
                     "Run this kernel in the simulator",
                     "在模拟器中运行此 kernel",
                     {"run"},
                     false},
    [COMMAND_VERIFY] =
        {"pypto-lint.verify", "Verify this operator", "验证此算子", {"verify", "--op-dir"}, true},
};
const size_t program_command_count = sizeof program_commands / sizeof *program_commands;

enum { MOST_PROGRAMS = 4, GRACE_MS = 2000 };

/* --- progress */

static void add_progress(Server *server, const Program *program, const char *kind, const char *key,
                         Str text)
{
    Buf out = {.arena = &server->arena};
    if (program->token == NULL) {
        return;
    }
    buf_addf(&out, "{\"token\":%s,\"value\":{\"kind\":\"%s\",\"%s\":", program->token, kind, key);
    json_add_string(&out, text);
    buf_add(&out, strcmp(kind, "begin") == 0 ? STR(",\"cancellable\":true}}") : STR("}}"));
    server_notify(server, "$/progress", buf_str(&out));
}

/* The progress token of the request, else one of our own if the client can show it; malloc. */
static char *choose_token(Server *server, const json_t *params)
{
    const json_t *token = json_object_get(params, "workDoneToken");
    if (token != NULL) {
        return json_dumps(token, JSON_ENCODE_ANY | JSON_COMPACT);
    }
    if (!server->facts.takes_progress) {
        return NULL;
    }
    Str made = str_format(&server->arena, "\"pypto-lint/run/%llu\"",
                          (unsigned long long)server->next_id + 1);
    server_ask(server, "window/workDoneProgress/create",
               str_format(&server->arena, "{\"token\":%s}", made.at));
    return strdup(made.at);
}

/* --- starting */

static const ProgramCommand *find_command(Str name)
{
    for (size_t i = 0; i < program_command_count; i++) {
        if (str_is(name, program_commands[i].name)) {
            return &program_commands[i];
        }
    }
    return NULL;
}

/* The path that the first argument names; empty unless it is what the command takes, a Python file
 * or a folder. */
static Str argument_path(Server *server, const ProgramCommand *command, const json_t *params)
{
    const json_t *first = json_array_get(json_object_get(params, "arguments"), 0);
    Str uri = json_is_string(first) ? (Str){json_string_value(first), json_string_length(first)}
                                    : STR("");
    Str path = uri_path(&server->arena, uri);
    bool fits = path.length > 0 &&
                (command->takes_folder ? file_is_directory(path.at)
                                       : str_ends(path, STR(".py")) && file_is_regular(path.at));
    return fits ? path : STR("");
}

static Program *start(Server *server, const ProgramCommand *command, Str path)
{
    char *arguments[8] = {str_dup(&server->arena, STR("pypto-lint"))};
    int count = 1, writer = -1, error = 0;
    for (int i = 0; i < 3 && command->words[i] != NULL; i++) {
        arguments[count++] = str_dup(&server->arena, str_from(command->words[i]));
    }
    arguments[count++] = str_dup(&server->arena, path);
    Program *program = calloc(1, sizeof *program);
    if (program == NULL || !process_pipe(&program->out, &writer)) {
        free(program);
        return NULL;
    }
    Process process = {.program = program_again(&server->arena),
                       .arguments = arguments,
                       .environment = environ,
                       .out = writer,
                       .err = writer};
    program->pid = process_start(&process, &error);
    close(writer);
    if (program->pid < 0) {
        close(program->out);
        free(program);
        return NULL;
    }
    program->next = server->programs;
    server->programs = program;
    return program;
}

static unsigned running(const Server *server)
{
    unsigned count = 0;
    for (const Program *program = server->programs; program != NULL; program = program->next) {
        count++;
    }
    return count;
}

void take_command(Server *server, const char *id, const json_t *params)
{
    const ProgramCommand *command = find_command(json_str(params, "command"));
    if (command == NULL) {
        server_refuse(server, id, RPC_INVALID_PARAMS, "no such command");
        return;
    }
    Str path = argument_path(server, command, params);
    if (path.length == 0) {
        server_refuse(server, id, RPC_INVALID_PARAMS,
                      command->takes_folder ? "the argument is not the address of a folder"
                                            : "the argument is not the address of a Python file");
        return;
    }
    Program *program = running(server) < MOST_PROGRAMS ? start(server, command, path) : NULL;
    if (program == NULL) {
        server_refuse(server, id, RPC_REQUEST_FAILED, "the program cannot be started");
        return;
    }
    program->id = strdup(id);
    program->token = choose_token(server, params);
    bool zh = server->facts.lang == LANG_ZH;
    add_progress(server, program, "begin", "title",
                 str_from(zh ? command->title_zh : command->title));
    const OpenDocument *open = documents_by_path(&server->documents, path);
    Str text;
    if (open != NULL &&
        (file_read(&server->arena, path.at, TEXT_MOST_BYTES, &text, NULL) != FILE_OK ||
         !str_equal(text, text_str(&open->text)))) {
        server_log(server, 2,
                   str_from(zh ? "运行的是已保存的文件，不是未保存的修改"
                               : "this runs the saved file, without the unsaved changes"));
    }
}

/* --- running */

static void add_output(Server *server, Program *program, Str bytes)
{
    for (size_t i = 0; i < bytes.length; i++) {
        if (program->tail_length == sizeof program->tail) { /* drop the first half */
            size_t half = sizeof program->tail / 2;
            memmove(program->tail, program->tail + half, program->tail_length - half);
            program->tail_length -= half;
            program->line_start = program->line_start > half ? program->line_start - half : 0;
        }
        program->tail[program->tail_length++] = bytes.at[i];
        if (bytes.at[i] == '\n') {
            Str line = {program->tail + program->line_start,
                        program->tail_length - 1 - program->line_start};
            program->line_start = program->tail_length;
            if (str_trim(line).length > 0) {
                add_progress(server, program, "report", "message", line);
            }
        }
    }
}

static void forget(Server *server, Program *program)
{
    Program **link = &server->programs;
    while (*link != program) {
        link = &(*link)->next;
    }
    *link = program->next;
    close(program->out);
    free(program->id);
    free(program->token);
    free(program);
}

/* Called when a program's output or its time has ended. If it keeps running, it is killed. */
static void finish(Server *server, Program *program)
{
    int status = 0;
    bool zh = server->facts.lang == LANG_ZH;
    if (process_wait(program->pid, clock_ms() + GRACE_MS, &status) != PROCESS_EXITED) {
        process_end(program->pid, 0);
        status = 128;
    }
    Str summary = str_format(&server->arena, zh ? "退出状态 %d" : "exit status %d", status);
    add_progress(server, program, "end", "message", summary);
    Buf out = {.arena = &server->arena};
    buf_addf(&out, "{\"exitStatus\":%d,\"output\":", status);
    json_add_string(&out, (Str){program->tail, program->tail_length});
    buf_add_char(&out, '}');
    if (program->cancelled) {
        server_refuse(server, program->id, RPC_CANCELLED, "cancelled");
    } else {
        server_answer(server, program->id, buf_str(&out));
    }
    forget(server, program);
}

/* A process may survive SIGTERM and keep the output open: one that ignores the signal, or one that
 * a shell started just as the signal arrived. */
static bool is_overdue(const Program *program)
{
    return program->cancelled && clock_ms() >= program->deadline;
}

void program_step(Server *server, Program *program)
{
    char bytes[4096];
    if (is_overdue(program)) {
        kill(-program->pid, SIGKILL);
        finish(server, program);
        return;
    }
    ssize_t got = read(program->out, bytes, sizeof bytes);
    if (got > 0) {
        add_output(server, program, (Str){bytes, (size_t)got});
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        finish(server, program);
    }
}

static void cancel(Program *program)
{
    if (program->cancelled) {
        return;
    }
    program->cancelled = true;
    program->deadline = clock_ms() + GRACE_MS;
    kill(-program->pid, SIGTERM);
}

void take_progress_cancel(Server *server, const json_t *params)
{
    const json_t *token = json_object_get(params, "token");
    char *text = token == NULL ? NULL : json_dumps(token, JSON_ENCODE_ANY | JSON_COMPACT);
    for (Program *program = server->programs; program != NULL && text != NULL;
         program = program->next) {
        if (program->token != NULL && strcmp(program->token, text) == 0) {
            cancel(program);
        }
    }
    free(text);
}

void take_cancel(Server *server, const json_t *params)
{
    const json_t *id = json_object_get(params, "id");
    char *text = id == NULL ? NULL : json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT);
    for (Program *program = server->programs; program != NULL && text != NULL;
         program = program->next) {
        if (program->id != NULL && strcmp(program->id, text) == 0) {
            cancel(program);
        }
    }
    if (text != NULL) {
        schedule_cancel(server, text);
    }
    free(text);
}

void programs_end(Server *server)
{
    while (server->programs != NULL) {
        process_end(server->programs->pid, GRACE_MS);
        forget(server, server->programs);
    }
}

/* Lifecycle: negotiating capabilities, and shutting down. */
#include "server/server.h"

#include "server/commands.h"

#include <stdlib.h>

static const json_t *at(const json_t *object, const char *a, const char *b, const char *c)
{
    const json_t *found = json_object_get(json_object_get(object, a), b);
    return c == NULL ? found : json_object_get(found, c);
}

static bool is_set(const json_t *value)
{
    return json_is_true(value);
}

/* The first encoding in the client's list, which is in order of preference, that the server
 * knows. */
static Encoding choose_encoding(const json_t *offered)
{
    size_t index;
    const json_t *item;
    json_array_foreach(offered, index, item)
    {
        for (int i = ENCODING_UTF16; i <= ENCODING_UTF32; i++) {
            if (json_is_string(item) &&
                strcmp(json_string_value(item), encoding_name((Encoding)i)) == 0) {
                return (Encoding)i;
            }
        }
    }
    return ENCODING_UTF16;
}

static bool has_number(const json_t *list, int wanted)
{
    size_t index;
    const json_t *item;
    json_array_foreach(list, index, item)
    {
        if (json_is_integer(item) && json_integer_value(item) == wanted) {
            return true;
        }
    }
    return false;
}

static void take_capabilities(ClientFacts *facts, const json_t *capabilities)
{
    const json_t *document = json_object_get(capabilities, "textDocument");
    const json_t *workspace = json_object_get(capabilities, "workspace");
    const json_t *pushed = json_object_get(document, "publishDiagnostics");
    const json_t *pulled = json_object_get(document, "diagnostic");
    facts->encoding = choose_encoding(at(capabilities, "general", "positionEncodings", NULL));
    facts->offers_pull = json_is_object(pulled);
    /* Pull and push share these facts: what a client supports in one, it can show in the other. */
    facts->takes_related = is_set(json_object_get(pushed, "relatedInformation")) ||
                           is_set(json_object_get(pulled, "relatedInformation"));
    facts->takes_code_description = is_set(json_object_get(pushed, "codeDescriptionSupport")) ||
                                    is_set(json_object_get(pulled, "codeDescriptionSupport"));
    facts->takes_data = is_set(json_object_get(pushed, "dataSupport")) ||
                        is_set(json_object_get(pulled, "dataSupport"));
    facts->takes_unnecessary = has_number(at(pushed, "tagSupport", "valueSet", NULL), 1) ||
                               has_number(at(pulled, "tagSupport", "valueSet", NULL), 1);
    facts->takes_related_documents = is_set(json_object_get(pulled, "relatedDocumentSupport"));
    facts->takes_versioned_edits = is_set(at(workspace, "workspaceEdit", "documentChanges", NULL));
    facts->takes_action_literals =
        json_is_object(at(document, "codeAction", "codeActionLiteralSupport", NULL));
    facts->takes_progress = is_set(at(capabilities, "window", "workDoneProgress", NULL));
    facts->takes_watchers =
        is_set(at(workspace, "didChangeWatchedFiles", "dynamicRegistration", NULL));
    facts->takes_refresh = is_set(at(workspace, "diagnostics", "refreshSupport", NULL));
    facts->takes_hint_refresh = is_set(at(workspace, "inlayHint", "refreshSupport", NULL));
    size_t index;
    const json_t *format;
    json_array_foreach(at(document, "hover", "contentFormat", NULL), index, format)
    {
        facts->markdown = facts->markdown || (json_is_string(format) &&
                                              strcmp(json_string_value(format), "markdown") == 0);
    }
}

void take_settings(Server *server, const json_t *settings)
{
    ClientFacts *facts = &server->facts;
    const json_t *hints = json_object_get(settings, "inlayHints");
    facts->inlay_hints = json_is_boolean(hints) ? is_set(hints) : facts->inlay_hints;
    const json_t *named = json_object_get(settings, "lang");
    Str lang = json_str(settings, "lang");
    if (json_is_string(named) && !server->lang_given) {
        facts->has_lang = str_is(lang, "en") || str_is(lang, "zh");
        facts->lang = !facts->has_lang     ? server->client_lang
                      : str_is(lang, "zh") ? LANG_ZH
                                           : LANG_EN;
    }
}

static void take_way(ClientFacts *facts, Str way)
{
    facts->way = !facts->offers_pull || str_is(way, "push") ? WAY_PUSH
                 : str_is(way, "pull")                      ? WAY_PULL
                 : str_is(way, "auto")                      ? WAY_AUTO
                                                            : WAY_BOTH;
    facts->offers_pull = facts->way != WAY_PUSH;
}

static void add_capabilities(const ClientFacts *facts, Buf *out)
{
    buf_addf(out, "{\"capabilities\":{\"positionEncoding\":\"%s\"", encoding_name(facts->encoding));
    buf_add(out, STR(",\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":{}}"
                     ",\"hoverProvider\":true,\"definitionProvider\":true"
                     ",\"inlayHintProvider\":true"
                     ",\"documentLinkProvider\":{\"resolveProvider\":false}"
                     ",\"completionProvider\":{\"triggerCharacters\":[\".\",\"(\",\",\"]}"
                     ",\"signatureHelpProvider\":{\"triggerCharacters\":[\"(\",\",\"]}"
                     ",\"codeActionProvider\":"));
    buf_add(out, facts->takes_action_literals
                     ? STR("{\"codeActionKinds\":[\"quickfix\",\"source.fixAll.pypto-lint\","
                           "\"source.pypto-lint\"]}")
                     : STR("true"));
    buf_add(out, STR(",\"executeCommandProvider\":{\"workDoneProgress\":true,\"commands\":["));
    for (size_t i = 0; i < program_command_count; i++) {
        buf_addf(out, "%s\"%s\"", i == 0 ? "" : ",", program_commands[i].name);
    }
    buf_add(out, STR("]}"));
    if (facts->offers_pull) {
        buf_add(out, STR(",\"diagnosticProvider\":{\"identifier\":\"pypto-lint\","
                         "\"interFileDependencies\":true,\"workspaceDiagnostics\":true}"));
    }
    buf_add(out, STR(",\"workspace\":{\"workspaceFolders\":{\"supported\":true,"
                     "\"changeNotifications\":true}}},\"serverInfo\":{\"name\":\"pypto-lint\","
                     "\"version\":\"" PYPTO_LINT_VERSION "\"}}"));
}

/* Answers before any other work is done, because the editor waits. */
void take_initialize(Server *server, const char *id, const json_t *params)
{
    ClientFacts *facts = &server->facts;
    const json_t *options = json_object_get(params, "initializationOptions");
    Buf out = {.arena = &server->arena};
    take_capabilities(facts, json_object_get(params, "capabilities"));
    Str locale = json_str(params, "locale");
    if (!server->lang_given && locale.length > 0) {
        facts->lang = str_starts(locale, STR("zh")) ? LANG_ZH : LANG_EN;
    }
    server->client_lang = facts->lang;
    take_settings(server, options);
    take_way(facts, json_str(options, "diagnostics"));
    const json_t *client = json_object_get(params, "processId");
    server->client = json_is_integer(client) ? (pid_t)json_integer_value(client) : 0;
    server_set_folders(server, params);
    server->state = SERVER_OPEN;
    add_capabilities(facts, &out);
    server_answer(server, id, buf_str(&out));
}

void take_initialized(Server *server, const json_t *params)
{
    (void)params;
    if (server->facts.takes_watchers) {
        server_ask(server, "client/registerCapability",
                   STR("{\"registrations\":[{\"id\":\"pypto-lint-files\",\"method\":"
                       "\"workspace/didChangeWatchedFiles\",\"registerOptions\":{\"watchers\":["
                       "{\"globPattern\":\"**/*.{py,md,yaml,yml}\"},"
                       "{\"globPattern\":\"**/.orchestrator_state.json\"},"
                       "{\"globPattern\":\"**/.pypto-lint.yaml\"}]}}]}"));
    }
}

void take_shutdown(Server *server, const char *id, const json_t *params)
{
    (void)params;
    server->state = SERVER_SHUT;
    server_answer(server, id, STR("null"));
}

void take_exit(Server *server, const json_t *params)
{
    (void)params;
    server->exit_status = server->state == SERVER_SHUT ? 0 : 1;
    server->state = SERVER_ENDED;
}

/* Fuzz driver: what a client of the language server sends, up to the point where a worker would get
 * a job.
 *
 * What must hold: the same bytes in two parts are the same messages; the server goes on after any
 * message whose end is known; every answer is a whole frame. */
#include "fuzz.h"
#include "server/server.h"

#include <fcntl.h>
#include <unistd.h>

static Server server;

static void add(const uint8_t *data, size_t size)
{
    char *room = frame_room(&server.reader, size + 1);
    REQUIRE(room != NULL);
    memcpy(room, data, size);
    frame_filled(&server.reader, size);
}

static void take(void)
{
    Str message;
    const char *error;
    FrameStatus status;
    while ((status = frame_next(&server.reader, &message, &error)) == FRAME_WHOLE) {
        /* Programs are for users to start. */
        if (!str_contains(message, STR("xecute"))) {
            server_take_message(&server, message);
        }
    }
    REQUIRE((status == FRAME_BROKEN) == (error != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int nowhere = -1;
    static jmp_buf env;
    if (size == 0) {
        return 0;
    }
    if (nowhere < 0) {
        json_memory_begin();
        nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    }
    size_t part = data[0] < size ? data[0] : size;
    server = (Server){.out = nowhere, .facts.docs_uri = STR("https://docs.example/")};
    arena_init(&server.arena, 0);
    REQUIRE(OOM_GUARD(&server.arena, env));
    add(data + 1, part == 0 ? 0 : part - 1);
    take();
    add(data + (part == 0 ? 1 : part), size - (part == 0 ? 1 : part));
    take();
    REQUIRE(server.out_sent == server.out_length);
    for (uint32_t i = 0; i < server.documents.count; i++) {
        const OpenDocument *document = &server.documents.items[i];
        REQUIRE(document->text.length <= TEXT_MOST_BYTES);
        REQUIRE(document->path[0] == '/');
    }
    server_free(&server);
    return 0;
}

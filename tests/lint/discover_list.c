/* Lists what discovery finds under the paths given, one item a line, for tests: `operator PATH
 * [FILE…]`, `file PATH`, and `notice FILE: MESSAGE` (`error` for an error notice). */
#include "lint/discover.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    Arena arena;
    arena_init(&arena, 0);
    Strs paths = {0};
    for (int i = 1; i < argc; i++) {
        VEC_PUSH(&arena, &paths, str_from(argv[i]));
    }
    Discovered found;
    Notices notices = {.arena = &arena};
    DiscoverOptions options = {.max_file = 4 * 1024 * 1024};
    bool good = discover(&found, &arena, paths, options, &notices);
    for (uint32_t i = 0; i < found.count; i++) {
        const DiscoveredItem *item = &found.items[i];
        printf("%s %s", item->kind == DISCOVERED_OPERATOR ? "operator" : "file", item->path.at);
        for (uint32_t j = 0; j < item->files.count; j++) {
            printf(" %.*s", STR_ARG(item->files.items[j]));
        }
        printf("\n");
    }
    for (uint32_t i = 0; i < notices.count; i++) {
        const Notice *notice = &notices.items[i];
        printf("%s %.*s: %.*s\n", notice->is_error ? "error" : "notice", STR_ARG(notice->file),
               STR_ARG(notice->message));
    }
    arena_free(&arena);
    return good ? 0 : 2;
}

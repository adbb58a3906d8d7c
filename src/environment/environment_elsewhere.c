/* The environment on systems other than Linux, which have no devices: rooted_open says so. See
 * environment.h. */
#include "environment/environment.h"

bool rooted_open(Rooted *root, Arena *arena, Str folder, Text *error)
{
    (void)arena;
    (void)folder;
    *root = (Rooted){.fd = -1};
    *error = (Text){"the environment of devices can be checked on Linux only",
                    "设备运行环境只能在 Linux 上检查"};
    return false;
}

void rooted_close(Rooted *root)
{
    (void)root;
}

Environment *environment_look(Arena *arena, const Rooted *root, Lang lang)
{
    (void)root;
    (void)lang;
    return ARENA_NEW(arena, Environment);
}

bool environment_is_bad(const Environment *environment)
{
    (void)environment;
    return true;
}

Text fact_state_text(FactState state)
{
    (void)state;
    return (Text){"not checked", "未检查"};
}

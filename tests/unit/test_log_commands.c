/* Tests of what commands of a log do: their work, or only a look at how things are. */
#include "diagnose/log_commands.h"

#include "log_fixture.h"

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        CommandKind kind;
    } rows[] = {
        {"", COMMAND_WORKS},
        {"python3 train.py", COMMAND_WORKS},
        {"make -j8", COMMAND_WORKS},
        {"catalog", COMMAND_WORKS}, /* the whole first word */
        {"./cat", COMMAND_WORKS},
        {"source /a/set_env.sh", COMMAND_SETS_UP},
        {"docker run --memory=1g x", COMMAND_SETS_UP},
        {"pip3 list", COMMAND_SETS_UP},
        {"python3", COMMAND_SETS_UP},
        {"python3 -c 'import acl'", COMMAND_SETS_UP},
        {"npu-smi info", COMMAND_LOOKS},
        {"df\t-i", COMMAND_LOOKS},
        {"sudo dmesg", COMMAND_LOOKS},
        {"cat a.log", COMMAND_QUOTES},
        {"echo done", COMMAND_QUOTES},
        /* What root installs is for root's interpreter. */
        {"sudo pip3 install x", COMMAND_WORKS},
        {"sudo python3 -m pip install x", COMMAND_WORKS},
    };
    CHECK_ROWS(rows, log_command_kind(str_from(rows[i].line)) == rows[i].kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {LOG_TEST(test_kinds)};
    return RUN_LOG_TESTS(tests);
}

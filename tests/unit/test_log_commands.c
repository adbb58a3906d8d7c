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
        {"gdb -batch -ex bt python core", COMMAND_LOOKS},
        {"cat a.log", COMMAND_QUOTES},
        {"echo done", COMMAND_QUOTES},
        /* Histories and pages. */
        {"git log --oneline", COMMAND_MANUAL},
        {"git diff HEAD~1", COMMAND_MANUAL},
        {"git pull", COMMAND_WORKS},
        {"git stash pop", COMMAND_WORKS},
        {"sed -n 1,9p a.md", COMMAND_MANUAL},
        {"cat a.rst | head", COMMAND_MANUAL},
        {"cat a.py", COMMAND_QUOTES},
        {"cat a.python", COMMAND_QUOTES},
        /* Containers. */
        {"kubectl get pods", COMMAND_LOOKS},
        {"docker ps", COMMAND_LOOKS},
        {"kubectl logs a", COMMAND_WORKS},
        {"docker exec a ls", COMMAND_SETS_UP},
        /* root installs packages for its own interpreter. */
        {"sudo pip3 install x", COMMAND_WORKS},
        {"sudo python3 -m pip install x", COMMAND_WORKS},
    };
    CHECK_ROWS(rows, log_command_kind(str_from(rows[i].line)) == rows[i].kind);
}

static void test_several(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        CommandKind kind;
    } rows[] = {
        /* Several commands have the kind of the one that does most. */
        {"cat a.log; ./run.sh", COMMAND_WORKS},
        {"cd /w && python3 a.py", COMMAND_WORKS},
        {"cat a.log; ls", COMMAND_LOOKS},
        {"echo 'a; b'", COMMAND_QUOTES},
        {"cat a.log;", COMMAND_QUOTES},
        {"for i in 0 1; do npu-smi info -i $i; done | sort", COMMAND_LOOKS},
        {"for i in 0 1; do python3 a.py; done", COMMAND_WORKS},
        {"ssh n4 'hccn_tool -i 5 -link -g'", COMMAND_LOOKS},
        {"ssh n4 'python3 a.py'", COMMAND_WORKS},
        {"ssh n4 python3 a.py", COMMAND_WORKS},
        {"time python3 a.py", COMMAND_WORKS},
        {"finetune --config a.yaml", COMMAND_WORKS},
        {"done.sh", COMMAND_WORKS},
        {"while python3 a.py; do :; done", COMMAND_WORKS},
        {"while true; do npu-smi info; done", COMMAND_LOOKS},
        {"while sleep 2; do npu-smi info; done", COMMAND_LOOKS},
        {"for i in 0 1", COMMAND_WORKS}, /* its body is not known */
        {"for i in 0 1; do", COMMAND_WORKS},
        {"true", COMMAND_WORKS},
        {"do echo -n $i; done", COMMAND_QUOTES},
        {"if ! python3 a.py; then echo bad; fi", COMMAND_WORKS},
        {"if ls a; then time python3 a.py; fi", COMMAND_WORKS},
        {"ssh n4 'git log' && python3 a.py", COMMAND_WORKS},
        {"ssh n4 'git log' && echo 'x'; python3 a.py 'y'", COMMAND_WORKS},
        {"ls; ls; ls; ls; ls; ls; ls; ls; python3 a.py", COMMAND_WORKS}, /* the ninth */
        {"ls; ls; ls; ls; ls; ls; ls; ls", COMMAND_LOOKS},
        /* The program at the end of a pipe does the work. */
        {"git show HEAD:a.py | python3 -", COMMAND_WORKS},
        {"cat a.md | bash", COMMAND_WORKS},
        {"diff <(python3 a.py) golden", COMMAND_WORKS},
        {"diff a.log b.log", COMMAND_MANUAL},
    };
    CHECK_ROWS(rows, log_command_kind(str_from(rows[i].line)) == rows[i].kind);
}

static void test_preparations(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool prepares;
    } rows[] = {
        {"python3 -c 'import acl'", true},
        {"python3 a.py", false},
        {"pip install x", true},
        {"sudo docker run x", false},
        {"docker ps", true},
        {"su - li", false},
        {"cat a.log", true},
        {"cat a.log; ./a", false},
    };
    CHECK_ROWS(rows, log_command_prepares(str_from(rows[i].line)) == rows[i].prepares);
}

int main(void)
{
    const struct CMUnitTest tests[] = {LOG_TEST(test_kinds), LOG_TEST(test_several),
                                       LOG_TEST(test_preparations)};
    return RUN_LOG_TESTS(tests);
}

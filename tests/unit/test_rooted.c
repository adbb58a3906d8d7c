/* Tests of files below a root, where the system call that keeps them there is missing. */
#include "environment/rooted.h"

#include "tree_fixture.h"

#include "py_fixture.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* From here on, openat2 fails in this process as it does before Linux 5.6 and under qemu. */
static bool forbid_openat2(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum { GOOD, NO_FILTER, OPENED, WRONG_REASON, SYSTEM_REFUSED, SYSTEM_UNREAD };

/* In the child: what went otherwise than it should. */
static int look_without_openat2(Tree *tree)
{
    Rooted root;
    Str text;
    Text error = {"", ""};
    if (!forbid_openat2()) {
        return NO_FILTER;
    }
    if (rooted_open(&root, &tree->arena, tree->top, &error)) {
        return OPENED;
    }
    bool told = strstr(error.en, "openat2") != NULL && strstr(error.zh, "openat2") != NULL;
    if (!told || strstr(error.zh, "未检查") == NULL) {
        return WRONG_REASON;
    }
    if (!rooted_open(&root, &tree->arena, STR("/"), &error)) {
        return SYSTEM_REFUSED;
    }
    bool is_read = rooted_read(&root, &tree->arena, STR("/proc/self/status"), 1 << 20, &text);
    rooted_close(&root);
    return is_read ? GOOD : SYSTEM_UNREAD;
}

/* Nothing of the folder can be looked at, which is not the same as that nothing is there. */
static void test_without_openat2(void **state)
{
    Tree *tree = *state;
    tree_add(tree, "etc/os-release", "ID=debian\n");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(look_without_openat2(tree));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_FILTER) {
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), GOOD);
}

static void test_with_openat2(void **state)
{
    Tree *tree = *state;
    Rooted root;
    Str text;
    Text error = {"", ""};
    tree_add(tree, "etc/secret", "inside\n");
    tree_link(tree, "link", "../../../../../etc/secret");
    if (!rooted_open(&root, &tree->arena, tree->top, &error)) {
        assert_non_null(strstr(error.en, "openat2"));
        skip();
    }
    assert_true(rooted_read(&root, &tree->arena, STR("/link"), 100, &text));
    assert_str(text, "inside\n");
    rooted_close(&root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_without_openat2, tree_set_up, tree_tear_down),
        cmocka_unit_test_setup_teardown(test_with_openat2, tree_set_up, tree_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Opens and reads files below a root; see rooted.h. */
#include "environment/rooted.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_in_root(const Rooted *root, const char *name, int flags)
{
    struct open_how how = {.flags = (unsigned)flags, .resolve = RESOLVE_IN_ROOT};
    return (int)syscall(SYS_openat2, root->fd, name, &how, sizeof how);
}

/* Linux before 5.6, qemu and some sandboxes lack the call. */
static bool call_is_missing(void)
{
    return errno == ENOSYS || errno == EPERM;
}

/* Where the call is missing, only the system's own root can be read; others would look empty. */
static bool can_look_below(const Rooted *root)
{
    int fd = open_in_root(root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0 || root->is_system || !call_is_missing();
}

bool rooted_open(Rooted *root, Arena *arena, Str folder, Text *error)
{
    root->is_system = str_is(path_real(arena, folder), "/");
    root->fd = open(str_dup(arena, folder), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root->fd < 0) {
        const char *reason = str_format(arena, "%s", strerror(errno)).at;
        *error = (Text){reason, reason};
        return false;
    }
    if (!can_look_below(root)) {
        *error = (Text){
            "not checked: looking below another root needs the system call openat2 (Linux 5.6)",
            "未检查：查看其他根目录需要系统调用 openat2（Linux 5.6）"};
        close(root->fd);
        return false;
    }
    return true;
}

void rooted_close(Rooted *root)
{
    close(root->fd);
}

int rooted_fd(const Rooted *root, Arena *arena, Str path, int flags)
{
    /* With O_PATH, openat2 rejects flags that open ignores. */
    const int more = (flags & O_PATH) != 0 ? 0 : O_RDONLY | O_NOCTTY | O_NONBLOCK;
    const int all = flags | more | O_CLOEXEC;
    const char *name = str_dup(arena, path);
    int fd = open_in_root(root, name, all);
    return fd < 0 && call_is_missing() && root->is_system ? open(name, all) : fd;
}

bool rooted_read(const Rooted *root, Arena *arena, Str path, size_t limit, Str *text)
{
    struct stat info;
    Str error;
    int fd = rooted_fd(root, arena, path, 0);
    if (fd < 0) {
        return false;
    }
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        return false;
    }
    /* Files of /proc report no length, so this reads to the end. */
    FileStatus status = file_read_fd(arena, fd, limit, text, &error);
    close(fd);
    return status == FILE_OK;
}

static bool has_kind(const Rooted *root, Arena *arena, Str path, mode_t kind)
{
    struct stat info;
    int fd = rooted_fd(root, arena, path, O_PATH);
    bool good = fd >= 0 && fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == kind;
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

bool rooted_is_folder(const Rooted *root, Arena *arena, Str path)
{
    return has_kind(root, arena, path, S_IFDIR);
}

bool rooted_is_file(const Rooted *root, Arena *arena, Str path)
{
    return has_kind(root, arena, path, S_IFREG);
}

Strs rooted_names(const Rooted *root, Arena *arena, Str folder)
{
    Strs names = {0};
    DirEntries entries = {0};
    int fd = rooted_fd(root, arena, folder, O_DIRECTORY);
    if (fd < 0) {
        return names;
    }
    if (directory_list(arena, str_format(arena, "/proc/self/fd/%d", fd).at, &entries)) {
        for (uint32_t i = 0; i < entries.count; i++) {
            VEC_PUSH(arena, &names, entries.items[i].name);
        }
    }
    close(fd);
    return names;
}

/* Removing a folder; see folder_remove.h. */
#include "base/folder_remove.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Everything in the open folder `fd` and in the folders right in it; links themselves, never what
 * they lead to. */
static void empty_folder(int fd, bool with_folders)
{
    DIR *folder = fdopendir(fd);
    if (folder == NULL) {
        close(fd);
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
            continue;
        }
        if (unlinkat(dirfd(folder), name, 0) == 0 || !with_folders) {
            continue;
        }
        int inner = openat(dirfd(folder), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) {
            empty_folder(inner, false);
            unlinkat(dirfd(folder), name, AT_REMOVEDIR);
        }
    }
    closedir(folder);
}

void folder_remove(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        empty_folder(fd, true);
    }
    rmdir(path);
}

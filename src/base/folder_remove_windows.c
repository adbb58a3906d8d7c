/* Removing a folder on Windows, by its path; see folder_remove.h. */
#include "base/folder_remove.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

static void empty_folder(const char *path, bool with_folders)
{
    char inner[PATH_MAX];
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const char *name = entry->d_name;
        int length = snprintf(inner, sizeof inner, "%s/%s", path, name);
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || length < 0 ||
            (size_t)length >= sizeof inner) {
            continue;
        }
        if (unlink(inner) != 0 && with_folders && entry->d_type == DT_DIR) {
            empty_folder(inner, false);
            rmdir(inner);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

void folder_remove(const char *path)
{
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        empty_folder(path, true);
    }
    rmdir(path);
}

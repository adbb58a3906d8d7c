/* POSIX directory functions for Windows; see posix/dirent.h. */
#include "platform/windows/text.h"

#include <dirent.h>
#include <windows.h>

struct PosixFolder {
    HANDLE search;
    WIN32_FIND_DATAW found;
    bool has_found; /* `found` has not been returned yet */
    struct dirent entry;
};

DIR *opendir(const char *path)
{
    wchar_t wide[WIDE_PATH];
    struct posix_stat info;
    if (posix_stat(path, &info) != 0 || !wide_path(path, wide)) {
        return NULL;
    }
    size_t length = wcslen(wide);
    if (!S_ISDIR(info.st_mode) || length + 3 > WIDE_PATH) {
        errno = ENOTDIR;
        return NULL;
    }
    DIR *folder = calloc(1, sizeof *folder);
    if (folder == NULL) {
        return NULL;
    }
    wcscat(wide, wide[length - 1] == L'/' || wide[length - 1] == L'\\' ? L"*" : L"\\*");
    folder->search =
        FindFirstFileExW(wide, FindExInfoBasic, &folder->found, FindExSearchNameMatch, NULL, 0);
    folder->has_found = folder->search != INVALID_HANDLE_VALUE;
    if (!folder->has_found && GetLastError() != ERROR_FILE_NOT_FOUND) {
        fail_with_last_error();
        free(folder);
        return NULL;
    }
    return folder;
}

struct dirent *readdir(DIR *folder)
{
    if (folder->search == INVALID_HANDLE_VALUE) {
        return NULL;
    }
    if (!folder->has_found && !FindNextFileW(folder->search, &folder->found)) {
        if (GetLastError() != ERROR_NO_MORE_FILES) {
            fail_with_last_error();
        }
        return NULL;
    }
    folder->has_found = false;
    DWORD kind = folder->found.dwFileAttributes;
    bool link = (kind & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
    bool inner = (kind & FILE_ATTRIBUTE_DIRECTORY) != 0;
    folder->entry.d_type = link ? DT_LNK : inner ? DT_DIR : DT_REG;
    bool fits =
        narrow_path(folder->found.cFileName, folder->entry.d_name, sizeof folder->entry.d_name);
    return fits ? &folder->entry : NULL;
}

int closedir(DIR *folder)
{
    if (folder->search != INVALID_HANDLE_VALUE) {
        FindClose(folder->search);
    }
    free(folder);
    return 0;
}

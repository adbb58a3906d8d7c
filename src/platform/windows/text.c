/* Converts text and paths; see text.h. */
#include "platform/windows/text.h"

#include <windows.h>

/* Paths from this length on need the prefix. */
enum { SHORT_PATH = 240 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Shells from Unix write a drive as `/c/…` or `/c`. */
static bool is_shell_drive(const char *path)
{
    return path[0] == '/' && is_letter(path[1]) && (path[2] == '/' || path[2] == '\0');
}

static bool is_bare_drive(const char *path)
{
    return is_letter(path[0]) && path[1] == ':' && path[2] == '\0';
}

/* Adds the prefix, which requires an absolute path with backslashes. */
static bool make_long(wchar_t room[WIDE_PATH])
{
    wchar_t whole[WIDE_PATH];
    DWORD length = GetFullPathNameW(room, WIDE_PATH, whole, NULL);
    if (length == 0 || length + 8 >= WIDE_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    bool shared = whole[0] == L'\\' && whole[1] == L'\\';
    wcscpy(room, shared ? L"\\\\?\\UNC" : L"\\\\?\\");
    wcscat(room, shared ? whole + 1 : whole);
    return true;
}

bool wide_path(const char *path, wchar_t room[WIDE_PATH])
{
    char given[WIDE_PATH];
    if (strcmp(path, "/dev/null") == 0) {
        wcscpy(room, L"NUL");
        return true;
    }
    int length = is_shell_drive(path)  ? snprintf(given, sizeof given, "%c:/%s", path[1],
                                                 path[2] == '\0' ? "" : path + 3)
                 : is_bare_drive(path) ? snprintf(given, sizeof given, "%s/", path)
                                       : snprintf(given, sizeof given, "%s", path);
    if (length < 0 || (size_t)length >= sizeof given) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, given, -1, room, WIDE_PATH) == 0) {
        errno = ENOENT; /* file names in Windows are always Unicode */
        return false;
    }
    return length < SHORT_PATH || make_long(room);
}

bool narrow_path(const wchar_t *wide, char *room, size_t size)
{
    bool shared = wcsncmp(wide, L"\\\\?\\UNC\\", 8) == 0;
    wide += shared ? 6 : wcsncmp(wide, L"\\\\?\\", 4) == 0 ? 4 : 0;
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, room, (int)size, NULL, NULL) == 0) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (shared) {
        room[0] = '/';
    }
    for (char *at = room; *at != '\0'; at++) {
        *at = *at == '\\' ? '/' : *at;
    }
    /* The root of a drive is written without a slash, which comes before what is below it. */
    if (strlen(room) == 3 && room[1] == ':' && room[2] == '/') {
        room[2] = '\0';
    }
    return true;
}

char *narrow_text(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size <= 0 ? NULL : malloc((size_t)size);
    if (text != NULL) {
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    }
    return text;
}

wchar_t *wide_text(const char *text)
{
    int size = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = size <= 0 ? NULL : malloc((size_t)size * sizeof *wide);
    if (wide != NULL) {
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, size);
    }
    return wide;
}

int fail_with_last_error(void)
{
    static const struct {
        DWORD error;
        int code;
    } codes[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_NOT_READY, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_LOCK_VIOLATION, EACCES},
        {ERROR_PRIVILEGE_NOT_HELD, EPERM},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
        {ERROR_NOT_SUPPORTED, ENOSYS},
        {ERROR_CALL_NOT_IMPLEMENTED, ENOSYS},
        {ERROR_INVALID_FUNCTION, ENOSYS},
    };
    DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (codes[i].error == error) {
            errno = codes[i].code;
        }
    }
    return -1;
}

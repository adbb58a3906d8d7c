/* POSIX file functions for Windows; see posix.h. */
#include "platform/platform.h"
#include "platform/windows/text.h"

#include <windows.h>

#undef open
#undef read
#undef write
#undef isatty

/* --- what a file is */

static struct timespec time_of(FILETIME time)
{
    const int64_t epoch = 116444736000000000; /* 1970 in units of 100 ns since 1601 */
    int64_t units = ((int64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - epoch;
    return (struct timespec){units / 10000000, (long)(units % 10000000 * 100)};
}

static int look(HANDLE file, struct posix_stat *info)
{
    BY_HANDLE_FILE_INFORMATION found;
    DWORD type = GetFileType(file);
    *info = (struct posix_stat){.st_nlink = 1};
    if (type != FILE_TYPE_DISK) {
        info->st_mode = type == FILE_TYPE_CHAR ? S_IFCHR | 0666 : S_IFIFO | 0666;
        return 0;
    }
    if (!GetFileInformationByHandle(file, &found)) {
        return fail_with_last_error();
    }
    DWORD kind = found.dwFileAttributes;
    bool link = (kind & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
    bool folder = (kind & FILE_ATTRIBUTE_DIRECTORY) != 0;
    unsigned rights = (kind & FILE_ATTRIBUTE_READONLY) != 0 ? 0444 : 0666;
    info->st_mode = link ? S_IFLNK | 0777 : folder ? S_IFDIR | 0777 : S_IFREG | rights;
    info->st_dev = found.dwVolumeSerialNumber;
    info->st_ino = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    info->st_nlink = found.nNumberOfLinks;
    info->st_size = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow);
    info->st_atim = time_of(found.ftLastAccessTime);
    info->st_mtim = info->st_ctim = time_of(found.ftLastWriteTime);
    return 0;
}

static HANDLE open_to_look(const char *path, DWORD more)
{
    wchar_t wide[WIDE_PATH];
    if (!wide_path(path, wide)) {
        return INVALID_HANDLE_VALUE;
    }
    HANDLE file = CreateFileW(wide, FILE_READ_ATTRIBUTES,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | more, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        fail_with_last_error();
    }
    return file;
}

static int look_at(const char *path, DWORD more, struct posix_stat *info)
{
    size_t length = strlen(path);
    HANDLE file = open_to_look(path, more);
    if (file == INVALID_HANDLE_VALUE) {
        return -1;
    }
    int status = look(file, info);
    CloseHandle(file);
    if (status == 0 && length > 1 && path[length - 1] == '/' && !S_ISDIR(info->st_mode)) {
        errno = ENOTDIR;
        status = -1;
    }
    return status;
}

int posix_stat(const char *path, struct posix_stat *info)
{
    return look_at(path, 0, info);
}

int posix_lstat(const char *path, struct posix_stat *info)
{
    return look_at(path, FILE_FLAG_OPEN_REPARSE_POINT, info);
}

int posix_fstat(int fd, struct posix_stat *info)
{
    HANDLE file = (HANDLE)_get_osfhandle(fd);
    if (file == INVALID_HANDLE_VALUE) {
        errno = EBADF;
        return -1;
    }
    return look(file, info);
}

int posix_access(const char *path, int mode)
{
    struct posix_stat info;
    if (posix_stat(path, &info) != 0) {
        return -1;
    }
    if ((mode & 2) != 0 && S_ISREG(info.st_mode) && (info.st_mode & 0222) == 0) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

/* --- opening */

static int descriptor_of(HANDLE file, int flags)
{
    int fd = _open_osfhandle((intptr_t)file, (flags & O_APPEND) | _O_BINARY | _O_NOINHERIT);
    if (fd < 0) {
        CloseHandle(file);
        errno = EMFILE;
    }
    return fd;
}

int posix_open(const char *path, int flags, ...)
{
    wchar_t wide[WIDE_PATH];
    if (!wide_path(path, wide)) {
        return -1;
    }
    bool writes = (flags & (O_WRONLY | O_RDWR)) != 0;
    DWORD access = !writes                 ? GENERIC_READ
                   : (flags & O_RDWR) != 0 ? GENERIC_READ | GENERIC_WRITE
                                           : GENERIC_WRITE;
    DWORD how = (flags & O_CREAT) == 0
                    ? ((flags & O_TRUNC) != 0 ? TRUNCATE_EXISTING : OPEN_EXISTING)
                : (flags & O_EXCL) != 0  ? CREATE_NEW
                : (flags & O_TRUNC) != 0 ? CREATE_ALWAYS
                                         : OPEN_ALWAYS;
    DWORD more = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS |
                 ((flags & O_NOFOLLOW) != 0 ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    HANDLE file = CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                              NULL, how, more, NULL);
    struct posix_stat info;
    if (file == INVALID_HANDLE_VALUE) {
        return fail_with_last_error();
    }
    if ((flags & O_NOFOLLOW) != 0 && look(file, &info) == 0 && S_ISLNK(info.st_mode)) {
        CloseHandle(file);
        errno = ELOOP;
        return -1;
    }
    return descriptor_of(file, flags);
}

ssize_t posix_read(int fd, void *to, size_t size)
{
    return _read(fd, to, size > INT32_MAX ? INT32_MAX : (unsigned)size);
}

ssize_t posix_write(int fd, const void *from, size_t size)
{
    enum { MOST = 1 << 20 }; /* pipes and consoles refuse more at a time */
    ssize_t wrote = _write(fd, from, size > MOST ? MOST : (unsigned)size);
    if (wrote < 0 && errno == EINVAL) {
        errno = EPIPE; /* the C library reports a pipe without a reader as EINVAL */
    }
    return wrote;
}

ssize_t posix_pread(int fd, void *to, size_t size, int64_t at)
{
    int64_t before = _lseeki64(fd, 0, SEEK_CUR);
    if (before < 0 || _lseeki64(fd, at, SEEK_SET) < 0) {
        return -1;
    }
    ssize_t got = posix_read(fd, to, size);
    _lseeki64(fd, before, SEEK_SET);
    return got;
}

/* --- changing */

int posix_unlink(const char *path)
{
    wchar_t wide[WIDE_PATH];
    struct posix_stat info;
    if (!wide_path(path, wide)) {
        return -1;
    }
    if (posix_lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && RemoveDirectoryW(wide)) {
        return 0; /* a link to a folder */
    }
    return DeleteFileW(wide) ? 0 : fail_with_last_error();
}

int posix_rmdir(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return !wide_path(path, wide) ? -1 : RemoveDirectoryW(wide) ? 0 : fail_with_last_error();
}

int posix_mkdir(const char *path, unsigned mode)
{
    wchar_t wide[WIDE_PATH];
    (void)mode;
    return !wide_path(path, wide) ? -1 : CreateDirectoryW(wide, NULL) ? 0 : fail_with_last_error();
}

static int move(const char *from, const char *to, DWORD how)
{
    wchar_t old[WIDE_PATH];
    wchar_t new[WIDE_PATH];
    if (!wide_path(from, old) || !wide_path(to, new)) {
        return -1;
    }
    return MoveFileExW(old, new, how) ? 0 : fail_with_last_error();
}

int posix_rename(const char *from, const char *to)
{
    return move(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

bool platform_rename_new(const char *from, const char *to)
{
    return move(from, to, 0) == 0;
}

/* Needs administrator's rights or the developer mode. */
int posix_symlink(const char *target, const char *path)
{
    enum { WITHOUT_PRIVILEGE = 2 };
    wchar_t to[WIDE_PATH];
    wchar_t from[WIDE_PATH];
    struct posix_stat info;
    if (!wide_path(target, to) || !wide_path(path, from)) {
        return -1;
    }
    for (wchar_t *at = to; *at != L'\0'; at++) {
        *at = *at == L'/' ? L'\\' : *at; /* in a link, slashes are part of names */
    }
    bool folder = posix_stat(target, &info) == 0 && S_ISDIR(info.st_mode);
    DWORD how = WITHOUT_PRIVILEGE | (folder ? SYMBOLIC_LINK_FLAG_DIRECTORY : 0);
    return CreateSymbolicLinkW(from, to, how) ? 0 : fail_with_last_error();
}

int posix_chmod(const char *path, unsigned mode)
{
    (void)mode;
    return posix_access(path, 0);
}

/* Replaces the last six characters of the path by random ones and calls `make` until the name is
 * new. */
static int make_random(char *path, int (*make)(const char *path))
{
    char *tail = path + strlen(path) - PLATFORM_SUFFIX;
    for (int attempt = 0; attempt < 100; attempt++) {
        if (!platform_random_suffix(tail)) {
            return -1;
        }
        int made = make(path);
        if (made >= 0 || errno != EEXIST) {
            return made;
        }
    }
    return -1;
}

static int make_folder(const char *path)
{
    return posix_mkdir(path, 0700);
}

static int make_file(const char *path)
{
    return posix_open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
}

char *posix_mkdtemp(char *path)
{
    return make_random(path, make_folder) == 0 ? path : NULL;
}

int posix_mkostemp(char *path, int flags)
{
    (void)flags;
    return make_random(path, make_file);
}

/* --- descriptors */

int posix_fsync(int fd)
{
    return _commit(fd);
}

int posix_isatty(int fd)
{
    DWORD mode;
    HANDLE file = (HANDLE)_get_osfhandle(fd);
    return file != INVALID_HANDLE_VALUE && GetConsoleMode(file, &mode);
}

int posix_fcntl(int fd, int what, ...)
{
    (void)what;
    if ((HANDLE)_get_osfhandle(fd) == INVALID_HANDLE_VALUE) {
        errno = EBADF;
        return -1;
    }
    return 0;
}

/* Locks the last byte that a file can have, because Windows keeps others from reading locked
 * bytes. */
int posix_flock(int fd, int how)
{
    OVERLAPPED place = {.Offset = 0xFFFFFFFE, .OffsetHigh = 0x7FFFFFFF};
    DWORD flags = ((how & LOCK_EX) != 0 ? LOCKFILE_EXCLUSIVE_LOCK : 0) |
                  ((how & LOCK_NB) != 0 ? LOCKFILE_FAIL_IMMEDIATELY : 0);
    if (LockFileEx((HANDLE)_get_osfhandle(fd), flags, 0, 1, 0, &place)) {
        return 0;
    }
    fail_with_last_error();
    errno = errno == EACCES ? EWOULDBLOCK : errno;
    return -1;
}

/* --- real paths */

static long path_of(HANDLE file, char *room, size_t size)
{
    wchar_t wide[WIDE_PATH];
    DWORD length = GetFinalPathNameByHandleW(file, wide, WIDE_PATH, FILE_NAME_NORMALIZED);
    if (length == 0 || length >= WIDE_PATH) {
        return fail_with_last_error();
    }
    return narrow_path(wide, room, size) ? (long)strlen(room) : -1;
}

char *posix_realpath(const char *path, char *room)
{
    struct posix_stat info;
    HANDLE file = posix_stat(path, &info) != 0 ? INVALID_HANDLE_VALUE : open_to_look(path, 0);
    if (file == INVALID_HANDLE_VALUE) {
        return NULL;
    }
    long length = path_of(file, room, PATH_MAX);
    CloseHandle(file);
    return length < 0 ? NULL : room;
}

char *posix_getcwd(char *room, size_t size)
{
    wchar_t wide[WIDE_PATH];
    char whole[WIDE_PATH];
    DWORD length = GetCurrentDirectoryW(WIDE_PATH, wide);
    if (length == 0 || length >= WIDE_PATH || !narrow_path(wide, whole, sizeof whole)) {
        fail_with_last_error();
        return NULL;
    }
    if (room == NULL) {
        return _strdup(whole);
    }
    if (strlen(whole) >= size) {
        errno = ERANGE;
        return NULL;
    }
    return memcpy(room, whole, strlen(whole) + 1);
}

int platform_open_place(const char *path, bool folder)
{
    HANDLE file = open_to_look(path, 0);
    struct posix_stat info;
    if (file == INVALID_HANDLE_VALUE) {
        return -1;
    }
    if (folder && (look(file, &info) != 0 || !S_ISDIR(info.st_mode))) {
        CloseHandle(file);
        errno = ENOTDIR;
        return -1;
    }
    return descriptor_of(file, 0);
}

int platform_reopen(int place)
{
    HANDLE file = ReOpenFile((HANDLE)_get_osfhandle(place), GENERIC_READ,
                             FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, 0);
    if (file != INVALID_HANDLE_VALUE) {
        return descriptor_of(file, 0);
    }
    errno = ENOENT; /* the caller opens it by its name and compares */
    return -1;
}

long platform_descriptor_path(int fd, char *room, size_t size)
{
    return path_of((HANDLE)_get_osfhandle(fd), room, size);
}

bool platform_shows_system(int fd)
{
    (void)fd;
    return false;
}

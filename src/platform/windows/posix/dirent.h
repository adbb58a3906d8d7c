/* Folders; see platform/windows/posix.h. */
#ifndef PYPTO_LINT_PLATFORM_WINDOWS_DIRENT_H
#define PYPTO_LINT_PLATFORM_WINDOWS_DIRENT_H

enum { DT_UNKNOWN = 0, DT_DIR = 4, DT_REG = 8, DT_LNK = 10 };

struct dirent {
    unsigned char d_type; /* never DT_UNKNOWN */
    char d_name[1024];
};

typedef struct PosixFolder DIR;
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);

/* For entries of unknown type; there are none here. */
#define AT_SYMLINK_NOFOLLOW            0x100
#define dirfd(folder)                  ((void)(folder), -1)
#define fstatat(fd, path, info, flags) ((void)(fd), (void)(path), *(info) = (struct stat){0}, -1)

#endif

/* Process, environment, signals and text functions for Windows; see platform.h and posix.h. */
#include "platform/platform.h"
#include "platform/windows/text.h"

#include <windows.h>
/* After windows.h. */
#include <ntsecapi.h>
#include <shellapi.h>

#undef signal

/* --- the environment */

char **posix_environ;
static size_t entry_count;

char *posix_getenv(const char *name)
{
    size_t length = strlen(name);
    for (char **entry = posix_environ; entry != NULL && *entry != NULL; entry++) {
        if (_strnicmp(*entry, name, length) == 0 && (*entry)[length] == '=') {
            return *entry + length + 1;
        }
    }
    return NULL;
}

/* Sets a variable that Unix programs expect from its Windows counterpart, unless it is already
 * set. */
static void add_alias(const char *name, const char *from)
{
    const char *value = posix_getenv(name) == NULL ? posix_getenv(from) : NULL;
    size_t size = value == NULL ? 0 : strlen(name) + strlen(value) + 2;
    char *entry = size == 0 ? NULL : malloc(size);
    if (entry == NULL) {
        return;
    }
    snprintf(entry, size, "%s=%s", name, value);
    for (char *at = entry; *at != '\0'; at++) {
        *at = *at == '\\' ? '/' : *at;
    }
    posix_environ[entry_count++] = entry;
}

static void add_language(void)
{
    static char chinese[] = "LANG=zh_CN.UTF-8";
    bool is_chinese = PRIMARYLANGID(GetUserDefaultUILanguage()) == LANG_CHINESE;
    if (is_chinese && posix_getenv("LC_ALL") == NULL && posix_getenv("LC_MESSAGES") == NULL &&
        posix_getenv("LANG") == NULL) {
        posix_environ[entry_count++] = chinese;
    }
}

static void take_environment(void)
{
    enum { ALIASES = 8 };
    wchar_t *block = GetEnvironmentStringsW();
    size_t count = 0;
    for (const wchar_t *at = block; at != NULL && *at != L'\0'; at += wcslen(at) + 1) {
        count++;
    }
    posix_environ = calloc(count + ALIASES, sizeof *posix_environ);
    for (const wchar_t *at = block; posix_environ != NULL && at != NULL && *at != L'\0';
         at += wcslen(at) + 1) {
        char *entry =
            *at == L'=' ? NULL : narrow_text(at); /* =C: and the like are internal to Windows */
        if (entry != NULL) {
            posix_environ[entry_count++] = entry;
        }
    }
    if (block != NULL) {
        FreeEnvironmentStringsW(block);
    }
    if (posix_environ != NULL) {
        add_alias("HOME", "USERPROFILE");
        add_alias("TMPDIR", "TEMP");
        add_alias("XDG_CACHE_HOME", "LOCALAPPDATA");
        add_language();
    }
}

/* --- the start */

/* Windows shells complete paths with backslashes. No argument of this program needs one for
 * anything else. */
static void take_arguments(int *argc, char ***argv)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **words = wide == NULL ? NULL : calloc((size_t)count + 1, sizeof *words);
    for (int i = 0; words != NULL && i < count; i++) {
        words[i] = narrow_text(wide[i]);
        if (words[i] == NULL) {
            return;
        }
        for (char *at = words[i]; *at != '\0'; at++) {
            *at = *at == '\\' ? '/' : *at;
        }
    }
    if (words != NULL) {
        *argc = count;
        *argv = words;
    }
}

static UINT old_output;

static void restore_console(void)
{
    SetConsoleOutputCP(old_output);
}

static void take_console(void)
{
    HANDLE out = GetStdHandle(STD_OUTPUT_HANDLE);
    DWORD mode;
    if (GetConsoleMode(out, &mode) || GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode)) {
        old_output = GetConsoleOutputCP();
        SetConsoleOutputCP(CP_UTF8);
        atexit(restore_console);
    }
    if (GetConsoleMode(out, &mode)) {
        SetConsoleMode(out, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
}

void platform_begin(int *argc, char ***argv)
{
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* no error dialogs */
    for (int fd = 0; fd <= 2; fd++) {
        _setmode(fd, _O_BINARY);
    }
    take_environment();
    take_arguments(argc, argv);
    take_console();
}

/* --- what the system says */

long platform_own_program(char *room, size_t size)
{
    wchar_t wide[WIDE_PATH];
    DWORD length = GetModuleFileNameW(NULL, wide, WIDE_PATH);
    return length > 0 && length < WIDE_PATH && narrow_path(wide, room, size) ? (long)strlen(room)
                                                                             : -1;
}

bool platform_random(void *room, size_t size)
{
    return RtlGenRandom(room, (ULONG)size);
}

unsigned platform_processors(void)
{
    DWORD_PTR ours = 0;
    DWORD_PTR all = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &ours, &all) || ours == 0) {
        return 1;
    }
    return (unsigned)__builtin_popcountll(ours);
}

uintptr_t platform_stack_lowest(void)
{
    ULONG_PTR lowest = 0;
    ULONG_PTR highest = 0;
    GetCurrentThreadStackLimits(&lowest, &highest);
    return lowest;
}

void *platform_huge_pages(size_t size, size_t huge)
{
    (void)size;
    (void)huge;
    return NULL;
}

/* Nothing to do: its channel ends with the parent. */
void platform_end_with_parent(void)
{
}

/* --- signals */

void (*posix_signal(int number, void (*handler)(int)))(int)
{
    bool known = number == SIGINT || number == SIGTERM || number == SIGSEGV || number == SIGFPE ||
                 number == SIGILL || number == SIGABRT;
    return known ? signal(number, handler) : SIG_DFL;
}

/* Only answers whether a process is alive (number 0); process/process.h kills processes. */
int posix_kill(pid_t pid, int number)
{
    DWORD status = 0;
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)pid);
    bool lives = process != NULL && GetExitCodeProcess(process, &status) && status == STILL_ACTIVE;
    if (process != NULL) {
        CloseHandle(process);
    }
    errno = lives ? ENOSYS : ESRCH;
    return lives && number == 0 ? 0 : -1;
}

/* --- text that the C library has no functions for */

void *posix_memmem(const void *in, size_t size, const void *part, size_t length)
{
    const char *at = in;
    const char *wanted = part;
    if (length == 0) {
        return (void *)(uintptr_t)in;
    }
    while (size >= length) {
        const char *found = memchr(at, wanted[0], size - length + 1);
        if (found == NULL) {
            return NULL;
        }
        if (memcmp(found, wanted, length) == 0) {
            return (void *)(uintptr_t)found;
        }
        size -= (size_t)(found + 1 - at);
        at = found + 1;
    }
    return NULL;
}

void *posix_memrchr(const void *in, int byte, size_t size)
{
    const unsigned char *start = in;
    while (size > 0) {
        size--;
        if (start[size] == (unsigned char)byte) {
            return (void *)(uintptr_t)(start + size);
        }
    }
    return NULL;
}

char *posix_strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

const char *platform_error_text(int code, char *room, size_t size)
{
    strerror_s(room, size, code);
    return room;
}

/* The programs that `init` sets up, as a table: where their files are and what is put there. */
#ifndef PYPTO_LINT_INIT_CLIENT_H
#define PYPTO_LINT_INIT_CLIENT_H

#include "lint/rule.h"

typedef enum ClientKind {
    CLIENT_JSON_HOOKS, /* entries in a JSON file: json_hooks.h */
    CLIENT_YAML_BLOCK, /* a block in .pre-commit-config.yaml: pre_commit.h */
    CLIENT_OWN_FILE,   /* a file of our own, which users do not change */
    CLIENT_STARTER,    /* a file that users change to their liking */
} ClientKind;

enum { CLIENT_SIGNS = 3 };

typedef struct InitClient {
    const char *name;
    ClientKind kind;
    const char *path; /* in a project */
    /* For --user, NULL without: the file below the folder that the variable names, else below
     * `user_folder` in the home folder. */
    const char *user_variable, *user_folder, *user_path;
    /* The client is used in a project that has one of these. */
    const char *signs[CLIENT_SIGNS];
    /* All hooks are switched off by this member of the settings, or, with `off_file`, by this line
     * of the file beside them. */
    const char *off_object, *off_key, *off_value, *off_file;
    /* What stands for the address of pypto-lint in the file to install (address.h), and the file to
     * install when there is none; NULL without. */
    const char *placeholder, *without_address;
    Text next; /* what remains to be done by hand */
} InitClient;

enum { INIT_CLIENT_COUNT = 6 };
extern const InitClient init_clients[INIT_CLIENT_COUNT];

/* The client of that name, or NULL. */
const InitClient *init_client_find(Str name);

/* A file of hooks/, compiled in. */
typedef struct InitFile {
    const char *client, *text;
} InitFile;
extern const InitFile init_files[];
extern const uint32_t init_file_count;

/* The file of that name in init_files; empty when the build had no such file. */
Str init_file_text(const char *name);

#endif

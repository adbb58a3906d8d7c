/* Run hashes; see run_hashes.h. */
#include "harness/report/run_hashes.h"

#include "base/path.h"
#include "harness/verify.h"
#include "operator/interfaces.h"

#include <sha256.h>

enum { MOST_BYTES = 64 << 20 }; /* of a file; sources and suites are far smaller */

/* Name, length and content, so that no two sets of files give the same stream. */
static void add_file(SHA256_CTX *context, Arena *arena, Str op_dir, Str path)
{
    Str relative, text = STR("");
    Str name = path_below(op_dir, path, &relative) ? relative : path_basename(path);
    FileStatus status = file_read(arena, str_dup(arena, path), MOST_BYTES, &text, NULL);
    Str head = status == FILE_OK ? str_format(arena, "%.*s %zu\n", STR_ARG(name), text.length)
                                 : str_format(arena, "%.*s missing\n", STR_ARG(name));
    SHA256Update(context, (const uint8_t *)head.at, head.length);
    if (status == FILE_OK) {
        SHA256Update(context, (const uint8_t *)text.at, text.length);
    }
}

static Str digits(Arena *arena, SHA256_CTX *context)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    Buf out = {.arena = arena};
    SHA256Final(digest, context);
    for (size_t i = 0; i < sizeof digest; i++) {
        buf_addf(&out, "%02x", digest[i]);
    }
    return buf_str(&out);
}

/* May the implementation import it? References and tests do not count. */
static bool is_kernel_source(Str name)
{
    return str_ends(name, STR(".py")) && !str_ends(name, STR("_golden.py")) &&
           !str_starts(name, STR("test_"));
}

static void add_folder(SHA256_CTX *context, const Verification *plan, Str folder)
{
    DirEntries entries = {0};
    if (!directory_list(plan->arena, folder.at, &entries)) {
        return;
    }
    for (uint32_t i = 0; i < entries.count; i++) {
        Str path = path_join(plan->arena, folder, entries.items[i].name);
        if (is_kernel_source(entries.items[i].name) && !str_equal(path, plan->impl)) {
            add_file(context, plan->arena, plan->op_dir, path);
        }
    }
}

static Str kernel_hash(const Verification *plan)
{
    Arena *arena = plan->arena;
    SHA256_CTX context;
    if (plan->impl.length == 0) {
        return STR("");
    }
    SHA256Init(&context);
    add_file(&context, arena, plan->op_dir, plan->impl);
    add_folder(&context, plan, path_join(arena, plan->op_dir, STR("")));
    add_folder(&context, plan, path_join(arena, plan->op_dir, STR("modules")));
    return digits(arena, &context);
}

static Str suite_hash(const Verification *plan)
{
    Str contract = path_join(plan->arena, plan->op_dir, STR(INTERFACES_PATH));
    const Str files[] = {plan->suite,     plan->inputs,    plan->golden,
                         plan->reference, plan->test_file, contract};
    SHA256_CTX context;
    SHA256Init(&context);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i].length > 0) {
            add_file(&context, plan->arena, plan->op_dir, files[i]);
        }
    }
    return digits(plan->arena, &context);
}

RunHashes run_hashes(const Verification *verification)
{
    return (RunHashes){kernel_hash(verification), suite_hash(verification)};
}

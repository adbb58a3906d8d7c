/* Plans by kind of file; see plan.h. */
#include "init/plan.h"

#include "base/fence.h"
#include "base/file.h"
#include "init/address.h"
#include "init/json_hooks.h"
#include "init/place.h"
#include "init/pre_commit.h"
#include "init/switched_off.h"

typedef struct Planning {
    Arena *arena;
    const InitRequest *request;
    PlaceKind place;
    Str wanted; /* what is to be installed */
    InitPlan plan;
} Planning;

/* Is the text part of a larger file, so that the user can put it in by hand? */
static bool is_snippet(const Client *client)
{
    return client->format == SETTINGS_HOOKS || client->format == SETTINGS_BLOCK;
}

/* State and message, which has the same arguments in both languages. */
static void conclude(Planning *planning, PlanState state, Text text, ...)
{
    va_list args;
    va_start(args, text);
    InitPlan *plan = &planning->plan;
    plan->state = state;
    plan->message = str_vformat(planning->arena, text_in(planning->request->lang, text), args);
    va_end(args);
    if (state == PLAN_REFUSED && !planning->request->remove && is_snippet(plan->client)) {
        plan->snippet = planning->wanted;
    }
}

static void add_note(Planning *planning, Text text, ...)
{
    va_list args;
    va_start(args, text);
    Str note = str_vformat(planning->arena, text_in(planning->request->lang, text), args);
    va_end(args);
    VEC_PUSH(planning->arena, &planning->plan.notes, note);
}

/* The text that the file is to have; `empty`: nothing of use is left in it. */
static void change_to(Planning *planning, Str text, bool empty)
{
    InitPlan *plan = &planning->plan;
    if (plan->exists && str_equal(text, plan->before)) {
        return;
    }
    plan->state = PLAN_CHANGE;
    plan->after = text;
    /* Somebody made a link on purpose: its target stays, if only as an empty file. */
    if (empty && planning->place == PLACE_PLAIN) {
        plan->deletes = true;
        plan->after = STR("");
    }
}

static bool is_blank(Str text)
{
    return str_trim(text).length == 0;
}

/* --- JSON */

static void refuse_json(Planning *planning, const JsonDocument *document)
{
    static const Text reasons[] = {
        [JSON_GOOD] = {"", ""},
        [JSON_BROKEN] = {"line %u, column %u: not valid JSON", "第 %u 行第 %u 列：不是有效的 JSON"},
        [JSON_HAS_COMMENT] = {"line %u, column %u: a comment; files with comments are not changed",
                              "第 %u 行第 %u 列：有注释；带注释的文件不予修改"},
        [JSON_TOO_DEEP] = {"line %u, column %u: nested too deeply", "第 %u 行第 %u 列：嵌套过深"},
        [JSON_NOT_UTF8] = {"line %u, column %u: not UTF-8", "第 %u 行第 %u 列：不是 UTF-8"},
    };
    conclude(planning, PLAN_REFUSED, reasons[document->problem], document->line, document->column);
}

static void plan_hooks(Planning *planning)
{
    Arena *arena = planning->arena;
    const InitRequest *request = planning->request;
    InitPlan *plan = &planning->plan;
    Str wanted = planning->wanted;
    if (is_blank(plan->before)) {
        if (!request->remove) {
            change_to(planning, hooks_new(arena, wanted, request->program), false);
        }
        return;
    }
    JsonDocument document;
    if (!json_document_read(&document, arena, plan->before)) {
        refuse_json(planning, &document);
        return;
    }
    HooksChange change = request->remove ? hooks_remove(arena, &document)
                                         : hooks_add(arena, &document, wanted, request->program);
    if (change.wrong != NULL) {
        Text twice = {"'%s' is there more than once", "“%s”出现不止一次"};
        Text type = {"'%s' is not what the client expects there", "“%s”的类型不符合客户端的要求"};
        Text root = {"the file is not a JSON object%s", "文件不是 JSON 对象%s"};
        conclude(planning, PLAN_REFUSED,
                 change.twice              ? twice
                 : change.wrong[0] == '\0' ? root
                                           : type,
                 change.wrong);
        return;
    }
    change_to(planning, change.text, change.empty);
    if (change.foreign > 0) {
        Text text = {"%u calls of pypto-lint in a form that init does not write are left",
                     "保留了 %u 处不是由 init 写入的 pypto-lint 调用"};
        if (plan->state == PLAN_NOTHING) {
            conclude(planning, PLAN_LEFT, text, change.foreign);
        } else {
            add_note(planning, text, change.foreign);
        }
    }
}

/* --- pre-commit */

static void plan_block(Planning *planning)
{
    static const Text reasons[] = {
        [PRE_COMMIT_GOOD] = {"", ""},
        [PRE_COMMIT_BROKEN] = {"not valid YAML with one mapping whose keys begin their lines",
                               "不是有效的 YAML（应为顶格书写的一个映射）"},
        [PRE_COMMIT_NO_LIST] = {"'repos' must be a list with a line for each item",
                                "repos 不是逐行书写的列表"},
        [PRE_COMMIT_BAD_MARKS] = {"the comments around the block are not one pair",
                                  "标记注释不是成对的一组"},
        [PRE_COMMIT_LEFT_EMPTY] = {"nothing would be left in 'repos'; edit the file by hand",
                                   "repos 将变为空，请手工修改"},
    };
    InitPlan *plan = &planning->plan;
    Str wanted = planning->wanted;
    bool remove = planning->request->remove;
    if (is_blank(plan->before)) {
        if (!remove) {
            change_to(planning, wanted, false);
        }
        return;
    }
    PreCommitChange change = remove ? pre_commit_remove(planning->arena, plan->before, wanted)
                                    : pre_commit_add(planning->arena, plan->before, wanted);
    if (change.problem != PRE_COMMIT_GOOD) {
        conclude(planning, PLAN_REFUSED, reasons[change.problem]);
        return;
    }
    change_to(planning, change.text, change.empty);
    if (remove && change.foreign) {
        conclude(planning, PLAN_LEFT,
                 (Text){"the hook was not put in by init and is left",
                        "钩子不是由 init 写入，予以保留"});
    }
}

/* --- files of our own */

/* Every version of our file says on its first line, up to a colon, what it is. */
static Str heading(Str text)
{
    size_t end = str_find(text, STR(":"), 0);
    return str_slice(text, 0, end);
}

static void plan_file(Planning *planning)
{
    InitPlan *plan = &planning->plan;
    bool remove = planning->request->remove;
    Str wanted = planning->wanted;
    bool same = plan->exists && str_equal(plan->before, wanted);
    bool ours = same || (plan->client->format == SETTINGS_OWN_FILE &&
                         str_equal(heading(plan->before), heading(wanted)));
    if (!plan->exists && remove) {
        return;
    }
    if (!plan->exists || ours || is_blank(plan->before)) {
        change_to(planning, remove ? STR("") : wanted, remove);
    } else if (remove) {
        conclude(
            planning, PLAN_LEFT,
            (Text){"the file has other content than init wrote; delete it yourself if you want",
                   "文件内容与 init 写入的不同，如需删除请手工操作"});
    } else if (plan->client->format == SETTINGS_OWN_FILE) {
        conclude(planning, PLAN_REFUSED,
                 (Text){"a file of this name that is not from pypto-lint is there",
                        "已有同名文件，且不是 pypto-lint 写入的"});
    } else {
        add_note(planning, (Text){"the file is there, with changes; they are kept",
                                  "文件已存在且有改动，予以保留"});
    }
}

/* --- all kinds */

/* May the file be read and written where it is? */
static bool check_place(Planning *planning)
{
    static const Text reasons[] = {
        [PLACE_PLAIN] = {"", ""},
        [PLACE_LINK] = {"", ""},
        [PLACE_DANGLING] = {"a symbolic link that leads nowhere", "符号链接指向不存在的位置"},
        [PLACE_OUTSIDE] = {"a symbolic link leads out of the project; change the file it leads to",
                           "符号链接指向项目之外；请直接修改它指向的文件"},
    };
    const InitRequest *request = planning->request;
    Str root = request->user ? STR("") : request->root;
    PlaceKind kind = place_kind(planning->arena, planning->plan.path, root);
    planning->place = kind;
    if (kind == PLACE_DANGLING || kind == PLACE_OUTSIDE) {
        conclude(planning, PLAN_REFUSED, reasons[kind]);
        return false;
    }
    return true;
}

static bool read_before(Planning *planning)
{
    InitPlan *plan = &planning->plan;
    Str error = STR("");
    FileStatus status =
        file_read(planning->arena, plan->path.at, INIT_MAX_BYTES, &plan->before, &error);
    plan->exists = status == FILE_OK;
    if (status == FILE_OK || status == FILE_MISSING) {
        return true;
    }
    conclude(planning, PLAN_REFUSED, (Text){"cannot be read: %s", "无法读取：%s"}, error.at);
    return false;
}

static bool find_path(Planning *planning)
{
    const InitRequest *request = planning->request;
    InitPlan *plan = &planning->plan;
    if (!request->user) {
        plan->shown = str_from(plan->client->path);
        plan->path = path_join(planning->arena, request->root, plan->shown);
        return true;
    }
    if (plan->client->user_path == NULL) {
        conclude(planning, PLAN_REFUSED,
                 (Text){"is set up in a project only, not with --user",
                        "只能在项目中设置，不支持 --user"});
        plan->snippet = STR("");
        return false;
    }
    plan->path = plan->shown = place_user_file(planning->arena, plan->client);
    if (plan->path.length == 0) {
        conclude(planning, PLAN_REFUSED,
                 (Text){"no home folder: HOME is not set", "未设置 HOME，找不到主目录"});
        return false;
    }
    return true;
}

static void add_notes(Planning *planning)
{
    const InitPlan *plan = &planning->plan;
    if (planning->request->remove) {
        return;
    }
    if (str_contains(plan->before, STR("pypto_op_lint.py"))) {
        add_note(planning, (Text){"the file calls pypto_op_lint.py as well: findings would be "
                                  "reported twice (docs/ci/migrating.md)",
                                  "文件中还调用了 pypto_op_lint.py，问题会重复报告"
                                  "（见 docs/ci/migrating.md）"});
    }
    Str off = switched_off(planning->arena, plan->client, plan->path, plan->before);
    if (off.length > 0) {
        add_note(planning,
                 (Text){"hooks are switched off (%.*s): nothing will be checked",
                        "钩子已被关闭（%.*s），不会进行任何检查"},
                 STR_ARG(off));
    }
}

/* Finds the text to install, which may depend on the file that is there. */
static bool find_wanted(Planning *planning)
{
    static const Text reasons[] = {
        [ADDRESS_GOOD] = {"", ""},
        [ADDRESS_MISSING] = {"where pypto-lint is published is not known; name it: --repository "
                             "OWNER/NAME[@REF]",
                             "不知道 pypto-lint 发布在何处，请指定：--repository OWNER/NAME[@REF]"},
        [ADDRESS_BAD] =
            {"--repository has a form that does not fit here; github takes "
             "OWNER/NAME[@REF], pre-commit what git clones (https://HOST/PATH[@REV], "
             "USER@HOST:PATH, ../PATH), without blanks and quotes",
             "--repository 的形式不适用；github 使用 OWNER/NAME[@REF]，pre-commit "
             "使用 git 可克隆的地址（https://HOST/PATH[@REV]、USER@HOST:PATH、../PATH），"
             "不含空白和引号"},
        [ADDRESS_BRANCH] =
            {"--repository names a branch, so what is fetched would change by "
             "itself; name a tag (v" PYPTO_LINT_VERSION ") or the id of a commit",
             "--repository 指定了分支，获取的内容会自行变化；请指定标签（v" PYPTO_LINT_VERSION
             "）或提交的 id"},
    };
    const InitRequest *request = planning->request;
    InitPlan *plan = &planning->plan;
    AddressState state = address_fill(planning->arena, plan->client, request->repository,
                                      plan->before, &planning->wanted);
    if (state != ADDRESS_GOOD && !request->remove) {
        conclude(planning, PLAN_REFUSED, reasons[state]);
        return false;
    }
    return true;
}

InitPlan plan_make(Arena *arena, const InitRequest *request, const Client *client)
{
    static void (*const planners[])(Planning *) = {
        [SETTINGS_HOOKS] = plan_hooks,
        [SETTINGS_BLOCK] = plan_block,
        [SETTINGS_OWN_FILE] = plan_file,
        [SETTINGS_STARTER] = plan_file,
    };
    Planning planning = {.arena = arena, .request = request};
    address_fill(arena, client, request->repository, STR(""), &planning.wanted); /* for snippets */
    planning.plan = (InitPlan){.client = client,
                               .path = STR(""),
                               .shown = STR(""),
                               .before = STR(""),
                               .after = STR(""),
                               .message = STR(""),
                               .snippet = STR("")};
    if (planning.wanted.length == 0) {
        conclude(&planning, PLAN_REFUSED,
                 (Text){"this build has no file for it", "此构建不含相应文件"});
    } else if (find_path(&planning) && check_place(&planning) && read_before(&planning) &&
               find_wanted(&planning)) {
        /* A file that does not name us has nothing to take out. */
        if (!request->remove || str_contains(planning.plan.before, STR("pypto-lint"))) {
            planners[client->format](&planning);
        }
        add_notes(&planning);
    }
    return planning.plan;
}

bool plan_carry_out(Arena *arena, const InitRequest *request, const InitPlan *plan, Str *error)
{
    Str now = STR("");
    FileStatus status = file_read(arena, plan->path.at, INIT_MAX_BYTES, &now, error);
    bool same =
        plan->exists ? status == FILE_OK && str_equal(now, plan->before) : status == FILE_MISSING;
    if (!same) {
        *error = str_from(
            text_in(request->lang, (Text){"the file has changed in the meantime; run init again",
                                          "文件在此期间已改变，请重新运行 init"}));
        return false;
    }
    if (plan->deletes) {
        return place_delete(arena, plan->path, request->user ? place_home() : request->root, error);
    }
    return place_make_folders(arena, plan->path, error) &&
           (request->user ? file_write_atomic(arena, plan->path.at, plan->after, error)
                          : fence_write(arena, fence_of(arena, request->root), plan->path.at,
                                        plan->after, error));
}

/* `doctor` for a person: one page. */
#include "cli/doctor_print.h"
#include "lint/result.h"
#include "report/terminal.h"

enum { LABEL_WIDTH = 16, PATH_WIDTH = 44, LINE_WIDTH = 96 };

typedef struct Page {
    Buf out;
    Lang lang;
} Page;

static const char *say(const Page *page, const char *en, const char *zh)
{
    return page->lang == LANG_ZH ? zh : en;
}

/* Columns that a text takes on a terminal: two for the Chinese characters of this program. */
static int width_of(const char *text)
{
    int width = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        width += (*at & 0xC0) == 0x80 ? 0 : *at < 0x80 ? 1 : 2;
    }
    return width;
}

static void add_label(Page *page, const char *en, const char *zh)
{
    const char *text = say(page, en, zh);
    int width = width_of(text);
    buf_addf(&page->out, "%s%*s", text, width < LABEL_WIDTH ? LABEL_WIDTH - width : 1, "");
}

static void add_heading(Page *page, const char *en, const char *zh)
{
    buf_addf(&page->out, "\n%s\n", say(page, en, zh));
}

/* Text from outside, fit to be shown; returns the columns it takes. */
static size_t add_outside(Page *page, Str text)
{
    size_t width = 0;
    for (size_t offset = 0; offset < text.length;) {
        Glyph glyph = glyph_next(text, &offset);
        buf_add(&page->out, str_from(glyph.text));
        width += glyph.width;
    }
    return width;
}

/* Words, broken into lines that begin with two blanks. */
static void add_list(Page *page, const Strs *words)
{
    size_t column = LINE_WIDTH;
    for (uint32_t i = 0; i < words->count; i++) {
        Str word = words->items[i];
        if (column + 1 + word.length > LINE_WIDTH) {
            buf_addf(&page->out, "%s   ", i == 0 ? "" : "\n");
            column = 3;
        }
        buf_add_char(&page->out, ' ');
        column += 1 + add_outside(page, word);
    }
    buf_add(&page->out, words->count == 0 ? STR("") : STR("\n"));
}

/* Ids of rules, each with its name. */
static void add_rule_list(Page *page, const Strs *ids)
{
    Strs named = {0};
    for (uint32_t i = 0; i < ids->count; i++) {
        const Rule *rule = rule_find(ids->items[i]);
        Str text = str_format(page->out.arena, "%.*s %s%s", STR_ARG(ids->items[i]),
                              rule == NULL ? "" : rule->name, i + 1 < ids->count ? "," : "");
        VEC_PUSH(page->out.arena, &named, text);
    }
    add_list(page, &named);
}

static void add_joined(Page *page, const Strs *words)
{
    for (uint32_t i = 0; i < words->count; i++) {
        buf_add(&page->out, i == 0 ? STR("") : STR(", "));
        add_outside(page, words->items[i]);
    }
}

static void add_identity(Page *page, const Doctor *doctor)
{
    add_label(page, "Directory", "目录");
    add_outside(page, doctor->absolute);
    buf_add_char(&page->out, '\n');
    add_label(page, "Recognised", "识别");
    buf_addf(&page->out, "%s\n",
             doctor->recognised
                 ? say(page, "yes: found as an operator directory in a tree",
                       "是：在目录树中会被识别为算子目录")
                 : say(page,
                       "no: linted only when it is named (no state file, too few usual names)",
                       "否：只有直接指定时才检查（没有状态文件，常用文件名太少）"));
    add_label(page, "Operator", "算子");
    add_outside(page, doctor->name);
    buf_addf(&page->out, " (%s)\n",
             doctor->name_from_state ? say(page, "from the state file", "取自状态文件")
                                     : say(page, "the folder's name", "目录名"));
}

static void add_stage(Page *page, const Doctor *doctor)
{
    add_label(page, "State file", "状态文件");
    buf_addf(&page->out, "%s\n",
             !doctor->state_exists ? say(page, "missing", "缺失")
             : doctor->state_valid ? say(page, "present", "存在")
                                   : say(page, "broken, see below", "已损坏，见下文"));
    add_label(page, "Stage", "阶段");
    switch (doctor->stage_source) {
    case STAGE_FROM_STATE:
        buf_addf(&page->out, "%d (%s)\n", doctor->stage,
                 say(page, "from the state file", "取自状态文件"));
        break;
    case STAGE_FROM_ARTIFACTS:
        buf_addf(&page->out, "%d (%s", doctor->stage, say(page, "inferred from ", "推断依据："));
        add_joined(page, &doctor->stage_artifacts);
        buf_add(&page->out, STR(")\n"));
        break;
    case STAGE_UNKNOWN:
        buf_addf(
            &page->out, "%s\n",
            say(page, "unknown: rules run on the files that exist", "未知：规则只检查已有的文件"));
        break;
    }
}

static void add_modules(Page *page, const Doctor *doctor)
{
    add_label(page, "Modules", "模块数");
    if (!doctor->count.known) {
        buf_addf(&page->out, "%s\n",
                 say(page, "unknown: neither MEMORY.md nor DESIGN.md has module_count",
                     "未知：MEMORY.md 和 DESIGN.md 都没有 module_count"));
    } else {
        buf_addf(&page->out, "%lld (%s:%u)\n", (long long)doctor->count.count,
                 doctor->count.in_design ? "DESIGN.md" : "MEMORY.md", doctor->count.line);
    }
    add_label(page, "Scope", "范围");
    buf_addf(&page->out, "%s", say(page, "the whole operator", "整个算子"));
    buf_addf(&page->out, say(page, "; implementation files: %u\n", "；实现文件：%u 个\n"),
             doctor->scan.count);
    add_list(page, &doctor->scan);
    add_label(page, "Kernels", "Kernel");
    if (doctor->kernels > 0) {
        buf_addf(&page->out, "%u\n", doctor->kernels);
    } else {
        buf_addf(&page->out, "%s\n",
                 say(page,
                     "none: no function decorated with @pypto.frontend.jit, so most rules find "
                     "nothing to look at",
                     "无：没有使用 @pypto.frontend.jit 装饰的函数，多数规则无从检查"));
    }
    add_label(page, "PyPTO", "PyPTO");
    add_outside(page, doctor->product_text);
    buf_add_char(&page->out, '\n');
    if (doctor->installed_remark.length > 0) {
        buf_addf(&page->out, "%*s", LABEL_WIDTH, "");
        add_outside(page, doctor->installed_remark);
        buf_add_char(&page->out, '\n');
    }
    add_label(page, "Python", "Python");
    if (doctor->python.length > 0) {
        add_outside(page, doctor->python);
    } else {
        buf_addf(&page->out, "%s: ", say(page, "not found", "找不到"));
        add_outside(page, doctor->python_wanted);
    }
    buf_add_char(&page->out, '\n');
    add_label(page, "Settings", "配置");
    if (doctor->config_error.length > 0) {
        buf_addf(&page->out, "%s: ", say(page, "unusable", "不可用"));
        add_outside(page, doctor->config_error);
    } else if (doctor->config.length > 0) {
        add_outside(page, doctor->config);
    } else {
        buf_addf(&page->out, "%s", say(page, "none", "无"));
    }
    buf_add_char(&page->out, '\n');
}

static void add_file(Page *page, const DoctorFile *file)
{
    size_t width = add_outside(page, file->path);
    buf_addf(&page->out, "%*s%s", width < PATH_WIDTH ? (int)(PATH_WIDTH - width) : 1, "",
             text_in(page->lang, file_state_text(file->state)));
}

static void add_phases(Page *page, const Doctor *doctor)
{
    add_heading(page, "Phases", "分阶段构建");
    if (doctor->phases.count == 0) {
        buf_addf(&page->out, "  %s\n",
                 doctor->count.known && doctor->count.count == 1
                     ? say(page, "none: a single module is built at once", "无：单模块一次完成")
                     : say(page, "none known", "无已知阶段"));
    }
    for (uint32_t i = 0; i < doctor->phases.count; i++) {
        const DoctorPhase *phase = &doctor->phases.items[i];
        const DoctorFile *const files[] = {&phase->impl, &phase->golden, &phase->test};
        buf_addf(&page->out, "  M%d (%s %.*s)\n", phase->number, say(page, "suffix", "后缀"),
                 STR_ARG(phase->suffix));
        for (int j = 0; j < 3; j++) {
            buf_add(&page->out, STR("    "));
            add_file(page, files[j]);
            buf_add_char(&page->out, '\n');
        }
    }
    if (doctor->phases_cut) {
        buf_addf(&page->out, "  %s\n", say(page, "more are not shown", "其余未显示"));
    }
}

static void add_artifacts(Page *page, const Doctor *doctor)
{
    add_heading(page, "Artifacts", "产物");
    for (uint32_t i = 0; i < doctor->artifacts.count; i++) {
        const DoctorFile *file = &doctor->artifacts.items[i];
        const char *state = text_in(page->lang, file_state_text(file->state));
        int width = width_of(state);
        buf_add(&page->out, STR("  "));
        add_file(page, file);
        buf_addf(&page->out, "%*s%s %s\n", width < 12 ? 12 - width : 1, "",
                 say(page, "stage", "阶段"), file->stages);
    }
}

static void add_rules(Page *page, const Doctor *doctor)
{
    add_heading(page, "Rules", "规则");
    buf_addf(&page->out, "  %s: %u\n", say(page, "run", "运行"), doctor->run.count);
    add_rule_list(page, &doctor->run);
    buf_addf(&page->out, "  %s: %u\n", say(page, "belong to other stages", "属于其他阶段"),
             doctor->out_of_stage.count);
    add_rule_list(page, &doctor->out_of_stage);
    if (doctor->switched_off.count > 0) {
        buf_addf(&page->out, "  %s: %u\n", say(page, "switched off by the settings", "被配置关闭"),
                 doctor->switched_off.count);
        add_rule_list(page, &doctor->switched_off);
    }
}

static void add_unreadable(Page *page, const Doctor *doctor)
{
    add_heading(page, "Not readable", "不可读");
    for (uint32_t i = 0; i < doctor->unreadable.count; i++) {
        const Notice *notice = &doctor->unreadable.items[i];
        buf_add(&page->out, STR("  "));
        add_outside(page, notice->file);
        buf_add(&page->out, STR(": "));
        add_outside(page, notice->message);
        buf_add_char(&page->out, '\n');
    }
    if (doctor->unreadable.count == 0) {
        buf_addf(&page->out, "  %s\n", say(page, "nothing", "无"));
    }
}

bool doctor_print_text(Arena *arena, const Doctor *doctor, Lang lang)
{
    Page page = {.out = {.arena = arena}, .lang = lang};
    add_identity(&page, doctor);
    add_stage(&page, doctor);
    add_modules(&page, doctor);
    add_phases(&page, doctor);
    add_artifacts(&page, doctor);
    add_rules(&page, doctor);
    add_unreadable(&page, doctor);
    return print_all(buf_str(&page.out));
}

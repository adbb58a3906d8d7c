/* The frames of what the script of the page of `run --html` draws; see run_page_views.h. */
#include "harness/report/run_page_views.h"

#include "document/json.h"
#include "report/page.h"
#include "report/report_common.h"

/* Appends the legend of a drawing, with colours by the classes of `.key` in style.css. */
static void add_legend(Buf *out, Lang lang, const char *const keys[], const Text texts[],
                       size_t count)
{
    buf_add(out, STR("<p class=\"soft\">"));
    for (size_t i = 0; i < count; i++) {
        buf_addf(out, "<span class=\"key %s\"></span> %s\n", keys[i], text_in(lang, texts[i]));
    }
    buf_add(out, STR("</p>\n"));
}

static void add_timeline_view(Buf *out, Lang lang)
{
    static const char *const keys[] = {"chain"};
    static const Text texts[] = {
        {"underlined: the chain of operations that the end of its launch waits for",
         "带下划线：决定启动结束时间的运算链"}};
    buf_addf(
        out, "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n", words(lang, "Timeline", "时间线"),
        words(
            lang,
            "Launches and the iterations of their loops at the top, a row for each unit below. Arrows "
            "lead from an operation to those that take its result: for the chosen operation, and for "
            "all while at most 80 are in view. Keys: + and − zoom, arrows move, n and p step through "
            "the operations, c through the chain, Escape clears. Ctrl and the wheel zoom, dragging "
            "moves, a click chooses.",
            "上方为启动及其循环的迭代，下方每个单元一行。箭头从运算指向使用其结果的运算：对所选运算显示；"
            "视野内不超过 80 个运算时全部显示。按键：+、− 缩放，方向键移动，n、p 逐个运算，c 沿运算链，"
            "Escape 取消。Ctrl 加滚轮缩放，拖动平移，单击选择。"));
    add_legend(out, lang, keys, texts, 1);
    buf_addf(
        out,
        "<p><button data-zoom=\"0.5\" aria-label=\"%s\">+</button> "
        "<button data-zoom=\"2\" aria-label=\"%s\">−</button> "
        "<button data-zoom=\"1e9\">%s</button></p>\n"
        "<canvas id=\"timeline\" height=\"240\" tabindex=\"0\" role=\"application\" aria-label=\"%s\">"
        "</canvas>\n<dl id=\"detail\" aria-live=\"polite\"></dl>\n",
        words(lang, "zoom in", "放大"), words(lang, "zoom out", "缩小"),
        words(lang, "whole run", "全部"),
        words(lang, "Timeline of operations by unit", "各单元的运算时间线"));
}

static void add_memory_view(Buf *out, Lang lang)
{
    static const char *const keys[] = {"blue", "red", "yellow"};
    static const Text texts[] = {
        {"tiles of the operations at work, summed", "正在执行的各运算的 tile 之和"},
        {"they do not fit together: the device cannot overlap these operations as the model does",
         "放不下：设备无法像模型那样重叠执行"},
        {"UB only: whole results that a later operation takes; what does not fit has to go to memory "
         "and back, which the model does not count",
         "仅 UB：后续运算要用的完整结果；放不下的部分须写回内存再加载，模型未计入"}};
    buf_addf(
        out, "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n",
        words(lang, "Memory of the core", "片上内存"),
        words(
            lang,
            "Bytes over time. The dashed line is the capacity; if less than a quarter is used, the dotted "
            "line is the highest use instead. The list names what is there at the marked moment. A click "
            "or n and p choose another moment, m the fullest one. Below, every memory of the core that "
            "the run uses, each to its own scale: a click shows it in full.",
            "随时间变化的字节数。虚线为容量；占用不足四分之一时，点线为最大占用。列表为所选时刻的内容。"
            "单击或按 n、p 换时刻，m 为占用最多的时刻。下方为用到的各内存，各按自己的比例；单击可展开。"));
    add_legend(out, lang, keys, texts, sizeof keys / sizeof *keys);
    buf_addf(
        out,
        "<p><label>%s <select id=\"which\"><option>UB</option>"
        "<option>L1</option><option>L0A</option><option>L0B</option><option>L0C</option><option>BT</option>"
        "</select></label> <button id=\"peak\">%s</button></p>\n<canvas id=\"memory\" height=\"160\" "
        "tabindex=\"0\" role=\"application\" aria-label=\"%s\"></canvas>\n"
        "<canvas id=\"strips\" height=\"24\" role=\"img\" aria-label=\"%s\"></canvas>\n"
        "<p id=\"contents-title\" aria-live=\"polite\"></p>\n<ol id=\"contents\"></ol>\n",
        words(lang, "Memory", "内存"), words(lang, "Fullest moment", "占用最多的时刻"),
        words(lang, "Use of the memory over time", "内存占用随时间的变化"),
        words(lang, "Use of every memory over time", "各内存占用随时间的变化"));
}

static void add_window_view(Buf *out, Lang lang)
{
    static const char *const keys[] = {"blue", "brown"};
    static const Text texts[] = {{"read", "读"}, {"written", "写"}};
    buf_addf(
        out, "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n",
        words(lang, "Windows of tensors", "张量的窗口"),
        words(
            lang,
            "Which part of a parameter each step reads or writes; earlier steps are pale. All axes "
            "but the last run down.",
            "每一步读写参数的哪一部分；之前的步骤颜色较浅。除最后一维外，各维均向下排列。"));
    add_legend(out, lang, keys, texts, sizeof keys / sizeof *keys);
    buf_addf(
        out,
        "<p><label>%s <select id=\"tensor\"></select></label></p>\n"
        "<p><label>%s <input type=\"range\" id=\"step\" min=\"0\" max=\"0\" value=\"0\"></label></p>\n"
        "<p id=\"step-text\" class=\"text\" aria-live=\"polite\"></p>\n"
        "<canvas id=\"tiles\" height=\"300\" role=\"img\" aria-label=\"%s\"></canvas>\n",
        words(lang, "Tensor", "张量"), words(lang, "Step", "步"),
        words(lang, "The tensor with the windows so far", "张量及至此的窗口"));
}

static void add_roofline_view(Buf *out, Lang lang)
{
    static const char *const keys[] = {"red", "green"};
    static const Text texts[] = {{"cube", "cube"}, {"vector", "vector"}};
    buf_addf(
        out, "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n", words(lang, "Roofline", "Roofline"),
        words(
            lang,
            "A point for each line of source, with its number, or for each operation: FLOPs for each byte "
            "from or to memory, and FLOPs a cycle. A point near the slope is limited by memory, one near "
            "the flat roof by its unit, one far below both by waiting or small tiles. Lines that touch no "
            "memory have no point.",
            "每行源码（标行号）或每个运算一个点：每字节内存访问的 FLOP 数与每周期 FLOP 数。靠近斜线的点受内存限制，"
            "靠近水平线的点受单元限制，远低于两者的点受等待或过小 tile 限制。不访问内存的行没有点。"));
    add_legend(out, lang, keys, texts, sizeof keys / sizeof *keys);
    buf_addf(out,
             "<p><label>%s <select id=\"points\"><option value=\"lines\">%s</option><option "
             "value=\"operations\">%s</option></select></label></p>\n"
             "<canvas id=\"roofline\" height=\"320\" role=\"img\" aria-label=\"%s\"></canvas>\n",
             words(lang, "Points", "点"), words(lang, "lines", "源码行"),
             words(lang, "operations", "运算"),
             words(lang, "Roofline of the lines", "各行的 Roofline"));
}

void run_page_views_add(Buf *out, Lang lang)
{
    buf_add(out, STR("<div id=\"views\" hidden>\n"));
    add_timeline_view(out, lang);
    add_memory_view(out, lang);
    add_window_view(out, lang);
    add_roofline_view(out, lang);
    buf_addf(out, "</div>\n<noscript><p>%s</p></noscript>\n",
             words(lang, "The timeline, memory, windows and roofline need the page's script.",
                   "时间线、内存、窗口和 Roofline 需要页面脚本。"));
}

void run_page_words_add(Buf *out, Lang lang)
{
    static const struct {
        const char *key;
        Text text;
    } all[] = {{"cycles", {"cycles", "周期"}},
               {"operation", {"operation", "运算"}},
               {"line", {"line", "行"}},
               {"where", {"iteration", "迭代"}},
               {"time", {"time", "时间"}},
               {"moved", {"bytes from / to memory", "读入 / 写出内存字节"}},
               {"memory", {"tile in memories of the core", "tile 占用片上内存"}},
               {"waits", {"waits for", "等待"}},
               {"takes", {"takes results of", "使用其结果"}},
               {"load", {"load", "加载"}},
               {"cycle", {"Cycle", "周期"}},
               {"at", {"at", "位于"}},
               {"atwork", {"tile at work", "正在执行的 tile"}},
               {"kept", {"result kept for later", "留待后用的结果"}},
               {"label", {"label", "标签"}},
               {"nowindow", {"nothing reads or writes it by windows", "没有按窗口的读写"}},
               {"read", {"reads", "读"}},
               {"write", {"writes", "写"}},
               {"intensity", {"FLOPs a byte", "FLOP / 字节"}},
               {"rate", {"FLOPs a cycle", "FLOP / 周期"}}};
    Buf json = {.arena = out->arena};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        buf_addf(&json, "%s\"%s\":", i == 0 ? "{" : ",", all[i].key);
        json_add_string(&json, str_from(text_in(lang, all[i].text)));
    }
    buf_add_char(&json, '}');
    page_data(out, "words", buf_str(&json));
}

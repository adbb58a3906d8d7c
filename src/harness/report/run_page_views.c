/* The frames of what the script of the page of `run --html` draws; see run_page_views.h. */
#include "harness/report/run_page_views.h"

#include "document/json.h"
#include "report/page.h"
#include "report/report_common.h"

static void add_memory_view(Buf *out, Lang lang)
{
    buf_addf(
        out,
        "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n<p><label>%s <select id=\"which\"><option>UB</option>"
        "<option>L1</option><option>L0A</option><option>L0B</option><option>L0C</option><option>BT</option>"
        "</select></label> <button id=\"peak\">%s</button></p>\n<canvas id=\"memory\" height=\"160\" "
        "tabindex=\"0\" role=\"application\" aria-label=\"%s\"></canvas>\n"
        "<p id=\"contents-title\" aria-live=\"polite\"></p>\n<ol id=\"contents\"></ol>\n",
        words(lang, "Memory of the core", "片上内存"),
        words(
            lang,
            "Bytes over time, against the capacity (dashed; where less than a quarter is used, the dots "
            "are the most). Blue: a tile of every operation at work, "
            "summed; red where they do not fit together, so that the device cannot overlap them as the model "
            "does. Yellow, in UB: whole results that a later operation "
            "takes; what does not fit with them has to be written to memory and loaded again, which the "
            "model does not count. Below: what is there at the marked moment. Click or n, p: another "
            "moment; m: the fullest.",
            "随时间变化的字节数，虚线为容量（占用不足四分之一时点线为最大值）。蓝：正在执行的各运算的 tile 之和；放不下时为红，设备无法像模型那样重叠执行。黄（UB）："
            "后续运算要用的完整结果；放不下的部分须写回内存再加载，模型未计入。下方：所选时刻的内容。"
            "单击或按 n、p 换时刻，m 为占用最多的时刻。"),
        words(lang, "Memory", "内存"), words(lang, "Fullest moment", "占用最多的时刻"),
        words(lang, "Use of the memory over time", "内存占用随时间的变化"));
}

void run_page_views_add(Buf *out, Lang lang)
{
    buf_addf(
        out,
        "<div id=\"views\" hidden>\n<h2>%s</h2>\n<p class=\"soft\">%s</p>\n"
        "<p><button data-zoom=\"0.5\">+</button> <button data-zoom=\"2\">−</button> "
        "<button data-zoom=\"1e9\">%s</button></p>\n"
        "<canvas id=\"timeline\" height=\"240\" tabindex=\"0\" role=\"application\" aria-label=\"%s\">"
        "</canvas>\n<dl id=\"detail\" aria-live=\"polite\"></dl>\n",
        words(lang, "Timeline", "时间线"),
        words(
            lang,
            "Rows on top: launches and the iterations of their loops; below, a row for each unit. "
            "Underlined: the chain of operations that the end waits for. Keys: + − zoom, arrows move, "
            "n and p step through operations, c through that chain, Escape. Ctrl and the wheel zoom, "
            "a click chooses; arrows lead from the operations that made the operands.",
            "上方各行：启动及其循环的迭代；下方：每个单元一行。带下划线：决定结束时间的运算链。按键：+ − "
            "缩放，方向键移动，n、p 逐个运算，c 沿运算链，Escape 取消。Ctrl 加滚轮缩放，单击选择；"
            "箭头来自产生操作数的运算。"),
        words(lang, "all", "全部"),
        words(lang, "Timeline of operations by unit", "各单元的运算时间线"));
    add_memory_view(out, lang);
    buf_addf(
        out,
        "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n<p><label>%s <select id=\"tensor\"></select></label></p>\n"
        "<p><label>%s <input type=\"range\" id=\"step\" min=\"0\" max=\"0\" value=\"0\"></label></p>\n"
        "<p id=\"step-text\" class=\"text\" aria-live=\"polite\"></p>\n"
        "<canvas id=\"tiles\" height=\"300\" role=\"img\" aria-label=\"%s\"></canvas>\n",
        words(lang, "Windows of tensors", "张量的窗口"),
        words(lang, "Which part of a parameter each step reads (blue) or writes (brown).",
              "每一步读（蓝）或写（棕）参数的哪一部分。"),
        words(lang, "Tensor", "张量"), words(lang, "Step", "步"),
        words(lang, "The tensor with the windows so far", "张量及至此的窗口"));
    buf_addf(
        out,
        "<h2>%s</h2>\n<p class=\"soft\">%s</p>\n"
        "<p><label>%s <select id=\"points\"><option value=\"lines\">%s</option><option "
        "value=\"operations\">%s</option></select></label></p>\n"
        "<canvas id=\"roofline\" height=\"320\" role=\"img\" aria-label=\"%s\"></canvas>\n</div>\n",
        words(lang, "Roofline", "Roofline"),
        words(
            lang,
            "A point for each line of source or operation: FLOPs for each byte from or to memory, and "
            "FLOPs a cycle. Below the slope memory limits it, below the flat part the unit does. What "
            "touches no memory is left out. Red: cube, green: vector.",
            "每行源码或每个运算一个点：每字节内存访问的 FLOP 数与每周期 FLOP 数。斜线之下受内存限制，水平线"
            "之下受单元限制。不访问内存的未列出。红：cube，绿：vector。"),
        words(lang, "Points", "点"), words(lang, "lines", "源码行"),
        words(lang, "operations", "运算"), words(lang, "Roofline of the lines", "各行的 Roofline"));
    buf_addf(out, "<noscript><p>%s</p></noscript>\n",
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

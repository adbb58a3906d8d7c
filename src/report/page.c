/* Self-contained HTML pages; see page.h. */
#include "report/page.h"

static const PageFile *file_named(const char *name)
{
    for (uint32_t i = 0; i < page_file_count; i++) {
        if (strcmp(page_files[i].name, name) == 0) {
            return &page_files[i];
        }
    }
    return NULL;
}

/* Nothing may be fetched, sent or framed; of styles and scripts, only those of this page run. */
static void add_policy(Buf *out, const PageFile *style, const PageFile *script)
{
    buf_addf(out,
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
             "style-src 'sha256-%s'; script-src ",
             style->sha256);
    if (script == NULL) {
        buf_add(out, STR("'none'"));
    } else {
        buf_addf(out, "'sha256-%s'", script->sha256);
    }
    buf_add(out, STR("; base-uri 'none'; form-action 'none'\">\n"));
}

void page_begin(Buf *out, const PageHead *head)
{
    const PageFile *style = file_named("style.css");
    buf_addf(out, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
             head->lang);
    add_policy(out, style, head->script == NULL ? NULL : file_named(head->script));
    buf_add(out, STR("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n<title>"));
    xml_add(out, head->title);
    buf_add(out, STR("</title>\n<style>"));
    buf_add(out, str_from(style->text));
    buf_add(out, STR("</style>\n</head>\n<body>\n<main>\n<h1>"));
    xml_add(out, head->title);
    buf_add(out, STR("</h1>\n"));
}

void page_end(Buf *out, const PageHead *head)
{
    buf_add(out, STR("</main>\n"));
    if (head->script != NULL) {
        buf_add(out, STR("<script>"));
        buf_add(out, str_from(file_named(head->script)->text));
        buf_add(out, STR("</script>\n"));
    }
    buf_add(out, STR("</body>\n</html>\n"));
}

void page_code(Buf *out, Str text)
{
    size_t start = 0;
    while (start <= text.length) {
        size_t tab = str_find(text, STR("\t"), start);
        size_t end = tab == SIZE_MAX ? text.length : tab;
        xml_add(out, str_slice(text, start, end));
        if (tab == SIZE_MAX) {
            return;
        }
        buf_add_char(out, '\t');
        start = tab + 1;
    }
}

void page_data(Buf *out, const char *id, Str json)
{
    buf_addf(out, "<script type=\"application/json\" id=\"%s\">", id);
    size_t start = 0;
    /* "</script>" and "<!--" cannot occur where "<" does not; in JSON it only stands in strings. */
    for (size_t i = 0; i < json.length; i++) {
        if (json.at[i] == '<') {
            buf_add(out, str_slice(json, start, i));
            buf_add(out, STR("\\u003c"));
            start = i + 1;
        }
    }
    buf_add(out, str_slice(json, start, json.length));
    buf_add(out, STR("</script>\n"));
}

/* Document links: rule ids in documents link to the rules' pages. */
#include "base/ascii.h"
#include "lint/result.h"
#include "server/job.h"

/* The length of the rule id that begins here, or 0. */
static size_t id_at(Str text, size_t at)
{
    enum { LENGTH = 4 };
    Str id = str_slice(text, at, at + LENGTH);
    bool begins = at == 0 || !is_word_char(text.at[at - 1]);
    bool ends = at + LENGTH >= text.length || !is_word_char(text.at[at + LENGTH]);
    return begins && ends && id.length == LENGTH && rule_find(id) != NULL ? LENGTH : 0;
}

void links_job(Work *work)
{
    enum { MOST_LINKS = 2000 };
    Source source;
    Buf *out = work->out;
    uint32_t links = 0;
    const ClientFacts *facts = work->facts;
    buf_add(out, STR("["));
    bool readable = facts->docs_uri.length > 0 && work_source(work, work->path, &source);
    for (size_t at = 0; readable && at + 1 < source.text.length && links < MOST_LINKS; at++) {
        bool may = (source.text.at[at] == 'O' && source.text.at[at + 1] == 'L') ||
                   (source.text.at[at] == 'K' && source.text.at[at + 1] == 'S');
        size_t length = may ? id_at(source.text, at) : 0;
        if (length == 0) {
            continue;
        }
        Range range = {position_of(&source, (uint32_t)at, facts->encoding),
                       position_of(&source, (uint32_t)(at + length), facts->encoding)};
        buf_add(out, links++ == 0 ? STR("{\"range\":") : STR(",{\"range\":"));
        work_add_range(out, range);
        buf_addf(out, ",\"target\":\"%.*s%.*s.md\"}", STR_ARG(facts->docs_uri), (int)length,
                 source.text.at + at);
    }
    buf_add(out, STR("]"));
}

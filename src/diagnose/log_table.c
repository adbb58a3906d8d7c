/* Finds indices beyond the table that they look up; see log_table.h. */
#include "diagnose/log_table.h"

#include "base/ascii.h"
#include "diagnose/log_number.h"
#include "diagnose/word_list.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { TABLE_LINES = 16 }; /* an index so soon after the shape of a table belongs to it */

/* Can the word at `at` mean an index into a table? It can at the start of a phrase or after a word
 * that fits ("max id"); "request id 70001" has nothing to do with a table. */
static bool may_be_index(Str line, size_t at)
{
    static const char *const fits[] = {"token", "max", "input", "bad",   "invalid", "with", "has",
                                       "an",    "the", "at",    "found", "largest", "to"};
    if (at > 0 && line.at[at - 1] == '_') {
        return false;
    }
    size_t end = at;
    while (end > 0 && is_blank(line.at[end - 1])) {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && is_word_char(line.at[begin - 1])) {
        begin--;
    }
    return begin == end || WORD_IN(fits, str_slice(line, begin, end));
}

/* The number after an "id" or "index" into a table; -1: none. */
static double index_after(Str line)
{
    static const char *const words[] = {"id", "index"};
    double number = -1;
    for (size_t i = 0; i < COUNT(words) && number < 0; i++) {
        Str word = str_from(words[i]);
        for (size_t at = word_find(line, word, 0); at != SIZE_MAX && number < 0;
             at = word_find(line, word, at + 1)) {
            number = may_be_index(line, at) ? log_number_at(line, at + word.length) : -1;
        }
    }
    return number;
}

bool log_table_beyond(LogTable *table, Str line, uint64_t order)
{
    static const char *const sizes[] = {
        "vocab_size", "vocab size",        "vocab",       "num_embeddings", "embedding rows",
        "num_rows",   "rows of the table", "num_experts", "num_classes",    "less than size"};
    static const char *const shapes[] = {"table [", "table (", "table shape [", "table shape ("};
    static const char *const ids[] = {"max id",       "max_id",    "max token", "max token id",
                                      "max token_id", "token id",  "token_id",  "indices up to",
                                      "input value",  "expert id", "expert_id"};
    static const char *const most[] = {"max=", "max ", "max:", "max()", "maximum"};
    static const char *const tables[] = {"id", "ids", "index", "indices", "idx", "token", "tokens"};
    double size = log_number_after(line, sizes, COUNT(sizes));
    double rows = log_number_after(line, shapes, COUNT(shapes));
    if (rows > 0) {
        table->rows = rows;
        table->until = order + TABLE_LINES;
    }
    size = size < 0 && order <= table->until ? table->rows : size;
    double id = log_number_after(line, ids, COUNT(ids));
    id = id < 0 ? index_after(line) : id;
    id = id < 0 && HAS_WORD(tables, line) ? log_number_after(line, most, COUNT(most)) : id;
    return size > 0 && id >= size;
}

/* Words of a cleaned text; see skim_words.h. */
#include "python/skim_words.h"

bool skim_take(const char *text, uint32_t *at, uint32_t end, const char *word)
{
    uint32_t start = pass_blanks(text, *at, end);
    size_t length = strlen(word);
    if (end - start < length || memcmp(text + start, word, length) != 0 ||
        (is_word(word[length - 1]) && start + length < end && is_word(text[start + length]))) {
        return false;
    }
    *at = pass_blanks(text, start + (uint32_t)length, end);
    return true;
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

/* Do three quotation marks stand there? */
static bool are_three(const char *here, uint32_t left)
{
    return left >= 3 && here[1] == here[0] && here[2] == here[0];
}

uint32_t skim_string_end(const char *text, uint32_t at, uint32_t end)
{
    char quote = text[at];
    bool three = are_three(text + at, end - at);
    for (at += three ? 3 : 1; at < end; at++) {
        if (text[at] == '\\') {
            at++;
        } else if (text[at] == quote && (!three || are_three(text + at, end - at))) {
            at += three ? 3 : 1;
            break;
        }
    }
    return at < end ? at : end;
}

uint32_t skim_close(const char *text, uint32_t at, uint32_t end)
{
    uint32_t depth = 0;
    while (at < end) {
        CharClass class = class_of(text[at]);
        if (class == CLASS_QUOTE) {
            at = skim_string_end(text, at, end);
            continue;
        }
        depth += class == CLASS_OPEN;
        depth -= class == CLASS_CLOSE;
        if (depth == 0) {
            return at;
        }
        at++;
    }
    return end;
}

/* At a quotation mark: passes it, and its two neighbours where three begin or end the string. */
static void pass_quote(Words *words)
{
    const char *here = words->text + words->at;
    bool three = are_three(here, words->end - words->at);
    if (words->quotes == 0) {
        words->quote = here[0];
        words->quotes = three ? 3 : 1;
        words->at += (uint32_t)words->quotes;
    } else if (here[0] == words->quote && (words->quotes == 1 || three)) {
        words->at += (uint32_t)words->quotes;
        words->quotes = 0;
    } else {
        words->at++;
    }
}

bool words_next(Words *words)
{
    while (words->at < words->end) {
        if (words->gaps < words->gaps_end && words->at >= words->gaps->start) {
            words->at = words->gaps++->end;
            continue;
        }
        char c = words->text[words->at];
        if (is_word(c)) {
            uint32_t start = words->at;
            words->at = word_end(words->text, start, words->end);
            words->word = (Str){words->source + start, words->at - start};
            words->start = start;
            words->member = start > 0 && words->text[start - 1] == '.';
            if (!is_digit(*words->word.at)) {
                return true;
            }
        } else if (is_quote(c)) {
            pass_quote(words);
        } else {
            words->at += words->quotes > 0 && c == '\\' ? 2 : 1;
        }
    }
    return false;
}

/* Reads numbers in lines of logs; see log_number.h. */
#include "diagnose/log_number.h"

#include "base/ascii.h"
#include "diagnose/word_list.h"

#include <stdlib.h>

/* The value of a number. Most have neither a point nor an exponent, and strtod would take longer
 * than everything else done with a line. */
static double value_of(const char *digits, size_t length)
{
    enum { TEN = 10, MOST_EXACT = 15 };
    double value = 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(digits[i]) || length > MOST_EXACT) {
            return strtod(digits, NULL);
        }
        value = value * TEN + (digits[i] - '0');
    }
    return value;
}

size_t log_number_read(Str line, size_t at, double *number)
{
    enum { MOST_DIGITS = 31 };
    char digits[MOST_DIGITS + 1];
    size_t length = 0, end = at;
    while (end < line.length && length < MOST_DIGITS) {
        char c = line.at[end], next = end + 1 < line.length ? line.at[end + 1] : ' ';
        bool sign = (c == '-' || c == '+') && end > at && lower_case(line.at[end - 1]) == 'e';
        bool joins = end > at && (c == '.' || lower_case(c) == 'e') &&
                     (is_digit(next) || (c != '.' && (next == '-' || next == '+')));
        if (!is_digit(c) && !sign && !joins) {
            break;
        }
        digits[length++] = c;
        end++;
    }
    digits[length] = '\0';
    if (length > 0) {
        *number = value_of(digits, length);
    }
    return end;
}

double log_number_at(Str line, size_t at)
{
    enum { MOST_BETWEEN = 6 };
    size_t from = at;
    while (from < line.length && from - at < MOST_BETWEEN &&
           strchr(" =:<>~'\"", line.at[from]) != NULL) {
        from++;
    }
    double number = -1;
    log_number_read(line, from, &number);
    return number;
}

double log_number_after(Str line, const char *const *words, size_t count)
{
    double number = -1;
    for (size_t i = 0; i < count && number < 0; i++) {
        Str word = str_from(words[i]);
        for (size_t at = word_find(line, word, 0); at != SIZE_MAX && number < 0;
             at = word_find(line, word, at + 1)) {
            number = log_number_at(line, at + word.length);
        }
    }
    return number;
}

/* Similar: matching blocks of two short names; see similar.h. */
#include "rules/similar.h"

/* Parts of the two names still to be compared: a[a_start, a_end) with b[b_start, b_end). */
typedef struct Span {
    size_t a_start, a_end, b_start, b_end;
} Span;

/* The longest common substring within `span`; its length, and where it begins in both. */
static size_t longest_match(Str a, Str b, Span span, size_t *a_at, size_t *b_at)
{
    /* lengths[j + 1]: the common run that ends at a[i] and b[j] */
    size_t lengths[SIMILAR_MAX + 1] = {0}, best = 0;
    for (size_t i = span.a_start; i < span.a_end; i++) {
        size_t diagonal = 0; /* lengths of (i - 1, j - 1) */
        for (size_t j = span.b_start; j < span.b_end; j++) {
            size_t above = lengths[j + 1];
            lengths[j + 1] = a.at[i] == b.at[j] ? diagonal + 1 : 0;
            diagonal = above;
            if (lengths[j + 1] > best) {
                best = lengths[j + 1];
                *a_at = i + 1 - best;
                *b_at = j + 1 - best;
            }
        }
    }
    return best;
}

unsigned similar_matches(Str candidate, Str wanted)
{
    if (candidate.length > SIMILAR_MAX || wanted.length > SIMILAR_MAX) {
        return 0;
    }
    /* Every span taken out matches a character and puts two back: there are never more. */
    Span stack[SIMILAR_MAX + 2];
    size_t depth = 0;
    unsigned matches = 0;
    stack[depth++] = (Span){0, candidate.length, 0, wanted.length};
    while (depth > 0) {
        Span span = stack[--depth];
        size_t a_at = 0, b_at = 0;
        size_t length = longest_match(candidate, wanted, span, &a_at, &b_at);
        if (length == 0) {
            continue;
        }
        matches += (unsigned)length;
        Span left = {span.a_start, a_at, span.b_start, b_at};
        Span right = {a_at + length, span.a_end, b_at + length, span.b_end};
        if (left.a_start < left.a_end && left.b_start < left.b_end) {
            stack[depth++] = left;
        }
        if (right.a_start < right.a_end && right.b_start < right.b_end) {
            stack[depth++] = right;
        }
    }
    return matches;
}

unsigned similar_bound(Str candidate, Str wanted)
{
    if (candidate.length > SIMILAR_MAX || wanted.length > SIMILAR_MAX) {
        return 0;
    }
    unsigned char left[256] = {0};
    unsigned common = 0;
    for (size_t i = 0; i < wanted.length; i++) {
        left[(unsigned char)wanted.at[i]]++;
    }
    for (size_t i = 0; i < candidate.length; i++) {
        unsigned char c = (unsigned char)candidate.at[i];
        common += left[c] > 0;
        left[c] = (unsigned char)(left[c] - (left[c] > 0));
    }
    return common;
}

bool similar_enough(unsigned matches, size_t total, unsigned percent)
{
    return (uint64_t)matches * 200 >= (uint64_t)total * percent;
}

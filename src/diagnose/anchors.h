/* Anchors: many words looked for in a text at once, in either case, in one pass (Aho and Corasick's
 * automaton). The cost of a byte does not depend on how many words there are. */
#ifndef PYPTO_LINT_DIAGNOSE_ANCHORS_H
#define PYPTO_LINT_DIAGNOSE_ANCHORS_H

#include "base/str.h"

typedef struct Anchors {
    uint8_t class_of[256]; /* bytes that no word has share class 0 */
    uint32_t classes, states;
    uint16_t *next;   /* [state * classes + class] */
    uint16_t *word;   /* that ends at a state, + 1; 0: none */
    uint16_t *also;   /* the next shorter state at which a word ends; 0: none */
    uint16_t *longer; /* another of the same text, by word: its number + 1 */
} Anchors;

/* At most so many bytes in all words. */
enum { ANCHORS_MOST_STATES = 60000 };

/* Words that are not empty; the same one may be there twice. In the arena; the words are not
 * kept. */
void anchors_build(Anchors *anchors, Arena *arena, const Strs *words);

typedef void AnchorFound(void *context, uint32_t word);
/* Calls `found` for each occurrence of each word, in the order of their ends. */
void anchors_scan(const Anchors *anchors, Str text, AnchorFound *found, void *context);

#endif

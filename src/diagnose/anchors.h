/* Anchors: finds many words in a text in one pass, ignoring case (Aho-Corasick automaton). The cost
 * per byte does not depend on the number of words. */
#ifndef PYPTO_LINT_DIAGNOSE_ANCHORS_H
#define PYPTO_LINT_DIAGNOSE_ANCHORS_H

#include "base/str.h"

typedef struct Anchors {
    uint8_t class_of[256]; /* bytes that are in no word share class 0 */
    uint32_t classes, states;
    uint16_t *next;   /* [state * classes + class] */
    uint16_t *word;   /* by state: the word that ends there, + 1; 0: none */
    uint16_t *also;   /* by state: the longest suffix at which a word ends; 0: none */
    uint16_t *longer; /* by word: another with the same text, + 1; 0: none */
} Anchors;

/* Limit of the bytes in all words together; a word that would exceed it is left out. */
enum { ANCHORS_MOST_STATES = 60000 };

/* Builds the automaton in the arena. The words must not be empty; duplicates are allowed. They are
 * not referred to afterwards. */
void anchors_build(Anchors *anchors, Arena *arena, const Strs *words);

typedef void AnchorFound(void *context, uint32_t word);
/* Calls `found` for each occurrence of each word, in the order of their ends. */
void anchors_scan(const Anchors *anchors, Str text, AnchorFound *found, void *context);

#endif

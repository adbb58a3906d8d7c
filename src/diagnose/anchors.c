/* Builds and runs the automaton; see anchors.h. */
#include "diagnose/anchors.h"

#include "base/ascii.h"

static void read_classes(Anchors *anchors, const Strs *words)
{
    anchors->classes = 1;
    for (uint32_t i = 0; i < words->count; i++) {
        Str word = words->items[i];
        for (size_t k = 0; k < word.length; k++) {
            uint8_t *class = &anchors->class_of[(unsigned char)lower_case(word.at[k])];
            *class = *class == 0 ? (uint8_t)anchors->classes++ : *class;
        }
    }
    for (int c = 'A'; c <= 'Z'; c++) {
        anchors->class_of[c] = anchors->class_of[(unsigned char)lower_case((char)c)];
    }
}

/* The trie while it grows: the states that come after each one, by class. */
typedef struct Trie {
    uint16_t *child, *sibling; /* by state; 0: none */
    uint8_t *class;            /* by state: of the byte that leads to it */
} Trie;

/* Adds a word to the trie; a transition of 0 means there is none. */
static void add_word(Anchors *anchors, Trie *trie, Str word, uint32_t number)
{
    uint32_t state = 0;
    for (size_t k = 0; k < word.length; k++) {
        uint8_t class = anchors->class_of[(unsigned char)word.at[k]];
        uint16_t *next = &anchors->next[state * anchors->classes + class];
        if (*next == 0) {
            uint16_t fresh = (uint16_t)anchors->states++;
            trie->class[fresh] = class;
            trie->sibling[fresh] = trie->child[state];
            trie->child[state] = fresh;
            *next = fresh;
        }
        state = *next;
    }
    anchors->longer[number] = anchors->word[state];
    anchors->word[state] = (uint16_t)(number + 1);
}

/* Breadth first: a missing transition is replaced by that of the state's longest suffix. Most are
 * missing, so that a state's row is that of its suffix but for its children. */
static void close_ways(Anchors *anchors, const Trie *trie, Arena *arena)
{
    uint32_t classes = anchors->classes, head = 0, tail = 0;
    uint16_t *suffix = ARENA_ARRAY(arena, uint16_t, anchors->states);
    uint16_t *queue = ARENA_ARRAY(arena, uint16_t, anchors->states);
    for (uint16_t child = trie->child[0]; child != 0; child = trie->sibling[child]) {
        queue[tail++] = child;
    }
    while (head < tail) {
        uint32_t state = queue[head++];
        uint16_t back = suffix[state];
        const uint16_t *others = &anchors->next[back * classes];
        uint16_t *row = &anchors->next[state * classes];
        anchors->also[state] = anchors->word[back] != 0 ? back : anchors->also[back];
        memcpy(row, others, classes * sizeof *row);
        for (uint16_t child = trie->child[state]; child != 0; child = trie->sibling[child]) {
            suffix[child] = others[trie->class[child]];
            row[trie->class[child]] = child;
            queue[tail++] = child;
        }
    }
}

void anchors_build(Anchors *anchors, Arena *arena, const Strs *words)
{
    *anchors = (Anchors){.states = 1};
    size_t most = 1;
    for (uint32_t i = 0; i < words->count; i++) {
        most += words->items[i].length;
    }
    most = most > ANCHORS_MOST_STATES ? ANCHORS_MOST_STATES : most;
    read_classes(anchors, words);
    anchors->next = ARENA_ARRAY(arena, uint16_t, most * anchors->classes);
    anchors->word = ARENA_ARRAY(arena, uint16_t, most);
    anchors->also = ARENA_ARRAY(arena, uint16_t, most);
    anchors->longer = ARENA_ARRAY(arena, uint16_t, words->count + 1);
    Trie trie = {ARENA_ARRAY(arena, uint16_t, most), ARENA_ARRAY(arena, uint16_t, most),
                 ARENA_ARRAY(arena, uint8_t, most)};
    for (uint32_t i = 0; i < words->count; i++) {
        if (anchors->states + words->items[i].length <= most) {
            add_word(anchors, &trie, words->items[i], i);
        }
    }
    close_ways(anchors, &trie, arena);
}

void anchors_scan(const Anchors *anchors, Str text, AnchorFound *found, void *context)
{
    uint32_t state = 0;
    for (size_t i = 0; i < text.length; i++) {
        state =
            anchors->next[state * anchors->classes + anchors->class_of[(unsigned char)text.at[i]]];
        uint32_t at = anchors->word[state] != 0 ? state : anchors->also[state];
        for (; at != 0; at = anchors->also[at]) {
            for (uint16_t word = anchors->word[at]; word != 0; word = anchors->longer[word - 1]) {
                found(context, word - 1U);
            }
        }
    }
}

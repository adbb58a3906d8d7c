/*
 * Prints the hash of every line of a text on standard input, one a line: what
 * fingerprint_reference.py compares with its own arithmetic. Several texts come in one stream, each
 * after its size in decimal and a newline; an empty line closes each answer. */
#include "sarif/sarif.h"

#include <stdio.h>
#include <stdlib.h>

static int answer(const char *data, size_t size)
{
    SarifLines *lines;
    char hash[SARIF_LINE_HASH_SIZE];
    if (sarif_lines_create((SarifText){data, size}, NULL, &lines) != SARIF_OK) {
        return 1;
    }
    for (size_t line = 1; line <= sarif_lines_count(lines); line++) {
        sarif_lines_hash(lines, line, hash);
        puts(hash);
    }
    puts("");
    sarif_lines_free(lines);
    return 0;
}

int main(void)
{
    size_t size;
    while (scanf("%zu", &size) == 1 && getchar() == '\n') {
        char *data = malloc(size + 1);
        if (data == NULL || fread(data, 1, size, stdin) != size || answer(data, size) != 0) {
            free(data);
            return 1;
        }
        free(data);
    }
    return 0;
}

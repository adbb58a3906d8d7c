/*
 * What the tests of libsarif share: a run with every feature in it, reading a log back with an
 * independent JSON parser, and an allocator that fails when told to. */
#ifndef SARIF_TEST_SUPPORT_H
#define SARIF_TEST_SUPPORT_H

#include "sarif/sarif.h"

/* cmocka wants these before it. */
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <jansson.h>

/* A run that uses every member of every struct. Static storage; a copy may be changed. */
SarifRun full_run(void);

/* Two rules, one result in a.py at 3:5-3:8, no artifacts. Static storage. */
SarifRun small_run(void);

/* Fails allocation number `fail_at` (from 1; 0: never), counts calls and live blocks. */
typedef struct Meter {
    size_t calls;
    size_t fail_at;
    size_t live;
} Meter;

SarifAllocator meter_allocator(Meter *meter);

/* Writes one run, asserts success, returns the parsed log (json_decref it). */
json_t *written(const SarifRun *run, const SarifOptions *options);

/* The value at a path such as "runs/0/results/1/level"; fails the test when there is none. */
json_t *at(json_t *log, const char *path);

/* Whether there is a value at the path. */
bool has(json_t *log, const char *path);

void assert_text(json_t *log, const char *path, const char *expected);
void assert_number(json_t *log, const char *path, json_int_t expected);
void assert_count(json_t *log, const char *path, size_t expected);

#endif

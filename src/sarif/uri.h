/*
 * Paths and URIs: what may stand in a URI, and when two paths mean the same file. */
#ifndef SARIF_URI_H
#define SARIF_URI_H

#include "json.h"

bool sarif_path_is_absolute(SarifText path);

/* Over the segments of a path, without empty ones and ".": "./a//b" and "a/b" are one file. */
uint64_t sarif_path_hash(uint64_t hash, SarifText path);
bool sarif_path_equal(SarifText left, SarifText right);

/*
 * Adds a path to an open string: percent-encoded segments, "." for none, a file: URI when absolute,
 * a closing slash for a directory. Bytes that are not UTF-8 keep their value. */
void sarif_uri_add_path(SarifJson *json, SarifText path, bool directory);

/* True for a text that begins with a scheme ("https:"). */
bool sarif_uri_is_absolute(SarifText uri);

/*
 * Adds a URI to an open string: what no URI may hold is percent-encoded, after repairing broken
 * UTF-8 (validators reject escapes that do not decode; a path is not touched, it names real
 * bytes). */
void sarif_uri_add(SarifJson *json, SarifText uri);

/* Key and URI; nothing when it is absent or has no scheme. */
void sarif_json_member_uri(SarifJson *json, const char *key, SarifText uri);

#endif

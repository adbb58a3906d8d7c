/* PythonFacts: facts about functions and calls that the artifact and consistency rules need besides
 * kernel.h. */
#ifndef PYPTO_LINT_OPERATOR_PYTHON_FACTS_H
#define PYPTO_LINT_OPERATOR_PYTHON_FACTS_H

#include "kernel/kernel.h"

/* The first plain `def` of that name directly in the module, or NO_NODE (also when the file did not
 * parse). */
NodeId top_level_function(const PyFile *file, Str name);
/* Ordinary parameters without default: those of the def minus all positional defaults (so it may be
 * negative), one less for a leading `self` or `cls`. */
int required_parameters(const Module *module, NodeId function);
/* Does the callee of a call contain `text` in a name, attribute, keyword or string? */
bool callee_mentions(const PyFile *file, NodeId call, const char *text, bool fold);
/* Parameter names of a function: positional-only, ordinary, keyword-only; `*args` and `**kwargs`
 * left out. */
Strs parameter_names(const Module *module, Arena *arena, NodeId function);

#endif

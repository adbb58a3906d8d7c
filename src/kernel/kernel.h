/* Kernel model: what PyPTO means in the syntax tree of one file. Terms:
 * docs/internals/python-model.md. */
#ifndef PYPTO_LINT_KERNEL_KERNEL_H
#define PYPTO_LINT_KERNEL_KERNEL_H

#include "python/parse.h"

/* A name that an import bound to something in the package: `from pypto import frontend as f` gives
 * {"f", "pypto.frontend"}. */
typedef struct ImportedName {
    Str bound, path;
} ImportedName;

/* One Python file with all that rules ask about it. `parsed.module` is NULL unless the file
 * parsed. */
typedef struct PyFile {
    Parsed parsed;
    bool is_stub;               /* has the pending-stub marker in its first 512 characters */
    Strs aliases;               /* names that stand for the pypto package, sorted; "pypto" always */
    NodeList kernels;           /* JIT kernels, level order */
    NodeList kernel_ids;        /* the same, ascending */
    uint32_t aliased;           /* those of them by an alias of the decorator, or by `pypto.jit` */
    bool accepts_aliases;       /* pyfile_accept_aliases was called */
    bool has_short_jit;         /* a function is decorated `pypto.jit` */
    VEC(ImportedName) imported; /* by `bound`; after pyfile_accept_aliases, else empty */
    Strs kernel_names;          /* theirs, sorted, each once */
    NodeList wrappers;  /* suffix wrappers: top-level plain defs named …_wrapper, source order */
    NodeList primary;   /* primary kernels, level order */
    NodeList functions; /* every def and async def, ascending ids */
    NodeList functions_n; /* nodes of graph N: one function a name (the last in level order),
                             sorted by name */
    NodeList
        functions_m; /* nodes of graph M: top-level plain defs, one a name (the last), by name */
    Strs dynamic_symbols;          /* module-level names bound to pypto.DYNAMIC or DYN, sorted */
    struct Evaluation *evaluation; /* made on first use by rules/semantics.c */
    Arena *arena;                  /* its own memory */
} PyFile;

/* Reads `text` as a Python file and fills the whole model. The text must outlive the model. */
void pyfile_init(PyFile *file, Arena *arena, Str path, Str text);

/* As pyfile_init, but parts that only a direct run of the file reaches may be missing:
 * python_parse_skimmed. */
void pyfile_skim(PyFile *file, Arena *arena, Str path, Str text);

/* Takes functions whose decorator is `pypto.frontend.jit` under the name of an import for kernels,
 * too (`@pp.frontend.jit`, `@frontend.jit`, `@jit`), and calls of names imported from the package
 * for calls of its functions. The Python linter sees none of these. */
void pyfile_accept_aliases(PyFile *file);

/* Does the file call jit, so that a kernel may exist that no decorator shows:
 * `k = pypto.frontend.jit(f)`? */
bool pyfile_calls_jit(const PyFile *file);

/* Path as findings name it; the module (NULL if unparsed). */
static inline Str pyfile_path(const PyFile *file)
{
    return file->parsed.source.path;
}
static inline const Module *pyfile_module(const PyFile *file)
{
    return file->parsed.module;
}

/* --- names */

/* Is the dotted name that of the package pypto or of a module in it? */
bool is_pypto_module(Str dotted);
/* Is `name` in the file's alias set? */
bool is_pypto_alias(const PyFile *file, Str name);
/* "Owner is pypto": for an attribute `A.x` with A in the alias set the name x, else an empty Str.
 * `expression` may be any node or NO_NODE. */
Str pypto_attribute(const PyFile *file, NodeId expression);
/* The same for the callee of a call: `pypto.view(…)` gives "view", and so does `view(…)` where
 * aliases are accepted and the name was imported from pypto. */
Str pypto_call(const PyFile *file, NodeId call);

/* Is the function a JIT kernel? */
bool is_kernel(const PyFile *file, NodeId function);
/* Is `name` the name of a JIT kernel of this file? */
bool is_kernel_name(const PyFile *file, Str name);
/* Does this call launch a kernel of the file: bare name of a kernel or an attribute named like one?
 * The kernel's name, or empty. */
Str kernel_launched(const PyFile *file, NodeId call);
/* The innermost JIT kernel around a node, or NO_NODE. */
NodeId kernel_around(const PyFile *file, NodeId id);

/* Roles by name (docs/internals/python-model.md, "Layers"). `op` is the operator name. */
bool is_layer_k_name(Str op, Str name);
bool is_layer_i_name(Str name);
bool is_layer_h_call(const Module *module, NodeId call);
/* Layer K functions (def and async def, any depth), ascending ids, in the arena. */
NodeList layer_k_functions(const PyFile *file, Arena *arena, Str op);
NodeList layer_i_functions(const PyFile *file, Arena *arena);

/* --- call graphs */

/* All functions that `start` reaches over bare-name calls (start first, then in visiting order), in
 * the arena. `nodes` is file->functions_m (graph M) or file->functions_n (graph N). The start is
 * explored even if it is not a node of the graph. */
NodeList graph_reach(const PyFile *file, Arena *arena, NodeList nodes, NodeId start);
/* The node of that name in functions_m / functions_n, or NO_NODE. */
NodeId graph_find(const PyFile *file, NodeList nodes, Str name);

/* --- parameters and annotations */

/* NODE_ARGUMENTS of a def, async def or lambda. Ordinary parameters: its ROLE_PARAM children. */
NodeId function_arguments(const Module *module, NodeId function);
/* Annotation of a parameter (NODE_ARG), or NO_NODE. */
NodeId parameter_annotation(const Module *module, NodeId arg);
/* The ordinary parameter of that name, or NO_NODE. */
NodeId function_parameter(const Module *module, NodeId function, Str name);

typedef enum AnnotationForm {
    ANNOTATION_NONE,    /* no annotation */
    ANNOTATION_OTHER,   /* not a tensor */
    ANNOTATION_BARE,    /* pypto.Tensor */
    ANNOTATION_CALL,    /* pypto.Tensor(shape, dtype) */
    ANNOTATION_BRACKET, /* pypto.Tensor[shape, dtype] */
} AnnotationForm;

typedef struct TensorAnnotation {
    AnnotationForm form;
    uint32_t count; /* positional arguments */
    NodeId shape;   /* the first of them, or NO_NODE */
    NodeId dtype;   /* the second, or NO_NODE */
} TensorAnnotation;

/* Classifies the annotation of a parameter (NODE_ARG). */
TensorAnnotation annotation_read(const PyFile *file, NodeId arg);
static inline bool annotation_is_tensor(TensorAnnotation annotation)
{
    return annotation.form >= ANNOTATION_BARE;
}
/* Call or bracket form. */
static inline bool annotation_has_arguments(TensorAnnotation annotation)
{
    return annotation.form >= ANNOTATION_CALL;
}
/* Does the expression contain a dynamic dimension? */
bool is_dynamic_shape(const PyFile *file, NodeId expression);

/* --- loops */

/* `pypto.loop(…)` call. */
bool is_loop_call(const PyFile *file, NodeId id);
/* The pypto.loop call that is directly the iterator of a plain `for`, or NO_NODE. */
NodeId loop_statement_call(const PyFile *file, NodeId statement);
/* Call of pypto.loop or pypto.loop_unroll. */
bool is_graph_iterator(const PyFile *file, NodeId id);
/* Call of the bare name `range`. */
bool is_range_iterator(const Module *module, NodeId id);

/* Does some identifier, attribute, keyword name or string constant within the expression contain
 * `text`? Case matters unless `fold` (then `text` must be lower-case ASCII). */
bool expression_mentions(const PyFile *file, NodeId expression, const char *text, bool fold);

#endif

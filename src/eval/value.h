/* Value: what the evaluator knows about a Python object. Private to src/eval. */
#ifndef PYPTO_LINT_EVAL_VALUE_H
#define PYPTO_LINT_EVAL_VALUE_H

#include "eval/api_facts.h"
#include "python/ast.h"

typedef enum ValueKind {
    VALUE_UNKNOWN, /* anything; `handle`: its identity, 0 = has none (value_part). `flag` without
                    * `atom`: one of the items in as.sequence (value_choice) */
    VALUE_NUMBER,  /* an unknown int, bool or float */
    VALUE_NONE,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_FLOAT,
    VALUE_STR,
    VALUE_LIST,
    VALUE_TUPLE,
    VALUE_DICT,
    VALUE_SLICE,   /* as.sequence: start, stop, step */
    VALUE_SYMBOL,  /* symbolic scalar */
    VALUE_TENSOR,  /* tensor of a kernel */
    VALUE_LOOP,    /* what pypto.loop and loop_unroll return; `flag`: the latter */
    VALUE_PACKAGE, /* pypto */
    VALUE_API,     /* a name of the package */
    VALUE_MEMBER,  /* a member of an enum, a dtype */
    VALUE_FUNCTION,
    VALUE_BUILTIN, /* as.text: its name */
    VALUE_METHOD,  /* as.method */
    VALUE_ELEMENT, /* pypto.Element: `handle` its dtype + 1; `flag`: a float, in as.number */
    VALUE_NAMED,   /* pypto.frontend.dynamic: as.text, the name of an axis */
    VALUE_OUTSIDE, /* a name of another package: as.text, dotted ("torch.float32") */
    VALUE_HOST,    /* tensor of the host: as.host */
    VALUE_KERNEL,  /* as.integer: number of its definition (Eval.kernels) */
    VALUE_SET,     /* as.sequence: each item once, in no order */
    VALUE_CLASS,
    VALUE_INSTANCE,
    VALUE_SUPER,   /* super(): as.super */
    VALUE_MODULE,  /* another file: as.integer, its number (Eval.units) */
    VALUE_DOTS,    /* `...` in a subscript of a tensor */
    VALUE_ARRAY,   /* array of numpy: as.host */
    VALUE_PARTIAL, /* functools.partial(…): as.partial */
} ValueKind;

typedef struct Value Value;
typedef struct Scope Scope;
typedef struct Class Class;
typedef struct Instance Instance;
typedef struct Super Super;
typedef struct Partial Partial;

/* What a method gets in a call besides the arguments. */
typedef enum MethodKind { METHOD_PLAIN, METHOD_STATIC, METHOD_CLASS, METHOD_PROPERTY } MethodKind;

typedef struct Sequence {
    Value *items;
    uint32_t count, capacity;
    uint32_t birth; /* the evaluation's clock when it was made */
    bool open;      /* more items may follow the known ones */
    bool lost;      /* changed in an unknown way */
    bool in_choice; /* a choice may mean it: any change loses it (choice.c) */
} Sequence;

typedef struct Dict {
    Value *keys, *values;
    uint32_t count, capacity;
    uint32_t birth;
    bool lost, in_choice;
} Dict;

typedef struct Function {
    NodeId node;     /* FunctionDef or Lambda */
    Scope *scope;    /* where it was defined */
    uint32_t unit;   /* the file that it is in */
    bool is_graph;   /* frontend.function: its body follows the rules of kernels */
    bool is_scoped;  /* decorated with pypto.options(…) */
    bool is_manager; /* decorated with contextlib.contextmanager */
    bool in_kernel;  /* a `def` in the body of a kernel, which is a part of it */
    Value *defaults, *keyword_defaults; /* of keyword-only parameters: unbound without one */
    uint32_t default_count, keyword_default_count;
    MethodKind method; /* in a class */
    Class *owner;      /* its class, or NULL */
} Function;

typedef enum HostDevice { DEVICE_UNKNOWN, DEVICE_CPU, DEVICE_NPU } HostDevice;

/* What is known about a torch tensor. */
typedef struct HostTensor {
    int dtype;       /* PtsDtype; -1 = not known */
    int rank;        /* -1 = not known */
    int64_t size[8]; /* -1 = not known */
    bool gaps;       /* surely not contiguous */
    bool sparse; /* `gaps`: its elements do not fill their memory, so that a copy is contiguous */
    uint8_t device; /* HostDevice */
} HostTensor;

typedef struct Method {
    const Value *self;
    Str name;
} Method;

struct Value {
    uint8_t kind;  /* ValueKind */
    bool flag;     /* symbol: surely has no value while recording; */
    bool atom;     /* symbol: a loop index or an axis, not an expression */
    uint8_t dtype; /* tensor without a slot: its PtsDtype + 1; 0 = not known.
                    * Unknown text such as f"npu:{n}", torch.device(…): its HostDevice + 1 */
    /* While a kernel is recorded: tensor: its slot + 1; symbol: its handle + 1. Member of an enum:
     * its place + 1. 0 = not known. */
    uint32_t handle;
    union {
        int64_t integer; /* int, bool */
        double number;
        const Str *text;
        Sequence *sequence;
        Dict *dict;
        uint64_t atoms; /* symbol: the symbols it consists of, as bits of a hash */
        const ApiFact *fact;
        const Function *function;
        const Method *method;
        Class *class;
        Instance *instance;
        const Super *super;
        const Partial *partial;
        const HostTensor *host;
        const struct Arguments *loop; /* loop: what it was called with */
        Value *axes; /* tensor without a slot: what its annotation says of its first axes, as a
                      * sequence that may go on; or NULL */
    } as;
};

typedef enum ClassForm {
    CLASS_PLAIN,
    CLASS_DATA,      /* @dataclass */
    CLASS_TUPLE,     /* NamedTuple, namedtuple */
    CLASS_ENUM,      /* Enum and its kind */
    CLASS_NAMESPACE, /* SimpleNamespace: any attribute */
} ClassForm;

typedef struct Field {
    Str name;
    Value value; /* its default; with `is_made`, the function that makes it */
    bool has_default, is_made, is_no_argument, is_keyword_only;
} Field;

struct Class {
    Str name;
    ClassForm form;
    Class *base;
    Scope *scope;      /* what its body binds */
    VEC(Field) fields; /* of a dataclass or named tuple, those of the base first */
    Sequence *members; /* of an enum, in order */
    uint32_t birth;
    bool is_frozen;            /* instances never change */
    bool by_keyword;           /* dataclass: its own fields are keyword-only */
    bool is_mixed;             /* enum: its members are also strings or ints */
    bool has_equal, has_truth; /* it defines __eq__ or __bool__, so the usual rules do not apply */
    bool is_module;            /* torch.nn.Module: a call is one of `forward` */
    bool has_others;           /* a base from another package adds names of its own */
    bool lost;                 /* its attributes changed in an unknown way */
};

struct Instance {
    Class *class;
    Scope *names;    /* attributes of its own */
    Sequence *items; /* of a named tuple */
    uint32_t birth;
    bool lost, in_choice;
};

struct Super {
    Instance *self;
    Class *class; /* where the search begins */
};

static inline Value value_unknown(void)
{
    return (Value){.kind = VALUE_UNKNOWN};
}
static inline Value value_number(void)
{
    return (Value){.kind = VALUE_NUMBER};
}
static inline Value value_none(void)
{
    return (Value){.kind = VALUE_NONE};
}
static inline Value value_bool(bool truth)
{
    return (Value){.kind = VALUE_BOOL, .as.integer = truth};
}
static inline Value value_int(int64_t integer)
{
    return (Value){.kind = VALUE_INT, .as.integer = integer};
}
static inline Value value_float(double number)
{
    return (Value){.kind = VALUE_FLOAT, .as.number = number};
}
static inline Value value_tensor(void)
{
    return (Value){.kind = VALUE_TENSOR};
}
/* A tensor of the kernel with a known data type, but an unknown rank, so that it has no slot. */
static inline Value value_tensor_of(int dtype)
{
    return (Value){.kind = VALUE_TENSOR, .dtype = (uint8_t)(dtype + 1)};
}
/* The data type of a tensor without a slot; -1: not known. */
static inline int value_tensor_dtype(Value value)
{
    return value.kind == VALUE_TENSOR && value.handle == 0 ? value.dtype - 1 : -1;
}
static inline bool value_is_int(Value value)
{
    return value.kind == VALUE_INT || value.kind == VALUE_BOOL;
}
static inline bool value_is_host_number(Value value)
{
    return value_is_int(value) || value.kind == VALUE_FLOAT || value.kind == VALUE_NUMBER;
}
static inline bool value_is_sequence(Value value)
{
    return value.kind == VALUE_LIST || value.kind == VALUE_TUPLE;
}
static inline bool value_is_tuple_instance(Value value)
{
    return value.kind == VALUE_INSTANCE && value.as.instance->items != NULL;
}
/* Is the number of items known? */
static inline bool value_has_items(Value value)
{
    return value_is_sequence(value) && !value.as.sequence->lost && !value.as.sequence->open;
}

/* Python's name of the type, such as "NoneType" or "list"; NULL when it is uncertain or has no name
 * for users. */
const char *value_type(Value value);
/* The word for a value in messages: "tensor", "number", "list"; "unknown". */
const char *value_word(Value value);

Value value_text(Arena *arena, Str text);
/* A list or tuple with room for `capacity` items. */
Value value_sequence(Arena *arena, ValueKind kind, uint32_t capacity);
void sequence_add(Arena *arena, Sequence *sequence, Value item);

/* Is it a dtype of torch? (host_dtype.c) */
bool host_is_dtype(Value value);

typedef enum Truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_UNKNOWN } Truth;
/* bool(value); also unknown for symbols and tensors. */
Truth value_truth(Value value);
/* a == b of host values. `depth` counts nested containers. */
Truth value_equal(Value a, Value b, int depth);
/* Are both surely the same value? For joins. */
bool value_same(Value a, Value b);
/* repr(value) into `buf`; false when not all of it is known. */
bool value_repr(Buf *buf, Value value, int depth);

#endif

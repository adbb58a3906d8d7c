/* The symbol table: unique nodes with their bounds. */
#include "model/sym_table.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CHAINS = 256 };

/* Most memory that the symbols of a context may take. */
#define SYM_BUDGET ((size_t)1 << 30)

static uint32_t mix(uint32_t hash, uint64_t value)
{
    uint64_t x = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(x ^ (x >> 32));
}

static void fill_table(void *argument)
{
    PtsSymTable *table = argument;
    table->node_chain_count = table->monomial_chain_count = FIRST_CHAINS;
    table->node_chains = ARENA_ARRAY(&table->arena, uint32_t, FIRST_CHAINS);
    table->monomial_chains = ARENA_ARRAY(&table->arena, uint32_t, FIRST_CHAINS);
    VEC_PUSH(&table->arena, &table->monomials, ((SymMonomial){0})); /* the empty product */
}

PtsSymTable *pts_sym_table_new(void)
{
    PtsSymTable *table = calloc(1, sizeof *table);
    if (table == NULL) {
        return NULL;
    }
    arena_init(&table->arena, SYM_BUDGET);
    table->nothing = PTS_SYM_NONE;
    if (!arena_try(&table->arena, fill_table, table)) {
        pts_sym_table_free(table);
        return NULL;
    }
    return table;
}

void pts_sym_table_free(PtsSymTable *table)
{
    if (table != NULL) {
        arena_free(&table->arena);
        free(table);
    }
}

const SymNode *sym_node(const PtsSymTable *table, PtsSym a)
{
    return &table->nodes.items[a];
}

/* ---- unique nodes ---- */

static void rehash_nodes(PtsSymTable *table)
{
    uint32_t count = table->node_chain_count * 2;
    uint32_t *chains = ARENA_ARRAY(&table->arena, uint32_t, count);
    for (uint32_t i = 0; i < table->nodes.count; i++) {
        SymNode *node = &table->nodes.items[i];
        node->next = chains[node->hash & (count - 1)];
        chains[node->hash & (count - 1)] = i + 1;
    }
    table->node_chains = chains;
    table->node_chain_count = count;
}

static void rehash_monomials(PtsSymTable *table)
{
    uint32_t count = table->monomial_chain_count * 2;
    uint32_t *chains = ARENA_ARRAY(&table->arena, uint32_t, count);
    for (uint32_t i = 1; i < table->monomials.count; i++) {
        SymMonomial *monomial = &table->monomials.items[i];
        monomial->next = chains[monomial->hash & (count - 1)];
        chains[monomial->hash & (count - 1)] = i + 1;
    }
    table->monomial_chains = chains;
    table->monomial_chain_count = count;
}

static bool is_same_node(const SymNode *a, const SymNode *b)
{
    if (a->hash != b->hash || a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case SYM_NODE_CONSTANT:
        return a->value == b->value;
    case SYM_NODE_ATOM:
        return a->atom.number == b->atom.number;
    case SYM_NODE_BINARY:
        return a->op == b->op && a->binary.a == b->binary.a && a->binary.b == b->binary.b;
    default:
        break;
    }
    if (a->sum.count != b->sum.count) {
        return false;
    }
    for (uint32_t i = 0; i < a->sum.count; i++) {
        if (a->sum.terms[i].coefficient != b->sum.terms[i].coefficient ||
            a->sum.terms[i].monomial != b->sum.terms[i].monomial) {
            return false;
        }
    }
    return true;
}

/* The handle of the node that equals this one, or PTS_SYM_NONE. */
static PtsSym find_node(const PtsSymTable *table, const SymNode *node)
{
    uint32_t at = table->node_chains[node->hash & (table->node_chain_count - 1)];
    while (at != 0) {
        if (is_same_node(&table->nodes.items[at - 1], node)) {
            return at - 1;
        }
        at = table->nodes.items[at - 1].next;
    }
    return PTS_SYM_NONE;
}

static PtsSym add_node(PtsSymTable *table, SymNode node)
{
    if (table->nodes.count >= table->node_chain_count) {
        rehash_nodes(table);
    }
    uint32_t *chain = &table->node_chains[node.hash & (table->node_chain_count - 1)];
    node.next = *chain;
    VEC_PUSH(&table->arena, &table->nodes, node);
    *chain = table->nodes.count;
    return table->nodes.count - 1;
}

PtsSym sym_constant(PtsSymTable *table, int64_t value)
{
    SymNode node = {.kind = SYM_NODE_CONSTANT, .value = value, .low = value, .high = value};
    node.hash = mix(SYM_NODE_CONSTANT, (uint64_t)value);
    PtsSym found = find_node(table, &node);
    return found != PTS_SYM_NONE ? found : add_node(table, node);
}

/* ---- bounds ---- */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void bound_binary(const PtsSymTable *table, SymNode *node)
{
    const SymNode *a = sym_node(table, node->binary.a), *b = sym_node(table, node->binary.b);
    node->low = INT64_MIN;
    node->high = INT64_MAX;
    switch (node->op) {
    case PTS_SYM_MIN:
        node->low = smaller(a->low, b->low);
        node->high = smaller(a->high, b->high);
        break;
    case PTS_SYM_MAX:
        node->low = larger(a->low, b->low);
        node->high = larger(a->high, b->high);
        break;
    case PTS_SYM_DIV:
        if (b->low >= 1 && a->low >= 0) {
            node->low = 0;
            node->high = a->high == INT64_MAX ? INT64_MAX : a->high / b->low;
        }
        break;
    case PTS_SYM_MOD:
        if (b->low >= 1 && b->high != INT64_MAX) {
            node->low = a->low >= 0 ? 0 : 1 - b->high;
            node->high = b->high - 1;
        }
        break;
    default: /* comparisons */
        node->low = 0;
        node->high = 1;
        break;
    }
}

/* Bounds of a sum whose terms have degree 0 or 1; other terms, and overflow, make them unknown. */
static void bound_sum(const PtsSymTable *table, SymNode *node)
{
    bool low_known = true, high_known = true;
    int64_t low = 0, high = 0;
    for (uint32_t i = 0; i < node->sum.count && (low_known || high_known); i++) {
        const SymTerm *term = &node->sum.terms[i];
        const SymMonomial *monomial = &table->monomials.items[term->monomial];
        int64_t from = 1, to = 1;
        if (monomial->count == 1) {
            from = sym_node(table, monomial->factors[0])->low;
            to = sym_node(table, monomial->factors[0])->high;
        } else if (monomial->count > 1) {
            from = INT64_MIN;
            to = INT64_MAX;
        }
        int64_t least = term->coefficient > 0 ? from : to, most = term->coefficient > 0 ? to : from;
        bool least_known = least != INT64_MIN && least != INT64_MAX;
        bool most_known = most != INT64_MIN && most != INT64_MAX;
        int64_t product;
        low_known = low_known && least_known &&
                    !__builtin_mul_overflow(term->coefficient, least, &product) &&
                    !__builtin_add_overflow(low, product, &low);
        high_known = high_known && most_known &&
                     !__builtin_mul_overflow(term->coefficient, most, &product) &&
                     !__builtin_add_overflow(high, product, &high);
    }
    node->low = low_known ? low : INT64_MIN;
    node->high = high_known ? high : INT64_MAX;
}

static bool is_sum_unknown(const PtsSymTable *table, SymSum sum)
{
    bool unknown = false;
    for (uint32_t i = 0; i < sum.count && !unknown; i++) {
        const SymMonomial *monomial = &table->monomials.items[sum.terms[i].monomial];
        for (uint32_t j = 0; j < monomial->count && !unknown; j++) {
            unknown = sym_node(table, monomial->factors[j])->is_unknown;
        }
    }
    return unknown;
}

PtsSym sym_binary_node(PtsSymTable *table, PtsSymOp op, PtsSym a, PtsSym b)
{
    SymNode node = {.kind = SYM_NODE_BINARY, .op = op, .binary = {a, b}};
    node.hash = mix(mix(SYM_NODE_BINARY + 16 * (uint32_t)op, a), b);
    PtsSym found = find_node(table, &node);
    if (found != PTS_SYM_NONE) {
        return found;
    }
    bound_binary(table, &node);
    node.is_unknown = sym_node(table, a)->is_unknown || sym_node(table, b)->is_unknown;
    return add_node(table, node);
}

PtsSym sym_from_sum(PtsSymTable *table, SymSum sum)
{
    if (sum.count == 0) {
        return sym_constant(table, 0);
    }
    if (sum.count == 1) {
        const SymMonomial *monomial = &table->monomials.items[sum.terms[0].monomial];
        if (monomial->count == 0) {
            return sym_constant(table, sum.terms[0].coefficient);
        }
        if (monomial->count == 1 && sum.terms[0].coefficient == 1) {
            return monomial->factors[0];
        }
    }
    SymNode node = {.kind = SYM_NODE_SUM, .sum = {sum.terms, sum.count}};
    node.hash = SYM_NODE_SUM;
    for (uint32_t i = 0; i < sum.count; i++) {
        node.hash = mix(node.hash, sum.terms[i].monomial);
        node.hash = mix(node.hash, (uint64_t)sum.terms[i].coefficient);
    }
    PtsSym found = find_node(table, &node);
    if (found != PTS_SYM_NONE) {
        return found;
    }
    bound_sum(table, &node);
    node.is_unknown = is_sum_unknown(table, sum);
    return add_node(table, node);
}

static uint32_t intern_monomial(PtsSymTable *table, const PtsSym *factors, uint32_t count)
{
    uint32_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = mix(hash, factors[i]);
    }
    uint32_t at = table->monomial_chains[hash & (table->monomial_chain_count - 1)];
    while (at != 0) {
        const SymMonomial *monomial = &table->monomials.items[at - 1];
        if (monomial->hash == hash && monomial->count == count &&
            memcmp(monomial->factors, factors, count * sizeof *factors) == 0) {
            return at - 1;
        }
        at = monomial->next;
    }
    if (table->monomials.count >= table->monomial_chain_count) {
        rehash_monomials(table);
    }
    PtsSym *copy = ARENA_ARRAY(&table->arena, PtsSym, count);
    memcpy(copy, factors, count * sizeof *factors);
    uint32_t *chain = &table->monomial_chains[hash & (table->monomial_chain_count - 1)];
    SymMonomial monomial = {.factors = copy, .count = count, .hash = hash, .next = *chain};
    VEC_PUSH(&table->arena, &table->monomials, monomial);
    *chain = table->monomials.count;
    return table->monomials.count - 1;
}

bool sym_monomial_product(PtsSymTable *table, uint32_t a, uint32_t b, uint32_t *product)
{
    const SymMonomial x = table->monomials.items[a], y = table->monomials.items[b];
    if (x.count == 0 || y.count == 0) {
        *product = x.count == 0 ? b : a;
        return true;
    }
    PtsSym factors[SYM_MAX_DEGREE];
    if (x.count + y.count > SYM_MAX_DEGREE) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0, j = 0; i < x.count || j < y.count;) {
        bool from_x = j == y.count || (i < x.count && x.factors[i] <= y.factors[j]);
        factors[count++] = from_x ? x.factors[i++] : y.factors[j++];
    }
    *product = intern_monomial(table, factors, count);
    return true;
}

SymSum sym_as_sum(PtsSymTable *table, PtsSym a, SymTerm *own)
{
    const SymNode *node = sym_node(table, a);
    if (node->kind == SYM_NODE_SUM) {
        return (SymSum){node->sum.terms, node->sum.count};
    }
    if (node->kind == SYM_NODE_CONSTANT) {
        *own = (SymTerm){.coefficient = node->value, .monomial = SYM_UNIT_MONOMIAL};
        return (SymSum){own, node->value != 0};
    }
    *own = (SymTerm){.coefficient = 1, .monomial = intern_monomial(table, &a, 1)};
    return (SymSum){own, 1};
}

PtsSym sym_atom(PtsSymTable *table, const char *name, int64_t low, int64_t high, bool is_unknown)
{
    SymNode node = {.kind = SYM_NODE_ATOM, .is_unknown = is_unknown, .low = low, .high = high};
    node.atom.number = table->atom_count;
    node.atom.stands = PTS_SYM_NONE;
    node.atom.name = str_dup(&table->arena, str_from(name == NULL ? "" : name));
    node.hash = mix(SYM_NODE_ATOM, node.atom.number);
    PtsSym made = add_node(table, node);
    table->atom_count++;
    return made;
}

/* Tests of claims that lines of evidence prove, and of similar lines that prove nothing. */
#include "diagnose/log_facts.h"
#include "operator/text.h"

#include "log_fixture.h"

/* Do the lines prove the row? `@` means 30 lines about something else. */
static bool proves(const char *id, const char *text)
{
    enum { AWAY = 30 };
    LogFacts facts = {0};
    Str lines = str_from(text), line, row = str_from(id);
    uint64_t order = 0;
    bool proved = false;
    for (size_t at = 0; text_next_line(lines, &at, &line);) {
        order += str_is(line, "@") ? AWAY : 1;
        proved =
            log_facts_prove(&facts, row, line, order) || (proved && facts.rounding.withdrawn == 0);
    }
    return proved;
}

typedef struct ClaimRow {
    const char *line;
    bool proved;
} ClaimRow;

#define CHECK_CLAIMS(id, rows) CHECK_ROWS(rows, proves(id, (rows)[i].line) == (rows)[i].proved)

#define REL "Greatest relative difference: "

static void test_rounding(void **state)
{
    (void)state;
    static const ClaimRow rows[] = {
        /* BF16 has 8 bits of precision (2^-7 = 0.0078), FP16 11 (2^-10 = 0.00098). */
        {"out bfloat16\n" REL "0.0039 at (3,)", true},
        {"out bfloat16\n" REL "0.0081 at (3,)", false},
        {"out float16\n" REL "0.00097 at (3,)", true},
        {"out float16\n" REL "0.0039 at (3,)", false},
        {REL "0.0039 at (3,)\nout torch.bfloat16", true},
        {"bf16 max_rel 0.0039", true},
        {"DT_BF16 kernel, golden in float32\n" REL "0.0039", true},
        {"out bf16\naccumulators are fp32\n" REL "0.0039", true},
        /* A wider type follows, or both are named. */
        {"loaded in bf16\ntest fp32\n" REL "0.0039", false},
        {"loaded in bf16\n" REL "0.0039\ndtype: float32", false},
        {"loaded in bf16\n" REL "0.0039\n@\ndtype: float32", true},
        {"bf16 and fp32\n" REL "0.0039", false},
        {"bf16 and fp16\n" REL "0.0039", false},
        /* The type is that of a test that passed, or is too far away. */
        {"t.py::bf16 (bfloat16) PASSED\nt.py::other FAILED\n" REL "0.0039", false},
        {"t.py::bf16 (bfloat16) PASSED  [ 50%]\n" REL "0.0039", false},
        {"loaded in bf16\n@\n" REL "0.0039", false},
        {REL "0.0039\n@\nout bf16", false},
        {"out bf16\nmax_rel 0.9\nmax_rel 0.0039", false},
        {"out bf16\n" REL "0 at (3,)", false},
        {"out bf16\n" REL "inf at (3,)", false},
        {"out bf16", false},
    };
    CHECK_CLAIMS("seen.narrow-tolerance", rows);
}

static void test_epsilons(void **state)
{
    (void)state;
    static const ClaimRow rows[] = {
        {"kernel: rsqrt(var + 1e-5), golden: rsqrt(var + 1e-6)", true},
        {"npu eps=1e-5, golden eps=1e-6", true},
        {"y = pypto.rsqrt(var + 1e-5)\ngolden = torch.rsqrt(var + 1e-6)", true},
        {"golden = torch.rsqrt(var + 1e-6)\ny = pypto.rsqrt(var + 1e-5)", true},
        {"kernel: rsqrt(var + 1e-6), golden: rsqrt(var + 1e-6)", false},
        {"kernel: rsqrt(var + 1e-5), golden: rsqrt(var + 1.0e-5)", false},
        /* Optimizers, other layers, and other numbers. */
        {"AdamW(lr=1e-4, eps=1e-8)\nkernel eps=1e-6\ngolden eps=1e-6", false},
        {"AdamW eps=1e-8, norm eps=1e-6 of the kernel and the reference", false},
        {"rsqrt(var + 1e-5)\nrsqrt(var + 1e-6)", false},
        {"norm1 eps=1e-5, norm2 eps=1e-6", false},
        {"golden: norm1 eps=1e-5, norm2 eps=1e-6", false},
        {"kernel norm1 eps=1e-5\nkernel norm2 eps=1e-6\ngolden norm2 eps=1e-6", false},
        {"kernel steps=1e-4, golden steps=1e-5", false},
        {"kernel eps=1, golden eps=2", false},
        {"prefix eps=1e-5\nkernel eps=1e-6", false},
    };
    CHECK_CLAIMS("seen.epsilon", rows);
}

static void test_seeds(void **state)
{
    (void)state;
    static const ClaimRow rows[] = {
        {"torch.manual_seed(0)\ntorch.manual_seed(1)", true},
        {"kernel: manual_seed(0), golden: manual_seed(7)", true},
        {"torch.manual_seed(0)\nnp.random.seed(1)\ntorch.manual_seed(2)", true},
        {"torch.manual_seed(7)\ntorch.manual_seed(7)", false},
        {"random.seed(0)\nnp.random.seed(1234)\ntorch.manual_seed(5)", false},
        {"torch.manual_seed(seed)\ntorch.manual_seed(1)", false},
        {"torch.manual_seed(0) PASSED\ntorch.manual_seed(1)", false},
        {"a.seed(1)\nb.seed(2)\nc.seed(3)\nd.seed(4)\ne.seed(5)\ne.seed(6)", false}, /* too many */
    };
    CHECK_CLAIMS("seen.seeds", rows);
}

static void test_tables(void **state)
{
    (void)state;
    static const ClaimRow rows[] = {
        {"vocab_size=32000, max id 32000", true},
        {"vocab_size=32000  batch ids min=0 max=32001", true},
        {"vocab_size=32000, token id 32005", true},
        {"num_embeddings=100: index 100", true},
        {"vocab_size=32000,  id 32000", true},
        {"vocab_size=32000 found  id 32000", true},
        {"vocab_size=32000, max token_id: 40000", true},
        {"vocab_size=32000, max id 31999", false},
        /* Parts of words, and ids and maxima of something else. */
        {"vocab_size=32000 grid 65536", false},
        {"vocab_size=32000 valid 40000 samples", false},
        {"vocab_size=32000 pid 40000", false},
        {"vocab_size=32000 request id 40000", false},
        {"vocab_size=32000 process_id=40000", false},
        {"vocab_size=32000, hidden=4096, max seq 40960", false},
        {"num_embeddings=1000, hidden 4096, softmax max 1e9", false},
        {"max id 32000", false},
    };
    CHECK_CLAIMS("seen.beyond-table", rows);
}

static void test_tiles(void **state)
{
    (void)state;
    static const ClaimRow rows[] = {
        {"pypto.set_vec_tile_shapes(1, 8)", true},
        {"tile shape: [8, 16]", true},
        {"set_vec_tile_shapes(8,)", true},
        {"set_vec_tile_shapes(1, 129)", false},
        {"set_vec_tile_shapes(1, 8, 16384)", false},
        /* Unknown or wrong entries. */
        {"set_vec_tile_shapes(n, 8)", false},
        {"set_vec_tile_shapes(8, n)", false},
        {"set_vec_tile_shapes(8 * n, 8)", false},
        {"set_vec_tile_shapes(8, -1)", false},
        {"set_vec_tile_shapes(0, 8)", false},
        {"set_vec_tile_shapes(, 8)", false},
        {"set_vec_tile_shapes()", false},
        {"set_vec_tile_shapes(1, 8", false},
        {"set_vec_tile_shapes(1, 8,", false},
        {"set_vec_tile_shapes", false},
        {"tile shapes: ([1, 8], [1, 8], [1, 8])", false}, /* lists in a list */
    };
    CHECK_CLAIMS("seen.tiny-tile", rows);
}

static void test_blocks(void **state)
{
    (void)state;
    static const ClaimRow rows[] = {
        {"launch blockDim=20, split: 40 parts", true},
        {"launch blockDim=40, split: 40 parts", false},
        {"blockDim=20, core num 24", false}, /* of the chip */
        {"blockDim=20, used cores 24", false},
        {"split: 40 parts", false},
    };
    CHECK_CLAIMS("seen.fewer-blocks", rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding), cmocka_unit_test(test_epsilons),
        cmocka_unit_test(test_seeds),    cmocka_unit_test(test_tables),
        cmocka_unit_test(test_tiles),    cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* operator_mutate: changes sample texts at random and hands them to every reader of the operator
 * model. Nothing may crash, hang or touch foreign memory: run it in a build with sanitizers.
 *
 * usage: operator_mutate ROUNDS [SEED] */
#include "operator/extract.h"
#include "operator/front_matter.h"
#include "operator/interfaces.h"
#include "operator/markdown.h"
#include "operator/memory_document.h"
#include "operator/schema.h"
#include "operator/state.h"
#include "operator/text.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const samples[] = {
    "---\nschema_version: 1\nop_name: gatefuse\nsupported_dtypes: [bfloat16, float16]\n"
    "p0_shapes: [[64, 256], {x: [8, 64]}]\ntolerance: {atol: 0.002, rtol: 1e-3}\nbase: &b {a: 1}\n"
    "more: {<<: *b, c: [*b, 2026-01-31]}\n---\n# gatefuse\n## 数学公式\n$$ y $$\n### sub\n## "
    "精度要求\natol 1\n",
    "---\na: b: c\nl: [[1,a],2]\nd: {'atol': 1e-3, \"rtol\": (1, 2)}\n{: }\nx: {k: [1, "
    "2]}\n---\n#\n#\n## x\n",
    "## Agent\nmodule_count: 2\n## Golden function inventory\n| # | op | status |\n|---|:-:|---|\n"
    "| 1 | exp | ✅ |\n| 2 | sum | ❌ |\n| 3 | x | |\n## Phase M2 self-review\n- [x] signature\n- [ "
    "]\n"
    "* [✗] output view\n  - [✓] inventory exactly once\n## end\n",
    "schema_version: 1\nprimary_inputs: [{name: x, shape: [N, 4], dtype: float32}]\nmodules:\n- "
    "id: 1\n"
    "  inputs: [{name: x, source: primary}]\n  outputs: [{name: y, shape: \"[N, 2*(C+1)//4]\", "
    "dtype: int}]\n"
    "- id: 2\n  inputs: [{name: y, source: module_1}]\n  outputs: [{name: z, shape: [N]}]\n"
    "final_outputs: [{name: z, source: module_2}]\n",
    "{\"operator_name\": \"gatefuse\", \"current_stage\": 5,\n \"max_stage\": 7, \"stage_status\": "
    "{\"5\": \"x\"},\n"
    " \"stage5_phases\": {\"active_phase\": \"M2\", \"phase_status\": {}},\n \"artifact_hashes\": "
    "{}}",
    "assert_allclose(a, b, atol=1e-3, rtol: 0.5)\n**atol** = 2\ntorch.randn(8, 16)\nSHAPES = "
    "[[1024,  128], (4,5)]\n"
    "```python\nrow_max = `prob_tile`\n```\n`row_sum` Decision: module_count = 3\n",
};
enum { SAMPLE_COUNT = sizeof samples / sizeof *samples, MAX_TEXT = 4096 };

static unsigned long long seed = 1;

static unsigned next_random(unsigned below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed % below);
}

static size_t mutate(char *text, size_t length)
{
    static const char alphabet[] = "\n\t :-,[]{}'\"#&*!|>%@`?=<~0159.eEabxM/\\()$\r\x01";
    unsigned count = 1 + next_random(8);
    for (unsigned i = 0; i < count && length > 0; i++) {
        size_t at = next_random((unsigned)length);
        size_t run = 1 + next_random(next_random(4) == 0 ? 40 : 4);
        switch (next_random(4)) {
        case 0:
            text[at] = alphabet[next_random(sizeof alphabet - 1)];
            break;
        case 1:
            run = run > length - at ? length - at : run;
            memmove(text + at, text + at + run, length - at - run);
            length -= run;
            break;
        default: /* a piece of the text, or one character often, once more */
            if (length + run < MAX_TEXT && at + run < length) {
                memmove(text + at + run, text + at, length - at);
                if (next_random(2) == 0) {
                    memset(text + at, alphabet[next_random(sizeof alphabet - 1)], run);
                }
                length += run;
            }
        }
    }
    return length;
}

static size_t read_documents(Arena *arena, Str text)
{
    FrontMatter front = front_matter_read(arena, text);
    size_t sum = front.metadata->count + front.body_line;
    for (int kind = SCHEMA_SPEC; kind <= SCHEMA_API_REPORT; kind++) {
        SchemaErrors errors = schema_check(arena, (SchemaKind)kind, &front);
        for (uint32_t i = 0; i < errors.count; i++) {
            sum += errors.items[i].message.length + errors.items[i].message_zh.length;
        }
    }
    sum += value_show(arena, front.metadata, 80).length;
    sum += p0_shapes_read(arena, value_get(front.metadata, "p0_shapes")).shapes.shapes.count;
    Headings headings = markdown_headings(arena, front.body, front.body_line);
    sum += headings_find(&headings, STR("精度")) != NULL;
    return sum + markdown_section(front.body, front.body_line, STR("数学")).text.length;
}

static size_t read_rest(Arena *arena, Str text)
{
    size_t sum = memory_inventory(arena, text).rows.count;
    Review review = memory_review(arena, text, 2);
    for (int i = 0; i < REVIEW_KEYWORD_COUNT; i++) {
        sum += review_item(&review, review_keywords[i]) != NULL;
    }
    sum += (size_t)(module_count_read(text, text).count & 7);
    sum += dtypes_mentioned(text) + tolerance_uses(arena, text, "atol").count;
    ShapeSet shapes = {0};
    shapes_in_text(arena, text, &shapes);
    sum += shapes.shapes.count + design_identifiers(arena, text).count;
    Interfaces interfaces = interfaces_read(arena, text);
    sum += interfaces_primary_inputs(arena, &interfaces).names.count;
    sum += interfaces_module_inputs(arena, &interfaces, 2).names.count;
    sum += interfaces_module_outputs(arena, &interfaces, 2).names.count;
    sum += interfaces_final_outputs(arena, &interfaces).names.count;
    sum += interfaces_validate(arena, &interfaces).count + suffix_module_count(text);
    OperatorState state = state_parse(arena, text);
    sum += state.operator_name.length + state.phases.line + state.json_error.length;
    return sum + value_show(arena, scalar_value(arena, text, 1), 40).length;
}

int main(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) * 2654435761u + 1 : 88172645463325252u;
    size_t sum = 0;
    for (unsigned long i = 0; i < rounds; i++) {
        const char *sample = samples[next_random(SAMPLE_COUNT)];
        char text[MAX_TEXT];
        size_t length = strlen(sample);
        memcpy(text, sample, length);
        length = mutate(text, length);
        /* Exactly as long as the text, so that reading behind it is noticed. */
        char *exact = malloc(length > 0 ? length : 1);
        if (exact == NULL) {
            return 1;
        }
        memcpy(exact, text, length);
        Arena arena;
        arena_init(&arena, 64 * 1024 * 1024);
        sum +=
            read_documents(&arena, (Str){exact, length}) + read_rest(&arena, (Str){exact, length});
        arena_free(&arena);
        free(exact);
    }
    printf("%lu texts, sum %zu\n", rounds, sum);
    return 0;
}

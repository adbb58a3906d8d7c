/* Result: the names of its enum values, its counts, its notices. */
#include "lint/result.h"

#include "base/io_error.h"

void kernel_counts_add(KernelCounts *sum, const KernelCounts *one)
{
    sum->kernels += one->kernels;
    sum->launches += one->launches;
    sum->unfinished += one->unfinished;
    sum->operations += one->operations;
    sum->dtype_known += one->dtype_known;
    sum->rank_known += one->rank_known;
    sum->shape_known += one->shape_known;
}

KernelCounts result_kernel_counts(const RunResult *result)
{
    KernelCounts sum = {0};
    for (uint32_t i = 0; i < result->operators.count; i++) {
        if (result->operators.items[i]->semantics != NULL) {
            kernel_counts_add(&sum, &result->operators.items[i]->semantics->counts);
        }
    }
    return sum;
}

const char *severity_name(Severity severity)
{
    static const char *const names[] = {[S0] = "S0", [S1] = "S1", [S2] = "S2", [S3] = "S3"};
    return names[severity];
}

const char *dimension_name(Dimension dimension)
{
    static const char *const names[] = {"", "D1", "D2", "D3", "D4", "D5"};
    return names[dimension];
}

const char *effort_name(Effort effort)
{
    static const char *const names[] = {[EFFORT_UNSET] = "", [E1] = "E1", [E2] = "E2", [E3] = "E3"};
    return names[effort];
}

const char *target_name(Target target)
{
    static const char *const names[] = {[TARGET_IMPL] = "impl",
                                        [TARGET_GOLDEN] = "golden",
                                        [TARGET_TEST] = "test",
                                        [TARGET_GATE] = "gate"};
    return names[target];
}

const char *status_name(Status status)
{
    static const char *const names[] = {[STATUS_SKIP] = "SKIP",
                                        [STATUS_PASS] = "PASS",
                                        [STATUS_INFO] = "INFO",
                                        [STATUS_WARN] = "WARN",
                                        [STATUS_FAIL] = "FAIL"};
    return names[status];
}

void notice_add_text(Notices *notices, Str file, bool is_error, Str message)
{
    Notice notice = {file, message, is_error, 0};
    VEC_PUSH(notices->arena, notices, notice);
}

void notice_add(Notices *notices, Str file, bool is_error, const char *en, const char *zh, ...)
{
    va_list args;
    va_start(args, zh);
    Str message = str_vformat(notices->arena, text_in(notices->lang, (Text){en, zh}), args);
    va_end(args);
    notice_add_text(notices, file, is_error, message);
}

bool notices_have_error(const Notices *notices)
{
    for (uint32_t i = 0; i < notices->count; i++) {
        if (notices->items[i].is_error) {
            return true;
        }
    }
    return false;
}

void notices_take_io_error(Notices *notices)
{
    Str path;
    Str reason;
    if (notices_have_error(notices)) {
        io_error_drop();
    } else if (io_error_take(notices->arena, &path, &reason)) {
        notice_add_text(notices, path, true, reason);
    }
}

Counts result_counts(const OperatorResult *result)
{
    Counts counts = {0};
    for (uint32_t i = 0; i < result->findings.count; i++) {
        Status status = result->findings.items[i]->status;
        counts.fail += status == STATUS_FAIL;
        counts.warn += status == STATUS_WARN;
        counts.info += status == STATUS_INFO;
    }
    for (uint32_t i = 0; i < result->rules.count; i++) {
        Status status = result->rules.items[i].status;
        counts.pass += status == STATUS_PASS;
        counts.skip += status == STATUS_SKIP;
    }
    return counts;
}

void result_update_statuses(OperatorResult *result)
{
    Status worst[RULE_ORDERS];
    for (int i = 0; i < RULE_ORDERS; i++) {
        worst[i] = STATUS_PASS;
    }
    for (uint32_t i = 0; i < result->findings.count; i++) {
        const Finding *finding = result->findings.items[i];
        if (finding->status > worst[finding->rule->order]) {
            worst[finding->rule->order] = finding->status;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < result->rules.count; i++) {
        RuleResult entry = result->rules.items[i];
        if (entry.status != STATUS_SKIP) {
            entry.status = worst[entry.rule->order];
        }
        if (entry.rule != &rule_ol00 || entry.status != STATUS_PASS) {
            result->rules.items[kept++] = entry;
        }
    }
    result->rules.count = kept;
}

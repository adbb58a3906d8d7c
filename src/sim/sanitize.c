/* What the parts of the sanitizer share: causes, findings and their words. */
#include "sim/sanitize.h"
#include "model/error.h"
#include "sim/sanitize_races.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel in a loop of mistakes must not fill the memory with causes: further ones of an operation
 * count as its latest. */
enum { MOST_CAUSES = 1000 };

/* Frees what the sanitizer keeps with a program from one run to the next. */
static void release_run(PtsProgram *program)
{
    sanitize_forget_outputs(program);
    races_forget_facts(program);
}

Sanitizer *sanitizer_new(PtsProgram *program, unsigned kinds, bool unordered)
{
    Sanitizer *sanitizer = calloc(1, sizeof *sanitizer);
    if (sanitizer == NULL) {
        return NULL;
    }
    sanitizer->kinds = kinds;
    program->release_run = release_run;
    sanitizer->outputs = sanitize_begin_outputs(program);
    const RaceFacts *facts =
        (kinds & PTS_SANITIZE_RACES) == 0 ? NULL : races_facts(program, unordered);
    bool races = facts != NULL && facts->any;
    bool knows = facts != NULL || (kinds & PTS_SANITIZE_RACES) == 0;
    sanitizer->races = races ? races_new(program, unordered) : NULL;
    if (!knows || sanitizer->outputs == NULL || (races && sanitizer->races == NULL)) {
        races_free(sanitizer->races);
        free(sanitizer);
        return NULL;
    }
    return sanitizer;
}

void sanitizer_free(Vm *vm)
{
    Sanitizer *sanitizer = vm->sanitizer;
    if (sanitizer == NULL) {
        return;
    }
    races_free(sanitizer->races);
    free(sanitizer->causes);
    free(sanitizer);
    vm->sanitizer = NULL;
}

/* ---- words ---- */

typedef struct Words {
    char *at;
    size_t length, size;
} Words;

static void __attribute__((format(printf, 2, 3))) add(Words *words, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int more = vsnprintf(words->at + words->length, words->size - words->length, format, args);
    va_end(args);
    if (more > 0) {
        words->length += (size_t)more;
        words->length = words->length < words->size ? words->length : words->size - 1;
    }
}

/* "rows 64-76 of 77", "row 76 (of 0..76)"; a length of 0 is left out. */
static void add_span(Words *words, const char *what, int64_t first, int64_t last, int64_t length)
{
    add(words, "%s%s %lld", what, first == last ? "" : "s", (long long)first);
    if (first != last) {
        add(words, "-%lld", (long long)last);
    }
    if (length > 1 && first == last) {
        add(words, " (of 0..%lld)", (long long)length - 1);
    } else if (length > 0) {
        add(words, " of %lld", (long long)length);
    }
}

static void add_list(Words *words, int rank, const int64_t *list)
{
    for (int i = 0; i < rank; i++) {
        add(words, "%s%lld", i == 0 ? "[" : ", ", (long long)list[i]);
    }
    add(words, "]");
}

void sanitize_box_text(const Shadow *form, const Box *box, bool with_lengths, char *text,
                       size_t size, bool *is_one)
{
    int rank = form->rank;
    const int64_t *shape = form->shape;
    Words words = {text, 0, size};
    *is_one = rank > 0;
    for (int i = 0; i < rank; i++) {
        *is_one = *is_one && (box->first[i] == box->last[i] || (i == 1 && rank == 2));
    }
    if (rank <= 2) {
        add_span(&words, rank == 2 ? "row" : "element", box->first[0], box->last[0],
                 with_lengths ? shape[0] : 0);
    }
    if (rank == 2 && (box->first[1] > 0 || box->last[1] < shape[1] - 1)) {
        *is_one = *is_one && box->first[1] == box->last[1];
        add(&words, ", ");
        add_span(&words, "column", box->first[1], box->last[1], with_lengths ? shape[1] : 0);
    }
    for (int i = 0; i < rank && rank > 2; i++) {
        add(&words, i == 0 ? "elements [%lld" : ", %lld", (long long)box->first[i]);
        if (box->last[i] != box->first[i]) {
            add(&words, "-%lld", (long long)box->last[i]);
        }
    }
    if (rank > 2) {
        add(&words, with_lengths ? "] of " : "]");
    }
    if (rank > 2 && with_lengths) {
        add_list(&words, rank, shape);
    }
}

static int64_t box_count(int rank, const Box *box)
{
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        count *= box->last[i] - box->first[i] + 1;
    }
    return count;
}

/* ---- what is undefined in a region ---- */

typedef struct Survey {
    const Shadow *shadow;
    uint32_t tags[SANITIZE_TAGS];
    int tag_count;
    uint32_t tag; /* the box and the count are of this one */
    Box box;
    bool any;
    int64_t bytes;
} Survey;

static void note_tag(Survey *survey, uint32_t tag)
{
    for (int i = 0; i < survey->tag_count; i++) {
        if (survey->tags[i] == tag) {
            return;
        }
    }
    if (survey->tag_count < SANITIZE_TAGS) {
        survey->tags[survey->tag_count++] = tag;
    }
}

/* A range may go on into the next row: the box of each row's part joins the others. */
static void note_range(Survey *survey, const Range *range)
{
    const Shadow *shadow = survey->shadow;
    int64_t row = shadow->shape[shadow->rank - 1] * (int64_t)pts_dtype_bytes(shadow->dtype);
    for (int64_t at = range->begin; at < range->end && row > 0;) {
        int64_t end = (at / row + 1) * row;
        end = end < range->end ? end : range->end;
        Box box = shadow_box(shadow, at, end);
        shadow_join(shadow->rank, &survey->box, &box, &survey->any);
        at = end;
    }
    survey->bytes += range->end - range->begin;
}

static bool survey_run(void *context, int64_t begin, int64_t bytes)
{
    Survey *survey = context;
    Range found;
    for (int64_t at = begin; ranges_find(&survey->shadow->undefined, at, begin + bytes, &found);
         at = found.end) {
        note_tag(survey, found.tag);
        if (found.tag == survey->tag) {
            note_range(survey, &found);
        }
    }
    return true;
}

int sanitize_tags(const Shadow *shadow, const PtsTensor *region, const int64_t *extent,
                  const void *base, uint32_t tags[SANITIZE_TAGS])
{
    Survey survey = {.shadow = shadow, .tag = UINT32_MAX};
    if (shadow != NULL && !ranges_is_empty(&shadow->undefined)) {
        shadow_runs(region, extent, base, survey_run, &survey);
    }
    memcpy(tags, survey.tags, sizeof survey.tags);
    return survey.tag_count;
}

/* ---- causes ---- */

static void say_never_written(const Vm *vm, const RtValue *value, const PtsTensor *region,
                              Words *words)
{
    const Shadow *shadow = value->buffer->shadow;
    Survey survey = {.shadow = shadow, .tag = SHADOW_NEVER_WRITTEN};
    char where[160];
    bool is_one;
    shadow_runs(region, region->valid, value->buffer->data, survey_run, &survey);
    sanitize_box_text(shadow, &survey.box, true, where, sizeof where, &is_one);
    int64_t count = survey.bytes / (int64_t)pts_dtype_bytes(shadow->dtype);
    if (count < box_count(shadow->rank, &survey.box)) {
        add(words, "%lld element%s of ", (long long)count, count == 1 ? "" : "s");
        is_one = count == 1;
    }
    add(words, "%s %s %s never written", pts_slot_name(vm->program, shadow->slot), where,
        is_one ? "was" : "were");
    if (shadow->last_site.line > 0) {
        sanitize_box_text(shadow, &shadow->last, false, where, sizeof where, &is_one);
        add(words, "; the last write was line %d, %s", shadow->last_site.line, where);
    }
}

static void say_beyond(const Vm *vm, const PtsInstruction *instruction, int operand,
                       const RtValue *value, Words *words)
{
    const PtsTensor *tensor = &value->tensor;
    PtsSlot slot = instruction->operands[operand].slot;
    add(words, "%s is read beyond its valid part: ", pts_slot_name(vm->program, slot));
    add_list(words, tensor->rank, tensor->valid);
    add(words, " of ");
    add_list(words, tensor->rank, tensor->shape);
    add(words, " hold data");
}

static bool is_same_read(const Cause *a, const Cause *b)
{
    return a->instruction == b->instruction && a->operand == b->operand && a->kind == b->kind;
}

/* The number of an equal cause + 1, or of the latest of the same read when there is no room. */
static uint32_t find_cause(const Sanitizer *sanitizer, const Cause *wanted)
{
    uint32_t same_read = 0;
    for (size_t i = 0; i < sanitizer->cause_count; i++) {
        const Cause *cause = &sanitizer->causes[i];
        if (is_same_read(cause, wanted)) {
            same_read = (uint32_t)i + 1;
            if (strcmp(cause->text, wanted->text) == 0) {
                return same_read;
            }
        }
    }
    return sanitizer->cause_count < MOST_CAUSES ? 0 : same_read;
}

uint32_t sanitize_cause(Vm *vm, const PtsInstruction *instruction, int operand, unsigned kind,
                        const RtValue *value, const PtsTensor *region)
{
    Sanitizer *sanitizer = vm->sanitizer;
    Cause cause = {.instruction = instruction, .operand = operand, .kind = kind};
    Words words = {cause.text, 0, sizeof cause.text};
    if (kind == PTS_SANITIZE_INIT) {
        say_never_written(vm, value, region, &words);
    } else {
        say_beyond(vm, instruction, operand, value, &words);
    }
    uint32_t known = find_cause(sanitizer, &cause);
    if (known > 0) {
        return known;
    }
    if (sanitizer->cause_count == sanitizer->cause_capacity) {
        size_t capacity = sanitizer->cause_capacity * 2 + 8;
        Cause *causes = realloc(sanitizer->causes, capacity * sizeof *causes);
        if (causes == NULL) {
            return 0;
        }
        sanitizer->causes = causes;
        sanitizer->cause_capacity = capacity;
    }
    sanitizer->causes[sanitizer->cause_count++] = cause;
    return (uint32_t)sanitizer->cause_count;
}

/* ---- findings ---- */

PtsSeverity sanitize_severity(const Vm *vm)
{
    return vm->strict ? PTS_FINDING_ERROR : PTS_WARNING;
}

bool sanitize_found(Vm *vm, const PtsInstruction *instruction, PtsSite site, uint32_t code,
                    const char *id, const char *text, PtsError *error)
{
    vm->sanitizer->told_at = instruction;
    if (!vm->strict) {
        return true;
    }
    if (code == PTS_CODE_UNWRITTEN) {
        pts_fail(error, PTS_E_UNWRITTEN, "%s [%s]", text, id);
    } else {
        pts_fail(error, PTS_E_VALUE, "%s [%s]", text, id);
    }
    pts_error_at(error, site);
    return false;
}

/* One finding for a read, however many regions of it reach something. */
static bool is_told(const Sanitizer *sanitizer, const Cause *cause)
{
    for (size_t i = 0; i < sanitizer->cause_count; i++) {
        if (sanitizer->causes[i].told && is_same_read(&sanitizer->causes[i], cause)) {
            return true;
        }
    }
    return false;
}

/* Where the elements went: `target` is a parameter; NULL = they served as numbers or indices. */
static void add_end(Words *words, const Cause *cause, const PtsInstruction *instruction,
                    const char *target)
{
    if (cause->instruction == instruction) {
        add(words, target != NULL ? "; %s gets them" : "; they are used as indices", target);
        return;
    }
    add(words,
        target != NULL ? "; what is computed from them reaches %s"
                       : "; what is computed from them is used as an index",
        target);
    if (cause->instruction->site.line != instruction->site.line) {
        add(words, " in line %d", instruction->site.line);
    }
}

static bool tell_cause(Vm *vm, const PtsInstruction *instruction, uint32_t tag, const char *target,
                       PtsError *error)
{
    Cause *cause = &vm->sanitizer->causes[tag - 1];
    char text[512];
    vm->sanitizer->told_at = instruction;
    if (is_told(vm->sanitizer, cause)) {
        return true;
    }
    cause->told = true;
    PtsSite site = cause->instruction->site;
    Words words = {text, 0, sizeof text};
    add(&words, "%s", cause->text);
    add_end(&words, cause, instruction, target);
    if (cause->kind == PTS_SANITIZE_INIT) {
        pts_diagnose(vm->program, sanitize_severity(vm), PTS_CODE_UNWRITTEN, "unwritten-read", site,
                     "%s", text);
        return sanitize_found(vm, instruction, site, PTS_CODE_UNWRITTEN, "unwritten-read", text,
                              error);
    }
    pts_diagnose(vm->program, sanitize_severity(vm), 0, "padding-read", site, "%s", text);
    return sanitize_found(vm, instruction, site, 0, "padding-read", text, error);
}

bool sanitize_tell(Vm *vm, const PtsInstruction *instruction, int operand, const RtValue *value,
                   const PtsTensor *region, const char *target, PtsError *error)
{
    uint32_t tags[SANITIZE_TAGS];
    const Shadow *shadow = value->buffer->shadow;
    int count = sanitize_tags(shadow, region, region->valid, value->buffer->data, tags);
    for (int i = 0; i < count; i++) {
        uint32_t tag = tags[i];
        if (tag == SHADOW_NEVER_WRITTEN) {
            tag = sanitize_cause(vm, instruction, operand, PTS_SANITIZE_INIT, value, region);
        }
        if (tag == 0) {
            return pts_fail_memory(error);
        }
        if (!tell_cause(vm, instruction, tag, target, error)) {
            return false;
        }
    }
    return true;
}

/* Reads the evidence of provenance and makes sentences of it; see provenance.h. The report is in
 * English, also when the output is in Chinese. */
#include "harness/judge/provenance.h"

#include "base/ascii.h"

#include <inttypes.h>

/* --- reading */

/* Text of the kernel's process: only characters of names of operations and files are kept. */
static Str plain_text(Arena *arena, const json_t *value)
{
    enum { MOST = 120 };
    const char *text = json_string_value(value);
    Buf out = {.arena = arena};
    for (; text != NULL && *text != '\0' && out.length < MOST; text++) {
        char c = *text;
        if (is_word_char(c) || strchr(" -./", c) != NULL) {
            buf_add_char(&out, c);
        }
    }
    return buf_str(&out);
}

static MadePlace read_place(Arena *arena, const json_t *list)
{
    json_int_t line = json_integer_value(json_array_get(list, 2));
    return (MadePlace){
        .operation = plain_text(arena, json_array_get(list, 0)),
        .file = plain_text(arena, json_array_get(list, 1)),
        .line = line > 0 ? line : 0,
    };
}

static void read_bounds(Arena *arena, const json_t *list, OutputOrigin *output)
{
    enum { MOST_RANK = 64 };
    for (size_t i = 0; i < json_array_size(list) && i < MOST_RANK; i++) {
        const json_t *axis = json_array_get(list, i);
        AxisBounds bounds = {
            .first = json_integer_value(json_array_get(axis, 0)),
            .last = json_integer_value(json_array_get(axis, 1)),
            .extent = json_integer_value(json_array_get(axis, 2)),
        };
        if (bounds.first < 0 || bounds.last < bounds.first || bounds.last >= bounds.extent) {
            output->never.count = 0;
            return;
        }
        VEC_PUSH(arena, &output->never, bounds);
    }
}

static OutputOrigin read_output(Arena *arena, const json_t *from, const json_t *passed)
{
    enum { MOST_CONVERSIONS = 8 };
    OutputOrigin output = {
        .name = plain_text(arena, json_object_get(from, "name")),
        .elements = json_count_at(from, "elements"),
        .written = json_count_at(from, "written"),
        .never_written = json_count_at(from, "never_written"),
        .computed = json_count_at(from, "torch"),
        .host = json_count_at(from, "host"),
        .input = plain_text(arena, json_object_get(from, "input")),
        .passed_through = plain_text(arena, passed),
        .made = read_place(arena, json_object_get(from, "made")),
    };
    read_bounds(arena, json_object_get(from, "never"), &output);
    const json_t *list = json_object_get(from, "conversions");
    for (size_t i = 0; i < json_array_size(list) && i < MOST_CONVERSIONS; i++) {
        VEC_PUSH(arena, &output.conversions, plain_text(arena, json_array_get(list, i)));
    }
    return output;
}

void provenance_read(Arena *arena, const json_t *root, Provenance *provenance)
{
    enum { MOST_PLACES = 8 };
    const json_t *from = json_object_get(root, "provenance");
    const json_t *outputs = json_object_get(from, "outputs");
    const json_t *passed = json_object_get(from, "passed_through");
    const json_t *prepared = json_object_get(from, "prepared");
    *provenance = (Provenance){.known = json_is_true(json_object_get(from, "known")),
                               .why = plain_text(arena, json_object_get(from, "why"))};
    for (size_t i = 0; i < json_array_size(outputs) && i < PROVENANCE_MOST; i++) {
        const json_t *output = json_array_get(outputs, i);
        VEC_PUSH(arena, &provenance->outputs,
                 read_output(arena, output, json_array_get(passed, i)));
    }
    for (size_t i = 0; i < json_array_size(prepared) && i < MOST_PLACES; i++) {
        VEC_PUSH(arena, &provenance->prepared, read_place(arena, json_array_get(prepared, i)));
    }
}

const OutputOrigin *provenance_of(const Provenance *provenance, Str name)
{
    for (uint32_t i = 0; i < provenance->outputs.count; i++) {
        if (str_equal(provenance->outputs.items[i].name, name)) {
            return &provenance->outputs.items[i];
        }
    }
    return NULL;
}

/* --- sentences */

static void add_place(Buf *out, const MadePlace *place)
{
    if (place->file.length > 0 && place->line > 0) {
        buf_addf(out, " at %.*s:%" PRId64, STR_ARG(place->file), place->line);
    }
}

static void add_operation(Buf *out, const MadePlace *place)
{
    if (place->operation.length > 0) {
        buf_addf(out, " (%.*s", STR_ARG(place->operation));
        add_place(out, place);
        buf_add_char(out, ')');
    }
}

/* Says what elements are that neither a launch nor torch's arithmetic made. */
static void add_content(Buf *out, const OutputOrigin *output)
{
    if (output->input.length > 0) {
        buf_addf(out, "the input %.*s unchanged", STR_ARG(output->input));
    } else if (output->made.operation.length > 0) {
        buf_addf(out, "what the host put there");
        add_operation(out, &output->made);
    } else {
        buf_add(out, STR("memory that neither torch nor a kernel filled in this run (numpy, a "
                         "cache, another library)"));
    }
}

static bool is_passed_through(const OutputOrigin *output)
{
    return output->passed_through.length > 0 && str_equal(output->input, output->passed_through);
}

static Str failure_of(Arena *arena, const OutputOrigin *output, const char *mode,
                      const char **cause)
{
    Buf out = {.arena = arena};
    if (output->computed > 0) {
        *cause = "torch_computed";
        buf_addf(&out,
                 "%.*s is not the kernel's work on %s: torch computed %" PRIu64 " of %" PRIu64
                 " elements",
                 STR_ARG(output->name), mode, output->computed, output->elements);
        add_operation(&out, &output->made);
        buf_add(&out, STR("; compute them in the kernel"));
    } else if (output->elements > 0 && output->written == 0 && output->host > 0 &&
               !is_passed_through(output)) {
        *cause = "no_launch_wrote";
        buf_addf(&out, "no launch wrote %.*s on %s: it holds ", STR_ARG(output->name), mode);
        add_content(&out, output);
        buf_add(&out, STR("; let the kernel write it and return that memory"));
    }
    return buf_str(&out);
}

Str provenance_failure(Arena *arena, const Provenance *provenance, const char *mode,
                       const char **cause)
{
    for (uint32_t i = 0; provenance->known && i < provenance->outputs.count; i++) {
        Str failure = failure_of(arena, &provenance->outputs.items[i], mode, cause);
        if (failure.length > 0) {
            return failure;
        }
    }
    return (Str){0};
}

/* "row 3 of 77", "columns 0–15 of 16", "axis 2: 1–4 of 8"; in Chinese "第 3 行（共 77）". */
static void add_axis(Buf *out, const AxisBounds *bounds, size_t axis, size_t rank, Lang lang)
{
    static const Text one[] = {{"element ", "个"}, {"row ", "行"}, {"column ", "列"}};
    static const char *const several[] = {"elements ", "rows ", "columns "};
    size_t kind = rank == 1 ? 0 : axis + 1;
    bool single = bounds->first == bounds->last, named = rank <= 2;
    if (lang == LANG_EN && named) {
        buf_add(out, str_from(single ? one[kind].en : several[kind]));
    } else if (named) {
        buf_add(out, STR("第 "));
    } else {
        buf_addf(out, lang == LANG_EN ? "axis %zu: " : "第 %zu 轴：", axis);
    }
    buf_addf(out, "%" PRId64, bounds->first);
    if (!single) {
        buf_addf(out, "–%" PRId64, bounds->last);
    }
    if (lang == LANG_EN && single && bounds->extent > 1) {
        buf_addf(out, " (of 0..%" PRId64 ")", bounds->extent - 1);
    } else if (lang == LANG_EN) {
        buf_addf(out, " of %" PRId64, bounds->extent);
    } else {
        buf_addf(out, "%s%s（共 %" PRId64 "）", named ? " " : "", named ? one[kind].zh : "",
                 bounds->extent);
    }
}

static void add_never_count(Buf *out, const OutputOrigin *output, uint64_t inside, bool any,
                            Lang lang)
{
    uint64_t whole = any ? inside : output->elements;
    if (lang == LANG_EN) {
        buf_addf(out, "%s%" PRIu64 " of %" PRIu64 " elements%s", any ? " (" : "",
                 output->never_written, whole, any ? " there)" : "");
    } else {
        buf_addf(out,
                 any ? "（其中 %" PRIu64 " / %" PRIu64 " 个元素）"
                     : "%" PRIu64 " / %" PRIu64 " 个元素",
                 output->never_written, whole);
    }
}

Str provenance_never(Arena *arena, const OutputOrigin *output, Lang lang)
{
    Buf out = {.arena = arena};
    uint64_t inside = 1; /* elements within the bounds */
    bool any = false;
    if (output->never_written == 0) {
        return (Str){0};
    }
    if (output->never_written >= output->elements) {
        return str_from(text_in(lang, (Text){"never written: all elements", "从未写入：全部元素"}));
    }
    buf_add(&out, str_from(text_in(lang, (Text){"never written: ", "从未写入："})));
    for (uint32_t i = 0; i < output->never.count; i++) {
        const AxisBounds *bounds = &output->never.items[i];
        inside *= (uint64_t)(bounds->last - bounds->first + 1);
        if (bounds->first == 0 && bounds->last + 1 == bounds->extent) {
            continue;
        }
        buf_add(&out, str_from(any ? text_in(lang, (Text){", ", "、"}) : ""));
        add_axis(&out, bounds, i, output->never.count, lang);
        any = true;
    }
    if (!any || inside != output->never_written) {
        add_never_count(&out, output, inside, any, lang);
    }
    return buf_str(&out);
}

static Str share_of(Arena *arena, const OutputOrigin *output, const char *mode)
{
    Buf out = {.arena = arena};
    buf_addf(&out, "no launch wrote %" PRIu64 " of %" PRIu64 " elements of %.*s on %s: they are ",
             output->host, output->elements, STR_ARG(output->name), mode);
    add_content(&out, output);
    return buf_str(&out);
}

void provenance_warnings(Arena *arena, const Provenance *provenance, const char *mode,
                         Strs *sentences)
{
    if (!provenance->known) {
        if (provenance->why.length > 0) {
            VEC_PUSH(arena, sentences,
                     str_format(arena, "not checked on %s: whether kernels made the outputs (%.*s)",
                                mode, STR_ARG(provenance->why)));
        }
        return;
    }
    for (uint32_t i = 0; i < provenance->outputs.count; i++) {
        const OutputOrigin *output = &provenance->outputs.items[i];
        if (output->written > 0 && output->host > 0 && output->input.length == 0) {
            VEC_PUSH(arena, sentences, share_of(arena, output, mode));
        }
    }
    if (provenance->prepared.count > 0) {
        Buf out = {.arena = arena};
        buf_addf(&out, "torch computed what a kernel reads on %s", mode);
        add_operation(&out, &provenance->prepared.items[0]);
        buf_add(&out, STR(": is that the operator's work?"));
        VEC_PUSH(arena, sentences, buf_str(&out));
    }
}

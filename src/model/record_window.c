/* Windows that leave their tensors in loops. A loop's body is recorded with what tensors are in its
 * first iteration; only its end shows whether later iterations see the same. */
#include "model/record.h"

#include "base/str.h"

static bool tell(PtsProgram *program, PtsPendingWindow window)
{
    if (!window.is_outside) {
        return pts_record_warn(program, 0xF74006, "view-extent", window.site, "%s", window.text);
    }
    PtsError *failure = &program->recorder->failure;
    pts_fail(failure, PTS_E_ADDRESS, "%s", window.text);
    pts_error_at(failure, window.site);
    return false;
}

static bool same_site(PtsSite a, PtsSite b)
{
    return a.line == b.line && a.file == b.file;
}

static void pend(PtsRecorder *recorder, PtsFrame *frame, PtsPendingWindow window)
{
    enum { MOST_WINDOWS = 64 };
    for (uint32_t i = 0; i < frame->windows.count; i++) {
        if (same_site(frame->windows.items[i].site, window.site)) {
            return;
        }
    }
    if (frame->windows.count < MOST_WINDOWS) {
        VEC_PUSH(&recorder->arena, &frame->windows, window);
    }
}

bool pts_record_window(PtsProgram *program, PtsPendingWindow window)
{
    PtsRecorder *recorder = program->recorder;
    PtsFrame *frame = pts_record_top(recorder);
    if (frame->loop == NULL) {
        return tell(program, window);
    }
    window.text = str_dup(&recorder->arena, str_from(window.text));
    pend(recorder, frame, window);
    return true;
}

bool pts_record_settle_windows(PtsProgram *program, PtsFrame *frame, bool is_moved)
{
    PtsRecorder *recorder = program->recorder;
    PtsFrame *outer = &recorder->frames[recorder->depth - 2];
    bool ok = true;
    for (uint32_t i = 0; i < frame->windows.count; i++) {
        PtsPendingWindow window = frame->windows.items[i];
        if (is_moved && !window.is_first) {
            continue;
        }
        if (outer->loop != NULL) {
            pend(recorder, outer, window);
        } else if (ok || !window.is_outside) { /* a run stops at the first */
            ok = tell(program, window) && ok;
        }
    }
    return ok;
}

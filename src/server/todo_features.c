#include "server/job.h"
#define NONE(name) void name(Work *work) { buf_add(work->out, STR("null")); }
NONE(code_action_job) NONE(fix_all_job) NONE(hover_job) NONE(completion_job) NONE(signature_job) NONE(inlay_job) NONE(definition_job) NONE(links_job)

/* Job: a piece of work that reads documents: a check, or the answer to a request. Workers
 * (job_worker.h) do it, so that no document can bring down the server. */
#ifndef PYPTO_LINT_SERVER_JOB_H
#define PYPTO_LINT_SERVER_JOB_H

#include "document/json.h"
#include "server/client_facts.h"
#include "server/documents.h"
#include "server/packet.h"
#include "server/uri.h"

typedef enum JobKind {
    JOB_CHECK,   /* the operator of a file, or the file */
    JOB_FOLDERS, /* everything below the folders in `params` */
    JOB_CODE_ACTION,
    JOB_HOVER,
    JOB_COMPLETION,
    JOB_SIGNATURE,
    JOB_INLAY,
    JOB_DEFINITION,
    JOB_LINKS,
    JOB_KINDS
} JobKind;

typedef struct Work {
    Arena *arena;
    const ClientFacts *facts;
    const Documents *documents; /* those that are open; the overlay has their texts */
    Str path;                   /* absolute, or empty */
    const json_t *params;       /* of the request */
    Buf *out;                   /* the answer: for a check a packet, else JSON text */
} Work;

typedef void JobFunction(Work *work);
extern JobFunction check_file_job, check_folders_job, code_action_job, hover_job, completion_job,
    signature_job, inlay_job, definition_job, links_job;

/* Exit status of a worker that ran out of memory. */
enum { JOB_NO_MEMORY = 3 };

/* Main loop of a worker process: reads packets from `in` and answers each on `out`, until `in` ends
 * or the worker has done enough jobs. */
_Noreturn void job_loop(int in, int out, const ClientFacts *facts, const Documents *documents);

/* Writes the packet of a job to `out`: the open documents, with the texts of those that changed
 * after change number `known`, then the job itself. */
void job_packet(Buf *out, const Documents *documents, uint64_t known, JobKind kind, Str path,
                Str params);

/* --- for the functions of jobs */

/* The text of a file as the client sees it, in the arena. False when it cannot be read; the source
 * is then empty. */
bool work_source(Work *work, Str path, Source *source);
/* The URI of a file, spelled as the client spells it if the file is open. */
Str work_uri(Work *work, Str path);
/* `params.position` as a byte offset in the source. */
uint32_t work_offset(const Work *work, const Source *source);
/* `params[key]` as a range. */
Range work_range(const json_t *object, const char *key);
Position work_position(const json_t *position);
void work_add_range(Buf *out, Range range);

#endif

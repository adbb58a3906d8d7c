/* Marker: what makes a line of a log worth a closer look, apart from the patterns; the words are in
 * log_markers.def. */
#ifndef PYPTO_LINT_DIAGNOSE_LOG_MARKERS_H
#define PYPTO_LINT_DIAGNOSE_LOG_MARKERS_H

typedef enum Marker {
    MARK_TRACEBACK,
    MARK_ERROR, /* a word for an error */
    MARK_HEAD,  /* the same, and the program calls the line an error */
    MARK_LEVEL, /* the line may begin with a level for errors */
    MARK_STACK,
    MARK_PYTHON_FILE,
    MARK_HANDLING,
    MARK_STATUS,   /* the next line is the exit status of a command */
    MARK_COMMAND,  /* may be one, or a heading */
    MARK_SESSION,  /* of a test program begins */
    MARK_UNITTEST, /* may begin with the name of a unittest test */
    MARK_RETRY,
    MARK_PYPTO,  /* PyPTO, or a code of its own */
    MARK_COMMIT, /* as git shows one */
    MARK_OWN,    /* may belong to a report of pypto-lint */
} Marker;

#endif

/* Overlay: texts that stand for files, such as the unsaved buffers of an editor. Every function
 * that reads a file, looks at one or lists a folder asks here first (file.h, fence.h).
 *
 * Set by one thread while no other reads. Without a text the question costs a comparison. */
#ifndef PYPTO_LINT_BASE_OVERLAY_H
#define PYPTO_LINT_BASE_OVERLAY_H

#include "base/str.h"

extern unsigned overlay_count;

/* The text (copied) stands for the file at `path`, which is absolute, from now on. False when
 * memory runs out; then the file counts again. */
bool overlay_put(Str path, Str text);
/* The file itself counts again. */
void overlay_drop(Str path);

/* From now on files that are to be written are put here instead: nothing on disk changes. */
void overlay_capture_writes(void);
bool overlay_captures(void);

/* The text that stands for a file, as long as nobody changes it; `path` may be relative. */
bool overlay_find(const char *path, Str *text);
/* The next text, from number `*nth` on, whose file lies directly in `folder`; `*nth` moves past it.
 * `*name` is the name of the file, a part of its path. False when there is none left. */
bool overlay_in_folder(const char *folder, unsigned *nth, Str *name);

#endif

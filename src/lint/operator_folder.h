/* Which folder is an operator directory; shared by discovery and the walk. Private to src/lint. */
#ifndef PYPTO_LINT_LINT_OPERATOR_FOLDER_H
#define PYPTO_LINT_LINT_OPERATOR_FOLDER_H

#include "lint/discover.h"

/* Is there an entry of this name? `entries` sorted, as directory_list gives them. */
const DirEntry *entries_find(const DirEntries *entries, Str name);
/* As is_operator_folder, for a folder whose entries are known. */
bool entries_are_operator(Arena *arena, const DirEntries *entries, Str path);

#endif

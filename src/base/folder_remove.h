/* Removing a small folder of our own. */
#ifndef PYPTO_LINT_BASE_FOLDER_REMOVE_H
#define PYPTO_LINT_BASE_FOLDER_REMOVE_H

/* Removes the folder with everything in it and in the folders right in it; links themselves, never
 * what they lead to. A link in its place stays. What cannot be removed is left. */
void folder_remove(const char *path);

#endif

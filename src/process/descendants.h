/* Descendants: the processes that come from this one, counted and ended, for the guards of foreign
 * programs (guard.h). Nothing here allocates, so it may be called after a fork in a program with
 * threads; but only one thread of a process at a time. */
#ifndef PYPTO_LINT_PROCESS_DESCENDANTS_H
#define PYPTO_LINT_PROCESS_DESCENDANTS_H

#include <stdbool.h>
#include <stdint.h>

/* Threads of all users, as the limits of processes count them. */
uint64_t machine_threads(void);

/* How many descendants there are; beyond `most` not all are counted. False when the system does not
 * say. With `stop` each is sent SIGSTOP before it is asked for its children: so many of them that
 * only multiply would not leave the time to count. Not within a process namespace, where the
 * numbers that /proc shows are others. */
bool descendants_count(uint32_t most, bool stop, uint32_t *count);

/* Sends a signal to all of them. */
void descendants_signal(int number);

/* Kills all descendants and waits for them, at most so long. For a process whose only thread calls
 * it, and which is the reaper of those whose parents are gone; not within a process namespace. */
void descendants_kill(int milliseconds);

#endif

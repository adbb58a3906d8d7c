/* flock; see platform/windows/posix.h. */

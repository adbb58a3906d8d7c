/* The old name of base/path.h, for hook/, init/ and cli/. */
#include "base/path.h"

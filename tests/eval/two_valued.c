/* The helpers of three-valued checks with two values: the one that PTS_TWO_VALUED in the environment
 * names says "no" where it does not know. */
#include "model/answer.h"

#include <stdlib.h>
#include <string.h>

PtsAnswer pts_two_valued(const char *helper, PtsAnswer answer)
{
    const char *broken = getenv("PTS_TWO_VALUED");
    bool is_broken = broken != NULL && strcmp(broken, helper) == 0;
    return is_broken && answer == PTS_MAYBE ? PTS_NO : answer;
}

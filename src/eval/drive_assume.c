/* Unknown Python conditions: a kernel is recorded once for each set of assumptions.
 *
 * Most sets are impossible, because unknown values depend on each other. So a finding made under an
 * assumption counts only when every set has it: then the true set, whichever it is, has it as well.
 * It is certain if it is so in every set. A set that surely raises counts as having every finding,
 * and so does one that reads a name it leaves unbound. */
#include "eval/drive.h"

enum { MOST_SETS = 16, MOST_DECISIONS = 64 };

uint64_t drive_mix(uint64_t seed, uint64_t with)
{
    seed = (seed ^ with) * UINT64_C(0x9E3779B97F4A7C15);
    return seed ^ (seed >> 29);
}

/* A key for the condition's value: from the value itself if it is identifiable, else from the place
 * and how often the path has passed it. */
static uint64_t key_of(Eval *eval, NodeId node, Value condition)
{
    Drive *drive = eval->drive;
    bool symbol = condition.kind == VALUE_SYMBOL || condition.kind == VALUE_NUMBER;
    if (symbol && condition.handle > 0 &&
        !pts_sym_is_nothing(drive->context, condition.handle - 1)) {
        return drive_mix(UINT64_C(0x53594D), condition.handle);
    }
    if (condition.kind == VALUE_UNKNOWN && condition.handle > 0) {
        return drive_mix(UINT64_C(0x4E414D45), condition.handle);
    }
    drive->seed = drive_mix(drive->seed, node);
    return drive->seed;
}

bool drive_assume(Eval *eval, NodeId node, Value condition)
{
    Drive *drive = eval->drive;
    DriveSet *set = drive->set;
    uint64_t key = key_of(eval, node, condition);
    for (uint32_t i = 0; i < drive->decided; i++) {
        if (set->decisions.items[i].key == key) {
            return set->decisions.items[i].choice;
        }
    }
    if (drive->decided >= MOST_DECISIONS || eval->assumed > 0) {
        drive_end(eval);
        return false;
    }
    if (drive->decided == set->given) {
        set->decisions.count = set->given;
        VEC_PUSH(eval->arena, &set->decisions, ((DriveDecision){key, true}));
        set->given++;
    }
    pts_assume(drive->program);
    DriveDecision *decision = &set->decisions.items[drive->decided++];
    decision->key = key;
    return decision->choice;
}

/* Advances to the next set; false after the last one. */
static bool drive_next_set(DriveSet *set)
{
    while (set->given > 0 && !set->decisions.items[set->given - 1].choice) {
        set->given--;
    }
    set->decisions.count = set->given;
    if (set->given == 0) {
        return false;
    }
    set->decisions.items[set->given - 1].choice = false;
    return true;
}

static bool is_same(const DriveFinding *one, const DriveFinding *wanted)
{
    return one->rule == wanted->rule && one->error.code == wanted->error.code &&
           (one->node == wanted->node || drive_is_same_read(one, wanted));
}

/* A certain one if there is any. */
static const DriveFinding *same_finding(const Drive *drive, const DriveFinding *wanted)
{
    const DriveFinding *found = NULL;
    for (uint32_t i = 0; i < drive->findings.count; i++) {
        const DriveFinding *one = &drive->findings.items[i];
        if (is_same(one, wanted) && (found == NULL || one->certain)) {
            found = one;
        }
    }
    return found;
}

bool drive_has_finding(const Drive *drive, const DriveFinding *wanted)
{
    return drive->raised || same_finding(drive, wanted) != NULL;
}

bool drive_is_as_sure(const Drive *drive, const DriveFinding *wanted)
{
    const DriveFinding *same = same_finding(drive, wanted);
    return drive->raised || (same != NULL && (same->certain || !wanted->certain));
}

/* Does a run of this set end where a name is read that nothing has bound? */
static bool ends_unbound(const Drive *drive)
{
    bool ends = false;
    for (uint32_t i = 0; i < drive->findings.count && !ends; i++) {
        ends = drive_is_unbound(&drive->findings.items[i]);
    }
    return ends;
}

/* Drops findings under an assumption that the other walk does not have; returns how many findings
 * under an assumption remain. `other` NULL: has none. */
static uint32_t keep_common(DriveFindings *findings, const Drive *other)
{
    uint32_t kept = 0, assumed = 0;
    bool ends = other != NULL && ends_unbound(other);
    for (uint32_t i = 0; i < findings->count; i++) {
        DriveFinding one = findings->items[i];
        bool has = !one.assumed || (other != NULL && drive_has_finding(other, &one));
        if (has || ends) {
            one.certain = one.certain && (!one.assumed || !has || drive_is_as_sure(other, &one));
            one.by_unbound = one.by_unbound || !has;
            findings->items[kept++] = one;
            assumed += one.assumed;
        }
    }
    findings->count = kept;
    return assumed;
}

/* Adds the findings of a set when all sets before it raised or ended with an unbound name; returns
 * how many were added. */
static uint32_t add_assumed(Eval *eval, DriveFindings *findings, const Drive *from)
{
    uint32_t added = 0;
    for (uint32_t i = 0; i < from->findings.count; i++) {
        DriveFinding one = from->findings.items[i];
        bool known = false;
        for (uint32_t k = 0; k < findings->count && !known; k++) {
            known = is_same(&findings->items[k], &one);
        }
        if (one.assumed && !known) {
            one.by_unbound = true;
            VEC_PUSH(eval->arena, findings, one);
            added++;
        }
    }
    return added;
}

/* When an unbound name ends all sets, it is reported itself: drops the findings that only some of
 * the sets have. */
static void keep_in_all(DriveFindings *findings)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        if (!findings->items[i].by_unbound) {
            findings->items[kept++] = findings->items[i];
        }
    }
    findings->count = kept;
}

Drive *drive_all_sets(Eval *eval, const KernelSite *site, const Launch *launch, const char *chip,
                      DriveWalk *walk)
{
    DriveSet set = {0};
    Drive *first = walk(eval, site, launch, chip, &set);
    DriveFindings *findings = &first->findings;
    bool raised = first->raised; /* in all sets so far */
    bool stops = raised || ends_unbound(first);
    uint32_t assumed = keep_common(findings, raised ? NULL : first), sets = 1;
    bool more = drive_next_set(&set);
    for (; more && (stops || assumed > 0) && sets < MOST_SETS; sets++) {
        Drive *other = walk(eval, site, launch, chip, &set);
        assumed = keep_common(findings, other);
        if (stops && !other->raised) {
            assumed += add_assumed(eval, findings, other);
        }
        raised = raised && other->raised;
        stops = stops && (other->raised || ends_unbound(other));
        more = drive_next_set(&set);
    }
    if (more || raised) {
        keep_common(findings, NULL);
    } else if (stops) {
        keep_in_all(findings);
    }
    return first;
}

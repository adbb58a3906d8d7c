/* Plan: what `init` would do to the file of one client, and doing it.
 *
 * Making a plan changes nothing. A plan is carried out only if the file is still what it was when
 * the plan was made. */
#ifndef PYPTO_LINT_INIT_PLAN_H
#define PYPTO_LINT_INIT_PLAN_H

#include "clients/client.h"

enum {
    /* Settings are a few kilobytes; a longer file is probably something else. */
    INIT_MAX_BYTES = 1024 * 1024,
};

typedef struct InitRequest {
    bool remove;
    bool user;      /* this user's settings, not the project's */
    Str root;       /* the project's folder, absolute */
    Str program;    /* how settings call the linter: place_program */
    Str repository; /* where pypto-lint is published; empty: address.h */
    Lang lang;
} InitRequest;

typedef enum PlanState {
    PLAN_NOTHING, /* all is as it should be */
    PLAN_CHANGE,
    PLAN_LEFT,    /* there is something that the user must decide about: `message` */
    PLAN_REFUSED, /* it cannot be done: `message` */
} PlanState;

typedef struct InitPlan {
    const Client *client;
    Str path;  /* absolute */
    Str shown; /* below the project's folder; with --user as `path` */
    Str before, after;
    Str message; /* empty: nothing to say */
    Str snippet; /* PLAN_REFUSED: what the user can put in by hand; may be empty */
    VEC(Str)
    notes; /* something else that the user should know */
    PlanState state;
    bool exists, deletes; /* the file is there now; it is to be deleted */
} InitPlan;

InitPlan plan_make(Arena *arena, const InitRequest *request, const Client *client);

/* Carries a PLAN_CHANGE out. False with the reason in `*error`. */
bool plan_carry_out(Arena *arena, const InitRequest *request, const InitPlan *plan, Str *error);

#endif

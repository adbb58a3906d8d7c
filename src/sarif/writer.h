/*
 * What the writers of the parts of a run share. Each writes one part of the log from the run and
 * its plan; none of them decides what is written, and none can fail by itself (see json.h). */
#ifndef SARIF_WRITER_H
#define SARIF_WRITER_H

#include "json.h"
#include "plan.h"

typedef struct SarifWriter {
    SarifJson *json;
    const SarifRun *run;
    const SarifPlan *plan;
} SarifWriter;

/* "tool": the driver with its rules and kinds of notification. */
void sarif_write_tool(const SarifWriter *writer);

/* One entry of "results"; `head` is the first result of its chain. */
void sarif_write_result(const SarifWriter *writer, size_t head);

/* "invocations", the notifications about cuts included; nothing when there is none. */
void sarif_write_invocations(const SarifWriter *writer);

/* An object for a file, the value of the key that was written before. */
void sarif_write_artifact_location(const SarifWriter *writer, SarifText path, SarifText base_id);

/* Key and region, without its snippet when `snippet` is false. */
void sarif_write_region(const SarifWriter *writer, const char *key, SarifRegion region,
                        bool snippet);

/* The members physicalLocation and logicalLocations of a location that the caller has opened. */
void sarif_write_location_members(const SarifWriter *writer, const SarifLocation *location);

/* Key and members of a property bag, in an object that the caller has opened. */
void sarif_write_property_members(const SarifWriter *writer, SarifProperties properties);

/* "properties" as a whole; nothing when there is none. */
void sarif_write_properties(const SarifWriter *writer, SarifProperties properties);

const char *sarif_level_name(SarifLevel level);

/* The first of two texts that is not absent. */
SarifText sarif_text_or(SarifText text, SarifText other);

/* The id of a rule as written, in an open string. */
void sarif_add_rule_id(const SarifWriter *writer, size_t rule);

/* Whether the library's own sentences are Chinese (else English). */
bool sarif_is_chinese(const SarifRun *run);

/* What stands where a message is required and nothing at all was given. */
SarifText sarif_no_message(const SarifRun *run);

/* Whether anything was cut, so that the kind of notification for it is described. */
bool sarif_has_cuts(const SarifPlan *plan);

#define SARIF_LIMIT_ID "SARIF-LIMIT"

#endif

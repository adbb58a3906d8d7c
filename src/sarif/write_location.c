/*
 * Files, regions, locations and property bags. */
#include "writer.h"

#include "limits.h"
#include "region.h"
#include "uri.h"

void sarif_write_artifact_location(const SarifWriter *writer, SarifText path, SarifText base_id)
{
    SarifJson *json = writer->json;
    size_t index = sarif_plan_artifact(writer->plan, path, base_id);
    sarif_json_open(json, '{');
    sarif_json_key(json, "uri");
    sarif_json_string_begin(json);
    sarif_uri_add_path(json, path, false);
    sarif_json_string_end(json);
    sarif_json_member(json, "uriBaseId", sarif_base_of(writer->run, path, base_id));
    if (index != SARIF_NO_INDEX) {
        sarif_json_member_unsigned(json, "index", index);
    }
    sarif_json_close(json, '}');
}

/* An empty snippet is written when there is one: it is the text of an empty region. */
static void write_snippet(SarifJson *json, SarifText snippet)
{
    if (snippet.data != NULL && !sarif_snippet_is_cut(snippet)) {
        sarif_json_member_open(json, "snippet", '{');
        sarif_json_key(json, "text");
        sarif_json_text(json, snippet);
        sarif_json_close(json, '}');
    }
}

void sarif_write_region(const SarifWriter *writer, const char *key, SarifRegion region,
                        bool snippet)
{
    SarifJson *json = writer->json;
    bool whole_file = region.start_line == 0;
    region = sarif_region_resolve(region);
    sarif_json_member_open(json, key, '{');
    sarif_json_member_unsigned(json, "startLine", region.start_line);
    sarif_json_member_unsigned(json, "startColumn", region.start_column);
    sarif_json_member_unsigned(json, "endLine", region.end_line);
    sarif_json_member_unsigned(json, "endColumn", region.end_column);
    if (snippet) {
        write_snippet(json, whole_file ? SARIF_TEXT("") : region.snippet);
    }
    sarif_json_close(json, '}');
}

static void write_context(const SarifWriter *writer, const SarifLocation *location)
{
    SarifJson *json = writer->json;
    if (!sarif_region_is_context(location->context, location->region) ||
        sarif_snippet_is_cut(location->context.snippet)) {
        return; /* a context without its text is of no use */
    }
    sarif_json_member_open(json, "contextRegion", '{');
    sarif_json_member_unsigned(json, "startLine", location->context.start_line);
    sarif_json_member_unsigned(json, "endLine", location->context.end_line);
    write_snippet(json, location->context.snippet);
    sarif_json_close(json, '}');
}

void sarif_write_location_members(const SarifWriter *writer, const SarifLocation *location)
{
    SarifJson *json = writer->json;
    sarif_json_member_open(json, "physicalLocation", '{');
    sarif_json_key(json, "artifactLocation");
    sarif_write_artifact_location(writer, location->path, location->base_id);
    sarif_write_region(writer, "region", location->region, true);
    write_context(writer, location);
    sarif_json_close(json, '}');
    if (location->logical_name.size > 0) {
        sarif_json_member_open(json, "logicalLocations", '[');
        sarif_json_open(json, '{');
        sarif_json_member(json, "fullyQualifiedName", location->logical_name);
        sarif_json_member(json, "kind", location->logical_kind);
        sarif_json_close(json, '}');
        sarif_json_close(json, ']');
    }
}

static void write_property(SarifJson *json, const SarifProperty *property)
{
    sarif_json_text_key(json, property->key);
    switch (property->kind) {
    case SARIF_PROPERTY_INTEGER:
        sarif_json_integer(json, property->integer);
        break;
    case SARIF_PROPERTY_BOOLEAN:
        sarif_json_boolean(json, property->boolean);
        break;
    case SARIF_PROPERTY_LIST:
        sarif_json_open(json, '[');
        for (size_t i = 0; i < property->list_count; i++) {
            sarif_json_text(json, property->list[i]);
        }
        sarif_json_close(json, ']');
        break;
    case SARIF_PROPERTY_TEXT:
    default:
        sarif_json_text(json, property->text);
        break;
    }
}

void sarif_write_property_members(const SarifWriter *writer, SarifProperties properties)
{
    for (size_t i = 0; i < properties.count; i++) {
        if (properties.items[i].key.size > 0) {
            write_property(writer->json, &properties.items[i]);
        }
    }
}

void sarif_write_properties(const SarifWriter *writer, SarifProperties properties)
{
    if (properties.count > 0) {
        sarif_json_member_open(writer->json, "properties", '{');
        sarif_write_property_members(writer, properties);
        sarif_json_close(writer->json, '}');
    }
}

/* Fuzz driver: a settings file in YAML, or the table of one in TOML. It is read, or refused with a
 * line and a reason. */
#include "base/utf8.h"
#include "fuzz.h"
#include "lint/config_schema.h"
#include "operator/toml_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena arena;
    if (size == 0) {
        return 0;
    }
    jmp_buf env;
    Str text = {(const char *)data + 1, size - 1};
    Lang lang = data[0] & 1 ? LANG_ZH : LANG_EN;
    arena_init(&arena, 0);
    REQUIRE(OOM_GUARD(&arena, env));
    static const char *const whole[] = {NULL};
    static const char *const table[] = {"tool", "pypto-lint", NULL};
    YamlResult yaml = (data[0] & 2) == 0
                          ? yaml_settings_read(&arena, text)
                          : toml_settings_read(&arena, text, data[0] & 4 ? whole : table);
    bool good = yaml.ok;
    uint32_t line = yaml.line;
    Str error = yaml.error;
    if (good) {
        Config config = {0};
        good = config_from_tree(&config, &arena, yaml.value, lang, &line, &error);
        REQUIRE(!good || config.max_file_size <= CONFIG_MAX_FILE_SIZE);
        for (uint32_t i = 0; good && i < config.per_path.count; i++) {
            config.folder = STR("/a");
            config_path_ignores(&config, STR("/a/b/c_impl.py"), &rule_ol00);
        }
        config.folder = STR("/a");
        config_excludes(&config, STR("/a/b/c_impl.py"), false);
        for (uint32_t i = 0; good && i < rule_registry_count; i++) {
            REQUIRE(config_rule(&config, &arena, rule_registry[i])->severity <= S3);
        }
    }
    REQUIRE(good || (error.length > 0 && line > 0));
    arena_free(&arena);
    return 0;
}

/* Fuzz driver: a settings file. It is read, or refused with a line and a reason. */
#include "base/utf8.h"
#include "fuzz.h"
#include "lint/config_schema.h"
#include "operator/yaml_value.h"

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
    YamlResult yaml = yaml_settings_read(&arena, text);
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
    }
    REQUIRE(good || (error.length > 0 && line > 0));
    arena_free(&arena);
    return 0;
}

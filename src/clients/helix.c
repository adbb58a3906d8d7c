/* Helix. It starts the language server; it sends no events. */
#include "clients/client.h"

const Client client_helix = {
    .name = "helix",
    .title = "Helix",
    .format = SETTINGS_STARTER,
    .path = ".helix/languages.toml",
    .user_variable = "XDG_CONFIG_HOME",
    .user_folder = ".config",
    .user_path = "helix/languages.toml",
    .signs = {".helix"},
    .next = {"restart it; `hx --health python` lists its servers",
             "重新启动后生效；hx --health python 列出语言服务器"},
    .file = "helix/languages.toml",
};

/* Neovim. It starts the language server; it sends no events. */
#include "clients/client.h"

const Client client_neovim = {
    .name = "neovim",
    .title = "Neovim",
    .format = SETTINGS_OWN_FILE,
    .path = ".nvim.lua",
    .user_variable = "XDG_CONFIG_HOME",
    .user_folder = ".config",
    .user_path = "nvim/plugin/pypto-lint.lua",
    .next =
        {"restart it; to load .nvim.lua of a project, it needs `:set exrc` in your own settings",
         "重新启动后生效；项目中的 .nvim.lua 须在个人配置中设置 :set exrc"},
    .file = "neovim/pypto-lint.lua",
};

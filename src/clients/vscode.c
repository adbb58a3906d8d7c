/* Visual Studio Code. Its extension (editors/vscode) starts the language server; the project
 * recommends it. */
#include "clients/client.h"

const Client client_vscode = {
    .name = "vscode",
    .title = "VS Code",
    .format = SETTINGS_STARTER,
    .path = ".vscode/extensions.json",
    .signs = {".vscode"},
    .next = {"install the extension that it recommends (docs/clients/editors.md)",
             "请安装推荐的扩展（docs/clients/editors.md）"},
    .file = "vscode/extensions.json",
};

/* GitHub. A workflow of the user runs the action of pypto-lint; it sends no events. */
#include "clients/client.h"

const Client client_github = {
    .name = "github",
    .title = "GitHub",
    .format = SETTINGS_STARTER,
    .path = ".github/workflows/pypto-lint.yml",
    .signs = {".github"},
    .next = {"review the workflow (branches, paths), then commit it",
             "请检查工作流（分支、路径），然后提交"},
    .file = "github/pypto-lint.yml",
    .placeholder = "OWNER/pypto-lint@REF",
};

/* pre-commit. It calls `check` at each commit, and sends no events. */
#include "clients/client.h"

const Client client_pre_commit = {
    .name = "pre-commit",
    .title = "pre-commit",
    .format = SETTINGS_BLOCK,
    .path = ".pre-commit-config.yaml",
    .signs = {".pre-commit-config.yaml"},
    .next = {"run `pre-commit install` once in each clone",
             "请在每个克隆中运行一次 pre-commit install"},
    .file = "pre-commit/pre-commit-config.yaml",
    .placeholder = "ADDRESS-OF-PYPTO-LINT",
    .file_without_address = "pre-commit/local.yaml",
};

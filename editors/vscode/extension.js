// pypto-lint for VS Code: starts `pypto-lint server` and leaves the rest to the protocol.
"use strict"

const { workspace } = require("vscode")
const { LanguageClient } = require("vscode-languageclient/node")

let client

function settings() {
  const own = workspace.getConfiguration("pypto-lint")
  return { inlayHints: own.get("inlayHints"), lang: own.get("lang") }
}

async function activate(context) {
  const program = workspace.getConfiguration("pypto-lint").get("path") || "pypto-lint"
  client = new LanguageClient(
    "pypto-lint",
    "pypto-lint",
    { command: program, args: ["server"] },
    {
      documentSelector: [
        { scheme: "file", language: "python" },
        { scheme: "file", language: "markdown" },
        { scheme: "file", pattern: "**/{module_interfaces.yaml,.orchestrator_state.json}" },
      ],
      // What is pushed and what is pulled would be shown side by side.
      initializationOptions: { ...settings(), diagnostics: "push" },
    },
  )
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("pypto-lint")) {
        client.sendNotification("workspace/didChangeConfiguration", { settings: { "pypto-lint": settings() } })
      }
    }),
  )
  await client.start()
}

function deactivate() {
  return client && client.stop()
}

module.exports = { activate, deactivate }

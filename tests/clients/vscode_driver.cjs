// Loads the packed extension as VS Code would, with stand-ins for the editor and for the client library, and writes
// what it starts. The library itself must be in the package.
"use strict"
const Module = require("node:module")
const path = require("node:path")

const [folder] = process.argv.slice(2)
const told = { notifications: [], listeners: 0 }
class LanguageClient {
  constructor(id, name, serverOptions, clientOptions) {
    Object.assign(told, { id, name, serverOptions, clientOptions })
  }
  async start() { told.started = true }
  async stop() { told.stopped = true }
  sendNotification(method, params) { told.notifications.push({ method, params }) }
}
const values = { path: "/opt/pypto-lint", inlayHints: true, lang: "" }
let changed
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (key) => values[key] }),
    onDidChangeConfiguration: (listener) => { changed = listener; told.listeners++; return { dispose() {} } },
  },
}
const load = Module._load
Module._load = function (request, parent, ...rest) {
  if (request === "vscode") return vscode
  if (request === "vscode-languageclient/node") {
    told.library = path.relative(folder, Module._resolveFilename(request, parent))
    return { LanguageClient }
  }
  return load.call(this, request, parent, ...rest)
}
const extension = require(folder)
const context = { subscriptions: [] }
extension.activate(context).then(async () => {
  changed({ affectsConfiguration: (section) => section === "pypto-lint" })
  changed({ affectsConfiguration: () => false })
  told.subscriptions = context.subscriptions.length
  await extension.deactivate()
  process.stdout.write(JSON.stringify(told))
})

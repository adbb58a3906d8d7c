// A strict client of the language server: the protocol's own library. Started by test_lsp.py with the program and
// a folder; writes what the server said, each message with the name of its type, as JSON.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const require = createRequire(new URL("./lsp/package.json", import.meta.url))
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-languageserver-protocol/node")

const [binary, folder, operator] = process.argv.slice(2)
const server = spawn(binary, ["server", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] })
const said = []
const problems = []
const logger = { error: (text) => problems.push(text), warn: (text) => problems.push(text), info() {}, log() {} }
const connection = createProtocolConnection(
  new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin), logger)
const record = (type, value) => { said.push({ type, value }); return value }

let pushed = () => {}
connection.onNotification("textDocument/publishDiagnostics", (params) => {
  record("PublishDiagnosticsParams", params)
  pushed(params)
})
connection.onNotification("window/logMessage", (params) => { record("LogMessageParams", params) })
connection.onNotification("$/progress", (params) => { record("ProgressParams<any>", params) })
connection.onRequest("client/registerCapability", (params) => { record("RegistrationParams", params); return null })
connection.onRequest("window/workDoneProgress/create", (params) => {
  record("WorkDoneProgressCreateParams", params)
  return null
})
connection.onUnhandledNotification((message) => problems.push(`unexpected: ${message.method}`))
connection.onError((error) => problems.push(String(error)))
connection.listen()

const diagnosticsOf = (uri, version) => new Promise((resolve) => {
  pushed = (params) => params.uri === uri && params.version === version && resolve(params.diagnostics)
})
const ask = async (type, method, params) => record(type, await connection.sendRequest(method, params))

const implementation = `${operator}_impl.py`
const uri = pathToFileURL(implementation).href
const text = readFileSync(implementation, "utf8")
const textDocument = { uri }
const whole = { start: { line: 0, character: 0 }, end: { line: 10000, character: 0 } }
const at = (words, extra) => {
  const before = text.slice(0, text.indexOf(words) + extra)
  return { line: before.split("\n").length - 1, character: before.length - before.lastIndexOf("\n") - 1 }
}

await ask("InitializeResult", "initialize", {
  processId: process.pid, rootUri: null, locale: "en", workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "f" }],
  initializationOptions: { inlayHints: true },
  capabilities: {
    general: { positionEncodings: ["utf-16", "utf-8"] },
    window: { workDoneProgress: true },
    workspace: { workspaceEdit: { documentChanges: true }, didChangeWatchedFiles: { dynamicRegistration: true } },
    textDocument: {
      publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, dataSupport: true, versionSupport: true,
                            tagSupport: { valueSet: [1, 2] } },
      diagnostic: { relatedDocumentSupport: true },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "source"] } } },
      hover: { contentFormat: ["markdown"] },
    },
  },
})
await connection.sendNotification("initialized", {})
let waiting = diagnosticsOf(uri, 1)
await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "python", version: 1, text } })
const first = await waiting
waiting = diagnosticsOf(uri, 2)
await connection.sendNotification("textDocument/didChange", {
  textDocument: { uri, version: 2 },
  contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "# 🎉\r\n" },
                   { range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, text: "" }],
})
const second = await waiting
const pulled = await ask("DocumentDiagnosticReport", "textDocument/diagnostic", { textDocument })
await ask("DocumentDiagnosticReport", "textDocument/diagnostic", { textDocument, previousResultId: pulled.resultId })
const everything = await ask("WorkspaceDiagnosticReport", "workspace/diagnostic", { previousResultIds: [] })
await ask("WorkspaceDiagnosticReport", "workspace/diagnostic", {
  previousResultIds: everything.items.map((item) => ({ uri: item.uri, value: item.resultId })) })
// Who has asked is sent diagnostics all the same.
waiting = diagnosticsOf(uri, 3)
await connection.sendNotification("textDocument/didChange", { textDocument: { uri, version: 3 }, contentChanges: [{ text }] })
const third = await waiting
await ask("(CodeAction | Command)[]", "textDocument/codeAction", { textDocument, range: whole, context: { diagnostics: first } })
await ask("(CodeAction | Command)[]", "textDocument/codeAction", {
  textDocument, range: whole, context: { diagnostics: [], only: ["source.fixAll", "source.pypto-lint"] } })
for (const position of [at("pypto.view", 8), at("rows = ", 1), { line: 0, character: 0 }]) {
  await ask("Hover | null", "textDocument/hover", { textDocument, position })
}
await ask("CompletionList", "textDocument/completion", { textDocument, position: at("pypto.view", 6) })
await ask("SignatureHelp | null", "textDocument/signatureHelp", { textDocument, position: at("pypto.view(", 11) })
await ask("InlayHint[]", "textDocument/inlayHint", { textDocument, range: whole })
await ask("Location[]", "textDocument/definition", { textDocument, position: at("_golden import", 2) })
await ask("DocumentLink[]", "textDocument/documentLink", { textDocument })
await connection.sendNotification("textDocument/didClose", { textDocument })
await connection.sendRequest("shutdown")
await connection.sendNotification("exit")
const status = await new Promise((resolve) => server.on("exit", resolve))
process.stdout.write(JSON.stringify({ said, problems, status, same: [second, third].every((items) => JSON.stringify(items) === JSON.stringify(first)) }))

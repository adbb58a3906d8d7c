// A stand-in for OpenCode: loads a compiled plugin and calls its hooks one after the other.
// Argument: the plugin. Standard input: {"directory", "worktree", "calls": [[hook, input, output]…]}.
// Standard output: {"hooks": names, "results": [{"output", "error"}…], "log": messages}.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const { directory, worktree, calls } = JSON.parse(readFileSync(0, "utf8"))
const log = []
const client = { app: { log: async ({ body }) => void log.push(body) } }
const plugins = await import(pathToFileURL(process.argv[2]))
if (Object.values(plugins).length !== 1) throw new Error("OpenCode takes every export for a plugin")
const [plugin] = Object.values(plugins)
const hooks = await plugin({ client, project: {}, directory, worktree })
const results = []
for (const [hook, input, output] of calls) {
    const result = { output }
    try {
        await hooks[hook](input, output)
    } catch (error) {
        result.error = error.message
    }
    results.push(result)
}
console.log(JSON.stringify({ hooks: Object.keys(hooks), results, log }))

// pypto-lint for OpenCode: this file goes to .opencode/plugin/ (`pypto-lint init --client opencode`
// puts it there). Around the agent's tool calls it asks the program `pypto-lint` (the variable
// PYPTO_LINT_BINARY names another place) and passes on what it says: a file with errors of severity S0
// or S1 makes the tool call fail with the reason, shell commands do not write what only the editing
// tools may write, and state_transition waits for the gate of its stage. OpenCode has no hook for
// the end of a session; that gate takes its place. Documented in docs/agents/hooks.md of pypto-lint.
import { spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import type { Hooks, Plugin, PluginInput } from "@opencode-ai/plugin"

type Values = Record<string, unknown>
type Finished = { status: number; out: string; err: string }
type Gate = { options: string[]; owner: string }
type Counts = { warnCount: number; infoCount: number }

const PREFIX = "[pypto-op-lint]"
// Of the pypto-lint that this file comes with; an older program may not know what it asks for.
const VERSION = "0.1.0"
const STATE_FILE = ".orchestrator_state.json"
const STATE_REFUSAL =
    `${PREFIX} 禁止直接修改 ${STATE_FILE}: the state file is not to be edited. ` +
    "Only the tool state_transition changes it."
const HOOK_LIMIT = 30_000
const GATE_LIMIT = 180_000
const MAX_ANSWER = 16 << 20
const MAX_LEVELS = 7

// A file of an operator is checked, whichever agent writes it, but for agents that are named here.
const UNCHECKED_AGENTS = new Set(
    (process.env["PYPTO_LINT_UNCHECKED_AGENTS"] ?? "")
        .split(",")
        .map((agent) => agent.trim())
        .filter((agent) => agent !== ""),
)
const WRITE_TOOLS = new Set(["write", "edit", "multiedit"])
const PATCH_TOOLS = new Set(["apply_patch", "patch"])
const SHELL_TOOLS = new Set(["bash", "shell"])
const STATE_TOOL = "state_transition"

const PATH_KEYS = ["file_path", "filePath", "path", "target_file"]
const PATCH_KEYS = ["patchText", "patch", "input", "command"]
const FOLDER_KEYS = ["op_dir", "opDir", "operator_dir", "operatorDir"]
const NAME_KEYS = ["op_name", "opName", "operator_name", "operatorName", "operator"]

const ARTIFACT = /(?:_impl|_golden|test_[\p{L}\p{N}_]+)\.py$/u
const MAY_CONCERN = /\.py|\.orchestrator_state/
// The program knows which of these commands runs a test.
const MAY_TEST = /test_[\p{L}\p{N}_]+\.py|pytest|pypto-lint/u
const PATCHED_FILE = /^\*\*\* (?:Add File|Update File|Move to):[ \t]*(.+?)[ \t\r]*$/gm
const TOUCHED_FILE = /^\*\*\* (?:Add File|Update File|Move to|Delete File):[ \t]*(.+?)[ \t\r]*$/gm

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const isObject = (value: unknown): value is Values => typeof value === "object" && value !== null
const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
const objectOf = (value: unknown): Values => (isObject(value) ? value : {})
const firstText = (values: Values, keys: string[]): string =>
    keys.map((key) => values[key]).find((value): value is string => typeof value === "string") ?? ""

function parse(text: string): Values | undefined {
    try {
        const value: unknown = JSON.parse(text)
        return isObject(value) && !Array.isArray(value) ? value : undefined
    } catch {
        return undefined
    }
}

// --- the program

// No shell: what an event says reaches the program as an argument or on its standard input.
function run(options: string[], input: string, cwd: string, limit: number): Promise<Finished> {
    const program = process.env["PYPTO_LINT_BINARY"] || "pypto-lint"
    return new Promise((done, fail) => {
        const child = spawn(program, options, { cwd, stdio: ["pipe", "pipe", "pipe"] })
        const out: Buffer[] = []
        const err: Buffer[] = []
        let size = 0
        const give_up = (why: string) => {
            clearTimeout(timer)
            child.kill("SIGKILL")
            const what = options.slice(0, 2).join(" ")
            fail(new Error(`${PREFIX} plugin-error: not checked / 未检查: ${program} ${what}: ${why}`))
        }
        const timer = setTimeout(() => give_up(`no answer in ${limit / 1000} s`), limit)
        const keep = (parts: Buffer[]) => (part: Buffer) => {
            size += part.length
            if (size > MAX_ANSWER) give_up("the answer is too long")
            else parts.push(part)
        }
        child.stdout.on("data", keep(out))
        child.stderr.on("data", keep(err))
        child.stdin.on("error", () => {}) // it may end without reading
        child.on("error", (error) => give_up(error.message))
        child.on("close", (status) => {
            clearTimeout(timer)
            const text = (parts: Buffer[]) => Buffer.concat(parts).toString("utf8")
            done({ status: status ?? -1, out: text(out), err: text(err) })
        })
        child.stdin.end(input)
    })
}

// The answer of a hook; throws when the program does not run or says nothing sensible.
async function ask(
    hook: string,
    event: Values,
    cwd: string,
    more: string[] = [],
): Promise<Values> {
    const options = ["hook", hook, "--client", "opencode", ...more]
    const { status, out, err } = await run(options, JSON.stringify(event), cwd, HOOK_LIMIT)
    const answer = out.trim() === "" ? {} : parse(out)
    if (status !== 0 || !answer) {
        throw new Error(
            `${PREFIX} plugin-error: not checked / 未检查: pypto-lint hook ${hook} ended with ` +
                `status ${status}: ${err.trim().slice(0, 500)}`,
        )
    }
    return answer
}

const isBlock = (answer: Values) => answer["decision"] === "block"
const reasonOf = (answer: Values) =>
    firstText(answer, ["reason"]) || `${PREFIX} blocked without a reason`
const contextOf = (answer: Values) =>
    firstText(objectOf(answer["hookSpecificOutput"]), ["additionalContext"])

function append(output: { output: string }, text: string) {
    if (text !== "") output.output = `${output.output ?? ""}\n\n${text}`
}

// --- tool calls

function toolName(tool: unknown): string {
    const name = isObject(tool) ? tool["name"] : tool
    return typeof name === "string" ? name.toLowerCase() : ""
}

// OpenCode's own tools take relative paths from its directory, other tools from the work tree.
function absolute(path: string, places: PluginInput): string {
    if (isAbsolute(path)) return path
    const below = [places.directory, places.worktree]
        .filter(isText)
        .map((folder) => resolve(folder, path))
    return below.find((candidate) => existsSync(candidate)) ?? below[0] ?? resolve(path)
}

function writtenFiles(tool: string, args: Values, inPatch = PATCHED_FILE): string[] {
    if (WRITE_TOOLS.has(tool)) return [firstText(args, PATH_KEYS)].filter(isText)
    if (!PATCH_TOOLS.has(tool)) return []
    const files = [...firstText(args, PATCH_KEYS).matchAll(inPatch)].map(
        (match) => match[1] ?? "",
    )
    return [...new Set(files.filter(isText))]
}

// OpenCode has no exit status (null) of a command that it ended because of its time limit.
function shellResult(output: Values): Values {
    const metadata = objectOf(output["metadata"])
    const codes = [output["exit_code"], output["code"], output["exitCode"], metadata["exit"]]
    const code = codes.find((value) => typeof value === "number" && Number.isInteger(value))
    return {
        stdout: firstText(output, ["output", "stdout", "text"]),
        stderr: firstText(output, ["stderr"]),
        exit_code: code ?? (metadata["exit"] === null ? -1 : 0),
    }
}

// --- the gates of state_transition

function gateOf(args: Values): Gate | undefined {
    const stage = Number(args["stage"] ?? NaN)
    const phase = args["phase"]
    switch (args["action"]) {
        case "complete_stage":
            if (!Number.isInteger(stage)) return undefined
            return {
                options: ["--check-gate", "--stage", String(stage)],
                owner: `the agent that owns stage ${stage}`,
            }
        case "submit_design":
            return { options: ["--check-design-gate"], owner: "the designer" }
        case "submit_for_verify":
        case "complete_phase":
            if (!isText(phase)) return undefined
            return { options: ["--check-phase-gate", "--phase", phase], owner: "the coder" }
        default:
            return undefined
    }
}

const holdsState = (folder: string) => existsSync(join(folder, STATE_FILE))

// Named by an argument; else the folder that OpenCode works in or one above it; else the only
// operator of the project.
function operatorFolder(args: Values, places: PluginInput): string | undefined {
    const named = firstText(args, FOLDER_KEYS)
    if (named !== "") return absolute(named, places)
    for (const value of Object.values(args).filter(isText)) {
        const path = absolute(value, places)
        if (basename(path) === STATE_FILE) return dirname(path)
        if (holdsState(path)) return path
    }
    const name = firstText(args, NAME_KEYS)
    if (name !== "") return absolute(join("custom", name), places)
    let folder = places.directory
    for (let level = 0; level <= MAX_LEVELS; level++, folder = dirname(folder)) {
        if (holdsState(folder)) return folder
    }
    const custom = absolute("custom", places)
    const all = existsSync(custom) ? readdirSync(custom).map((entry) => join(custom, entry)) : []
    const operators = all.filter(holdsState)
    return operators.length === 1 ? operators[0] : undefined
}

function failures(report: Values | undefined): string[] {
    const findings = report?.["findings"]
    const list: unknown[] = Array.isArray(findings) ? findings : []
    return list
        .map(objectOf)
        .filter((finding) => finding["status"] === "FAIL")
        .map((finding) => {
            const file = firstText(finding, ["file"])
            const place = file === "" ? "" : ` (${file})`
            return `  [${finding["rule_id"]}][${finding["severity"]}] ${finding["message"]}${place}`
        })
}

// Throws when the gate is not passed.
async function passGate(gate: Gate, args: Values, places: PluginInput): Promise<Counts> {
    const title = `${PREFIX} 门禁未通过: state_transition(${args["action"]})`
    const folder = operatorFolder(args, places)
    if (folder === undefined) {
        throw new Error(
            `${title}: the gate was not run, because it is not clear which operator directory ` +
                "is meant (op_dir)",
        )
    }
    const options = [...gate.options, "--op-dir", folder]
    const { status, out } = await run(options, "", places.directory, GATE_LIMIT)
    const report = parse(out)
    if (status !== 0) {
        const lines = failures(report)
        const why =
            lines.length === 0
                ? `: the gate ended with status ${status}`
                : `\n${lines.join("\n")}\n`
        throw new Error(
            `${title}${why}\nLet ${gate.owner} repair it, then call state_transition again.`,
        )
    }
    const summary = objectOf(report?.["summary"])
    return { warnCount: Number(summary["warn"] ?? 0), infoCount: Number(summary["info"] ?? 0) }
}

function addCounts(text: string, counts: Counts): string {
    const result = parse(text)
    if (result) return JSON.stringify({ ...result, ...counts }, null, 2)
    return (
        `${text}\n\n${PREFIX} gate passed: ${counts.warnCount} warnings, ` +
        `${counts.infoCount} notes`
    )
}

// --- the plugin

export const PyptoLint: Plugin = async (places): Promise<Hooks> => {
    const agents = new Map<string, string>() // of a session, as last heard
    const passed = new Map<string, Counts>() // of a call of state_transition
    const unguarded = new Map<string, string>() // why no one looked at a shell command, by call
    // Started once, at the first request: what keeps the program from checking, or nothing.
    let trouble: Promise<string> | undefined
    const findTrouble = async () => {
        try {
            return contextOf(
                await ask("session-start", {}, places.directory, ["--wants", VERSION]),
            )
        } catch (error) {
            return (
                `${messageOf(error)}\npypto-lint is missing or too old; this plugin wants ` +
                `${VERSION}. Operators are not checked: tell the user.`
            )
        }
    }

    const isOff = (session: string) => UNCHECKED_AGENTS.has(agents.get(session) ?? "")
    const remember = (input: { sessionID: string; agent?: unknown }) => {
        if (isText(input.agent)) agents.set(input.sessionID, input.agent)
    }
    const trace = (event: string, tool: string, session: string) => {
        if (process.env["PYPTO_OP_LINT_TRACE"] !== "1") return
        const facts = {
            event,
            tool,
            session,
            agent: agents.get(session) ?? null,
            off: isOff(session),
        }
        process.stderr.write(`[pypto-op-lint:trace] ${JSON.stringify(facts)}\n`)
    }
    const warn = async (message: string) => {
        try {
            await places.client.app.log({ body: { service: "pypto-lint", level: "warn", message } })
        } catch {
            process.stderr.write(`${message}\n`)
        }
    }

    const beforeWrite = async (file: string, tool: string, sessionID: string) => {
        const path = absolute(file, places)
        const isState = basename(path) === STATE_FILE
        try {
            const answer = await ask(
                "pre-edit",
                { tool, sessionID, args: { filePath: path } },
                places.directory,
            )
            if (isBlock(answer)) return reasonOf(answer)
        } catch (error) {
            // It keeps a copy of kernels at stage 6; without it the edit goes on.
            if (!isState) await warn(messageOf(error))
        }
        return isState ? STATE_REFUSAL : undefined
    }

    const before: NonNullable<Hooks["tool.execute.before"]> = async (input, output) => {
        const tool = toolName(input.tool)
        const { sessionID, callID } = input
        const args = objectOf(output.args)
        trace("before", tool, sessionID)
        if (isOff(sessionID)) return
        if (SHELL_TOOLS.has(tool)) {
            const command = firstText(args, ["command"])
            if (!MAY_CONCERN.test(command)) return
            const event = { tool: "bash", sessionID, args: { command }, cwd: places.directory }
            let answer: Values = {}
            try {
                answer = await ask("pre-edit", event, places.directory)
            } catch (error) {
                // The command goes on, and its result says that nobody looked at it.
                if (command.includes(STATE_FILE)) throw error
                unguarded.set(callID, messageOf(error))
            }
            if (isBlock(answer)) throw new Error(reasonOf(answer))
        } else if (tool === STATE_TOOL) {
            const gate = gateOf(args)
            if (gate) passed.set(callID, await passGate(gate, args, places))
        } else {
            for (const file of writtenFiles(tool, args, TOUCHED_FILE)) {
                const refusal = await beforeWrite(file, "write", sessionID)
                if (refusal !== undefined) throw new Error(refusal)
            }
        }
    }

    const afterWrite = async (files: string[], sessionID: string, output: { output: string }) => {
        const reasons: string[] = []
        const contexts: string[] = []
        for (const file of files) {
            const event = { tool: "write", sessionID, args: { filePath: absolute(file, places) } }
            const answer = await ask("post-edit", event, places.directory)
            const context = contextOf(answer)
            if (context !== "") contexts.push(context)
            if (isBlock(answer)) reasons.push(reasonOf(answer))
        }
        // An error takes the place of the result: what else there is to say goes with it.
        if (reasons.length > 0) throw new Error([...reasons, ...contexts].join("\n\n"))
        append(output, contexts.join("\n\n"))
    }

    const afterTest = async (command: string, sessionID: string, output: { output: string }) => {
        const event = {
            tool: "bash",
            sessionID,
            args: { command },
            tool_result: shellResult(output),
        }
        let context: string
        try {
            context = contextOf(await ask("post-bash", event, places.directory))
        } catch (error) {
            context = messageOf(error)
        }
        append(output, context)
    }

    const after: NonNullable<Hooks["tool.execute.after"]> = async (input, output) => {
        const tool = toolName(input.tool)
        const { sessionID, callID } = input
        const args = objectOf(input.args)
        trace("after", tool, sessionID)
        if (isOff(sessionID)) return
        const counts = passed.get(callID)
        if (SHELL_TOOLS.has(tool)) {
            const command = firstText(args, ["command"])
            append(output, unguarded.get(callID) ?? "")
            unguarded.delete(callID)
            if (MAY_TEST.test(command)) await afterTest(command, sessionID, output)
        } else if (tool === STATE_TOOL && counts) {
            passed.delete(callID)
            output.output = addCounts(output.output ?? "", counts)
        } else {
            await afterWrite(
                writtenFiles(tool, args).filter((file) => ARTIFACT.test(file)),
                sessionID,
                output,
            )
        }
    }

    return {
        "chat.message": async (input) => remember(input),
        "chat.params": async (input) => remember(input),
        "experimental.chat.system.transform": async (_, output) => {
            trouble ??= findTrouble()
            const text = await trouble
            if (text !== "") output.system.push(text)
        },
        "tool.execute.before": before,
        "tool.execute.after": after,
    }
}

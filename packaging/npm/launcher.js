#!/usr/bin/env node
// Starts the pypto-lint of this platform's package (an optional dependency; npm installs the one
// that fits). Starting it through Node.js takes many times as long as starting the program itself,
// so `pypto-lint init`, when started here, writes the program's own path into the settings of
// hooks.
"use strict"
const { spawnSync } = require("node:child_process")
const { constants } = require("node:os")

const name = `@pypto-lint/${process.platform}-${process.arch}`

function program() {
    try {
        return require.resolve(`${name}/bin/pypto-lint`)
    } catch {
        console.error(
            `pypto-lint: the package ${name} is not installed: there is none for this platform, ` +
                "or npm was told to leave out optional dependencies",
        )
        return process.exit(2)
    }
}

const done = spawnSync(program(), process.argv.slice(2), {
    stdio: "inherit",
    env: { ...process.env, PYPTO_LINT_LAUNCHER: "npm" },
})
if (done.error) {
    console.error(`pypto-lint: ${done.error.message}`)
    process.exit(2)
}
if (done.signal) {
    // End like the program: by the same signal, or at least with the exit status that a shell would
    // report.
    process.kill(process.pid, done.signal)
    process.exit(128 + constants.signals[done.signal])
}
process.exit(done.status)

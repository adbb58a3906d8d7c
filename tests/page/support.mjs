// What the tests of the pages share: commands that make pages, and one browser that opens them.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {once} from "node:events";
import {fileURLToPath} from "node:url";

import {BYTES} from "./programs.mjs";
import {launch, pictures, root, writePage} from "../../scripts/make_screenshots.mjs";

export const here = path.dirname(fileURLToPath(import.meta.url));
export const [binary, python] = process.argv.slice(2);
export const broken = path.join(here, "../../examples/broken/custom/softmax_broken");
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pypto-lint-page-"));
export let browser;
const warm = path.join(here, "../harness/warm_python.py");
// Interpreters that have imported torch and fork, by the kind of what they run: seconds less for each page.
const servers = new Map();

// Without what would make an interpreter differ from those.
const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PYTHON")));

async function serve(kind) {
  const socket = path.join(folder, kind);
  const fixed = {PYTHONDONTWRITEBYTECODE: "1", ...(kind === "worker" ? {PYTHONUNBUFFERED: "1", PYTHONHASHSEED: "0",
    PYTHONIOENCODING: "utf-8:backslashreplace", PYTHONSAFEPATH: "1"} : {})};
  const server = spawn(python, [warm, "serve", socket], {env: {...plain, ...fixed}, stdio: ["pipe", "pipe", "inherit"]});
  const [ready] = await Promise.race([once(server.stdout, "data"), once(server, "exit")]);
  return {server, variables: String(ready) === "ready\n"
    ? {PYPTO_LINT_PYTHON: warm, HARNESS_WARM: socket, HARNESS_WARM_PYTHON: python} : {PYPTO_LINT_PYTHON: python}};
}

// The environment of a command that runs Python: "program" for run, "worker" for verify.
export async function environment(kind) {
  return {...plain, ...(await servers.get(kind)).variables};
}

export async function begin() {
  for (const kind of ["program", "worker"]) {
    servers.set(kind, serve(kind));
  }
  browser = await launch();
}

export async function end() {
  await browser.close();
  for (const one of servers.values()) {
    const {server} = await one;
    server.stdin.end();
    if (server.exitCode === null) {
      await once(server, "exit");
    }
  }
  fs.rmSync(folder, {recursive: true});
}

// Runs the program; its status and what it wrote.
export async function command(words, kind) {
  const child = spawn(binary, words, {cwd: folder, stdio: ["ignore", "pipe", "pipe"],
    env: kind === undefined ? plain : await environment(kind)});
  const texts = {stdout: "", stderr: ""};
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text) => { texts[name] += text; });
  }
  const [status] = await once(child, "close");
  return {status, ...texts};
}

export async function make(name, args) {
  const file = path.join(folder, name);
  const done = await command([args[0], "--html", file, ...args.slice(1)], args[0] === "run" ? "program" : undefined);
  assert.ok(done.status === 0 || done.status === 1, done.stderr);
  return file;
}

// The page of a program; one for all that ask for that of the same program.
const programs = new Map();
export function program(name, text) {
  if (!programs.has(text)) {
    fs.writeFileSync(path.join(folder, name), text);
    programs.set(text, make(name + ".html", ["run", name]));
  }
  return programs.get(text);
}

// The pages of the pictures in the docs: two kernels of examples/failing, and a run. Each is made once.
const made = new Map();
export async function pictured(name) {
  const picture = pictures.find((one) => one.name === name), file = path.join(folder, name + ".html");
  const examples = path.join(folder, "pictures-" + name);
  if (!made.has(name)) {
    const kind = picture.command[0] === "run" ? "program" : "worker";
    made.set(name, environment(kind).then((variables) => writePage(picture, file, binary, variables, examples)));
  }
  await made.get(name);
  const report = (operator) => JSON.parse(fs.readFileSync(
    path.join(examples, "custom", operator, "eval/evaluation_report.json"), "utf8"));
  return {picture, file, report};
}

// A kernel that leaves out the last 16 of 64 columns, with hostile text around its lines.
let ofColumns;
export function columns() {
  ofColumns ??= (async () => {
    const examples = path.join(folder, "columns"), long = "h".repeat(10000);
    fs.cpSync(path.join(root, "examples"), examples, {recursive: true});
    const impl = path.join(examples, "failing/gated_rmsnorm_module12_impl.py");
    const parts = fs.readFileSync(impl, "utf8").replaceAll("gated_rmsnorm_kernel_impl", long)
      .replace("row_count // ROW_BLOCK\n", "(row_count + ROW_BLOCK - 1) // ROW_BLOCK\n")
      .split("    pypto.assemble(y_tile, [row_start, 0], y)\n");
    assert.equal(parts.length, 2);
    fs.writeFileSync(impl, Buffer.concat([Buffer.from("# coding: latin-1\n" + parts[0] +
      "    y_tile = pypto.view(y_tile, [ROW_BLOCK, 48], [0, 0], valid_shape=[valid_rows, 48])  "), BYTES,
    Buffer.from("\n    pypto.assemble(y_tile, [row_start, 0], y)\n" + parts[1])]));
    const file = path.join(folder, "columns.html");
    const done = await command(["verify", "--html", file, "--op-dir", path.join(examples, "custom/gated_rmsnorm"), "--impl", impl,
      "--up-to-module", "2", "--modes", "sim", "--no-lint-gate", "--blame", "--levels", "L3"], "worker");
    assert.equal(done.status, 1, done.stdout + done.stderr);
    return {file, report: JSON.parse(fs.readFileSync(
      path.join(examples, "custom/gated_rmsnorm/eval/evaluation_report.json"), "utf8"))};
  })();
  return ofColumns;
}

// The pages of verify take longest: they are made, one after the other, while other pages are looked at.
export function preparePictures() {
  pictures.reduce((before, {name}) => before.then(() => pictured(name)), Promise.resolve()).catch(() => {});
}

// Opens a page; whatever it complains of, or asks for beyond itself, fails the test.
export async function open(file, options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => trouble.push(message.text()));
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== "file://" + file) {
      trouble.push(request.url());
    }
  });
  await page.goto("file://" + file);
  return {page, async done() {
    assert.deepEqual(trouble, []);
    await context.close();
  }};
}

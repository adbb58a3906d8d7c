// The pages of --html in a real browser, from file:// addresses.
//
// Usage: node test_pages.mjs PYPTO_LINT PYTHON WARM_VARIABLES_JSON
import assert from "node:assert/strict";
import {execFileSync, spawnSync} from "node:child_process";
import fs from "node:fs";
import {createRequire} from "node:module";
import os from "node:os";
import path from "node:path";
import {after, before, test} from "node:test";
import {fileURLToPath} from "node:url";

import {launch, pictures, root, shoot, writePage} from "../../scripts/make_screenshots.mjs";

const require = createRequire(import.meta.url);
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const here = path.dirname(fileURLToPath(import.meta.url));
const [binary, python] = process.argv.slice(2);
const broken = path.join(here, "../../examples/broken/custom/softmax_broken");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pypto-lint-page-"));
let browser;

// Long enough that no line breaks; with an end of a script, an attribute's end and text that runs from
// right to left.
const NAME = "\u202e</script><script>window.broken = 1</script>\" onclick=\"x" + "n".repeat(10000);

const HOSTILE = `import pypto, torch
F32 = pypto.DT_FP32
@pypto.frontend.jit
def ${"k".repeat(10000)}(x: pypto.Tensor([pypto.DYN, 16], F32), y: pypto.Tensor([pypto.DYN, 16], F32)):
    pypto.set_vec_tile_shapes(8, 16)
    pypto.set_semantic_label(${JSON.stringify(NAME)})
    for i in pypto.loop(x.shape[0] // 8, name=${JSON.stringify(NAME)}):
        # </script><script>window.broken = 1</script>
        pypto.assemble(pypto.exp(pypto.view(x, [8, 16], [8 * i, 0])), [8 * i, 0], y)
${"k".repeat(10000)}(torch.zeros(40, 16), torch.zeros(40, 16))
`;

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
  fs.rmSync(folder, {recursive: true});
});

function make(name, args) {
  const file = path.join(folder, name);
  const done = spawnSync(binary, [...args.slice(0, 1), "--html", file, ...args.slice(1)],
    {cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"]});
  assert.ok(done.status === 0 || done.status === 1, done.stderr);
  return file;
}
// The page of a program; one for all that ask for that of the same program.
const programs = new Map();
function program(name, text) {
  if (!programs.has(text)) {
    fs.writeFileSync(path.join(folder, name), text);
    programs.set(text, make(name + ".html", ["run", "--python", python, name]));
  }
  return programs.get(text);
}

// Opens a page; whatever it complains of, or asks for beyond itself, fails the test.
async function open(file, options = {}) {
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

// Dark mode has the same elements in other colors: rules about anything else have judged them in light mode.
const OF_COLORS = ["color-contrast", "link-in-text-block"];

// `except`: a selector of what is judged elsewhere.
async function accessible(file, except = "") {
  for (const colorScheme of ["light", "dark"]) {
    const {page, done} = await open(file, {colorScheme});
    await page.evaluate(axe);
    const found = await page.evaluate(([selector, rules]) => window.axe.run(
      selector ? {exclude: [[selector]]} : document,
      {resultTypes: ["violations"], ...(rules ? {runOnly: {type: "rule", values: rules}} : {})}),
    [except, colorScheme === "dark" ? OF_COLORS : null]);
    assert.deepEqual(found.violations.filter((one) => ["serious", "critical"].includes(one.impact))
      .map((one) => [one.id, one.nodes[0].html.slice(0, 200), one.nodes[0].failureSummary]), [], colorScheme);
    await done();
  }
}

test("check: filters, search, keys and links", async () => {
  const file = make("check.html", ["check", broken]);
  const {page, done} = await open(file);
  const shown = () => page.locator("article:not([hidden])").count();
  const all = await shown();
  const findings = JSON.parse(spawnSync(binary, ["check", "--format", "json", broken], {encoding: "utf8"}).stdout);
  assert.equal(all, findings.findings.length);
  await page.keyboard.press("/");
  await page.keyboard.type("OL55");
  const named = await shown();
  assert.ok(named > 0 && named < all);
  for (const text of await page.locator("article:not([hidden])").allTextContents()) {
    assert.match(text, /OL55/);
  }
  await page.keyboard.press("Escape");
  assert.equal(await shown(), all);
  await page.selectOption("select[data-key=severity]", "S3");
  assert.equal(await shown(), findings.findings.filter((one) => one.severity === "S3").length);
  await page.selectOption("select[data-key=severity]", "");
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.equal(await page.evaluate(() => Array.from(document.querySelectorAll("article")).indexOf(document.activeElement)), 1);
  await page.keyboard.press("k");
  assert.equal(await page.evaluate(() => Array.from(document.querySelectorAll("article")).indexOf(document.activeElement)), 0);
  const link = page.locator("article h3 a").first();
  const target = await link.getAttribute("href");
  await link.click();
  assert.equal(await page.locator("details" + target).getAttribute("open"), "");
  await done();
});

test("check: a fix is shown as the lines before and after", async () => {
  const file = make("change.html", ["check", "--rules", "OL56", path.join(broken, "DESIGN.md")]);
  const {page, done} = await open(file);
  await page.locator("article details summary").first().click();
  const line = '    for piece in pypto.loop(x.shape[0] // 64, name="pieces", unroll_list=';
  assert.equal(await page.locator(".change .removed").textContent(), "- " + line + "[16, 4, 1]):");
  assert.equal(await page.locator(".change .added").textContent(), "+ " + line + "[1]):");
  await done();
});

test("without scripts the verdict, the findings and the tables are there", async () => {
  for (const [file, what] of [
    [make("plain.html", ["check", broken]), "article"],
    [program("plain.py", HOSTILE), "table tr"],
    [make("plain-rules.html", ["rules"]), "details"],
  ]) {
    const {page, done} = await open(file, {javaScriptEnabled: false});
    assert.ok(await page.locator(what).first().isVisible());
    assert.equal(await page.locator("[data-filter]").isVisible().catch(() => false), false);
    await done();
  }
});

test("rules: every rule once, found by stage and words", async () => {
  const file = make("rules.html", ["rules"]);
  const {page, done} = await open(file);
  const rules = JSON.parse(execFileSync(binary, ["rules", "--format", "json"], {encoding: "utf8"})).rules
    .filter((rule) => rule.id !== "OL00");
  assert.deepEqual(await page.locator("details").evaluateAll((all) => all.map((one) => one.id)),
    rules.map((rule) => "rule-" + rule.id));
  await page.selectOption("select[data-key=stage]", "7");
  assert.equal(await page.locator("details:not([hidden])").count(), rules.filter((rule) => rule.stages.includes(7)).length);
  await page.selectOption("select[data-key=stage]", "");
  await page.fill("input[type=search]", "F74006");
  assert.ok(await page.locator("[data-item]:not([hidden])").count() > 0);
  await done();
});

test("run: the cost of lines is that of the trace, and the timeline answers keys", async () => {
  fs.writeFileSync(path.join(folder, "steps.py"), HOSTILE.replaceAll("k".repeat(10000), "kernel")
    .replace(/^.*semantic_label.*\n/m, "").replace(/, name=".*"\)/, ', name="rows")'));
  spawnSync(binary, ["run", "--trace", "steps.json", "--python", python, "steps.py"], {cwd: folder});
  const trace = JSON.parse(fs.readFileSync(path.join(folder, "steps.json"), "utf8"));
  const cycles = trace.traceEvents.filter((one) => one.ph === "X").reduce((sum, one) => sum + one.args.cycles, 0);
  const file = make("steps.html", ["run", "--python", python, "steps.py"]);
  const {page, done} = await open(file);
  const cells = await page.locator("h2:has-text('Lines by cost') + div td.number:nth-child(3)").allTextContents();
  assert.equal(cells.reduce((sum, text) => sum + Number(text), 0), cycles);
  await page.focus("#timeline");
  await page.keyboard.press("n");
  const detail = page.locator("#detail");
  assert.match(await detail.textContent(), /exp/);
  assert.match(await detail.textContent(), /steps\.py:8/);
  assert.match(await detail.textContent(), /kernel › rows 0/);
  await page.keyboard.press("n");
  assert.match(await detail.textContent(), /move|assemble/);
  await page.keyboard.press("Escape");
  assert.equal(await detail.textContent(), "");
  // Five iterations, each reads eight rows of x.
  assert.match(await page.locator("#step-text").textContent(), /^1 \/ 5: reads \[0, 0\] \+ \[8, 16\], exp/);
  await page.locator("#step").fill("4");
  assert.match(await page.locator("#step-text").textContent(), /^5 \/ 5: reads \[32, 0\] \+ \[8, 16\]/);
  await done();
});

// Two operations take one load each: by hand, exp takes 8 × 16 × 4 bytes and makes as many, its result
// waits until add takes it; the load of the next iteration overlaps with add.
const SUMS = `import pypto, torch
F32 = pypto.DT_FP32
@pypto.frontend.jit
def sums(x: pypto.Tensor([pypto.DYN, 16], F32), y: pypto.Tensor([pypto.DYN, 16], F32)):
    pypto.set_vec_tile_shapes(8, 16)
    for i in pypto.loop(x.shape[0] // 8, name="rows"):
        part = pypto.view(x, [8, 16], [8 * i, 0])
        powers = pypto.exp(part)
        roots = pypto.sqrt(part)
        pypto.assemble(pypto.add(powers, roots), [8 * i, 0], y)
sums(torch.zeros(8, 16), torch.zeros(8, 16))
sums(torch.zeros(40, 16), torch.zeros(40, 16))
`;

test("run: what is in the memory, operands and the chain of each launch", async () => {
  const file = program("sums.py", SUMS);
  const {page, done} = await open(file);
  const title = page.locator("#contents-title"), list = page.locator("#contents li");
  const detail = page.locator("#detail");
  await page.focus("#timeline");
  await page.keyboard.press("n");
  assert.match(await title.textContent(), /UB 1,024 \/ 196,608 B, 0\.5 %/);
  assert.deepEqual(await list.allTextContents(), ["1,024 B, exp → powers (sums.py:8), tile at work"]);
  assert.match(await detail.textContent(), /FLOPs128, 0\.25 FLOPs a byte/);
  await page.keyboard.press("n");
  assert.match(await title.textContent(), /UB 1,536 /);
  assert.deepEqual(await list.allTextContents(), ["1,024 B, sqrt → roots (sums.py:9), tile at work",
    "512 B, exp → powers (sums.py:8), result kept for later"]);
  await page.keyboard.press("n");
  assert.match(await title.textContent(), /UB 1,536 /); // alone: 2 operands and a result of 512 bytes
  assert.match(await detail.textContent(), /takes results ofexp → powers \(sums\.py:8\), sqrt → roots \(sums\.py:9\)/);
  await page.keyboard.press("n");
  assert.deepEqual(await list.allTextContents(), ["512 B, add (sums.py:10), result kept for later"]);
  // In the second launch two loads and an addition overlap.
  await page.locator("#peak").click();
  assert.match(await title.textContent(), /UB 3,584 /);
  assert.equal(await list.count(), 3);
  // The chains: of the first launch exp, sqrt, add, assemble; the second has five iterations.
  const chain = [];
  await page.focus("#timeline");
  await page.keyboard.press("Escape");
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press("c");
    chain.push((await detail.locator("dd").first().textContent()));
  }
  assert.deepEqual(chain, ["exp → powers", "sqrt → roots", "add", "assemble → y", "exp → powers"]);
  await page.selectOption("#points", "operations");
  assert.ok(Number(await page.locator("#roofline").getAttribute("data-boxes")) > 0);
  await done();
});

// A click, keys, wheel: what is drawn for a frame is bounded by the pixels, not by the length of the run.
test("run: a long run is drawn by the pixel", async () => {
  const file = program("long.py", SUMS.replace("torch.zeros(40, 16), torch.zeros(40, 16)", "torch.zeros(40000, 16), torch.zeros(40000, 16)"));
  const {page, done} = await open(file);
  const operations = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).operations.count);
  assert.equal(operations, 4 + 5000 * 4);
  await page.focus("#timeline");
  const most = async () => Math.max(...await page.locator("canvas[data-boxes]").evaluateAll(
    (all) => all.map((one) => Number(one.dataset.boxes))));
  for (const key of ["Home", "+", "+", "+", "ArrowRight", "+", "+", "+", "+", "+", "ArrowRight", "-", "End", "0"]) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.ok(await most() < 12 * 1280, key);
  }
  await done();
});

test("run: every pixel row of the timeline is drawn in dark mode, too", async () => {
  const file = program("dark.py", HOSTILE);
  const colors = [];
  for (const colorScheme of ["light", "dark"]) {
    const {page, done} = await open(file, {colorScheme});
    colors.push(await page.evaluate(() => {
      const canvas = document.getElementById("timeline");
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] === 255) {
          seen.add(data[i] + "," + data[i + 1] + "," + data[i + 2]);
        }
      }
      return Array.from(seen);
    }));
    await done();
  }
  assert.ok(colors[0].length > 5 && colors[1].length > 5);
  assert.notDeepEqual(new Set(colors[0]), new Set(colors[1]));
});

test("hostile names stay text", async () => {
  const file = program("hostile.py", HOSTILE);
  const {page, done} = await open(file);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("script").count(), 3); // the words, the figures, the page's own
  assert.equal(await page.locator("[onclick]").count(), 0);
  await page.focus("#timeline");
  await page.keyboard.press("n");
  const texts = await page.evaluate(() => document.body.innerText);
  assert.ok(!texts.includes("\u202e"));
  assert.ok(texts.includes("\\u{202e}"));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  await done();
  fs.writeFileSync(path.join(folder, "finding.py"), HOSTILE.replace("pypto.exp", "pypto.nothing_of_" + "e".repeat(10000)));
  const check = await open(make("finding.html", ["check", "finding.py"]));
  assert.ok(await check.page.locator("article").count() > 0);
  assert.equal(await check.page.evaluate(() => window.broken), undefined);
  assert.equal(await check.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  await check.done();
});

test("the policy stops what might get in all the same", async () => {
  const file = make("policy.html", ["check", broken]);
  const text = fs.readFileSync(file, "utf8");
  const bent = path.join(folder, "bent.html");
  fs.writeFileSync(bent, text.replace("<main>", "<main><script>window.broken = 1</script><img src=x onerror='window.broken = 2'>"));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto("file://" + bent);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.ok(await page.locator("[data-filter]").isVisible()); // the page's own script runs
  await context.close();
});

// The pages of the pictures in the docs: two kernels of examples/failing, and a run. Each is made once.
function pictured(name) {
  const picture = pictures.find((one) => one.name === name), file = path.join(folder, name + ".html");
  const examples = path.join(folder, "pictures-" + name);
  if (!fs.existsSync(file)) {
    writePage(picture, file, binary, python, examples);
  }
  const report = (operator) => JSON.parse(fs.readFileSync(
    path.join(examples, "custom", operator, "eval/evaluation_report.json"), "utf8"));
  return {picture, file, report};
}

test("verify: the matrix, and maps that show which rows were never written", async () => {
  const {file, report: read} = pictured("verify-tail");
  const report = read("gated_rmsnorm");
  const {page, done} = await open(file);
  const failing = report.checks.filter((one) => one.per_mode_status.sim === "FAIL");
  assert.deepEqual(await page.locator("table tr td:first-child").allTextContents(), report.checks.map((one) => one.id));
  assert.equal(await page.locator("article").count(), failing.length);
  // The last of 33 rows, all 64 columns: in the map of 33 × 64 cells of six pixels, row 32.
  const rows = await page.locator("article:has(h3:has-text('L3_tail_block')) svg.map rect.mu")
    .evaluateAll((all) => all.map((one) => [one.getAttribute("y"), one.getAttribute("width")]));
  assert.deepEqual(rows, [[String(32 * 6), String(64 * 6)]]);
  assert.equal(await page.locator("svg.map rect.m9, svg.map rect.mn").count(), 0);
  const tail = await page.locator("article:has(h3:has-text('L3_tail_block')) dl").innerText();
  assert.match(tail, /only the last rows: row 32 of 33, all 64 columns/);
  assert.match(tail, /64 of 2112 elements beyond atol 0\.01, rtol 0\.01/);
  // The blamed line with the source around it; no line of the reference.
  assert.match(await page.locator("pre.source .here").first().textContent(), /block_count = row_count \/\/ ROW_BLOCK/);
  assert.ok(!(await page.locator("pre.source").allTextContents()).some((text) => text.includes("golden")));
  assert.match(await page.locator("dl").first().innerText(), /blame\s+gated_rmsnorm_module12_impl\.py:72/);
  assert.match(await page.locator("article").first().innerText(), /Simulator .*\[unwritten-output\]/);
  const blamed = report.checks.filter((one) => one.blame?.status === "found" || one.blame?.status === "unsure");
  assert.ok(blamed.length > 0);
  for (const one of blamed) {
    const text = await page.locator(`article:has(h3:has-text('${one.id}'))`).textContent();
    assert.match(text, /Blame:/);
    const place = one.blame.status === "found" ? one.blame : one.blame.candidates[0];
    if (place !== undefined) {
      assert.ok(text.includes(`${place.file}:${place.line}`), text);
    }
  }
  await page.locator("a[href^='#case-']").first().click();
  assert.ok(await page.locator("article").first().isVisible());
  await done();
});

test("verify: the other twin of the examples", async () => {
  const {file, report} = pictured("verify-mask");
  const first = report("attention_backward").checks.find((one) => one.id === "L2_canonical");
  assert.deepEqual([first.per_mode_status.sim, first.blame.line], ["FAIL", 33]);
  const {page, done} = await open(file);
  // The row of the first query in each of two heads: 64 numbers each that are not finite.
  const rows = await page.locator("article:has(h3:has-text('L2_canonical')) svg.map").first().locator("rect.mn")
    .evaluateAll((all) => all.map((one) => [one.getAttribute("y"), one.getAttribute("width")]));
  assert.deepEqual(rows, [["0", "384"], [String(32 * 6), "384"]]); // 128 rows in 64
  assert.match(await page.locator("pre.source .here").first().textContent(), /pypto\.tril\(ones, distance - 1\)/);
  await done();
});

// Fonts and small changes do not matter: the mean of the differences of 64 × 64 blocks does.
test("the screenshots of the docs look like the pages of today", async () => {
  for (const {name} of pictures) {
    const {picture, file} = pictured(name);
    const png = await shoot(browser, picture, file);
    const svg = fs.readFileSync(path.join(root, "docs/kernel-authors/screenshots", name + ".svg"));
    assert.ok(svg.length < 100000, name);
    const page = await browser.newPage();
    const difference = await page.evaluate(async (urls) => {
      const [one, other] = await Promise.all(urls.map(async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const pen = new OffscreenCanvas(64, 64).getContext("2d");
        pen.imageSmoothingQuality = "high";
        pen.drawImage(image, 0, 0, 64, 64);
        return pen.getImageData(0, 0, 64, 64).data;
      }));
      return one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0) / one.length;
    }, ["data:image/png;base64," + png.toString("base64"), "data:image/svg+xml;base64," + svg.toString("base64")]);
    await page.close();
    assert.ok(difference < 6, `${name}: ${difference}; scripts/make_screenshots.mjs makes them anew`);
  }
});

test("no serious violation of accessibility, light and dark", async () => {
  // One of its rules; their texts are those of the page of rules.
  await accessible(make("a.html", ["check", broken]), "details[id^=rule-]:not(#rule-OL01)");
  await accessible(program("a.py", HOSTILE));
  await accessible(make("a-rules.html", ["rules"]));
  await accessible(pictured("verify-tail").file);
});

test("a program that launches nothing, one that fails", async () => {
  const nothing = await open(program("nothing.py", "print(1)\n"));
  assert.match(await nothing.page.locator(".verdict").first().textContent(), /status 0.*launched no kernel/);
  await nothing.done();
  fs.writeFileSync(path.join(folder, "fails.py"), HOSTILE + "raise SystemExit(7)\n");
  const file = path.join(folder, "fails.html");
  const done = spawnSync(binary, ["run", "--html", file, "--python", python, "fails.py"], {cwd: folder});
  assert.equal(done.status, 7);
  const fails = await open(file);
  assert.match(await fails.page.locator(".verdict.fail").textContent(), /status 7/);
  await fails.done();
});

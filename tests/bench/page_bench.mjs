// What a page of a run costs: recording with --html against without, size, and in Chromium the time until the
// page is drawn and the longest task while it is panned and zoomed.
//
//     node tests/bench/page_bench.mjs PYPTO_LINT PYTHON
//
// Recording is counted in processor time (user and system, the least of three), so that other work on the
// machine matters little. docs/internals/performance.md has the figures.
import {spawnSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import {launch} from "../../scripts/make_screenshots.mjs";

const [binary, python] = process.argv.slice(2).map((word) => path.resolve(word));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pypto-lint-page-bench-"));
const OPERATIONS_OF_AN_ITERATION = 4;

const program = (iterations) => `import pypto, torch
F32 = pypto.DT_FP32
@pypto.frontend.jit
def sums(x: pypto.Tensor([pypto.DYN, 256], F32), y: pypto.Tensor([pypto.DYN, 256], F32)):
    pypto.set_vec_tile_shapes(32, 256)
    for i in pypto.loop(x.shape[0] // 32, name="rows"):
        part = pypto.view(x, [32, 256], [32 * i, 0])
        pypto.assemble(pypto.add(pypto.exp(part), pypto.sqrt(part)), [32 * i, 0], y)
x, y = torch.zeros(32 * ${Math.min(iterations, 250)}, 256), torch.zeros(32 * ${Math.min(iterations, 250)}, 256)
for launch in range(${Math.ceil(iterations / 250)}):
    sums(x, y)
`;

// Seconds of processor time of a command, the least of three.
function cost(words) {
  const times = [1, 2, 3].map(() => {
    const done = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@"', "bash", ...words], {cwd: folder, encoding: "utf8"});
    const [user, system] = done.stderr.trim().split("\n").pop().split(" ").map(Number);
    return user + system;
  });
  return Math.min(...times);
}

async function inBrowser(browser, file) {
  const page = await browser.newPage({viewport: {width: 1280, height: 900}});
  await page.addInitScript(() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration)))
      .observe({type: "longtask"});
  });
  const begun = performance.now();
  await page.goto("file://" + file);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const opened = performance.now() - begun;
  await page.waitForTimeout(300);
  await page.evaluate(() => { window.tasks.length = 0; });
  await page.focus("#timeline");
  for (const key of ["+", "+", "ArrowRight", "+", "+", "ArrowRight", "ArrowLeft", "-", "-", "n", "n", "c", "c", "0"]) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.waitForTimeout(300);
  const longest = await page.evaluate(() => Math.max(0, ...window.tasks));
  await page.close();
  return {opened, longest};
}

const browser = await launch();
console.log("operations  without  with --html  ratio  page bytes  opened ms  longest task ms");
for (const operations of [1000, 10000, 100000]) {
  const name = "bench" + operations + ".py", page = path.join(folder, name + ".html");
  fs.writeFileSync(path.join(folder, name), program(operations / OPERATIONS_OF_AN_ITERATION));
  const plain = cost([binary, "run", "--python", python, name]);
  const recorded = cost([binary, "run", "--html", page, "--python", python, name]);
  const {opened, longest} = await inBrowser(browser, page);
  console.log([operations, plain.toFixed(2), recorded.toFixed(2), (recorded / plain).toFixed(2), fs.statSync(page).size,
    Math.round(opened), Math.round(longest)].join("  "));
}
await browser.close();
fs.rmSync(folder, {recursive: true});

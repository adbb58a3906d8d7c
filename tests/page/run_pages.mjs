// The page of a run: costs, the timeline, memory, windows, the roofline.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";

import {HOSTILE, NAME, SUMS} from "./programs.mjs";
import {binary, command, folder, make, open, pictured, program, python} from "./support.mjs";

test("run: the cost of lines is that of the trace, and the timeline answers keys", async () => {
  fs.writeFileSync(path.join(folder, "steps.py"), HOSTILE.replaceAll("k".repeat(10000), "kernel")
    .replace(`    pypto.set_semantic_label(${JSON.stringify(NAME)})\n`, "").replace(JSON.stringify(NAME), '"rows"'));
  await command(["run", "--trace", "steps.json", "steps.py"], "program");
  const trace = JSON.parse(fs.readFileSync(path.join(folder, "steps.json"), "utf8"));
  const cycles = trace.traceEvents.filter((one) => one.ph === "X").reduce((sum, one) => sum + one.args.cycles, 0);
  const file = await make("steps.html", ["run", "steps.py"]);
  const {page, done} = await open(file);
  const cells = await page.locator("h2:has-text('Lines by cost') + div td.number:nth-child(3)").allTextContents();
  assert.equal(cells.reduce((sum, text) => sum + Number(text.replaceAll(",", "")), 0), cycles);
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
  assert.match(await page.locator("#step-text").textContent(), /^1 \/ 5: reads \[8, 16\] at \[0, 0\], exp/);
  await page.locator("#step").fill("4");
  assert.match(await page.locator("#step-text").textContent(), /^5 \/ 5: reads \[8, 16\] at \[32, 0\]/);
  await done();
});

test("run: what is in the memory, operands and the chain of each launch", async () => {
  const file = await program("sums.py", SUMS);
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

test("run: all memories at a glance, a line's source, what is under the pointer", async () => {
  const {page, done} = await open((await pictured("run")).file);
  const strips = page.locator("#strips");
  // Attention uses UB, L1, L0A, L0B and L0C: a strip of 24 pixels for each.
  await page.waitForFunction(() => document.getElementById("strips").clientHeight === 5 * 24);
  await strips.click({position: {x: 400, y: 24 + 12}});
  assert.equal(await page.locator("#which").inputValue(), "L1");
  assert.match(await page.locator("#contents-title").textContent(), /: L1 [\d,]+ \/ 524,288 B/);
  const link = page.locator("td.place a").first();
  const place = await link.textContent();
  await link.focus();
  await page.keyboard.press("Enter");
  const target = page.locator(".row:target");
  assert.equal(await target.locator(".number").textContent(), place.split(":")[1]);
  assert.match(await target.getAttribute("class"), /here/); // the costliest line
  assert.match(await page.locator("#step-text").textContent(), /^1 \/ 20: reads \[16, 32\] at \[0, 0\]/);
  const timeline = page.locator("#timeline");
  await timeline.scrollIntoViewIfNeeded();
  let title = "";
  for (let x = 200; x < 400 && title === ""; x += 10) { // in the row of MTE2
    await timeline.hover({position: {x, y: 3 * 16 + 12}});
    title = await timeline.getAttribute("title");
  }
  assert.match(title, /^matmul.* \(sim\/flash_attention\.py:\d+\), .* cycles$/);
  await done();
});

// A click, keys, wheel: what is drawn for a frame is bounded by the pixels, not by the length of the run.
test("run: a long run is drawn by the pixel", async () => {
  const file = await program("long.py", SUMS.replace("torch.zeros(40, 16), torch.zeros(40, 16)", "torch.zeros(40000, 16), torch.zeros(40000, 16)"));
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
  const file = await program("dark.py", HOSTILE);
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

test("a program that launches nothing, one that fails", async () => {
  const nothing = await open(await program("nothing.py", "print(1)\n"));
  assert.match(await nothing.page.locator(".verdict").first().textContent(), /status 0.*launched no kernel/);
  await nothing.done();
  fs.writeFileSync(path.join(folder, "fails.py"), HOSTILE + "raise SystemExit(7)\n");
  const file = path.join(folder, "fails.html");
  const done = await command(["run", "--html", file, "fails.py"], "program");
  assert.equal(done.status, 7);
  const fails = await open(file);
  assert.match(await fails.page.locator(".verdict.fail").textContent(), /status 7/);
  await fails.done();
});

test("run: nothing is left of a run that a signal ended", async () => {
  // The simulator writes its figures into a file beside theirs first: the program ends while that is there.
  fs.writeFileSync(path.join(folder, "ended.py"), "import os\n" +
    "open(os.environ['PTOSIM_PAGE_DATA'] + '.1-0', 'w').close()\nos.kill(os.getpid(), int(os.environ['BY']))\n");
  const places = path.join(folder, "places");
  fs.mkdirSync(places);
  for (const [name, number] of [["SIGTERM", 15], ["SIGHUP", 1]]) {
    const file = path.join(folder, name + ".html");
    const done = spawnSync(binary, ["run", "--html", file, "--python", python, "ended.py"],
      {cwd: folder, env: {...process.env, TMPDIR: places, BY: String(number)}, encoding: "utf8"});
    assert.equal(done.signal, name, done.stderr);
    assert.deepEqual(fs.readdirSync(places), []);
    assert.match(fs.readFileSync(file, "utf8"), /was ended before it was done/);
  }
});

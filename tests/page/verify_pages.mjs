// The page of verify, and the pictures of pages in the docs.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";

import {pictures, root, shoot} from "../../scripts/make_screenshots.mjs";
import {browser, columns, open, pictured} from "./support.mjs";

test("verify: the matrix, and maps that show which rows were never written", async () => {
  const {file, report: read} = await pictured("verify-tail");
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
  assert.match(tail, /only the last rows: row 32 \(of 0\.\.32\), all 64 columns/);
  assert.match(tail, /64 of 2112 elements beyond atol 0\.01, rtol 0\.01/);
  // The line is only suspected: general advice first, then the line, said once above its source; no line of the reference.
  assert.equal((await page.locator("main, body").first().innerText()).match(/no write covers the wrong elements/g).length, 1);
  assert.equal(await page.locator("pre.source:not(.quiet) .here").count(), 1);
  assert.match(await page.locator("pre.source .here").first().textContent(), /block_count = row_count \/\/ ROW_BLOCK/);
  assert.ok(!(await page.locator("pre.source").allTextContents()).some((text) => text.includes("golden")));
  assert.match(await page.locator("dl").first().innerText(),
    /what to do\s+.*does the loop reach the last block.*\s+which line\s+gated_rmsnorm_module12_impl\.py:72 \(suspected\)/);
  assert.match(await page.locator("article").first().innerText(), /Warning .*\[unwritten-output\]/);
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
  const {file, report} = await pictured("verify-mask");
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

test("verify: the map of columns that were never written", async () => {
  const {file, report} = await columns();
  const tail = report.checks.find((one) => one.id === "L3_tail_block");
  assert.equal(tail.per_mode_status.sim, "FAIL");
  const {page, done} = await open(file);
  // 33 rows of 64 columns, a cell for each: the cells of the columns 48 to 63 of every row.
  const cells = await page.locator("article:has(h3:has-text('L3_tail_block')) svg.map rect.mu")
    .evaluateAll((all) => all.map((one) => ["x", "y", "width"].map((name) => Number(one.getAttribute(name)) / 6)));
  assert.deepEqual(cells, Array.from({length: 33}, (_, row) => [48, row, 16]));
  assert.equal(await page.locator("article:has(h3:has-text('L3_tail_block')) svg.map rect.mn").count(), 0);
  const words = await page.locator("article:has(h3:has-text('L3_tail_block')) dl").innerText();
  assert.match(words, /never written\s+columns 48–63 of 64/);
  await done();
});

// Contrast as WCAG has it, of the colour that the browser draws.
const CONTRASTS = () => {
  const luminance = (name) => {
    const svg = document.querySelector("svg.map"), rect = document.createElementNS(svg.namespaceURI, "rect");
    rect.setAttribute("class", name);
    svg.append(rect);
    const [red, green, blue] = getComputedStyle(rect).fill.match(/[\d.]+/g).map((one) => Number(one) / 255)
      .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    rect.remove();
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ground = luminance("field");
  return ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "mn", "mu"].map(luminance).map((one) =>
    (Math.max(one, ground) + 0.05) / (Math.min(one, ground) + 0.05));
};

test("verify: the worse a difference, the more it stands out, light and dark", async () => {
  const {file} = await pictured("verify-mask");
  for (const colorScheme of ["light", "dark"]) {
    const {page, done} = await open(file, {colorScheme});
    const contrasts = await page.evaluate(CONTRASTS), levels = contrasts.slice(0, 9);
    assert.deepEqual(levels, levels.toSorted((one, other) => one - other), colorScheme);
    assert.ok(levels[0] > 1.3 && levels[8] > 4.5 && Math.min(...contrasts.slice(9)) > 3, colorScheme + contrasts);
    await done();
  }
});

// Fonts and small changes do not matter: the mean of the differences of 64 × 64 blocks does.
test("the screenshots of the docs look like the pages of today", async () => {
  for (const {name} of pictures) {
    const {picture, file} = await pictured(name);
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

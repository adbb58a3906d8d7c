// What pages show of hostile files stays text.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";

import {BYTES, HOSTILE, SUMS} from "./programs.mjs";
import {broken, browser, columns, folder, make, open, program} from "./support.mjs";

test("hostile names stay text", async () => {
  const file = await program("hostile.py", HOSTILE);
  const {page, done} = await open(file);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("script").count(), 3); // the words, the figures, the page's own
  assert.equal(await page.locator("[onclick]").count(), 0);
  await page.focus("#timeline");
  await page.keyboard.press("n");
  const texts = await page.evaluate(() => document.body.innerText);
  for (const code of ["202e", "2028", "2029"]) {
    assert.ok(!texts.includes(String.fromCodePoint(Number.parseInt(code, 16))), code);
    assert.ok(texts.includes(`\\u{${code}}`), code);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  await done();
  fs.writeFileSync(path.join(folder, "finding.py"), HOSTILE.replace("pypto.exp", "pypto.nothing_of_" + "e".repeat(10000)));
  const check = await open(await make("finding.html", ["check", "finding.py"]));
  assert.ok(await check.page.locator("article").count() > 0);
  assert.equal(await check.page.evaluate(() => window.broken), undefined);
  assert.equal(await check.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  await check.done();
});

test("the policy stops what might get in all the same", async () => {
  const file = await make("policy.html", ["check", broken]);
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

// Nothing of the file ran, its text is there, and the page is as wide as the window.
async function isTamed(file, what) {
  new TextDecoder("utf-8", {fatal: true}).decode(fs.readFileSync(file));
  const {page, done} = await open(file);
  const text = await page.locator(what).first().innerText();
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.match(text, /<\/script><script>window\.broken = 1<\/script>/);
  assert.doesNotMatch(text, /[\u2028\u2029\u202e\ud800-\udfff\u0085]/);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  await done();
}

const withBytes = (text, line) => {
  const at = text.indexOf(line);
  return Buffer.concat([Buffer.from("# coding: latin-1\n" + text.slice(0, at)), BYTES, Buffer.from("\n" + text.slice(at))]);
};

test("bytes that are not text are shown as text by check, run and verify", async () => {
  fs.writeFileSync(path.join(folder, "bytes.py"), withBytes(SUMS, "@pypto"));
  await isTamed(await make("bytes.html", ["run", "bytes.py"]), "pre.source");
  fs.writeFileSync(path.join(folder, "bytes-check.py"), withBytes(SUMS.replace("pypto.exp", "pypto.nothing"), "        powers"));
  await isTamed(await make("bytes-check.html", ["check", "bytes-check.py"]), "article pre.source");
  const {file} = await columns();
  await isTamed(file, "pre.source");
});

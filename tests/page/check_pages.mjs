// The pages of check and rules: filters, search, keys, links, fixes.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {test} from "node:test";

import {root} from "../../scripts/make_screenshots.mjs";
import {broken, command, make, open} from "./support.mjs";

test("check: filters, search, keys and links", async () => {
  const file = await make("check.html", ["check", broken]);
  const {page, done} = await open(file);
  const shown = () => page.locator("article:not([hidden])").count();
  const all = await shown();
  const findings = JSON.parse((await command(["check", "--format", "json", broken])).stdout);
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
  const file = await make("change.html", ["check", "--rules", "OL56", path.join(broken, "DESIGN.md")]);
  const {page, done} = await open(file);
  await page.locator("article details summary").first().click();
  const line = '    for piece in pypto.loop(x.shape[0] // 64, name="pieces", unroll_list=';
  assert.equal(await page.locator(".change .removed").textContent(), "- " + line + "[16, 4, 1]):");
  assert.equal(await page.locator(".change .added").textContent(), "+ " + line + "[1]):");
  await done();
});

test("rules: every rule once, found by stage and words", async () => {
  const file = await make("rules.html", ["rules"]);
  const {page, done} = await open(file);
  const rules = JSON.parse((await command(["rules", "--format", "json"])).stdout).rules
    .filter((rule) => rule.id !== "OL00");
  assert.deepEqual(await page.locator("details").evaluateAll((all) => all.map((one) => one.id)),
    rules.map((rule) => "rule-" + rule.id));
  await page.selectOption("select[data-key=stage]", "7");
  assert.equal(await page.locator("details:not([hidden])").count(), rules.filter((rule) => rule.stages.includes(7)).length);
  await page.selectOption("select[data-key=stage]", "");
  await page.fill("input[type=search]", "F74006");
  assert.ok(await page.locator("[data-item]:not([hidden])").count() > 0);
  // The simulator's checks are there, too: errors by code, warnings by the names that they are printed with.
  await page.fill("input[type=search]", "");
  const shown = page.locator("[data-item]:not([hidden]) > .code");
  await page.selectOption("select[data-key=severity]", "warning");
  const checks = fs.readFileSync(path.join(root, "docs/kernel-authors/simulator-checks.md"), "utf8");
  const names = await shown.allTextContents();
  assert.ok(names.length > 30 && new Set(names).size === names.length);
  for (const name of ["unwritten-output", "race", "uncarried-state", "many-tiles"]) {
    assert.ok(names.includes(name) && checks.includes("`" + name + "`"), name);
  }
  await page.selectOption("select[data-key=fix]", "safe");
  assert.equal(await shown.count(), 0);
  await page.selectOption("select[data-key=fix]", "");
  await page.selectOption("select[data-key=severity]", "error");
  assert.ok((await shown.allTextContents()).every((text) => /^[0-9A-F]{6} /.test(text)));
  await done();
});

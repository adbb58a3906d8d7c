// The pages of --html in a real browser, from file:// addresses: each file that is imported below has the
// tests of a part, all in one process with one browser.
//
// Usage: node test_pages.mjs PYPTO_LINT PYTHON
import assert from "node:assert/strict";
import fs from "node:fs";
import {createRequire} from "node:module";
import {after, before, test} from "node:test";

import {HOSTILE} from "./programs.mjs";
import {begin, broken, end, make, open, pictured, preparePictures, program} from "./support.mjs";

const require = createRequire(import.meta.url);
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

before(async () => {
  await begin();
  preparePictures();
});
after(end);

await import("./check_pages.mjs");
await import("./run_pages.mjs");
await import("./hostile_pages.mjs");
await import("./verify_pages.mjs");

// Dark mode has the same elements in other colors: rules about anything else have judged them in light mode.
const OF_COLORS = ["color-contrast", "link-in-text-block"];

// `except`: a selector of what is judged elsewhere.
async function accessible(file, except = ":not(*)") {
  for (const colorScheme of ["light", "dark"]) {
    const {page, done} = await open(file, {colorScheme});
    await page.evaluate((selector) => document.querySelectorAll(selector).forEach((one) => one.remove()), except);
    await page.evaluate(axe);
    const found = await page.evaluate((rules) => window.axe.run(document,
      {resultTypes: ["violations"], ...(rules ? {runOnly: {type: "rule", values: rules}} : {})}),
    colorScheme === "dark" ? OF_COLORS : null);
    assert.deepEqual(found.violations.filter((one) => ["serious", "critical"].includes(one.impact))
      .map((one) => [one.id, one.nodes[0].html.slice(0, 200), one.nodes[0].failureSummary]), [], colorScheme);
    await done();
  }
}

test("without scripts the verdict, the findings and the tables are there", async () => {
  for (const [file, what] of [
    [await make("plain.html", ["check", broken]), "article"],
    [await program("plain.py", HOSTILE), "table tr"],
    [await make("plain-rules.html", ["rules"]), "details"],
  ]) {
    const {page, done} = await open(file, {javaScriptEnabled: false});
    assert.ok(await page.locator(what).first().isVisible());
    assert.equal(await page.locator("[data-filter]").isVisible().catch(() => false), false);
    await done();
  }
});

test("no serious violation of accessibility, light and dark", async () => {
  // One of its rules; their texts are those of the page of rules.
  await accessible(await make("a.html", ["check", broken]), "details[id^=rule-]:not(#rule-OL01)");
  await accessible(await program("a.py", HOSTILE));
  await accessible(await make("a-rules.html", ["rules"]));
  await accessible((await pictured("verify-tail")).file);
});

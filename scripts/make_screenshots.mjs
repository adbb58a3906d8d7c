// Draws the screenshots of docs/kernel-authors/pages.md: pages of the failing examples and of a run.
//
//     node scripts/make_screenshots.mjs PYPTO_LINT PYTHON
//
// Needs Debian's Chromium and tests/page/node_modules. A picture is a WebP in an SVG: text for the
// repository, and small. The test page.browser compares them loosely with what the pages look like today.
import {spawn} from "node:child_process";
import {once} from "node:events";
import fs from "node:fs";
import {createRequire} from "node:module";
import os from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(path.join(root, "tests/page/package.json"));
const QUALITY = 0.3;
const MOST_BYTES = 100 * 1000;

function verify(operator, cases) {
  return ["verify", "--op-dir", "custom/" + operator, "--impl", "failing/" + operator + "_module12_impl.py",
    "--up-to-module", "2", "--modes", "sim", "--blame", "--levels", cases];
}
// Commands, in a copy of examples/.
export const pictures = [
  {name: "verify-tail", command: verify("gated_rmsnorm", "L2,L3"), scheme: "light", height: 1640},
  {name: "verify-mask", command: verify("attention_backward", "L2"), scheme: "dark", height: 1400},
  {name: "run", command: ["run", "sim/flash_attention.py"], scheme: "light", height: 1220,
    keys: ["+", "+", "+", "n", "n", "n", "n"]},
];

export async function launch() {
  const {chromium} = require("playwright-core");
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

// The page of a picture, written to `file`; verify's report goes into a copy of the examples.
export async function writePage(picture, file, binary, environment, folder) {
  fs.cpSync(path.join(root, "examples"), folder, {recursive: true});
  const [command, ...words] = picture.command;
  const child = spawn(binary, [command, "--html", file, ...words],
    {cwd: folder, env: environment, stdio: ["ignore", "ignore", "inherit"]});
  const [status] = await once(child, "exit");
  if (status !== 0 && status !== 1) {
    throw new Error(`${picture.name}: ${command} ended with status ${status}`);
  }
}

export async function shoot(browser, picture, file) {
  const context = await browser.newContext({viewport: {width: 1000, height: picture.height}, colorScheme: picture.scheme});
  const page = await context.newPage();
  await page.goto("file://" + file);
  for (const key of picture.keys || []) {
    await page.focus("#timeline");
    await page.keyboard.press(key);
  }
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const png = await page.screenshot();
  await context.close();
  return png;
}

// The browser's own encoder makes the WebP.
async function asSvg(browser, picture, png) {
  const page = await browser.newPage();
  const url = await page.evaluate(async ([data, quality]) => {
    const image = new Image();
    image.src = data;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({type: "image/webp", quality});
    return new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(blob);
    });
  }, ["data:image/png;base64," + png.toString("base64"), QUALITY]);
  await page.close();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="${picture.height}" ` +
    `viewBox="0 0 1000 ${picture.height}">\n<image width="1000" height="${picture.height}" href="${url}"/>\n</svg>\n`;
}

async function main(binary, python) {
  const browser = await launch();
  for (const picture of pictures) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pypto-lint-screenshots-"));
    const file = path.join(folder, picture.name + ".html");
    await writePage(picture, file, path.resolve(binary), {...process.env, PYPTO_LINT_PYTHON: python},
      path.join(folder, "examples"));
    const text = await asSvg(browser, picture, await shoot(browser, picture, file));
    if (text.length > MOST_BYTES) {
      throw new Error(`${picture.name}: ${text.length} bytes, at most ${MOST_BYTES}`);
    }
    fs.writeFileSync(path.join(root, "docs/kernel-authors/screenshots", picture.name + ".svg"), text);
    fs.rmSync(folder, {recursive: true});
  }
  await browser.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(...process.argv.slice(2));
}

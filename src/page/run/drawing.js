// Helpers for drawing: colours from the style sheet, canvases in device pixels, text, keys.
const style = getComputedStyle(document.documentElement);
let colors;
function readColors() {
  const value = (key) => style.getPropertyValue("--" + key).trim();
  colors = {
    text: value("text"), soft: value("soft"), line: value("line"), panel: value("panel"),
    back: value("back"), fail: value("fail"), warn: value("warn"), info: value("info"),
    pass: value("pass"), mark: value("mark-line"),
  };
  colors.pipes = [colors.info, colors.soft, colors.fail, colors.warn, colors.pass, colors.mark];
}
readColors();

function prepare(canvas, height) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth || 900;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = "12px ui-monospace, monospace";
  pen.textBaseline = "middle";
  return {pen, width, height};
}

// Writes text within `room` pixels. Where it does not fit, `short` is written if there is one; else
// the text is cut with an ellipsis, or left out where fewer than three characters would fit.
const GLYPH = 7.3; // width in pixels of a character of the font above
function write(pen, text, left, middle, room, short = "") {
  const glyphs = Array.from(text), fit = Math.floor(room / GLYPH);
  if (glyphs.length <= fit) {
    pen.fillText(text, left, middle);
  } else if (short !== "") {
    pen.fillText(short.length <= fit ? short : "", left, middle);
  } else if (fit >= 3) {
    pen.fillText(glyphs.slice(0, fit - 1).join("") + "…", left, middle);
  }
}

// Records for tests how many boxes were drawn: the width of the canvas bounds them, not the length
// of the run.
function tally(canvas, boxes) {
  canvas.dataset.boxes = String(boxes);
}

function describe(list, pairs) {
  list.textContent = "";
  pairs.forEach(([key, value]) => {
    const term = document.createElement("dt"), text = document.createElement("dd");
    term.textContent = key;
    text.textContent = value;
    list.append(term, text);
  });
}

// Handles keys while a canvas has the focus; combinations with Ctrl, Meta or Alt stay the
// browser's.
function answerKeys(canvas, keys) {
  canvas.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (action !== undefined && ops.count > 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      action();
    }
  });
}

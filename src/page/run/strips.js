// All memories of the core that the run uses, a strip for each below the full drawing of the chosen one.
const STRIP = 24;
const strips = document.getElementById("strips");
const used = []; // numbers of the memories, as far as their curves are made

function drawStrip(pen, width, row, number) {
  const key = MEMORIES[number], size = data.capacity[key] || 1, curve = curveOf(number);
  const base = (row + 1) * STRIP - 3, tall = STRIP - 6;
  const columns = Math.max(Math.ceil(width - LABEL), 1);
  const isChosen = key === which.value;
  pen.fillStyle = isChosen ? colors.text : colors.soft;
  pen.fillText((isChosen ? "▸ " : "  ") + key + " " + (100 * curve.peak / size).toFixed(1) + " %", 4, base - tall / 2);
  pen.fillStyle = curve.peak > size ? colors.fail : colors.info;
  highest(curve, columns).forEach(({work, kept}, column) => {
    const high = (work + kept) / curve.peak * tall;
    pen.fillRect(LABEL + column, base - high, 1, high);
  });
  pen.fillStyle = colors.line;
  pen.fillRect(LABEL, base, width - LABEL, 1);
}

function drawStrips() {
  const {pen, width} = prepare(strips, Math.max(used.length, 1) * STRIP);
  used.forEach((number, row) => drawStrip(pen, width, row, number));
  pen.fillStyle = colors.text;
  pen.fillRect(x(moment, width), 0, 1, used.length * STRIP);
  tally(strips, used.length * Math.ceil(width - LABEL));
}

// A curve sorts all changes of its memory: each is made in a task of its own, so that the page answers meanwhile.
function makeStrip(number) {
  if (number === MEMORIES.length) {
    return;
  }
  if (curveOf(number).peak > 0) {
    used.push(number);
    redraw();
  }
  setTimeout(makeStrip, 0, number + 1);
}

grab(strips, (event) => {
  const row = Math.floor((event.clientY - strips.getBoundingClientRect().top) / STRIP);
  if (row >= 0 && row < used.length) {
    which.value = MEMORIES[used[row]];
    setMoment(cycleAt(strips, event));
  }
});
// In a task of their own: the timeline and the chosen memory follow the hand without waiting for them.
let asked = 0;
timed.push(() => {
  clearTimeout(asked);
  asked = setTimeout(drawStrips);
});
setTimeout(makeStrip, 0, 0);

// What the memories of the core contain over time: the tiles of running operations, summed over all
// that overlap, and in UB the results kept for a later operation.
const MEMORY_HEIGHT = 160;
const MOST_LISTED = 12;
const memory = document.getElementById("memory"), which = document.getElementById("which");
const contents = document.getElementById("contents"), contentsTitle = document.getElementById("contents-title");
const curves = new Map(); // by memory, made when first asked for

// Bytes that operation `i` occupies in a memory: `work` while it runs, `kept` (UB only) from its
// end to the last use of its result.
function inMemory(i, number) {
  return {work: data.needs[ops.needs[i]][number], kept: number === 0 && ops.until[i] > 0 ? ops.kept[i] : 0};
}

// A step function: from times[k] on, work[k] bytes are in use by running operations and kept[k] are
// kept.
function curveOf(number) {
  const key = MEMORIES[number];
  if (curves.has(key)) {
    return curves.get(key);
  }
  const changes = []; // [time, bytes at work, bytes kept], summed up in order
  for (let i = 0; i < ops.count; i++) {
    const {work, kept} = inMemory(i, number);
    if (work > 0) {
      changes.push([ops.start[i], work, 0], [ops.end[i], -work, 0]);
    }
    if (kept > 0) {
      changes.push([ops.end[i], 0, kept], [ops.end[i] + ops.until[i], 0, -kept]);
    }
  }
  changes.sort((a, b) => a[0] - b[0]);
  const curve = {times: [], work: [], kept: [], peak: 0, peakAt: 0};
  let work = 0, kept = 0;
  for (let k = 0; k < changes.length; k++) {
    work += changes[k][1];
    kept += changes[k][2];
    if (k + 1 < changes.length && changes[k + 1][0] === changes[k][0]) {
      continue; // at the same time: only the sum counts
    }
    curve.times.push(changes[k][0]);
    curve.work.push(work);
    curve.kept.push(kept);
    if (work + kept > curve.peak) {
      curve.peak = work + kept;
      curve.peakAt = k + 1 < changes.length ? (changes[k][0] + changes[k + 1][0]) / 2 : changes[k][0];
    }
  }
  curves.set(key, curve);
  return curve;
}

// Index of the last step at or before `time`; -1 before the first.
function stepAt(times, time) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

// The highest sum in each column of pixels.
function highest(curve, columns) {
  const high = Array.from({length: columns}, () => ({work: 0, kept: 0}));
  const span = view.to - view.from;
  const column = (time) => Math.min(Math.max(Math.floor((time - view.from) / span * columns), 0), columns - 1);
  for (let k = Math.max(stepAt(curve.times, view.from), 0); k < curve.times.length && curve.times[k] <= view.to; k++) {
    const last = k + 1 < curve.times.length ? column(curve.times[k + 1]) : column(curve.times[k]);
    for (let at = column(curve.times[k]); at <= last; at++) {
      if (curve.work[k] + curve.kept[k] > high[at].work + high[at].kept) {
        high[at] = {work: curve.work[k], kept: curve.kept[k]};
      }
    }
  }
  return high;
}

function drawMemory() {
  const number = MEMORIES.indexOf(which.value), size = data.capacity[which.value] || 1;
  const {pen, width, height} = prepare(memory, MEMORY_HEIGHT);
  const curve = curveOf(number), base = height - 20, tall = base - 14;
  // If little of the memory is used, drawing its capacity would flatten the curve: the peak is
  // marked instead.
  const isSmall = curve.peak < size / 4, most = isSmall ? curve.peak * 1.2 || 1 : Math.max(size, curve.peak);
  const y = (bytes) => base - bytes / most * tall;
  const columns = Math.max(Math.ceil(width - LABEL), 1);
  highest(curve, columns).forEach(({work, kept}, column) => {
    pen.fillStyle = work > size ? colors.fail : colors.info;
    pen.fillRect(LABEL + column, y(work), 1, base - y(work));
    pen.fillStyle = colors.mark;
    pen.fillRect(LABEL + column, y(work + kept), 1, y(work) - y(work + kept));
  });
  const line = isSmall ? curve.peak : size;
  pen.strokeStyle = isSmall ? colors.soft : colors.fail;
  pen.setLineDash(isSmall ? [1, 4] : [6, 3]);
  pen.beginPath();
  pen.moveTo(LABEL, y(line));
  pen.lineTo(width, y(line));
  pen.stroke();
  pen.setLineDash([]);
  pen.strokeStyle = colors.text;
  pen.strokeRect(x(moment, width), 4, 0, base - 4);
  pen.fillStyle = colors.soft;
  pen.fillText(which.value + " " + count(line), 4, Math.max(y(line), 8));
  if (isSmall) {
    pen.fillText((100 * line / size).toFixed(1) + " %", 4, y(line) + 16);
  }
  pen.fillText("0", 4, base);
  tally(memory, columns);
}

// Lists the operations whose tiles or results are in the memory at `moment`, largest first.
function listContents() {
  const number = MEMORIES.indexOf(which.value), size = data.capacity[which.value] || 1;
  const there = [];
  let sum = 0;
  for (let i = 0; i < ops.count; i++) {
    const {work, kept} = inMemory(i, number);
    const isWork = work > 0 && ops.start[i] <= moment && moment < ops.end[i];
    const isKept = kept > 0 && ops.end[i] <= moment && moment < ops.end[i] + ops.until[i];
    if (isWork || isKept) {
      there.push({i, bytes: isWork ? work : kept, why: isWork ? words.atwork : words.kept});
      sum += isWork ? work : kept;
    }
  }
  there.sort((a, b) => b.bytes - a.bytes);
  contentsTitle.textContent = words.cycle + " " + count(moment) + ": " + which.value + " " + count(sum) + " / " +
    count(size) + " B, " + (100 * sum / size).toFixed(1) + " %";
  contents.textContent = "";
  there.slice(0, MOST_LISTED).forEach(({i, bytes, why}) => {
    const item = document.createElement("li");
    item.textContent = count(bytes) + " B, " + opName(i) + " (" + place(i) + "), " + why;
    contents.append(item);
  });
  if (there.length > MOST_LISTED) {
    const item = document.createElement("li");
    item.textContent = "… " + (there.length - MOST_LISTED);
    contents.append(item);
  }
}

function setMoment(cycle) {
  moment = Math.min(Math.max(cycle, 0), end);
  listContents();
  redraw();
}
function showPeak() {
  setMoment(curveOf(MEMORIES.indexOf(which.value)).peakAt);
  show(moment, moment);
}

// The first memory that is used at all: a plain matmul does not use UB.
function firstUsed() {
  const used = MEMORIES.findIndex((key, number) => curveOf(number).peak > 0);
  return MEMORIES[Math.max(used, 0)];
}

grab(memory, (event) => setMoment(cycleAt(memory, event)));
const nextStep = (step) => {
  const {times} = curveOf(MEMORIES.indexOf(which.value));
  const at = Math.min(Math.max(stepAt(times, moment) + step, 0), times.length - 1);
  if (times.length > 0) {
    setMoment(times[at]);
    show(moment, moment);
  }
};
answerKeys(memory, Object.assign(timeKeys(), {n: () => nextStep(1), p: () => nextStep(-1), m: showPeak}));
which.addEventListener("change", showPeak);
document.getElementById("peak").addEventListener("click", showPeak);
which.value = firstUsed();
timed.push(drawMemory);

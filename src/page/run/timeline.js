// The timeline: launches and iterations as nested slices, a row for each unit, arrows from an
// operation to those that read its result.
const LANE = 16, PIPE = 24;
const MOST_ARROWS = 80; // with more operations in view, only the arrows of the chosen one are drawn
const timeline = document.getElementById("timeline");
const detail = document.getElementById("detail");
const timelineHeight = lanes * LANE + PIPES * PIPE + 28;
let chosen = -1;
let drawn = 0; // boxes in this frame

// Position in `list`, sorted by end, of the first item that ends at or after the left edge.
function firstVisible(list, ends) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[list[middle]] < view.from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function drawTurns(pen, width) {
  const last = Array.from({length: lanes}, () => -1);
  for (let i = 0; i < turns.count; i++) {
    if (depth[i] >= lanes || turns.end[i] < view.from || turns.start[i] > view.to) {
      continue;
    }
    const left = Math.max(x(turns.start[i], width), LABEL), right = Math.min(x(turns.end[i], width), width);
    const top = depth[i] * LANE;
    if (right - last[depth[i]] < 1) {
      continue; // narrower than what is drawn there
    }
    last[depth[i]] = right;
    drawn++;
    pen.fillStyle = turns.index[i] % 2 === 0 ? colors.panel : colors.line;
    pen.fillRect(left, top + 1, Math.max(right - left, 1), LANE - 2);
    if (right - left > 12) {
      pen.fillStyle = colors.text;
      write(pen, turnName(i), left + 3, top + LANE / 2, right - left - 4,
        turns.parent[i] === 0 ? "" : String(turns.index[i]));
    }
  }
}

// Label of an operation on a pipe: its line, and what it loads or computes.
function spanName(operation, pipe) {
  const loads = pipe === 0 ? cut(name(ops.loads[operation])) : "";
  return ops.line[operation] + ": " + (loads === "" ? opName(operation) : words.load + " " + loads);
}

function drawSpan(pen, pipe, operation, left, right) {
  const top = lanes * LANE + pipe * PIPE, wide = Math.max(right - left, 1);
  pen.fillStyle = colors.pipes[pipe];
  pen.globalAlpha = isCritical[operation] ? 1 : 0.55;
  pen.fillRect(left, top + 3, wide, PIPE - 6);
  pen.globalAlpha = 1;
  if (isCritical[operation]) {
    pen.fillStyle = colors.text;
    pen.fillRect(left, top + PIPE - 4, wide, 2);
  }
  if (operation === chosen) {
    pen.strokeStyle = colors.text;
    pen.lineWidth = 2;
    pen.strokeRect(left, top + 2, Math.max(wide, 2), PIPE - 4);
  }
  if (wide > 30) {
    pen.fillStyle = isCritical[operation] ? colors.back : colors.text;
    write(pen, spanName(operation, pipe), left + 4, top + PIPE / 2, wide - 6);
  }
}

// Draws the row of a pipe and adds the operations that got a box of their own to `seen`.
function drawPipe(pen, width, pipe, seen) {
  pen.fillStyle = colors.soft;
  pen.fillText(data.pipes[pipe].split(" ")[0], 4, lanes * LANE + pipe * PIPE + PIPE / 2);
  const list = spansOf[pipe];
  let edge = -1;
  for (let k = firstVisible(list, spans.end); k < list.length && spans.start[list[k]] <= view.to; k++) {
    const i = list[k], operation = spans.operation[i];
    const left = Math.max(x(spans.start[i], width), LABEL), right = Math.min(x(spans.end[i], width), width);
    if (right < edge + 0.5 && operation !== chosen) {
      continue; // narrower than what is drawn there
    }
    edge = right;
    drawn++;
    seen.add(operation);
    drawSpan(pen, pipe, operation, left, right);
  }
}

// Where arrows of an operation begin and end: x of its start and end, y of the row in which it ends
// last.
function anchor(operation, width) {
  let best = null;
  for (let pipe = 0; pipe < PIPES; pipe++) {
    const list = spansOf[pipe];
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans.operation[list[middle]] < operation) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const i = list[low];
    if (low < list.length && spans.operation[i] === operation && (best === null || spans.end[i] >= best.cycle)) {
      best = {cycle: spans.end[i], from: spans.start[i], y: lanes * LANE + pipe * PIPE + PIPE / 2};
    }
  }
  return best === null ? null : {from: x(best.from, width), to: x(best.cycle, width), y: best.y};
}

function drawArrow(pen, from, to) {
  pen.beginPath();
  pen.moveTo(from.to, from.y);
  pen.bezierCurveTo(from.to + 20, from.y, to.from - 20, to.y, to.from, to.y);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(to.from, to.y);
  pen.lineTo(to.from - 6, to.y - 3);
  pen.lineTo(to.from - 6, to.y + 3);
  pen.fill();
}

// Draws all arrows if few operations are in view, else those of the chosen operation.
function drawArrows(pen, width, seen) {
  const takers = seen.size <= MOST_ARROWS ? Array.from(seen) : chosen < 0 ? [] : [chosen];
  takers.forEach((taker) => {
    const to = anchor(taker, width);
    const makers = makersOf(taker);
    pen.strokeStyle = pen.fillStyle = colors.text;
    pen.lineWidth = taker === chosen ? 2 : 1;
    pen.globalAlpha = taker === chosen || chosen < 0 ? 0.8 : 0.25;
    makers.forEach((maker) => {
      const from = anchor(maker, width);
      if (from !== null && to !== null) {
        drawArrow(pen, from, to);
        drawn++;
      }
    });
  });
  pen.globalAlpha = 1;
}

// The axis of time: round numbers of cycles, as many as have room.
function drawAxis(pen, width, height) {
  const unit = words.cycles, edge = width - pen.measureText(unit).width - 4;
  pen.fillStyle = colors.soft;
  pen.fillText(unit, edge, height - 12);
  ticks(width).forEach((cycle) => {
    const at = x(cycle, width), text = count(cycle);
    pen.fillRect(at, height - 24, 1, 5);
    if (at + pen.measureText(text).width < edge - 8) {
      pen.fillText(text, at, height - 12);
    }
  });
}

function drawTimeline() {
  const {pen, width, height} = prepare(timeline, timelineHeight);
  const seen = new Set();
  drawn = 0;
  drawTurns(pen, width);
  for (let pipe = 0; pipe < PIPES; pipe++) {
    drawPipe(pen, width, pipe, seen);
  }
  pen.save();
  pen.beginPath();
  pen.rect(LABEL, 0, width - LABEL, height);
  pen.clip();
  drawArrows(pen, width, seen);
  pen.restore();
  drawAxis(pen, width, height);
  tally(timeline, drawn);
}

function needsOf(operation) {
  const needs = data.needs[ops.needs[operation]];
  return MEMORIES.map((key, i) => [key, needs[i], data.capacity[key]]).filter((item) => item[1] > 0)
    .map(([key, bytes, size]) => key + " " + count(bytes) + " / " + count(size)).join(", ");
}

function choose(operation) {
  chosen = operation;
  redraw();
  if (operation < 0) {
    detail.textContent = "";
    return;
  }
  const waits = ops.wait[operation] - 1, bytes = ops["in"][operation] + ops.out[operation];
  const makers = makersOf(operation).map((maker) => opName(maker) + " (" + place(maker) + ")");
  describe(detail, [
    [words.operation, opName(operation)], [words.line, place(operation)], [words.where, path(ops.turn[operation])],
    [words.time, count(ops.start[operation]) + " – " + count(ops.end[operation]) + " " + words.cycles],
    [words.moved, count(ops["in"][operation]) + " / " + count(ops.out[operation])],
    ["FLOPs", count(ops.flops[operation]) +
      (bytes > 0 ? ", " + (ops.flops[operation] / bytes).toFixed(2) + " " + words.intensity : "")],
    [words.memory, needsOf(operation) || "–"],
    [words.takes, makers.join(", ") || "–"],
    [words.waits, waits < 0 ? "–" : opName(waits) + " (" + place(waits) + ")"],
  ].concat(name(ops.label[operation]) === "" ? [] : [[words.label, cut(name(ops.label[operation]))]]));
  show(ops.start[operation], ops.end[operation]);
  setMoment((ops.start[operation] + ops.end[operation]) / 2);
}

// The operation drawn where the event is, or -1; undefined outside the rows of the units.
function operationAt(event) {
  const box = timeline.getBoundingClientRect();
  const pipe = Math.floor((event.clientY - box.top - lanes * LANE) / PIPE);
  const at = cycleAt(timeline, event);
  if (pipe < 0 || pipe >= PIPES) {
    return undefined;
  }
  const slack = (view.to - view.from) / box.width * 2;
  const list = spansOf[pipe];
  for (let k = firstVisible(list, spans.end); k < list.length && spans.start[list[k]] <= at + slack; k++) {
    if (spans.end[list[k]] >= at - slack) {
      return spans.operation[list[k]];
    }
  }
  return -1;
}

function pick(event) {
  const operation = operationAt(event);
  if (operation !== undefined) {
    choose(operation);
  }
}

// Where the pointer rests, the browser shows what is there.
timeline.addEventListener("pointermove", (event) => {
  const operation = operationAt(event) ?? -1;
  timeline.title = operation < 0 ? "" : opName(operation) + " (" + place(operation) + "), " +
    count(ops.start[operation]) + " – " + count(ops.end[operation]) + " " + words.cycles;
});
grab(timeline, pick);
answerKeys(timeline, Object.assign(timeKeys(), {
  n: () => choose(Math.min(chosen + 1, ops.count - 1)), p: () => choose(Math.max(chosen - 1, 0)),
  c: () => choose(critical[(critical.indexOf(chosen) + 1) % critical.length]),
  Escape: () => choose(-1),
}));
timed.push(drawTimeline);

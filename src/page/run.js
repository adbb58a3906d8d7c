"use strict";
// The page of a run: timeline, memory, tiles and roofline, drawn from columns of numbers
// (src/sim/trace_profile.c says what they are). The tables are in the page without this.
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const words = JSON.parse(document.getElementById("words").textContent);
  const MEMORIES = ["UB", "L1", "L0A", "L0B", "L0C", "BT"];
  const PIPES = data.pipes.length;

  // ---- columns

  function numbers(text) {
    const bytes = atob(text);
    const out = [];
    let last = 0, value = 0, scale = 1, repeats = false;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes.charCodeAt(i);
      value += (byte & 127) * scale;
      scale *= 128;
      if (byte >= 128) {
        continue;
      }
      if (repeats) {
        for (let n = 0; n <= value; n++) {
          out.push(last);
        }
      } else if (value !== 0) {
        last += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
        out.push(last);
      }
      repeats = !repeats && value === 0;
      value = 0;
      scale = 1;
    }
    return out;
  }

  function table(name) {
    const columns = {count: data[name].count};
    Object.keys(data[name]).forEach((key) => {
      if (key !== "count") {
        columns[key] = numbers(data[name][key]);
      }
    });
    return columns;
  }

  const turns = table("turns"), ops = table("operations"), spans = table("spans");
  const windows = table("windows");
  const spansOf = Array.from({length: PIPES}, () => []);
  for (let i = 0; i < spans.count; i++) {
    spansOf[spans.pipe[i]].push(i);
  }
  const depth = [];
  for (let i = 0; i < turns.count; i++) {
    depth.push(turns.parent[i] === 0 ? 0 : depth[turns.parent[i] - 1] + 1);
  }
  const lanes = Math.min(depth.reduce((most, own) => Math.max(most, own), 0) + 1, 6);
  const end = Math.max(data.cycles, 1);

  // What would not be seen, or would reorder other text, is shown as an escape.
  function name(number) {
    return (data.names[number] || "").replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu,
      (glyph) => "\\u{" + glyph.codePointAt(0).toString(16) + "}");
  }
  function cut(text) {
    const glyphs = Array.from(text);
    return glyphs.length > 60 ? glyphs.slice(0, 60).join("") + "…" : text;
  }
  function opName(i) {
    const target = cut(name(ops.target[i]));
    return data.ops[ops.op[i]] + (target === "" ? "" : " → " + target);
  }
  function place(i) {
    return cut(name(ops.file[i])) + ":" + ops.line[i];
  }
  function turnName(number) {
    const index = turns.parent[number] === 0 ? "" : " " + turns.index[number];
    return cut(name(turns.name[number])) + index;
  }
  function path(number) {
    const names = [];
    for (let at = number + 1; at > 0; at = turns.parent[at - 1]) {
      names.unshift(turnName(at - 1));
    }
    return names.join(" › ");
  }
  function count(value) {
    return Math.round(value).toLocaleString("en");
  }

  // The chain that the end waits for: each operation with the one it could not start before.
  const critical = [];
  const isCritical = new Uint8Array(ops.count);
  (function () {
    let at = -1;
    for (let i = 0; i < ops.count; i++) {
      at = at < 0 || ops.end[i] > ops.end[at] ? i : at;
    }
    for (; at >= 0 && isCritical[at] === 0; at = ops.wait[at] - 1) {
      isCritical[at] = 1;
      critical.unshift(at);
    }
  })();

  // ---- drawing

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

  // ---- a: timeline

  const LABEL = 130, LANE = 16, PIPE = 24;
  const view = {from: 0, to: end};
  let chosen = -1;
  const timeline = document.getElementById("timeline");
  const detail = document.getElementById("detail");
  const timelineHeight = lanes * LANE + PIPES * PIPE + 28;

  function x(cycle, width) {
    return LABEL + (cycle - view.from) / (view.to - view.from) * (width - LABEL);
  }

  // The first item of a list in ascending order of its start that ends after the left edge.
  function firstVisible(list, starts, ends) {
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
    const last = new Array(lanes).fill(-1);
    for (let i = 0; i < turns.count; i++) {
      if (depth[i] >= lanes || turns.end[i] < view.from || turns.start[i] > view.to) {
        continue;
      }
      const left = Math.max(x(turns.start[i], width), LABEL), right = x(turns.end[i], width);
      const top = depth[i] * LANE;
      if (right - last[depth[i]] < 1) {
        continue;
      }
      last[depth[i]] = right;
      pen.fillStyle = turns.index[i] % 2 === 0 ? colors.panel : colors.line;
      pen.fillRect(left, top + 1, Math.max(right - left, 1), LANE - 2);
      if (right - left > 40) {
        pen.fillStyle = colors.text;
        pen.fillText(turnName(i), left + 3, top + LANE / 2, right - left - 6);
      }
    }
  }

  function drawPipe(pen, width, pipe) {
    const top = lanes * LANE + pipe * PIPE;
    pen.fillStyle = colors.soft;
    pen.fillText(data.pipes[pipe].split(" ")[0], 4, top + PIPE / 2);
    const list = spansOf[pipe];
    let edge = -1;
    for (let k = firstVisible(list, spans.start, spans.end); k < list.length; k++) {
      const i = list[k], operation = spans.operation[i];
      if (spans.start[i] > view.to) {
        break;
      }
      const left = Math.max(x(spans.start[i], width), LABEL), right = Math.min(x(spans.end[i], width), width);
      if (right < edge + 0.5 && operation !== chosen) {
        continue; // narrower than what is drawn there
      }
      edge = right;
      pen.fillStyle = colors.pipes[pipe];
      pen.globalAlpha = isCritical[operation] ? 1 : 0.55;
      pen.fillRect(left, top + 3, Math.max(right - left, 1), PIPE - 6);
      pen.globalAlpha = 1;
      if (isCritical[operation]) {
        pen.fillStyle = colors.text;
        pen.fillRect(left, top + PIPE - 4, Math.max(right - left, 1), 2);
      }
      if (operation === chosen) {
        pen.strokeStyle = colors.text;
        pen.lineWidth = 2;
        pen.strokeRect(left, top + 2, Math.max(right - left, 2), PIPE - 4);
      }
      if (right - left > 50) {
        pen.fillStyle = colors.back;
        pen.fillText(opName(operation), left + 4, top + PIPE / 2, right - left - 8);
      }
    }
  }

  function middleOf(operation, width) {
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
      if (low < list.length && spans.operation[list[low]] === operation) {
        const i = list[low];
        best = best === null || spans.end[i] >= best.cycle
          ? {cycle: spans.end[i], from: spans.start[i], y: lanes * LANE + pipe * PIPE + PIPE / 2} : best;
      }
    }
    return best === null ? null : {from: x(best.from, width), to: x(best.cycle, width), y: best.y};
  }

  function drawArrows(pen, width) {
    if (chosen < 0) {
      return;
    }
    const to = middleOf(chosen, width);
    [ops.first[chosen], ops.second[chosen]].filter((number) => number > 0).forEach((number) => {
      const from = middleOf(number - 1, width);
      if (from === null || to === null) {
        return;
      }
      pen.strokeStyle = colors.text;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(from.to, from.y);
      pen.bezierCurveTo(from.to + 20, from.y, to.from - 20, to.y, to.from, to.y);
      pen.stroke();
      pen.beginPath();
      pen.arc(to.from, to.y, 3, 0, 7);
      pen.fillStyle = colors.text;
      pen.fill();
    });
  }

  function drawTimeline() {
    const {pen, width, height} = prepare(timeline, timelineHeight);
    pen.save();
    drawTurns(pen, width);
    for (let pipe = 0; pipe < PIPES; pipe++) {
      drawPipe(pen, width, pipe);
    }
    drawArrows(pen, width);
    pen.restore();
    pen.fillStyle = colors.soft;
    pen.fillText(count(view.from), LABEL, height - 12);
    const right = count(view.to) + " " + words.cycles;
    pen.fillText(right, width - pen.measureText(right).width - 4, height - 12);
  }

  let waiting = false;
  function redraw() {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        drawTimeline();
      });
    }
  }

  function zoom(factor, at) {
    const span = Math.min(Math.max((view.to - view.from) * factor, 4), end);
    const share = (at - view.from) / (view.to - view.from);
    const from = Math.min(Math.max(at - share * span, 0), end - span);
    view.from = from;
    view.to = from + span;
    redraw();
  }
  function pan(cycles) {
    const span = view.to - view.from;
    view.from = Math.min(Math.max(view.from + cycles, 0), end - span);
    view.to = view.from + span;
    redraw();
  }
  function cycleAt(event) {
    const box = timeline.getBoundingClientRect();
    return view.from + (event.clientX - box.left - LABEL) / (box.width - LABEL) * (view.to - view.from);
  }

  function rows(target, pairs) {
    target.textContent = "";
    pairs.forEach(([key, value]) => {
      const term = document.createElement("dt"), text = document.createElement("dd");
      term.textContent = key;
      text.textContent = value;
      target.append(term, text);
    });
  }

  function choose(operation) {
    chosen = operation;
    if (operation < 0) {
      detail.textContent = "";
      redraw();
      return;
    }
    const needs = data.needs[ops.needs[operation]];
    const memory = MEMORIES.map((key, i) => [key, needs[i], data.capacity[key]]).filter((item) => item[1] > 0)
      .map(([key, bytes, size]) => key + " " + count(bytes) + " / " + count(size)).join(", ");
    const waits = ops.wait[operation] - 1;
    rows(detail, [
      [words.operation, opName(operation)], [words.line, place(operation)], [words.where, path(ops.turn[operation])],
      [words.time, count(ops.start[operation]) + " – " + count(ops.end[operation]) + " " + words.cycles],
      [words.moved, count(ops["in"][operation]) + " / " + count(ops.out[operation])],
      [words.memory, memory === "" ? "–" : memory],
      [words.waits, waits < 0 ? "–" : opName(waits) + " (" + place(waits) + ")"],
    ].concat(name(ops.label[operation]) === "" ? [] : [[words.label, cut(name(ops.label[operation]))]]));
    if (ops.end[operation] < view.from || ops.start[operation] > view.to) {
      pan(ops.start[operation] - (view.from + view.to) / 2);
    }
    redraw();
  }

  function pick(event) {
    const box = timeline.getBoundingClientRect();
    const pipe = Math.floor((event.clientY - box.top - lanes * LANE) / PIPE);
    const at = cycleAt(event);
    if (pipe < 0 || pipe >= PIPES) {
      return;
    }
    const slack = (view.to - view.from) / box.width * 2;
    const list = spansOf[pipe];
    for (let k = firstVisible(list, spans.start, spans.end); k < list.length && spans.start[list[k]] <= at + slack; k++) {
      if (spans.end[list[k]] >= at - slack) {
        choose(spans.operation[list[k]]);
        return;
      }
    }
    choose(-1);
  }

  let grabbed = null;
  timeline.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, cycleAt(event));
    }
  }, {passive: false});
  timeline.addEventListener("pointerdown", (event) => {
    grabbed = {at: event.clientX, moved: false};
  });
  timeline.addEventListener("pointermove", (event) => {
    if (grabbed !== null && Math.abs(event.clientX - grabbed.at) > 2) {
      pan((grabbed.at - event.clientX) / (timeline.clientWidth - LABEL) * (view.to - view.from));
      grabbed = {at: event.clientX, moved: true};
    }
  });
  window.addEventListener("pointerup", (event) => {
    if (grabbed !== null && !grabbed.moved && event.target === timeline) {
      pick(event);
    }
    grabbed = null;
  });
  timeline.addEventListener("keydown", (event) => {
    const span = view.to - view.from, middle = (view.from + view.to) / 2;
    const keys = {
      "+": () => zoom(0.5, middle), "=": () => zoom(0.5, middle), "-": () => zoom(2, middle),
      ArrowLeft: () => pan(-span / 10), ArrowRight: () => pan(span / 10),
      Home: () => pan(-end), End: () => pan(end), 0: () => zoom(end, middle),
      n: () => choose(Math.min(chosen + 1, ops.count - 1)), p: () => choose(Math.max(chosen - 1, 0)),
      c: () => choose(critical[(critical.indexOf(chosen) + 1) % critical.length]),
      Escape: () => choose(-1),
    };
    const action = keys[event.key];
    if (action !== undefined && ops.count > 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      action();
    }
  });
  document.querySelectorAll("button[data-zoom]").forEach((button) => {
    button.addEventListener("click", () => zoom(Number(button.dataset.zoom), (view.from + view.to) / 2));
  });

  // ---- b: memory

  const memory = document.getElementById("memory"), which = document.getElementById("which");
  function drawMemory() {
    const key = MEMORIES.indexOf(which.value), size = data.capacity[which.value] || 1;
    const {pen, width, height} = prepare(memory, 160);
    const base = height - 20, tall = base - 14;
    let most = size;
    data.needs.forEach((needs) => { most = Math.max(most, needs[key]); });
    const high = new Float64Array(Math.max(Math.ceil(width - LABEL), 1));
    for (let i = 0; i < ops.count; i++) {
      const bytes = data.needs[ops.needs[i]][key];
      if (bytes > 0) {
        const first = Math.floor(ops.start[i] / end * (high.length - 1));
        const last = Math.floor(ops.end[i] / end * (high.length - 1));
        for (let column = first; column <= last; column++) {
          high[column] = Math.max(high[column], bytes);
        }
      }
    }
    high.forEach((bytes, column) => {
      pen.fillStyle = bytes > size ? colors.fail : colors.info;
      pen.fillRect(LABEL + column, base - bytes / most * tall, 1, bytes / most * tall);
    });
    pen.strokeStyle = colors.fail;
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo(LABEL, base - size / most * tall);
    pen.lineTo(width, base - size / most * tall);
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = colors.soft;
    pen.fillText(which.value + " " + count(size) + " B", 4, Math.max(base - size / most * tall, 8));
    pen.fillText("0", 4, base);
    const largest = new Map(); // by line and operation
    for (let i = 0; i < ops.count; i++) {
      const bytes = data.needs[ops.needs[i]][key], where = ops.file[i] + ":" + ops.line[i] + ":" + ops.op[i];
      if (bytes > 0 && !(largest.has(where) && largest.get(where).bytes >= bytes)) {
        largest.set(where, {bytes, text: opName(i) + " (" + place(i) + ")"});
      }
    }
    const peaks = Array.from(largest.values());
    peaks.sort((a, b) => b.bytes - a.bytes);
    const list = document.getElementById("peaks");
    list.textContent = "";
    peaks.slice(0, 8).forEach((peak) => {
      const item = document.createElement("li");
      item.textContent = count(peak.bytes) + " B, " + (100 * peak.bytes / size).toFixed(1) + " %: " + peak.text;
      list.append(item);
    });
  }

  // ---- c: tiles

  const tiles = document.getElementById("tiles"), tensor = document.getElementById("tensor");
  const step = document.getElementById("step"), stepText = document.getElementById("step-text");
  let boxes = [];
  const firstBox = [];
  (function () {
    let at = 0;
    for (let i = 0; i < windows.count; i++) {
      firstBox.push(at);
      at += 2 * (data.tensors[windows.tensor[i]].length - 3);
    }
  })();

  function chooseTensor() {
    const number = Number(tensor.value), info = data.tensors[number], rank = info.length - 3;
    boxes = [];
    for (let i = 0; i < windows.count; i++) {
      if (windows.tensor[i] === number) {
        const at = firstBox[i];
        boxes.push({operation: windows.operation[i], write: windows.write[i] === 1,
          offset: windows.box.slice(at, at + rank), extent: windows.box.slice(at + rank, at + 2 * rank)});
      }
    }
    step.max = String(Math.max(boxes.length - 1, 0));
    step.value = "0";
    drawTiles();
  }

  // Rows: all axes but the last one, one after the other.
  function flat(shape, offset, extent) {
    const rank = shape.length;
    if (rank < 2) {
      return {row: 0, rows: 1, column: offset[0] || 0, columns: extent[0] || 1};
    }
    let row = 0, stride = 1, rows = extent[rank - 2];
    for (let i = rank - 2; i >= 0; i--) {
      row += offset[i] * stride;
      rows = extent[i] > 1 && i < rank - 2 ? (extent[i] - 1) * stride + rows : rows;
      stride *= shape[i];
    }
    return {row, rows, column: offset[rank - 1], columns: extent[rank - 1]};
  }

  function drawTiles() {
    const info = data.tensors[Number(tensor.value)];
    const {pen, width, height} = prepare(tiles, 300);
    if (info === undefined) {
      return;
    }
    const shape = info.slice(3);
    const total = {rows: shape.slice(0, -1).reduce((a, b) => a * b, 1), columns: shape[shape.length - 1] || 1};
    const scaleX = (width - 20) / total.columns, scaleY = (height - 20) / total.rows;
    pen.fillStyle = colors.panel;
    pen.fillRect(10, 10, width - 20, height - 20);
    const now = Number(step.value);
    const first = Math.max(0, now - 5000);
    for (let i = first; i <= now && i < boxes.length; i++) {
      const part = flat(shape, boxes[i].offset, boxes[i].extent);
      pen.fillStyle = boxes[i].write ? colors.warn : colors.info;
      pen.globalAlpha = i === now ? 1 : 0.3;
      pen.fillRect(10 + part.column * scaleX, 10 + part.row * scaleY,
        Math.max(part.columns * scaleX, 1), Math.max(part.rows * scaleY, 1));
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = colors.soft;
    pen.strokeRect(10, 10, width - 20, height - 20);
    const box = boxes[now];
    stepText.textContent = box === undefined ? words.nowindow
      : (now + 1) + " / " + boxes.length + ": " + (box.write ? words.write : words.read) + " [" + box.offset.join(", ") +
        "] + [" + box.extent.join(", ") + "], " + opName(box.operation) + " (" + place(box.operation) + "), " +
        path(ops.turn[box.operation]);
  }

  // ---- d: roofline

  const roofline = document.getElementById("roofline");
  function drawRoofline() {
    const {pen, width, height} = prepare(roofline, 300);
    const points = data.lines.map((line) => {
      const bytes = line[9] + line[10];
      const busy = line.slice(3, 3 + PIPES).reduce((most, own) => Math.max(most, own), 0);
      return {line, bytes, flops: line[11], busy};
    }).filter((point) => point.flops > 0 && point.busy > 0 && point.bytes > 0);
    const low = -3, high = 12, bottom = -4, top = 14; // powers of two
    const px = (value) => 60 + (Math.min(Math.max(Math.log2(value), low), high) - low) / (high - low) * (width - 80);
    const py = (value) => height - 30 - (Math.min(Math.max(Math.log2(value), bottom), top) - bottom) / (top - bottom) * (height - 50);
    const roofs = [["cube", data.rates.cube], ["vector", data.rates.vector]];
    roofs.forEach(([label, peak]) => {
      pen.strokeStyle = colors.soft;
      pen.beginPath();
      const knee = peak / data.rates.memory;
      pen.moveTo(px(2 ** low), py(2 ** low * data.rates.memory));
      pen.lineTo(px(knee), py(peak));
      pen.lineTo(px(2 ** high), py(peak));
      pen.stroke();
      pen.fillStyle = colors.soft;
      pen.fillText(label + " " + count(peak), width - 110, py(peak) - 8);
    });
    points.forEach((point) => {
      const intensity = point.flops / point.bytes;
      pen.fillStyle = point.line[5] > 0 ? colors.fail : colors.pass;
      pen.beginPath();
      pen.arc(px(intensity), py(point.flops / point.busy), 5, 0, 7);
      pen.fill();
      pen.fillStyle = colors.text;
      pen.fillText(String(point.line[1]), px(intensity) + 7, py(point.flops / point.busy));
    });
    pen.fillStyle = colors.soft;
    pen.fillText(words.intensity, width / 2 - 60, height - 10);
    pen.fillText(words.rate, 4, 12);
  }

  // ---- all of them

  function drawAll() {
    readColors();
    drawTimeline();
    drawMemory();
    drawTiles();
    drawRoofline();
  }
  data.tensors.forEach((info, number) => {
    const option = document.createElement("option");
    option.value = String(number);
    option.textContent = cut(name(info[0])) + " [" + info.slice(3).join(", ") + "] " + info[2].replace("DT_", "") +
      (data.launches > 1 ? ", " + turnName(info[1]) + " #" + turns.index[info[1]] : "");
    tensor.append(option);
  });
  which.addEventListener("change", drawMemory);
  tensor.addEventListener("change", chooseTensor);
  step.addEventListener("input", drawTiles);
  document.getElementById("views").hidden = false;
  if (data.tensors.length > 0) {
    tensor.value = String(windows.count > 0 ? windows.tensor[0] : 0);
    chooseTensor();
  }
  drawAll();
  window.addEventListener("resize", drawAll);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
})();

// Roofline: FLOPs per cycle against FLOPs per byte, by line or by operation, below the limits of
// memory bandwidth and compute units.
const ROOF_HEIGHT = 320, ROOF_LEFT = 60, ROOF_BOTTOM = 40;
const MOST_POINTS = 4000; // each on a pixel of its own
const roofline = document.getElementById("roofline"), points = document.getElementById("points");

function pointsOfLines() {
  return data.lines.map((line) => ({
    name: String(line[1]), bytes: line[3 + PIPES] + line[4 + PIPES], flops: line[5 + PIPES],
    busy: Math.max(...line.slice(3, 3 + PIPES)), isCube: line[3 + 2] > 0,
  }));
}
// For a single operation only the time from start to end is known, not that of each pipe.
function pointsOfOperations() {
  return ops.op.map((op, i) => ({
    name: "", bytes: ops["in"][i] + ops.out[i], flops: ops.flops[i], busy: ops.end[i] - ops.start[i],
    isCube: data.needs[ops.needs[i]][2] > 0,
  }));
}

// Range of an axis in powers of two that covers the points and the roofs.
function rangeOf(values) {
  let low = Infinity, high = -Infinity;
  values.forEach((value) => {
    low = Math.min(low, Math.log2(value));
    high = Math.max(high, Math.log2(value));
  });
  return [Math.floor(low) - 1, Math.ceil(high) + 1];
}

function drawGrid(pen, horizontal, vertical, px, py, width, height) {
  pen.strokeStyle = colors.line;
  pen.fillStyle = colors.soft;
  pen.lineWidth = 1;
  const write = (power) => power < 0 ? "1/" + 2 ** -power : count(2 ** power);
  for (let power = horizontal[0] + 1; power < horizontal[1]; power += 2) {
    pen.strokeRect(px(2 ** power), 20, 0, height - 20 - ROOF_BOTTOM);
    pen.fillText(write(power), px(2 ** power) - 8, height - ROOF_BOTTOM + 10);
  }
  for (let power = vertical[0] + 1; power < vertical[1]; power += 2) {
    pen.strokeRect(ROOF_LEFT, py(2 ** power), width - ROOF_LEFT - 20, 0);
    pen.fillText(write(power), 8, py(2 ** power));
  }
}

function drawRoof(pen, label, peak, horizontal, px, py, width) {
  pen.strokeStyle = pen.fillStyle = colors.soft;
  pen.lineWidth = 2;
  const knee = peak / data.rates.memory;
  pen.beginPath();
  pen.moveTo(px(2 ** horizontal[0]), py(2 ** horizontal[0] * data.rates.memory));
  pen.lineTo(px(knee), py(peak));
  pen.lineTo(px(2 ** horizontal[1]), py(peak));
  pen.stroke();
  pen.fillText(label + " " + count(peak), width - 130, py(peak) - 8);
}

// Writes names beside points, on the first side where nothing is written yet; else leaves them out.
function labelWriter(pen) {
  const boxes = [], high = 14;
  return {add(name, left, top) {
    const wide = pen.measureText(name).width;
    const place = [[7, -8], [7, 10], [-7 - wide, -8], [-7 - wide, 10], [7, -22], [7, 24]]
      .map(([dx, dy]) => [left + dx, top + dy])
      .find(([x0, y0]) => boxes.every(([x1, y1, w1]) =>
        x0 + wide < x1 || x1 + w1 < x0 || Math.abs(y0 - y1) >= high));
    if (name !== "" && place !== undefined) {
      boxes.push([place[0], place[1], wide]);
      pen.fillStyle = colors.text;
      pen.fillText(name, place[0], place[1]);
    }
  }};
}

function drawPoints(pen, shown, px, py) {
  const taken = new Set(), labels = labelWriter(pen);
  shown.forEach((point) => {
    const left = px(point.flops / point.bytes), top = py(point.flops / point.busy);
    const key = Math.round(left) + ":" + Math.round(top);
    if (taken.has(key) || taken.size >= MOST_POINTS) {
      return;
    }
    taken.add(key);
    pen.fillStyle = point.isCube ? colors.fail : colors.pass;
    pen.beginPath();
    pen.arc(left, top, point.name === "" ? 3 : 5, 0, 7);
    pen.fill();
    labels.add(point.name, left, top);
  });
  tally(roofline, taken.size);
}

function drawRoofline() {
  const {pen, width, height} = prepare(roofline, ROOF_HEIGHT);
  const shown = (points.value === "lines" ? pointsOfLines() : pointsOfOperations())
    .filter((point) => point.flops > 0 && point.busy > 0 && point.bytes > 0);
  const {cube, vector, memory: rate} = data.rates;
  const horizontal = rangeOf(shown.map((point) => point.flops / point.bytes).concat([vector / rate, cube / rate]));
  const vertical = rangeOf(shown.map((point) => point.flops / point.busy).concat([vector, cube]));
  const scale = (range, from, to) => (value) => {
    const power = Math.min(Math.max(Math.log2(value), range[0]), range[1]);
    return from + (power - range[0]) / (range[1] - range[0]) * (to - from);
  };
  const px = scale(horizontal, ROOF_LEFT, width - 20), py = scale(vertical, height - ROOF_BOTTOM, 20);
  drawGrid(pen, horizontal, vertical, px, py, width, height);
  drawRoof(pen, "cube", cube, horizontal, px, py, width);
  drawRoof(pen, "vector", vector, horizontal, px, py, width);
  drawPoints(pen, shown, px, py);
  pen.fillStyle = colors.soft;
  pen.fillText(words.intensity, width / 2 - 60, height - 10);
  pen.fillText(words.rate, 4, 10);
}
points.addEventListener("change", drawRoofline);

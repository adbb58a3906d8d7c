// Windows: a parameter as a rectangle, and which part of it each step reads or writes.
const TRAIL = 5000; // earlier windows that stay visible
const tiles = document.getElementById("tiles"), tensor = document.getElementById("tensor");
const step = document.getElementById("step"), stepText = document.getElementById("step-text");
let boxes = [];
const firstBox = []; // where the numbers of each window begin in windows.box
{
  let at = 0;
  for (let i = 0; i < windows.count; i++) {
    firstBox.push(at);
    at += 2 * (data.tensors[windows.tensor[i]].length - 3);
  }
}

function chooseTensor() {
  const number = Number(tensor.value), rank = data.tensors[number].length - 3;
  boxes = [];
  for (let i = 0; i < windows.count; i++) {
    if (windows.tensor[i] === number) {
      const at = firstBox[i];
      boxes.push({operation: windows.operation[i], write: windows.write[i] === 1,
        offset: windows.box.slice(at, at + rank), extent: windows.box.slice(at + rank, at + 2 * rank)});
    }
  }
  step.max = String(Math.max(boxes.length - 1, 0));
  step.disabled = boxes.length < 2;
  step.value = "0";
  drawTiles();
}

// Position and size of a window when all axes but the last are flattened into rows.
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

// The size in pixels at which a tensor is drawn: its own proportions, within what can be read.
const MARGIN_LEFT = 60, MARGIN_TOP = 22, LEAST_WIDE = 160, LEAST_HIGH = 24, MOST_HIGH = 300;
function sizeOf(rows, columns, room) {
  const scale = Math.min(room / columns, MOST_HIGH / rows);
  return {wide: Math.min(Math.max(columns * scale, LEAST_WIDE), room), high: Math.max(rows * scale, LEAST_HIGH)};
}

function drawWindows(pen, shape, scaleX, scaleY) {
  const now = Number(step.value);
  for (let i = Math.max(0, now - TRAIL); i <= now && i < boxes.length; i++) {
    const part = flat(shape, boxes[i].offset, boxes[i].extent);
    const box = [MARGIN_LEFT + part.column * scaleX, MARGIN_TOP + part.row * scaleY,
      Math.max(part.columns * scaleX, 1), Math.max(part.rows * scaleY, 1)];
    pen.fillStyle = boxes[i].write ? colors.warn : colors.info;
    pen.globalAlpha = i === now ? 1 : 0.3;
    pen.fillRect(...box);
    pen.globalAlpha = 1;
    if (box[2] > 4 && box[3] > 4) { // so that neighbours can be told apart
      pen.strokeStyle = colors.back;
      pen.strokeRect(...box);
    }
  }
}

// First and last number of each axis, at the edges of the drawing.
function drawEdges(pen, rows, columns, wide, high) {
  const last = String(rows - 1), right = String(columns - 1);
  pen.fillStyle = colors.soft;
  pen.fillText("0", MARGIN_LEFT - 10, MARGIN_TOP + 6);
  pen.fillText("0", MARGIN_LEFT, MARGIN_TOP - 10);
  if (rows > 1) {
    pen.fillText(last, MARGIN_LEFT - 3 - pen.measureText(last).width, MARGIN_TOP + high - 6);
  }
  if (columns > 1) {
    pen.fillText(right, MARGIN_LEFT + wide - pen.measureText(right).width, MARGIN_TOP - 10);
  }
}

function drawTiles() {
  const info = data.tensors[Number(tensor.value)];
  if (info === undefined) {
    prepare(tiles, LEAST_HIGH);
    return;
  }
  const shape = info.slice(3);
  const rows = Math.max(shape.slice(0, -1).reduce((a, b) => a * b, 1), 1), columns = shape[shape.length - 1] || 1;
  const {wide, high} = sizeOf(rows, columns, (tiles.clientWidth || 900) - MARGIN_LEFT - 10);
  const {pen} = prepare(tiles, high + MARGIN_TOP + 10);
  pen.fillStyle = colors.panel;
  pen.fillRect(MARGIN_LEFT, MARGIN_TOP, wide, high);
  drawWindows(pen, shape, wide / columns, high / rows);
  pen.strokeStyle = colors.soft;
  pen.strokeRect(MARGIN_LEFT, MARGIN_TOP, wide, high);
  drawEdges(pen, rows, columns, wide, high);
  const now = Number(step.value), box = boxes[now];
  stepText.textContent = box === undefined ? words.nowindow
    : (now + 1) + " / " + boxes.length + ": " + (box.write ? words.write : words.read) + " [" + box.extent.join(", ") +
      "] " + words.at + " [" + box.offset.join(", ") + "], " + opName(box.operation) + " (" + place(box.operation) +
      "), " + path(ops.turn[box.operation]);
}

// The tensor with the most windows: there is the most to see.
function busiestTensor() {
  const windowsOf = data.tensors.map(() => 0);
  windows.tensor.forEach((number) => windowsOf[number]++);
  return windowsOf.reduce((best, own, number) => own > windowsOf[best] ? number : best, 0);
}

data.tensors.forEach((info, number) => {
  const option = document.createElement("option");
  option.value = String(number);
  option.textContent = cut(name(info[0])) + " [" + info.slice(3).join(", ") + "] " + info[2].replace("DT_", "") +
    (data.launches > 1 ? ", " + turnName(info[1]) + " #" + turns.index[info[1]] : "");
  tensor.append(option);
});
tensor.addEventListener("change", chooseTensor);
step.addEventListener("input", drawTiles);

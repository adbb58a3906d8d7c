// The data of the page: tables stored by column (described in src/sim/trace_profile.c), and how
// their rows are named for readers.
const data = JSON.parse(document.getElementById("data").textContent);
const words = JSON.parse(document.getElementById("words").textContent);
const MEMORIES = ["UB", "L1", "L0A", "L0B", "L0C", "BT"];
const PIPES = data.pipes.length;
const MOST_LANES = 6; // of nested launches and loops

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
// A row of `needs` has the bytes in each of the six memories, then bytes read, bytes written, FLOPs
// and bytes of the result.
["in", "out", "flops", "kept"].forEach((key, number) => {
  ops[key] = ops.needs.map((needs) => data.needs[needs][MEMORIES.length + number]);
});
const end = Math.max(data.cycles, 1);
const spansOf = Array.from({length: PIPES}, () => []); // of each pipe, in the order of time
for (let i = 0; i < spans.count; i++) {
  spansOf[spans.pipe[i]].push(i);
}
const depth = []; // of turns: 0 for a launch
for (let i = 0; i < turns.count; i++) {
  depth.push(turns.parent[i] === 0 ? 0 : depth[turns.parent[i] - 1] + 1);
}
const lanes = Math.min(depth.reduce((most, own) => Math.max(most, own), 0) + 1, MOST_LANES);

// The operations whose results an operation reads.
function makersOf(operation) {
  return [ops.made0, ops.made1, ops.made2, ops.made3].map((column) => column[operation] - 1)
    .filter((maker) => maker >= 0);
}

// Characters that are invisible or would reorder other text are shown as escapes.
function name(number) {
  return (data.names[number] || "").replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu,
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

// The critical chain of each launch: its last operation, the one that operation waited for, and so
// on.
const critical = [];
const isCritical = new Uint8Array(ops.count);
function launchOf(operation) {
  let turn = ops.turn[operation];
  while (turns.parent[turn] > 0) {
    turn = turns.parent[turn] - 1;
  }
  return turn;
}
{
  const last = new Map(); // operation of each launch
  for (let i = 0; i < ops.count; i++) {
    const launch = launchOf(i);
    if (!last.has(launch) || ops.end[i] > ops.end[last.get(launch)]) {
      last.set(launch, i);
    }
  }
  last.forEach((at) => {
    for (; at >= 0 && isCritical[at] === 0; at = ops.wait[at] - 1) {
      isCritical[at] = 1;
    }
  });
  isCritical.forEach((is, operation) => {
    if (is === 1) {
      critical.push(operation);
    }
  });
}

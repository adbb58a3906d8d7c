// The range of cycles that the timeline and the memory drawing show, and one moment in it.
const LABEL = 130; // pixels left of the drawings
const SHORTEST = 4; // cycles
const view = {from: 0, to: end};
let moment = 0;

function x(cycle, width) {
  return LABEL + (cycle - view.from) / (view.to - view.from) * (width - LABEL);
}
function cycleAt(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return view.from + (event.clientX - box.left - LABEL) / (box.width - LABEL) * (view.to - view.from);
}

// Round cycles in view, about every 110 pixels.
const TICK = 110;
function ticks(width) {
  const least = (view.to - view.from) / Math.max((width - LABEL) / TICK, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least);
  const all = [];
  for (let cycle = Math.ceil(view.from / step) * step; cycle <= view.to; cycle += step) {
    all.push(cycle);
  }
  return all;
}

// Functions that draw over time. They run once per frame, however many events ask for a redraw.
const timed = [];
let isAsked = false;
function redraw() {
  if (!isAsked) {
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      timed.forEach((draw) => draw());
    });
  }
}

function zoom(factor, at) {
  const span = Math.min(Math.max((view.to - view.from) * factor, SHORTEST), end);
  const share = (at - view.from) / (view.to - view.from);
  view.from = Math.min(Math.max(at - share * span, 0), Math.max(end - span, 0));
  view.to = view.from + span;
  redraw();
}
function pan(cycles) {
  const span = view.to - view.from;
  view.from = Math.min(Math.max(view.from + cycles, 0), Math.max(end - span, 0));
  view.to = view.from + span;
  redraw();
}
function show(from, to) {
  if (to < view.from || from > view.to) {
    pan(from - (view.from + view.to) / 2);
  }
}

// Dragging pans the view, a click calls `pick`, and the wheel with a modifier key zooms.
function grab(canvas, pick) {
  let at = null, moved = false;
  canvas.addEventListener("pointerdown", (event) => {
    at = event.clientX;
    moved = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (at !== null && Math.abs(event.clientX - at) > 2) {
      pan((at - event.clientX) / (canvas.clientWidth - LABEL) * (view.to - view.from));
      at = event.clientX;
      moved = true;
    }
  });
  window.addEventListener("pointerup", (event) => {
    if (at !== null && !moved && event.target === canvas) {
      pick(event);
    }
    at = null;
  });
  canvas.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, cycleAt(canvas, event));
    }
  }, {passive: false});
}

function timeKeys() {
  const span = () => view.to - view.from, middle = () => (view.from + view.to) / 2;
  return {
    "+": () => zoom(0.5, middle()), "=": () => zoom(0.5, middle()), "-": () => zoom(2, middle()),
    ArrowLeft: () => pan(-span() / 10), ArrowRight: () => pan(span() / 10),
    Home: () => pan(-end), End: () => pan(end), 0: () => zoom(end, middle()),
  };
}
document.querySelectorAll("button[data-zoom]").forEach((button) => {
  button.addEventListener("click", () => zoom(Number(button.dataset.zoom), (view.from + view.to) / 2));
});

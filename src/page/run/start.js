// The tables are part of the page and need no script; the drawings become visible here.
function drawAll() {
  readColors();
  timed.forEach((draw) => draw());
  drawTiles();
  drawRoofline();
}
document.getElementById("views").hidden = false;
if (data.tensors.length > 0) {
  tensor.value = String(busiestTensor());
  chooseTensor();
}
showPeak();
drawAll();
window.addEventListener("resize", drawAll);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);

"use strict";
// Filters of a list: [data-item] elements are shown while they match the search words and the chosen
// values. Without scripts everything is shown and the controls stay hidden.
(function () {
  const controls = document.querySelector("[data-filter]");
  if (controls === null) {
    return;
  }
  const items = Array.from(document.querySelectorAll("[data-item]"));
  const groups = Array.from(document.querySelectorAll("[data-group]"));
  const texts = items.map((item) => item.textContent.toLowerCase());
  const search = controls.querySelector("input[type=search]");
  const choices = Array.from(controls.querySelectorAll("select[data-key]"));
  const shown = controls.querySelector("output");

  function matches(item, text, words) {
    return words.every((word) => text.includes(word)) &&
      choices.every((choice) => choice.value === "" ||
        (" " + item.getAttribute("data-" + choice.dataset.key) + " ").includes(" " + choice.value + " "));
  }

  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    let count = 0;
    items.forEach((item, index) => {
      const visible = matches(item, texts[index], words);
      item.hidden = !visible;
      count += visible ? 1 : 0;
    });
    groups.forEach((group) => {
      group.hidden = group.querySelector("[data-item]:not([hidden])") === null;
    });
    shown.textContent = count + " / " + items.length;
  }

  function move(step) {
    const visible = items.filter((item) => !item.hidden);
    if (visible.length === 0) {
      return;
    }
    const at = visible.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : visible.length - 1)
      : Math.min(Math.max(at + step, 0), visible.length - 1);
    visible[next].focus();
    visible[next].scrollIntoView({block: "nearest"});
  }

  function openTarget() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    if (target === null) {
      return;
    }
    if (target.hidden) {
      search.value = "";
      choices.forEach((choice) => { choice.value = ""; });
      apply();
    }
    for (let at = target; at !== null; at = at.parentElement) {
      if (at.tagName === "DETAILS") {
        at.open = true;
      }
    }
    target.scrollIntoView();
  }

  search.addEventListener("input", apply);
  choices.forEach((choice) => choice.addEventListener("change", apply));
  window.addEventListener("hashchange", openTarget);
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "Escape" && document.activeElement === search) {
      search.value = "";
      apply();
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "/") {
      event.preventDefault();
      search.focus();
    } else if (event.key === "j" || event.key === "k") {
      move(event.key === "j" ? 1 : -1);
    }
  });
  controls.hidden = false;
  apply();
  openTarget();
})();

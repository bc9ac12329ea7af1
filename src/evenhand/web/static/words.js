// The sentences follow what is typed. Without this script, the button below them shows them.
"use strict";
document.querySelectorAll("[data-without-script]").forEach(button => button.parentElement.remove());
document.querySelector(".words").addEventListener("input", event => {
  for (const part of document.querySelectorAll("[data-of]"))
    if (part.dataset.of === event.target.name) part.textContent = event.target.value;
});

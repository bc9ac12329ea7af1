// The sentences follow what is typed, also before this script was there. Without it, the button below them shows them.
"use strict";
document.querySelectorAll("[data-without-script]").forEach(button => button.parentElement.remove());
function show() {
  for (const part of document.querySelectorAll("[data-of]")) part.textContent = document.getElementById(part.dataset.of).value;
}
document.querySelector(".words").addEventListener("input", show);
addEventListener("pageshow", show);
show();

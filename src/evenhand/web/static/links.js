// Buttons that only a script can make: copying and printing. Without it, the links can be selected, and the browser prints.
"use strict";
for (const button of document.querySelectorAll("[data-copy], [data-print]")) button.hidden = false;
document.addEventListener("click", async event => {
  const button = event.target;
  if (button.matches("[data-print]")) window.print();
  if (button.matches("[data-copy]")) {
    const from = document.getElementById(button.dataset.copy);
    from.select();
    try { await navigator.clipboard.writeText(from.value); } catch { document.execCommand("copy"); }
    button.textContent = "Copied";
  }
});

// Shows the page of an interview in a cell, and sends answers to the kernel. The page lives in a shadow root, so that its
// styles and those of the notebook leave each other alone.

function render({ model, el }) {
  const root = el.attachShadow({ mode: "open" });

  let long; // a timer: a wait beyond half a second is shown as one

  function show() {
    clearTimeout(long);
    const focused = root.activeElement !== null;
    root.innerHTML = `<style>${model.get("style")}</style>${model.get("page")}`;
    if (focused) root.querySelector(".page").focus({ preventScroll: true });
  }

  function send(form, button) {
    const [what, n] = (button.getAttribute("formaction") || form.getAttribute("action")).split("/").slice(-2);
    const fields = Object.fromEntries(new FormData(form, button));
    for (const each of root.querySelectorAll("button")) each.disabled = true; // until the next page is there
    long = setTimeout(() => wait(form), 500);
    model.send({ what, n: Number(n), ...fields });
  }

  function wait(form) {
    const said = document.createElement("p");
    said.className = "notice";
    said.setAttribute("role", "status");
    said.textContent = "Working out what comes next …";
    form.prepend(said);
  }

  root.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter) send(event.target, event.submitter);
  });

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault(); // an address would lead out of the cell
    const help = root.getElementById("help");
    const open = link.getAttribute("href") === "#help" && !help.classList.contains("open");
    help?.classList.toggle("open", open);
    root.getElementById(open ? "help" : "question")?.scrollIntoView({ block: "nearest" });
  });

  root.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select")) {
      event.stopPropagation(); // the notebook has keys of its own
      return;
    }
    const control = root.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]:not(:disabled)`);
    if (!control) return;
    event.preventDefault();
    event.stopPropagation();
    control.click();
  });

  // The cell is in the page only after this function returns, and a notebook's theme may change at any time.
  const theme = () => el.classList.toggle("dark", isDark(el));
  const watch = new MutationObserver(theme);
  watch.observe(document.body, { attributes: true });
  requestAnimationFrame(theme);
  model.on("change:page", show);
  show();
  return () => {
    watch.disconnect();
    model.off("change:page", show);
  };
}

// Notebooks have themes of their own: what counts is the colour behind the cell, not what the system prefers.
function isDark(el) {
  for (let at = el; at; at = at.parentElement) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

export default { render };

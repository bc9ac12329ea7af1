// Makes the question page smoother: keys, and answers that are sent without leaving the page. Everything works without it.
"use strict";

let sending = false;

// Every control names its key in aria-keyshortcuts, so that keys are said once, in the page.
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey || sending) return;
  if (event.target.closest("input, textarea, select")) return;
  const helping = location.hash === "#help";
  if (helping && (event.key === "?" || event.key === "Escape")) {
    event.preventDefault();
    location.hash = "#question";
    return;
  }
  if (helping) return;
  const control = document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]:not(:disabled)`);
  if (!control) return;
  event.preventDefault();
  control.click();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-smooth]") || !event.submitter) return;
  event.preventDefault();
  if (!sending) send(form, event.submitter);
});

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const buttons = [...document.querySelectorAll("main button:not(:disabled)")];
  wait(buttons, true);
  forget("not-sent");
  const long = setTimeout(() => note(form, "waiting", "status", "Saving your answer, and working out what comes next …"), 500);
  try {
    const address = button.hasAttribute("formaction") ? button.formAction : form.action;
    const reply = await fetch(address, { method: "POST", body, cache: "no-store" });
    show(await reply.text());
  } catch {
    // The reply was lost, or never came. Sending the same answer again is safe: the store keeps it once.
    wait(buttons, false);
    tell(form, button);
  } finally {
    clearTimeout(long);
    forget("waiting");
    sending = false;
  }
}

// Until the next question is there, nothing can be pressed: a second click would be about what nobody has seen.
function wait(buttons, busy) {
  sending = busy;
  for (const button of buttons) button.disabled = busy;
  document.querySelector("main").setAttribute("aria-busy", busy);
}

// Show a whole page that came as text, at the interview's one address, and let a reader begin at its top.
function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!page.querySelector("main")) throw new Error("this is not a page of the study");
  document.title = page.title;
  document.body.replaceWith(page.body);
  history.replaceState(null, "", location.pathname);
  const main = document.querySelector("main");
  main.setAttribute("tabindex", "-1");
  main.focus({ preventScroll: true });
  main.scrollIntoView({ behavior: "instant" });
}

function tell(form, button) {
  const told = note(form, "not-sent", "alert", "Not saved: the study could not be reached. ");
  const again = document.createElement("button");
  again.type = "button";
  again.className = "small";
  again.textContent = "Send again";
  again.addEventListener("click", () => send(form, button));
  told.append(again);
}

// Say something above the buttons.
function note(form, id, role, text) {
  const said = document.createElement("p");
  said.className = "notice";
  said.id = id;
  said.setAttribute("role", role);
  said.textContent = text;
  form.querySelector(".bar").prepend(said);
  return said;
}

function forget(id) {
  document.getElementById(id)?.remove();
}

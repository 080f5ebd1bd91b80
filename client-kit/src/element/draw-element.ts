/** The element's controls, and how they show a state. */
import type { VoiceAgentState } from "../voice-agent.ts";
import type { Labels } from "./labels.ts";

interface Actions {
  readonly onTalk: () => void;
  readonly onEnd: () => void;
  readonly onText: (text: string) => void;
}

export interface Drawn {
  readonly transcript: HTMLElement;
  show(state: VoiceAgentState, status: string): void;
  /** 0 to 1. */
  showLevel(level: number): void;
}

export function drawElement(root: ShadowRoot, labels: Labels, { onTalk, onEnd, onText }: Actions): Drawn {
  const status = make("p", "status", { role: "status" });
  const transcript = make("div", "transcript", { role: "log", tabindex: "0", "aria-label": labels.conversation });
  const problem = make("p", "problem", { role: "alert" });
  const talk = make("button", "main", { type: "button", part: "talk" });
  const end = make("button", "end", { type: "button" });
  const input = make("input", "message", {
    "aria-label": labels.message,
    placeholder: labels.message,
    autocomplete: "off",
    maxlength: "4000",
  });
  const form = make("form", "form", {});
  const send = make("button", "send", { type: "submit" });
  const title = make("h2", "title", {});
  const section = make("section", "panel", { "aria-label": labels.title });
  const header = make("header", "header", {});
  const controls = make("div", "controls", {});
  [title.textContent, end.textContent, send.textContent] = [labels.title, labels.end, labels.send];
  [talk.textContent, status.textContent] = [labels.talk, labels.ready];
  problem.hidden = true;
  end.hidden = true;
  header.append(title, status);
  controls.append(talk, end);
  form.append(input, send);
  section.append(header, transcript, problem, controls, form);
  // A sheet of its own, because a page's policy may forbid styles that are written into it.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(section);
  talk.addEventListener("click", onTalk);
  end.addEventListener("click", () => {
    onEnd();
    talk.focus(); // the button that had the focus is gone
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === "") return;
    input.value = "";
    onText(text);
  });
  return {
    transcript,
    show(state, words) {
      const { microphone, connection } = state;
      if (status.textContent !== words) status.textContent = words;
      problem.hidden = state.problem === undefined;
      problem.textContent = state.problem ?? "";
      talk.textContent = { off: labels.talk, starting: labels.starting, on: labels.mute }[microphone];
      talk.classList.toggle("on", microphone === "on");
      end.hidden = connection.kind === "idle" || connection.kind === "closed";
      // Somebody who talks hears the answers; a screen reader that read them out would speak over the agent.
      transcript.setAttribute("aria-live", microphone === "off" ? "polite" : "off");
    },
    showLevel: (level) => talk.style.setProperty("--level", level.toFixed(2)),
  };
}

/** `part` lets a page style what no variable reaches. */
function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name: string,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = name;
  for (const [key, value] of Object.entries({ part: name, ...attributes })) element.setAttribute(key, value);
  return element;
}

/** What a page sets from outside are the variables; both colour schemes pass WCAG AA as they are. */
const styles = `
:host {
  --background: var(--voice-agent-background, light-dark(#fff, #16181d));
  --text: var(--voice-agent-text, light-dark(#1b1d22, #eceef2));
  --muted: var(--voice-agent-muted, light-dark(#565b66, #a4abb8));
  --border: var(--voice-agent-border, light-dark(#c9cdd6, #3c414c));
  --accent: var(--voice-agent-accent, light-dark(#1f5fbf, #8ab4ff));
  --on-accent: var(--voice-agent-on-accent, light-dark(#fff, #10131a));
  --problem: var(--voice-agent-problem, light-dark(#a4262c, #ff9a9f));
  --radius: var(--voice-agent-radius, 12px);
  color-scheme: light dark;
  display: block;
  font: var(--voice-agent-font, 16px/1.5 system-ui, sans-serif);
  max-width: 30rem;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
section {
  background: var(--background); color: var(--text); border: 1px solid var(--border); border-radius: var(--radius);
  display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; padding: 1rem;
}
h2, p { margin: 0; font-size: 1em; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
h2 { font-weight: 600; }
.status { color: var(--muted); }
.problem { color: var(--problem); overflow-wrap: anywhere; }
[hidden] { display: none !important; }
.transcript { height: var(--voice-agent-height, 16rem); overflow-y: auto; display: grid; align-content: start; gap: .5rem; }
.entry { overflow-wrap: anywhere; }
.who { color: var(--muted); margin-inline-end: .4em; }
.entry.user.open::after { content: "…"; }
.controls, form { display: flex; flex-wrap: wrap; gap: .5rem; }
button, input { font: inherit; min-height: 2.75rem; border-radius: calc(var(--radius) / 2); border: 1px solid var(--border); padding: 0 1rem; }
button { background: transparent; color: inherit; cursor: pointer; }
button.main { background: var(--accent); color: var(--on-accent); border-color: var(--accent); flex: 1; }
button.main.on { box-shadow: 0 0 0 calc(var(--level, 0) * 10px) color-mix(in srgb, var(--accent) 40%, transparent); }
button:disabled { cursor: default; opacity: .6; }
input::placeholder { color: var(--muted); opacity: 1; }
input { flex: 1 5rem; min-width: 0; background: transparent; color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

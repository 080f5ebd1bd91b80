/** The element's controls, and how they show a state. */
import type { VoiceAgentState } from "../voice-agent.ts";
import type { Labels } from "./labels.ts";
import { styles } from "./styles.ts";

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

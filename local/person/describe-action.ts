import type { PersonAction } from "./action.ts";
import type { TranscriptLine } from "./transcript.ts";

/** The line on the terminal when the simulated person does something; nothing is printed for listening. */
export function describeAction(action: PersonAction): TranscriptLine[] {
  switch (action.kind) {
    case "say":
      return [{ label: "you say", text: action.text }];
    case "play":
      return [{ label: "you say", text: action.path }];
    case "type":
      return [{ label: "you type", text: action.text }];
    case "press":
      return [{ label: "you press", text: action.keys }];
    case "wait":
      return [{ label: "you wait", text: `${action.durationMs} ms` }];
    case "listen":
      return [];
  }
}

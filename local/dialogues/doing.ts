/** What the caller does in a step, in a few words. */
import type { DialogueAction } from "./dialogue.ts";

export function doing(action: DialogueAction | undefined): string {
  switch (action?.kind) {
    case undefined:
      return "the greeting";
    case "dtmf":
      return `the keys ${action.keys}`;
    case "unclear":
      return `"${action.text}", which nobody understands`;
    case "cough":
      return "a cough";
    case "pause":
      return `a pause of ${action.lastingMs} ms`;
    case "say":
    case "type":
      return `"${action.text}"`;
    default:
      return action satisfies never;
  }
}

/** `the code is {send_code.demo_code}`: inserts what a tool answered earlier, as a caller would repeat it. */
import { digitsToWords } from "@voice/shared/languages/en/spoken-values";
import type { FinishedToolCall } from "../person/reply.ts";
import { isWordless } from "./dialogue.ts";
import type { DialogueAction } from "./dialogue.ts";

const reference = /\{([a-z_0-9]+)\.([a-z_0-9]+)\}/g;

export function fillIn(action: DialogueAction, calls: readonly FinishedToolCall[]): DialogueAction {
  if (isWordless(action)) return action;
  const valueOf = (tool: string, field: string): string | undefined => {
    const result = calls.findLast(({ name }) => name === tool)?.result;
    if (typeof result !== "object" || result === null) return undefined;
    const value = new Map<string, unknown>(Object.entries(result)).get(field);
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  if (action.kind === "dtmf")
    return {
      ...action,
      keys: action.keys.replaceAll(reference, (whole, tool, field) => valueOf(tool, field) ?? whole),
    };
  const spoken = (value: string): string => (/^\d+$/.test(value) ? digitsToWords(value) : value);
  return {
    ...action,
    text: action.text.replaceAll(reference, (whole, tool, field) => spoken(valueOf(tool, field) ?? whole)),
  };
}

/** The tools and fields that a line refers to. */
export function referencesIn(action: DialogueAction): readonly { readonly tool: string; readonly field: string }[] {
  if (isWordless(action)) return [];
  const text = action.kind === "dtmf" ? action.keys : action.text;
  return [...text.matchAll(reference)].map(([, tool = "", field = ""]) => ({ tool, field }));
}

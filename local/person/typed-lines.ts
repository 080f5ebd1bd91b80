/** What somebody types, or pipes in, during a conversation. */
import { createInterface } from "node:readline";
import { typedAction } from "./action.ts";
import type { PersonAction } from "./action.ts";

export interface TypedLines extends AsyncIterable<PersonAction> {
  /** Nobody is listening any more. */
  close(): void;
}

/** Buffers lines until they are read: lines that are piped in arrive all at once, before the call begins. */
export function readTypedLines(input: NodeJS.ReadableStream): TypedLines {
  const terminal = createInterface({ input });
  const lines = terminal[Symbol.asyncIterator]();

  async function* actions(): AsyncGenerator<PersonAction> {
    for await (const line of lines) {
      const action = typedAction(line);
      if (action !== undefined) yield action;
    }
  }
  return { [Symbol.asyncIterator]: actions, close: () => terminal.close() };
}

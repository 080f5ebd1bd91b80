/** Runs a scenario's dialogues, when the service runs on the user's own machine. */
import { z } from "zod";

import { ApiProblem, describeProblem, UnreadableAnswer } from "../api/api-problem.ts";
import { Store } from "@voice/client-kit/store";

const line = z.union([
  z.object({ problem: z.string() }),
  z.object({
    /** The published one with which it was held, where several are compared. */
    version: z.number().optional(),
    name: z.string(),
    passed: z.boolean(),
    /** The steps done, and their total number. */
    taken: z.number(),
    steps: z.number(),
    deviations: z.array(z.object({ did: z.string(), expected: z.string(), got: z.string() })),
  }),
]);

export type HeldDialogue = Exclude<z.infer<typeof line>, { readonly problem: string }>;

export interface DialoguesState {
  readonly kind: "none" | "holding" | "over";
  readonly held: readonly HeldDialogue[];
  readonly problem: string | undefined;
}

export class DialoguesSession {
  readonly store = new Store<DialoguesState>({ kind: "none", held: [], problem: undefined });
  readonly #fetch: typeof fetch;
  #abort = new AbortController();

  constructor(fetchFrom: typeof fetch) {
    this.#fetch = fetchFrom;
  }

  /** Shows each result as soon as its dialogue is over. `versions`: published ones to compare; none: the files alone. */
  async hold(scenario: string, versions: readonly number[] = []): Promise<void> {
    this.forget();
    const { signal } = this.#abort;
    this.store.set({ kind: "holding", held: [], problem: undefined });
    try {
      const query = new URLSearchParams({ scenario, ...(versions.length > 1 && { versions: versions.join(",") }) });
      const response = await this.#fetch(`/dialogues?${query}`, { method: "POST", signal });
      if (response.ok && response.body !== null) await this.#read(response.body, signal);
      else this.store.update({ problem: await whyNot(response) });
    } catch (error) {
      if (signal.aborted) return;
      this.store.update({ problem: describeProblem(error) });
    }
    if (!signal.aborted) this.store.update({ kind: "over" });
  }

  forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.store.set({ kind: "none", held: [], problem: undefined });
  }

  async #read(body: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal): Promise<void> {
    let rest = "";
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) this.#add(toldBy(text));
    }
  }

  #add(told: z.infer<typeof line>): void {
    if ("problem" in told) this.store.update({ problem: told.problem });
    else this.store.update({ held: [...this.store.get().held, told] });
  }
}

/** A proxy may have answered with a page of its own. */
function toldBy(text: string): z.infer<typeof line> {
  try {
    return line.parse(JSON.parse(text));
  } catch (error) {
    throw new UnreadableAnswer("a line is no dialogue's result", { cause: error });
  }
}

async function whyNot(response: Response): Promise<string> {
  if (response.status === 404)
    return "Dialogues run here only where the service was started with npm start. Elsewhere, run them with npm run dialogues.";
  const body: unknown = await response.json().catch(() => undefined);
  return describeProblem(new ApiProblem(response.status, body, response.headers.get("retry-after")));
}

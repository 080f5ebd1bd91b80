import { beforeEach, describe, expect, it } from "vitest";
import type { PersonAction } from "./action.ts";
import { followScript } from "./follow-script.ts";
import type { Listen, PersonLine, PersonScript } from "./follow-script.ts";

const say = (text: string): PersonAction => ({ kind: "say", text });

/** Writes down what is done on it; the conversation ends after so many answers. */
class FakeLine implements PersonLine {
  readonly sampleRateHz = 16_000;
  readonly done: string[] = [];
  answersUntilEnd = Infinity;
  readonly #over = new AbortController();

  get over(): AbortSignal {
    return this.#over.signal;
  }

  async speak(samples: Int16Array): Promise<void> {
    this.done.push(`speaks ${samples.length} samples`);
  }

  async press(keys: string): Promise<void> {
    this.done.push(`presses ${keys}`);
  }

  async pause(durationMs: number): Promise<void> {
    this.done.push(`pauses for ${durationMs} ms`);
  }

  expectAnswer(): void {
    this.done.push("expects an answer");
  }

  async listen({ to, interruptAfterMs }: Listen): Promise<void> {
    const how = interruptAfterMs === undefined ? "" : ` for ${interruptAfterMs} ms`;
    this.done.push(to === undefined ? "hears the greeting" : `hears the answer${how}`);
    if (to !== undefined && --this.answersUntilEnd === 0) this.#over.abort();
  }
}

let line: FakeLine;

beforeEach(() => {
  line = new FakeLine();
});

const follow = (script: PersonScript): Promise<number> =>
  followScript(line, script, {
    toSamples: async (action) => new Int16Array(action.kind === "say" ? action.text.length : 0),
    onAction: () => undefined,
  });

describe("a script", () => {
  it("is followed one action after the answer to the other, the greeting first", async () => {
    await follow({ actions: [say("yes"), { kind: "press", keys: "1" }, { kind: "listen" }] });
    expect(line.done).toEqual([
      "hears the greeting",
      "speaks 3 samples",
      "hears the answer",
      "presses 1",
      "hears the answer",
      "expects an answer",
      "hears the answer",
    ]);
  });

  it("expects no answer to silence", async () => {
    await follow({ actions: [{ kind: "wait", durationMs: 700 }, say("ok")] });
    expect(line.done).toEqual(["hears the greeting", "pauses for 700 ms", "speaks 2 samples", "hears the answer"]);
  });

  it("interrupts every answer but the last", async () => {
    await follow({ actions: [say("a"), say("b")], interruptAfterMs: 300 });
    expect(line.done.filter((what) => what.startsWith("hears"))).toEqual([
      "hears the greeting",
      "hears the answer for 300 ms",
      "hears the answer",
    ]);
  });

  it("tells how much of it the end of the conversation left undone", async () => {
    line.answersUntilEnd = 1;
    expect(await follow({ actions: [say("a"), say("b"), say("c")] })).toBe(2);
    expect(line.done).not.toContain("speaks 2 samples");
  });

  it("goes on with what is typed until nothing more is", async () => {
    async function* typed(): AsyncGenerator<PersonAction> {
      yield say("later");
    }
    await follow({ actions: [say("a")], typed: typed() });
    expect(line.done.slice(-2)).toEqual(["speaks 5 samples", "hears the answer"]);
  });

  it("waits for nothing more to be typed once the conversation has ended", async () => {
    line.answersUntilEnd = 1;
    async function* typed(): AsyncGenerator<PersonAction> {
      yield say("later");
      await new Promise(() => undefined);
    }
    expect(await follow({ actions: [], typed: typed() })).toBe(0);
  });

  it("fails where it wants to type without a keyboard", async () => {
    await expect(follow({ actions: [{ kind: "type", text: "hello" }] })).rejects.toThrow("nothing can be typed");
  });
});

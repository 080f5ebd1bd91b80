/** Carries a person's script through a conversation: each action after the answer to the one before. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { PersonAction, SpokenAction } from "./action.ts";

export interface PersonScript {
  readonly actions: readonly PersonAction[];
  /** Actions that are added during the conversation, after the scripted ones. */
  readonly typed?: AsyncIterable<PersonAction> | undefined;
  /** Interrupts every answer except the last, this long after it becomes audible. */
  readonly interruptAfterMs?: number | undefined;
}

export interface Listen {
  /** What is answered; absent for the greeting. */
  readonly to?: PersonAction | undefined;
  /** Resolve this long after the answer becomes audible, instead of at its end. */
  readonly interruptAfterMs?: number | undefined;
}

/** A browser's socket or a phone, as a script needs it. */
export interface PersonLine {
  readonly sampleRateHz: number;
  /** Aborted when the conversation has ended and nobody would hear further words. */
  readonly over: AbortSignal;
  /** Speaks PCM16 mono; resolves when the last sample has left. */
  speak(samples: Int16Array): Promise<void>;
  press(keys: string): Promise<void>;
  /** Absent where there is no keyboard. */
  type?(text: string): void;
  pause(durationMs: number): Promise<void>;
  /** What is heard from now on is the answer. */
  expectAnswer(): void;
  /** Resolves when the other side has finished, or says nothing for longer than people wait. */
  listen(how: Listen): Promise<void>;
}

export interface ScriptEvents {
  /** PCM16 mono at this rate. */
  readonly toSamples: (action: SpokenAction, sampleRateHz: number) => Promise<Int16Array>;
  /** Just before it is done. */
  readonly onAction: (action: PersonAction) => void;
}

/** Resolves with the number of actions that the end of the conversation left undone. */
export async function followScript(line: PersonLine, script: PersonScript, events: ScriptEvents): Promise<number> {
  const { actions, typed, interruptAfterMs } = script;
  await line.listen({});
  for (const [index, action] of actions.entries()) {
    if (line.over.aborted) return actions.length - index;
    await perform(line, action, events);
    if (action.kind === "wait") continue; // nobody has to answer that
    const isLast = index === actions.length - 1;
    await line.listen({ to: action, interruptAfterMs: isLast ? undefined : interruptAfterMs });
  }
  if (typed !== undefined) await followTyping(line, typed, events);
  return 0;
}

async function followTyping(line: PersonLine, typed: AsyncIterable<PersonAction>, events: ScriptEvents): Promise<void> {
  const lines = typed[Symbol.asyncIterator]();
  const over = new Promise<undefined>((resolve) => {
    line.over.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  while (!line.over.aborted) {
    const next = await Promise.race([lines.next(), over]);
    if (next === undefined || next.done === true) return;
    await perform(line, next.value, events);
    await line.listen({ to: next.value });
  }
}

async function perform(line: PersonLine, action: PersonAction, { toSamples, onAction }: ScriptEvents): Promise<void> {
  if (action.kind === "say" || action.kind === "play") {
    const samples = await toSamples(action, line.sampleRateHz);
    onAction(action);
    return line.speak(samples);
  }
  onAction(action);
  switch (action.kind) {
    case "type":
      if (line.type === undefined) throw new VoiceError("validation_error", "nothing can be typed on this line");
      return line.type(action.text);
    case "press":
      return line.press(action.keys);
    case "wait":
      return line.pause(action.durationMs);
    case "listen":
      return line.expectAnswer();
  }
}

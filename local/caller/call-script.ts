/** Carries a list of lines through a conversation: each is said once the answer to the one before is complete. */
import { VoiceError } from "@voice/shared/platform/errors";

import type { CallerLine } from "./caller-arguments.ts";
import type { Caller } from "./caller.ts";
import type { Reply } from "./reply.ts";

/** Long enough for a greeting's first clause to be synthesised; an agent without a greeting costs this wait once. */
const GREETING_TIMEOUT_MS = 2500;

export interface CallScript {
  readonly lines: readonly CallerLine[];
  readonly interruptAfterMs: number | undefined;
  readonly timeoutMs: number;
  /** PCM16 mono at the session's rate. */
  readonly toSamples: (line: Extract<CallerLine, { kind: "say" | "wav" }>, sampleRateHz: number) => Promise<Int16Array>;
  readonly onLine: (line: CallerLine) => void;
  readonly onReply: (reply: Reply) => void;
}

/** Resolves with every answer; rejects with a sentence for the person at the terminal. */
export async function runCall(caller: Caller, script: CallScript): Promise<Reply[]> {
  await hearGreeting(caller);
  const replies: Reply[] = [];
  for (const [index, line] of script.lines.entries()) {
    const isLast = index === script.lines.length - 1;
    await deliver(caller, line, script);
    if (line.kind === "silence") continue; // nobody has to answer that
    const interrupt = !isLast && script.interruptAfterMs !== undefined;
    if (interrupt) {
      await caller.waitForAgentAudio(script.timeoutMs);
      await caller.pause(script.interruptAfterMs);
      continue;
    }
    const reply = await caller.waitForReply({ timeoutMs: script.timeoutMs });
    replies.push(reply);
    script.onReply(reply);
    const left = script.lines.length - index - 1;
    if (reply.ended !== undefined && left > 0)
      throw new VoiceError("session_expired", `the agent ended the conversation with ${left} line(s) left to say`);
  }
  return replies;
}

async function deliver(caller: Caller, line: CallerLine, script: CallScript): Promise<void> {
  if (line.kind !== "say" && line.kind !== "wav") {
    script.onLine(line);
    if (line.kind === "type") caller.type(line.text);
    else if (line.kind === "dtmf") caller.press(line.keys);
    else await caller.pause(line.durationMs);
    return;
  }
  const samples = await script.toSamples(line, caller.session.sample_rate);
  script.onLine(line);
  await caller.speak(samples);
}

async function hearGreeting(caller: Caller): Promise<void> {
  try {
    await caller.waitForReply({ timeoutMs: GREETING_TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "upstream_timeout") throw error;
  }
}

/**
 * One reply of the agent, from the text of the caller (or a fixed sentence) to audio in a track. It may be prepared
 * before its turn is sure (TURN-10): the model then writes into a buffer until `commit`.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Synthesiser } from "../../providers/ports/synthesiser.ts";
import { createSpeaker } from "../speaking/speaker.ts";
import type { SpeechSink } from "../speaking/speaker.ts";
import { runAgentLoop } from "./agent-loop.ts";
import type { AgentLoopOptions, AgentLoopOutput, AgentTurn } from "./agent-loop.ts";

export type ReplyContent =
  /** `opener` is said before the model has found a word. */
  | { readonly type: "agent"; readonly turn: AgentTurn; readonly opener?: string | undefined }
  /** A greeting, a reprompt, an apology: words that no model has to find. */
  | { readonly type: "fixed"; readonly text: string; readonly agent: Agent };

export interface ReplyOutput extends Omit<AgentLoopOutput, "onText" | "onSentenceEnd"> {
  /** A piece of what the agent says, as soon as its guardrails have let it pass. */
  onText(text: string, agent: string): void;
  /** A clause that is about to play, as it will be spoken. */
  onClause(text: string, agent: string): void;
  /** Something the agent may not say was left out. */
  onGuardrail(names: readonly string[]): void;
  onProgress(): void;
  /** All audio is in the track. */
  onComplete(): void;
  onFailed(failure: "model" | "voice", error: VoiceError): void;
}

export interface ReplyOptions extends Omit<AgentLoopOptions, "committed"> {
  readonly synthesiser: Synthesiser;
  readonly language: string;
  readonly sampleRateHz: number;
}

export interface Reply {
  /** The turn is sure: tools may run and audio may be made. Takes the track that will be played. */
  commit(turnId: string, sink: SpeechSink): void;
  /** Idempotent; reaches the model, the tools that allow it and the synthesiser before it returns. */
  cancel(): void;
}

/** Made once: an exception of its own with every barge-in costs 20 µs for a stack that nobody reads. */
const cancelled = new DOMException("the reply was cancelled", "AbortError");

export function startReply(content: ReplyContent, options: ReplyOptions, output: ReplyOutput): Reply {
  const abort = new AbortController();
  const committed = Promise.withResolvers<string>();
  const sinkReady = Promise.withResolvers<undefined>();
  const agent = content.type === "agent" ? content.turn.agent : content.agent;
  /** What was written before the commit. */
  const buffered: (() => void)[] = [];
  let speaker: ReturnType<typeof createSpeaker> | undefined;

  function say(action: (voice: ReturnType<typeof createSpeaker>) => void): void {
    if (abort.signal.aborted) return;
    if (speaker === undefined) buffered.push(() => say(action));
    else action(speaker);
  }

  const loopOutput: AgentLoopOutput = {
    ...output,
    onText: (delta) => say((voice) => voice.say(delta)),
    onSentenceEnd: () => say((voice) => voice.endSentence()),
    onAwaits: (awaits) => say(() => output.onAwaits(awaits)),
    onHandoff(handoff) {
      output.onHandoff(handoff);
      say((voice) => voice.speakAs(handoff.to));
    },
  };

  async function run(): Promise<void> {
    try {
      if (content.type === "fixed") loopOutput.onText(content.text);
      if (content.type === "agent" && content.opener !== undefined) {
        loopOutput.onText(content.opener);
        loopOutput.onSentenceEnd();
      }
      if (content.type === "agent")
        await runAgentLoop(content.turn, { ...options, committed: committed.promise }, loopOutput, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) output.onFailed("model", toVoiceError(error));
      return;
    }
    await sinkReady.promise;
    try {
      await speaker?.finish();
      if (!abort.signal.aborted) output.onComplete();
    } catch (error) {
      if (!abort.signal.aborted && !isAbort(error)) output.onFailed("voice", toVoiceError(error));
    }
  }

  void run();

  return {
    commit(turnId, sink) {
      speaker = createSpeaker(
        {
          synthesiser: options.synthesiser,
          language: options.language,
          sampleRateHz: options.sampleRateHz,
          sink,
          onText: (text, name) => output.onText(text, name),
          onProgress: () => output.onProgress(),
          onClause: (text, name) => output.onClause(text, name),
          onGuardrail: (names) => output.onGuardrail(names),
        },
        agent,
        abort.signal,
      );
      for (const action of buffered.splice(0)) action();
      committed.resolve(turnId);
      sinkReady.resolve(undefined);
    },
    cancel() {
      if (abort.signal.aborted) return;
      abort.abort(cancelled);
      committed.resolve(""); // lets a waiting loop notice the abort
      sinkReady.resolve(undefined);
    },
  };
}

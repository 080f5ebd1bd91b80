/**
 * One reply of the agent, from the caller's text (or a fixed sentence) to audio in a track. It may be prepared before its turn is certain
 * (TURN-10): the model runs and the first clause is synthesised into the track, but nothing is reported until `commit`.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { replyCancelled } from "../reply-cancelled.ts";
import { hasWords } from "../speaking/speakable-text.ts";
import { createSpeaker } from "../speaking/speaker.ts";
import type { Speaker } from "../speaking/speaker.ts";
import type { ClauseStart, SpeechSink } from "../speaking/clause-line.ts";
import { runAgentLoop } from "./agent-loop.ts";
import type { AgentLoopOptions, AgentLoopOutput, AgentTurn } from "./agent-loop.ts";
import type { GuardrailHit } from "../guardrail-hit.ts";

export type ReplyContent =
  /** `opener` is spoken before the model's first words. */
  | { readonly type: "agent"; readonly turn: AgentTurn; readonly opener?: string | undefined }
  /** Fixed text that needs no model: a greeting, a reprompt, an apology. */
  | { readonly type: "fixed"; readonly text: string };

export interface ReplyOutput extends Omit<AgentLoopOutput, "onText" | "onSentenceEnd"> {
  /** A piece of the agent's text that its guardrails have passed. */
  onText(text: string, agent: string): void;
  /** Called once, when the reply is certain and its first text is available. */
  onWritten(): void;
  /** A clause is about to play; its text is the spoken form. */
  onClause(agent: string, clause: ClauseStart & { readonly isFiller: boolean }): void;
  /** A guardrail has removed something from the reply. */
  onGuardrail(hit: GuardrailHit): void;
  onProgress(): void;
  /** All audio is in the track. */
  onComplete(): void;
  onFailed(failure: "model" | "voice", error: VoiceError): void;
  /** FAIL-2: the model failed in the middle of its response. What it had written is still spoken, and the failure is handled after that. */
  onBroken(error: VoiceError): void;
}

export interface ReplyOptions extends Omit<AgentLoopOptions, "committed" | "dropped"> {
  readonly synthesiser: Synthesiser;
  readonly language: string;
  readonly sampleRateHz: number;
}

export interface Reply {
  /** Text was written whose audio has not arrived. */
  readonly waitsForVoice: boolean;
  /** Called once. Nothing happens before the call, nor after it if the reply was cancelled first. */
  start(content: ReplyContent): void;
  /** The turn is certain: tools may run, all audio may be generated, and reports that were held back are delivered. */
  commit(turnId: string): void;
  /** Speaks this filler if the reply has no text yet; otherwise does nothing (FILL-2). */
  bridge(filler: string): void;
  /** Speaks this filler after the text that exists so far, all of which was heard while a tool is still running (FAIL-3). */
  fillPause(filler: string): void;
  /** Idempotent. The model, the tools that may be cancelled, and the synthesiser are aborted before it returns. */
  cancel(how?: { readonly keepsLookUps: boolean }): void;
  /** The results of its look-ups are no longer needed. */
  dropLookUps(): void;
}

/** Creates a reply that `agent` begins and whose audio goes to `sink`. It may be created before it is known which turn it answers. */
export function createReply(agent: Agent, sink: SpeechSink, options: ReplyOptions, output: ReplyOutput): Reply {
  return new AgentReply(agent, sink, options, output);
}

class AgentReply implements Reply {
  readonly #options: ReplyOptions;
  readonly #output: ReplyOutput;
  readonly #abort = new AbortController();
  /** Also aborted when a guardrail ends the reply: the model and its tools stop, but what was written is still spoken. */
  readonly #writing = new AbortController();
  readonly #lookUps = new AbortController();
  readonly #committed = Promise.withResolvers<string>();
  /** Reports held back until the reply is certain; undefined afterwards. */
  #untold: (() => void)[] | undefined = [];
  readonly #speaker: Speaker;
  #isFixed = false;
  #isWritten = false;
  #isBridging = false;
  /** Clauses of fillers that have not started to play; they precede all others. */
  #fillerClauses = 0;

  constructor(agent: Agent, sink: SpeechSink, options: ReplyOptions, output: ReplyOutput) {
    this.#options = options;
    this.#output = output;
    this.#speaker = this.#createSpeaker(agent, sink);
  }

  get waitsForVoice(): boolean {
    return this.#speaker.waitsForAudio;
  }

  start(content: ReplyContent): void {
    if (this.#abort.signal.aborted) return;
    this.#isFixed = content.type === "fixed";
    void this.#run(content);
  }

  async #run(content: ReplyContent): Promise<void> {
    const { signal } = this.#abort;
    try {
      await this.#write(content, this.#writing.signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!this.#writing.signal.aborted) {
        const isCertain = this.#untold === undefined;
        if (!this.#isWritten || !isCertain) return this.#output.onFailed("model", toVoiceError(error));
        this.#output.onBroken(toVoiceError(error));
      }
    }
    this.#speaker.endSentence(); // A short response is a single clause, which no later text would complete.
    await this.#committed.promise;
    try {
      await this.#speaker.finish();
      if (!signal.aborted) this.#output.onComplete();
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) this.#output.onFailed("voice", toVoiceError(error));
    }
  }

  commit(turnId: string): void {
    const untold = this.#untold ?? [];
    this.#untold = undefined;
    for (const action of untold) action();
    this.#speaker.release();
    this.#committed.resolve(turnId);
  }

  bridge(filler: string): void {
    if (!this.#isWritten) this.fillPause(filler);
  }

  fillPause(filler: string): void {
    if (this.#abort.signal.aborted) return;
    this.#isBridging = true;
    this.#speaker.say(filler);
    this.#speaker.endSentence();
    this.#isBridging = false;
  }

  dropLookUps(): void {
    this.#lookUps.abort(replyCancelled);
  }

  cancel({ keepsLookUps } = { keepsLookUps: false }): void {
    if (this.#abort.signal.aborted) return;
    if (!keepsLookUps) this.dropLookUps();
    this.#abort.abort(replyCancelled);
    this.#writing.abort(replyCancelled);
    this.#committed.resolve(""); // Wakes whoever waits for the commit, so that they notice the abort.
  }

  async #write(content: ReplyContent, signal: AbortSignal): Promise<void> {
    const output = this.#loopOutput();
    if (content.type === "fixed") {
      output.onText(content.text);
      return;
    }
    if (content.opener !== undefined) {
      output.onText(content.opener);
      output.onSentenceEnd();
    }
    const options = { ...this.#options, committed: this.#committed.promise, dropped: this.#lookUps.signal };
    await runAgentLoop(content.turn, options, output, signal);
  }

  #loopOutput(): AgentLoopOutput {
    const output = this.#output;
    return {
      ...output,
      onText: (delta) => this.#sayText(delta),
      onSentenceEnd: () => {
        if (!this.#abort.signal.aborted) this.#speaker.endSentence();
      },
      onAwaits: (awaits) => this.#tell(() => output.onAwaits(awaits)),
      onHandoff: (handoff) => {
        output.onHandoff(handoff);
        this.#speaker.speakAs(handoff.to);
      },
    };
  }

  #sayText(delta: string): void {
    if (this.#abort.signal.aborted) return;
    // Some models begin with empty lines and then pause, so only words count as the beginning.
    if (!this.#isWritten && hasWords(delta)) {
      this.#isWritten = true;
      this.#tell(() => this.#output.onWritten());
    }
    this.#speaker.say(delta);
  }

  /** Nothing is reported for a reply that is only prepared or was cancelled. */
  #tell(action: () => void): void {
    if (this.#abort.signal.aborted) return;
    if (this.#untold === undefined) action();
    else this.#untold.push(action);
  }

  #createSpeaker(agent: Agent, sink: SpeechSink): Speaker {
    const { synthesiser, language, sampleRateHz } = this.#options;
    const output = this.#output;
    return createSpeaker(
      {
        synthesiser,
        language,
        sampleRateHz,
        isFixed: () => this.#isFixed,
        sink,
        isUncertain: true,
        onText: (text, name) => {
          if (this.#isBridging) this.#fillerClauses++;
          this.#tell(() => output.onText(text, name));
        },
        onProgress: () => this.#tell(() => output.onProgress()),
        onClause: (_text, name, start) =>
          this.#tell(() => output.onClause(name, { ...start, isFiller: this.#takeFillerClause() })),
        onGuardrail: (hit) => this.#tell(() => output.onGuardrail(hit)),
        onStopped: () => {
          this.dropLookUps();
          this.#writing.abort(replyCancelled);
        },
      },
      agent,
      this.#abort.signal,
    );
  }

  #takeFillerClause(): boolean {
    if (this.#fillerClauses === 0) return false;
    this.#fillerClauses--;
    return true;
  }
}

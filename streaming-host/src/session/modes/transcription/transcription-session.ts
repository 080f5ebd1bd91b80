/**
 * TRANSCRIPTION mode: transcribes the caller without any agent. The words come from our recogniser, or from the
 * communication service's own if the peer sends text instead of audio.
 */
import { packOf } from "@voice/shared/languages/packs";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { CreateSessionListener, Listener } from "../../../pipeline/listening/listener.ts";
import type { PeerTranscript, SessionNotice } from "../../../transports/transport.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { storeUnfinishedText } from "../../conversation/store-unfinished-text.ts";
import { storeCallerText } from "../../conversation/store-caller-text.ts";
import { leaveConversation } from "../../conversation/leave-conversation.ts";
import { createCallerWords } from "../../output/caller-text.ts";
import type { CallerTextOutput, HeardText } from "../../output/caller-text.ts";
import { LevelMeter } from "../../output/level-meter.ts";
import { sessionNotice } from "../../output/session-notice.ts";
import { transcriptionPolicy } from "../../turn/turn-policy.ts";
import { languageSettings } from "../../turn/language-settings.ts";
import { noEndpointing } from "../../turn/turn-settings.ts";
import type { TurnSettings } from "../../turn/turn-settings.ts";
import { isQuiet, nextTurnId } from "../../turn/turn-state.ts";
import { causeOf, withReason } from "../../output/cause-of.ts";
import { recognitionHints } from "../cascade/recognition-hints.ts";
import type { LiveSession, SessionStatus, SessionEnd } from "../live-session.ts";
import type { PeerEvent } from "../peer-event.ts";
import type { SessionOptions } from "../session-options.ts";
import { TurnLoop } from "../turn-loop.ts";
import type { SessionCommand } from "../turn-loop.ts";

export interface TranscriptionSessionOptions extends SessionOptions {
  readonly createListener: CreateSessionListener;
}

const settings: TurnSettings = {
  ...noEndpointing,
  policy: transcriptionPolicy,
  language: languageSettings(packOf("en")).language, // never asked: nobody is interrupted, and nothing answered
  bargeInEnabled: false,
  deadAirMs: Number.POSITIVE_INFINITY,
  idleMs: Number.POSITIVE_INFINITY,
};

export class TranscriptionSession implements LiveSession {
  readonly conversation: Conversation;
  readonly #options: TranscriptionSessionOptions;
  readonly #loop: TurnLoop;
  readonly #words: CallerTextOutput;
  readonly #listener: Listener;
  readonly #levels: LevelMeter;
  readonly #notify = (notice: SessionNotice): void => {
    if (this.#closing !== undefined) return;
    this.#options.transport.notify(notice);
    this.#options.publish(notice);
  };
  #isPaused = false;
  #closing: Promise<void> | undefined;
  /** The newest words that are not final yet. */
  #open: HeardText | undefined;
  /** The peer's own service transcribes; recognising the audio too would duplicate every word. */
  #peerTranscribes = false;

  constructor(options: TranscriptionSessionOptions) {
    const { transport, conversation, clock, logger, recorder, resumed } = options;
    const notify = this.#notify;
    this.#options = options;
    this.conversation = conversation;
    this.#loop = new TurnLoop({
      turnCount: conversation.turnCount,
      settings: () => settings,
      agentName: () => conversation.agent.name,
      run: (command) => this.#run(command),
      onTurnBegan: (turnCount) => conversation.beginTurn(turnCount, clock.wallNow()),
      notify,
      notifyWatchers: options.publish,
      probe: options.probe,
      flightRecorder: options.flightRecorder,
      clock,
      logger,
    });
    this.#words = createCallerWords({ notify, recorder, turnId: () => nextTurnId(this.#loop.state) });
    this.#levels = new LevelMeter(clock, (payload) => notify({ type: "audio_levels", payload }));
    this.#listener = options.createListener(recognitionHints(conversation, options.callerName), {
      onPartial: (partial) => this.#onPartial(partial),
      onFinal: (final, endedMs) => this.#onFinal(final, endedMs),
      onRecogniserFailed: (error) => options.probe.upstreamFailed("recogniser", error),
      onRecogniserLost: (error) => this.#onRecogniserLost(error),
    });
    notify(sessionNotice(conversation, transport, resumed));
  }

  get status(): SessionStatus {
    const { state } = this.#loop;
    return { hasBegun: state.turnCount > 0, isQuiet: isQuiet(state) };
  }

  get ended(): Promise<string> {
    return this.#loop.ended;
  }

  onAudio(samples: Int16Array): void {
    if (this.#isPaused || this.#closing !== undefined) return;
    if (!this.#peerTranscribes) this.#listener.write(samples);
    this.#levels.input(this.#listener.level);
    this.#options.recorder.callerAudio(samples);
  }

  handle(event: PeerEvent): void {
    switch (event.type) {
      case "transcript":
        this.#onPeerTranscript(event.transcript);
        return;
      case "whole-turn": {
        const now = this.#options.clock.now();
        this.#words.whole(event.text, now, now, event.keyed && { keyed: true });
        this.#loop.dispatch({ type: "whole-turn", text: event.text });
        return;
      }
      case "paused":
        this.#isPaused = event.isPaused;
        if (event.isPaused) this.#listener.flush(); // CTRL-1
        break;
      case "person-audio":
      case "person-hold":
      case "person-left":
        return; // nobody speaks here whose place a person could take
      case "effect-requested":
        return; // no agent here could tell the caller the outcome
      case "language-changed":
        return; // its recogniser keeps its initial language
      default:
    }
    this.#loop.dispatch(event);
  }

  close(reason?: SessionEnd): Promise<void> {
    return (this.#closing ??= this.#shutDown(reason));
  }

  #onPeerTranscript({ text, isFinal, startMs, endMs }: PeerTranscript): void {
    this.#peerTranscribes = true;
    const heard = { text, startMs, endMs };
    if (!isFinal) this.#onPartial(heard);
    // The peer's times are relative to the call's start, which we do not know; the words end about now.
    else this.#onFinal(heard, this.#options.clock.now());
  }

  #onPartial(heard: HeardText): void {
    const { text, startMs, endMs, language } = heard;
    this.#open = heard;
    if (text !== "") this.#words.partial(text, { start_ms: startMs, end_ms: endMs, language });
  }

  #onFinal(final: HeardText, endedMs: number): void {
    this.#open = undefined;
    this.#words.final(final, endedMs);
    this.#loop.dispatch({ type: "final", text: final.text, endedMs, replyRemainingMs: 0 });
  }

  #onRecogniserLost(error: VoiceError): void {
    this.#options.logger.error({ error, code: error.code }, "the recogniser is lost");
    const told = { code: error.code, message: withReason("Speech recognition is not available", error) };
    this.conversation.noteFailure({ ...told, timestampMs: this.#options.clock.wallNow() });
    this.#notify({ type: "error", payload: told });
    this.#loop.dispatch({ type: "farewell-requested", reason: "recogniser_lost", cause: causeOf(error) });
  }

  #run(command: SessionCommand): void {
    if (command.type === "flush-recogniser") this.#listener.flush();
    if (command.type === "keep-words") storeCallerText(this.conversation, command, this.#options.clock); // there are no replies
  }

  /** No final will come any more. */
  #storeUnfinishedText(heard: HeardText): void {
    const { clock } = this.#options;
    this.#words.final(heard, clock.now());
    const { turnCount } = this.#loop.state;
    storeUnfinishedText(this.conversation, { text: heard.text, turnCount, timestampMs: clock.wallNow() });
  }

  async #shutDown(reason: SessionEnd | undefined): Promise<void> {
    // Without a reason the session begins again at once, and the caller has not left.
    if (reason !== undefined && this.#open !== undefined) this.#storeUnfinishedText(this.#open);
    this.#loop.close();
    this.#listener.close();
    this.#levels.close();
    const { transport, clock } = this.#options;
    await leaveConversation(this.conversation, transport, { reason, isQuiet: true, clock });
    this.#loop.onClosed(reason ?? "replaced");
  }
}

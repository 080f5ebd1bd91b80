/**
 * One caller who holds a turn every four seconds, whatever the server does: says a sentence, finishes, talks over the
 * answer after a second and a half, and says nothing more. People do that a third as often.
 */
import { openRawLine } from "./raw-line.ts";
import type { RawLine } from "./raw-line.ts";
import type { Wire } from "./wire.ts";

const turnMs = 4000;
const frameMs = 20;
/**
 * From the beginning of a turn. A recogniser says what it hears within a moment; the final words come a little after the client has
 * said that the speech is over.
 */
const at = { hearing: 0, finished: 300, question: 360, interruption: 1800, nothing: 2300 } as const;

/**
 * A caller that is this late says its next sentence before the answer to the last one can be there: an interruption that finds
 * nobody speaking proves nothing about the server.
 */
const outOfTimeMs = 250;

export interface Heard {
  readonly firstAudioMs: number[];
  readonly stopMs: number[];
  turns: number;
  /** Questions that had no audible answer before the caller gave up. */
  lostTurns: number;
  /** Interruptions after which the agent was not told to be quiet. */
  lostStops: number;
  /** Losses in turns in which this process itself stalled, so that the caller's words came at the wrong time. */
  unclear: number;
  /** Frames that came after the agent was told to be quiet, before anything was asked again. */
  strayFrames: number;
  worstLatenessMs: number;
}

/** `onMessage` is given the beginning of every message. */
export type OpenLine = (onMessage: (start: string) => void) => Promise<RawLine>;

export const nothingHeard = (): Heard => ({
  firstAudioMs: [],
  stopMs: [],
  turns: 0,
  lostTurns: 0,
  lostStops: 0,
  unclear: 0,
  strayFrames: 0,
  worstLatenessMs: 0,
});

export function addHeard(total: Heard, heard: Heard): void {
  total.firstAudioMs.push(...heard.firstAudioMs);
  total.stopMs.push(...heard.stopMs);
  total.turns += heard.turns;
  total.lostTurns += heard.lostTurns;
  total.lostStops += heard.lostStops;
  total.unclear += heard.unclear;
  total.strayFrames += heard.strayFrames;
  total.worstLatenessMs = Math.max(total.worstLatenessMs, heard.worstLatenessMs);
}

export class Caller {
  heard = nothingHeard();
  readonly #wire: Wire;
  #line: RawLine | undefined;
  #nextFrameMs: number;
  #turnStartsMs: number;
  /** The frames that the turn still has to send, in order. */
  #left: (keyof typeof at)[] = [];
  #askedAtMs: number | undefined;
  #interruptedAtMs: number | undefined;
  #isQuiet = false;
  /** The worst delay of this process since the turn began. */
  #ownDelayMs = 0;
  #pace: FramePace;

  /** Frames and turns begin at moments of their own. */
  constructor(wire: Wire, startMs: number, share: number) {
    this.#wire = wire;
    this.#pace = new FramePace(wire.pacedMs ?? frameMs);
    this.#nextFrameMs = startMs + share * frameMs;
    this.#turnStartsMs = startMs + share * turnMs;
  }

  /** `index`: the caller's number, where the protocol asks who it is. */
  async connect(url: string, index = 0, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.connectBy((onMessage) => openRawLine(url, onMessage, headers));
    const opening = this.#wire.opening?.(index);
    if (opening !== undefined) this.#line?.send(opening);
  }

  async connectBy(open: OpenLine): Promise<void> {
    this.#line = await open((start) => this.#receive(start, performance.now()));
  }

  /** Why the line is closed, in words; undefined while it is open. */
  get endedBecause(): string | undefined {
    return this.#line === undefined ? "it was never open" : this.#line.endedBecause;
  }

  /** Sends what is due. Turns are held only while `talks`. */
  tick(nowMs: number, talks: boolean): void {
    if (this.#nextFrameMs > nowMs) return;
    this.#ownDelayMs = Math.max(this.#ownDelayMs, nowMs - this.#nextFrameMs);
    this.#nextFrameMs += frameMs;
    if (talks && this.#turnStartsMs <= nowMs && this.#left.length === 0) this.#beginTurn(nowMs);
    const [due] = this.#left;
    if (due === undefined || this.#turnStartsMs - turnMs + at[due] > nowMs) {
      this.#line?.send(this.#wire.quiet);
      return;
    }
    this.#left.shift();
    if (due === "question") {
      this.#askedAtMs = performance.now(); // others were served in this tick before
      this.#isQuiet = false;
      this.heard.turns++;
    } else if (due === "interruption" && this.#askedAtMs === undefined) this.#interruptedAtMs = performance.now();
    this.#line?.send(this.#wire[due]);
    if (due === "finished") this.#line?.send(this.#wire.quiet);
  }

  /** The turn has nothing left to send, and the next one has not begun. */
  get isBetweenTurns(): boolean {
    return this.#left.length === 0;
  }

  /** The conversation ends here: what has not been answered by now is lost. */
  finish(): Heard {
    this.#countLosses();
    return this.heard;
  }

  /** Resets the counts; a turn that is under way does not count as lost. */
  reset(): void {
    this.heard = nothingHeard();
    this.#pace = new FramePace(this.#wire.pacedMs ?? frameMs);
    this.#askedAtMs = undefined;
    this.#interruptedAtMs = undefined;
  }

  take(): Heard {
    this.heard.worstLatenessMs = this.#pace.worstMs;
    return this.heard;
  }

  close(): void {
    this.#line?.close();
  }

  #beginTurn(nowMs: number): void {
    this.#countLosses();
    this.#askedAtMs = undefined;
    this.#interruptedAtMs = undefined;
    this.#ownDelayMs = 0;
    this.#turnStartsMs += turnMs;
    // A caller that was late by more than a turn does not hold two at once.
    if (this.#turnStartsMs <= nowMs) this.#turnStartsMs = nowMs + turnMs;
    this.#left = ["hearing", "finished", "question", "interruption", "nothing"];
  }

  #countLosses(): void {
    const isTurnLost = this.#askedAtMs !== undefined;
    const isStopLost = this.#interruptedAtMs !== undefined;
    if (this.#ownDelayMs > outOfTimeMs) this.heard.unclear += Number(isTurnLost) + Number(isStopLost);
    else {
      this.heard.lostTurns += Number(isTurnLost);
      this.heard.lostStops += Number(isStopLost);
    }
  }

  #receive(start: string, nowMs: number): void {
    if (this.#wire.isAudio(start)) {
      if (this.#askedAtMs !== undefined) {
        this.heard.firstAudioMs.push(nowMs - this.#askedAtMs);
        this.#askedAtMs = undefined;
        this.#pace.restart();
      }
      if (this.#wire.pacedMs !== undefined) this.#pace.onFrame(nowMs);
      if (this.#isQuiet) this.heard.strayFrames++;
    } else if (this.#wire.isStop(start)) {
      if (this.#interruptedAtMs !== undefined) {
        this.heard.stopMs.push(nowMs - this.#interruptedAtMs);
        this.#interruptedAtMs = undefined;
      }
      this.#isQuiet = true;
    }
  }
}

/** After such a pause another reply, or the rest of one that was interrupted, begins with a pace of its own. */
const newReplyMs = 300;

/**
 * How regularly the audio of one reply comes. A frame is as late as it comes after the earliest pace that the reply
 * has kept until then: whatever lead a server gives, the first message that misses it by 20 ms is 20 ms late.
 */
class FramePace {
  worstMs = 0;
  readonly #messageMs: number;
  #frames = 0;
  #paceMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `messageMs`: how much audio each message has. */
  constructor(messageMs: number) {
    this.#messageMs = messageMs;
  }

  onFrame(nowMs: number): void {
    if (nowMs - this.#lastMs > newReplyMs + this.#messageMs) this.restart();
    this.#lastMs = nowMs;
    const offsetMs = nowMs - this.#frames++ * this.#messageMs;
    this.#paceMs = Math.min(this.#paceMs, offsetMs);
    this.worstMs = Math.max(this.worstMs, offsetMs - this.#paceMs);
  }

  restart(): void {
    this.#frames = 0;
    this.#paceMs = Number.POSITIVE_INFINITY;
  }
}

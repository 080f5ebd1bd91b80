/**
 * What a person at the caller's end would have heard and said, on one time line: the caller's frames as they were spoken,
 * the agent's audio where a player would have played it. The service may send ahead of the playing; what a barge-in
 * takes back before it was played is not in the recording.
 */

/** A player starts this long after the first frame of an answer, so that a frame that comes late leaves no hole. */
const playerDelayMs = 60;

interface PlacedAudio {
  readonly start: number;
  readonly samples: Int16Array;
}

export class ConversationRecording {
  readonly sampleRateHz: number;
  readonly #originMs: number;
  readonly #caller: Int16Array[] = [];
  #callerSamples = 0;
  #agent: PlacedAudio[] = [];
  /** -1 as long as the agent has said nothing: even an answer at position 0 starts with the player's delay. */
  #agentEnd = -1;

  constructor(sampleRateHz: number, originMs: number) {
    this.sampleRateHz = sampleRateHz;
    this.#originMs = originMs;
  }

  addCaller(samples: Int16Array): void {
    this.#caller.push(samples);
    this.#callerSamples += samples.length;
  }

  addAgent(samples: Int16Array, atMs: number): void {
    const arrived = this.#position(atMs);
    const start = this.#agentEnd >= arrived ? this.#agentEnd : this.#position(atMs + playerDelayMs);
    this.#agent.push({ start, samples });
    this.#agentEnd = start + samples.length;
  }

  /** The caller interrupted, so audio that has not been played yet is discarded. */
  dropUnplayed(atMs: number): void {
    const played = this.#position(atMs);
    this.#agent = this.#agent
      .filter(({ start }) => start < played)
      .map(({ start, samples }) => ({ start, samples: samples.subarray(0, played - start) }));
    this.#agentEnd = Math.min(this.#agentEnd, played);
  }

  /** How long the agent would go on speaking if no more audio arrived. */
  unplayedMs(atMs: number): number {
    return Math.max(0, ((this.#agentEnd - this.#position(atMs)) * 1000) / this.sampleRateHz);
  }

  /** The agent alone, from its first sample to its last, pauses included. */
  agentOnly(): Int16Array {
    const start = this.#agent[0]?.start ?? 0;
    const track = new Int16Array(Math.max(0, this.#agentEnd - start));
    for (const placed of this.#agent) track.set(placed.samples, placed.start - start);
    return track;
  }

  /** Interleaved: caller left, agent right. */
  stereo(): Int16Array {
    const track = new Int16Array(2 * Math.max(this.#callerSamples, this.#agentEnd));
    let at = 0;
    for (const samples of this.#caller) {
      for (const sample of samples) {
        track[at] = sample;
        at += 2;
      }
    }
    for (const { start, samples } of this.#agent) {
      let right = 2 * start + 1;
      for (const sample of samples) {
        track[right] = sample;
        right += 2;
      }
    }
    return track;
  }

  #position(atMs: number): number {
    return Math.max(0, Math.round(((atMs - this.#originMs) * this.sampleRateHz) / 1000));
  }
}

/** Sends those who watch a conversation everything that its peer is sent, and its end (HS-10). */
import type { Clock } from "@voice/shared/platform/clock";
import { pause } from "@voice/shared/platform/pause";
import type { Channel } from "@voice/shared/state/ports/session-store";
import type { EffectOutcome } from "../../../session/conversation/host-effects.ts";
import type { SessionNotice } from "../../../transports/transport.ts";

export interface Watchers {
  tell(notice: SessionNotice): void;
  /** The caller is being transferred; if that succeeds, it is how the conversation ends. */
  transferring(outcome: Promise<EffectOutcome>): void;
  sessionEnded(reason: string): void;
}

/** The socket may close before the service reports that the transfer succeeded, but not long before. */
const transferNewsMs = 2000;

/** What it means for the conversation that its socket closed without our doing. */
const peerEnds: ReadonlyMap<string, string> = new Map([
  ["finished", "caller_left"],
  ["lost", "connection_lost"],
]);

export interface WatchersOptions {
  readonly publish: (notice: SessionNotice) => void;
  readonly channel: Channel;
  readonly clock: Clock;
  /** The end is already being published. */
  readonly onEnd: (reason: string) => void;
}

export function createWatchers({ publish, channel, clock, onEnd }: WatchersOptions): Watchers {
  let knowsEnd = false;
  let transfer: Promise<EffectOutcome> | undefined;

  function tell(notice: SessionNotice): void {
    if (notice.type === "event" && notice.payload.name === "session_ended") {
      knowsEnd = true;
      onEnd(notice.payload.reason);
    }
    publish(notice);
  }

  function end(reason: string): void {
    if (!knowsEnd) tell({ type: "event", payload: { name: "session_ended", reason } });
  }

  /** The socket has closed during a transfer; if that succeeds, another party now has the caller. */
  async function sayWhetherTransferred(outcome: Promise<EffectOutcome>, otherwise: string): Promise<void> {
    const known = await Promise.race([outcome, pause(clock, transferNewsMs)]);
    end(known?.ok === true ? "transferred" : otherwise);
  }

  return {
    tell,
    transferring(outcome) {
      transfer = outcome;
    },
    sessionEnded(reason) {
      // The conversation continues: on a newer socket, or, for a call, on another host.
      const continues = reason === "replaced" || (reason === "draining" && channel === "phone");
      if (knowsEnd || continues) return;
      const peerEnd = peerEnds.get(reason);
      if (peerEnd === undefined) end(reason);
      else if (transfer === undefined) end(peerEnd);
      else void sayWhetherTransferred(transfer, peerEnd);
    },
  };
}

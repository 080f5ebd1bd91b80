/**
 * Knows which host has which call's stream, and which connected call has none (MEDIA-8). The host that has a stream
 * renews a lease on it in the state store. When it dies, loses the store or closes the stream, the lease expires, and
 * any host that checks finds a call that nobody carries. Nothing here happens per frame.
 */
import { isAwaitingAnswer, isEnded } from "@voice/shared/calls/call-transitions";
import type { CancelTimer } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { OutageLog } from "@voice/shared/platform/outage-log";
import type { Hold } from "@voice/shared/state/ports/work-queue";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { CallParts } from "../call-parts.ts";
import { streamOf } from "../begin/media-address.ts";
import { followUpMs } from "../report-times.ts";
import { askForStream, recoverSilentCall, openingMs } from "./media-recovery.ts";

/** With the lease's length, so that the silence after a host's death is found within 3 s. */
const tickMs = 500;
/** Four ticks, so that a host that is busy for a second keeps its calls. */
export const leaseMs = 2000;
/**
 * How much later than this host another one may reach the store again: the longest pause between its attempts (2.4 s), one that
 * runs into its time limit, and a tick. A call that is taken from a healthy host has its last turn twice.
 */
const othersReturnMs = 5000;
/** The service itself may reopen a closed stream, which it does within a second. */
const reopeningMs = 1200;
const batch = 20;

/** A gap of this many ticks without a frame is no mere hiccup of the network or of this host. */
const quietTicks = 3;

/** `id` is the call's. */
interface Carried extends Hold {
  readonly call: CallRecord;
  /** Whether any audio has come since the last check. */
  readonly hasFlowed: () => boolean;
  /** Ticks since audio last came. */
  quiet: number;
  /** `lost`: it expired or was taken away, or no audio came. */
  lease: "none yet" | "held" | "lost";
}

export class StreamWatch {
  readonly #parts: CallParts;
  readonly #carried = new Set<Carried>();
  readonly #looking: OutageLog;
  #cancel: CancelTimer | undefined;
  #isStopped = false;
  /**
   * Leases also expire while the store is unreachable, even those of healthy calls, so after an outage their hosts get
   * the first chance to renew them.
   */
  #trustedFromMs: number;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#looking = createOutageLog(parts.host.logger, {
      failing: "calls without a stream were not looked for",
      over: "calls without a stream are looked for again",
    });
    this.#trustedFromMs = parts.host.clock.now();
  }

  start(): void {
    this.#parts.holders.start((callId) => {
      void this.#attempt("whether a stream lives was not answered", () => this.#answer(callId));
    });
    this.#tickLater();
  }

  #tickLater(): void {
    this.#cancel = this.#parts.host.clock.setTimer(tickMs, () => {
      void this.#tick().finally(() => (this.#isStopped ? undefined : this.#tickLater()));
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  /**
   * This host has the call's stream until the returned function is called. A socket that no longer delivers audio does
   * not count.
   */
  carry(call: CallRecord, hasFlowed: () => boolean): () => void {
    const holder = this.#parts.holders.newHolder();
    const carried: Carried = { call, id: call.callId, holder, hasFlowed, quiet: 0, lease: "none yet" };
    this.#carried.add(carried);
    void this.#attempt("a stream was not written down", () => this.#hold(carried));
    return () => {
      if (!this.#carried.delete(carried)) return;
      void this.#attempt("the end of a stream was not written down", () =>
        this.#parts.host.state.callStreams.release(carried, reopeningMs),
      );
    };
  }

  async #hold(carried: Carried): Promise<void> {
    const { host, ledger } = this.#parts;
    const { callStreams } = host.state;
    const { call } = carried;
    // A stream that is new replaces the one before it. One that was lost replaces none that another host has opened since.
    if (carried.lease === "none yet") await callStreams.hold(carried, leaseMs);
    else if (!(await callStreams.claim(carried, leaseMs))) return;
    carried.lease = "held";
    await ledger.markStreamOpened(call);
    // MEDIA-6, for a stream that came while the store was unreachable.
    if (call.callConnectionId !== undefined && isAwaitingAnswer(call.status))
      await ledger.markConnected(call, call.callConnectionId);
  }

  /** The socket delivers no audio, so the call counts as having no stream until audio comes again. */
  async #releaseQuiet(carried: Carried): Promise<void> {
    carried.lease = "lost";
    this.#parts.host.logger.warn({ callId: carried.id }, "a media socket is open and brings nothing");
    await this.#parts.host.state.callStreams.release(carried, 0);
  }

  /** This host may have been too slow to keep it, and takes it again if nobody else has. */
  async #renew(carried: readonly Carried[]): Promise<void> {
    const { callStreams } = this.#parts.host.state;
    for (const one of await callStreams.renew(carried, leaseMs)) {
      if (one.lease !== "held") continue;
      one.lease = "lost";
      this.#parts.host.logger.warn({ callId: one.id }, "the lease on a stream was lost");
    }
  }

  /** The service says of one of this call's streams that it has failed, and a host asks whether it is the one that is here. */
  async #answer(callId: string): Promise<void> {
    for (const one of this.#carried) {
      if (one.id !== callId || !isHeld(one) || one.quiet >= quietTicks) continue;
      await this.#renew([one]);
      // The host that asks may die before it does so.
      if (isHeld(one)) await this.#parts.ledger.markStreamOpened(one.call);
    }
  }

  async #tick(): Promise<void> {
    const { host } = this.#parts;
    try {
      await this.#lookForSilentCalls();
      this.#looking.worked();
    } catch (error) {
      this.#looking.failed(error);
      this.#trustedFromMs = host.clock.now() + leaseMs + othersReturnMs;
    }
  }

  async #lookForSilentCalls(): Promise<void> {
    const { host } = this.#parts;
    const all = [...this.#carried];
    for (const one of all) one.quiet = one.hasFlowed() ? 0 : one.quiet + 1;
    const carried = all.filter(({ quiet }) => quiet < quietTicks);
    // Our own leases first, so that a host that was held up does not find its own calls abandoned.
    await Promise.all(carried.filter((one) => !isHeld(one)).map((one) => this.#hold(one)));
    await this.#renew(carried);
    const quiet = all.filter((one) => one.quiet >= quietTicks && isHeld(one));
    await Promise.all(quiet.map((one) => this.#releaseQuiet(one)));
    const limit = host.clock.now() >= this.#trustedFromMs ? batch : 0;
    const overdue = await host.state.callStreams.take({ limit, leaseMs: openingMs });
    for (const callId of overdue) void this.#attempt("a silent call was not helped", () => this.#help(callId));
  }

  async #help(callId: string): Promise<void> {
    const { host } = this.#parts;
    const call = await host.state.calls.get(callId);
    if (call === undefined || isEnded(call.status)) return host.state.callStreams.forget(callId);
    // Hold music is not silence. But a host must be there when it ends, or when a ringing phone is picked up.
    if (call.status === "on_hold")
      return askForStream(call, streamOf(call, this.#parts.host.settings).kind, this.#parts);
    if (call.status !== "connected") return undefined;
    if (call.hangUpAtMs !== undefined) {
      // The call needs no stream but has to be ended (END-10).
      await host.state.callStreams.forget(callId);
      return host.state.callChecks.expect(callId, followUpMs);
    }
    return recoverSilentCall(call, this.#parts);
  }

  /** Never rejects. */
  async #attempt(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.host.logger.warn({ error, code: toVoiceError(error).code }, failure);
    }
  }
}

function isHeld({ lease }: Carried): boolean {
  return lease === "held";
}

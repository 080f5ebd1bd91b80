/**
 * Knows which host has which call's stream, and which connected call has none (MEDIA-8). The host that has a stream
 * renews a lease on it in the state store. When it dies, loses the store or closes the stream, the lease expires, and
 * any host that checks finds a call that nobody carries. Nothing here happens per frame.
 */
import { isAwaitingAnswer, isEnded } from "@voice/shared/calls/call-transitions";
import type { CancelTimer } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import { createUuid } from "@voice/shared/platform/ids";
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
const leaseMs = 2000;
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
  isHeld: boolean;
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
    this.#cancel = this.#parts.host.clock.setTimer(tickMs, () => {
      void this.#tick().finally(() => (this.#isStopped ? undefined : this.start()));
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
    const carried: Carried = { call, id: call.callId, holder: createUuid(), hasFlowed, quiet: 0, isHeld: false };
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
    const { call } = carried;
    await host.state.callStreams.hold(carried, leaseMs);
    carried.isHeld = true;
    await ledger.markStreamOpened(call);
    // MEDIA-6, for a stream that came while the store was unreachable.
    if (call.callConnectionId !== undefined && isAwaitingAnswer(call.status))
      await ledger.markConnected(call, call.callConnectionId);
  }

  /** The socket delivers no audio, so the call counts as having no stream until audio comes again. */
  async #releaseQuiet(carried: Carried): Promise<void> {
    carried.isHeld = false;
    this.#parts.host.logger.warn({ callId: carried.id }, "a media socket is open and brings nothing");
    await this.#parts.host.state.callStreams.release(carried, 0);
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
    await Promise.all(carried.filter(({ isHeld }) => !isHeld).map((one) => this.#hold(one)));
    await host.state.callStreams.renew(carried, leaseMs);
    await Promise.all(all.filter(isQuietAndHeld).map((one) => this.#releaseQuiet(one)));
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
      // It needs no stream but has to be ended (END-10).
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

function isQuietAndHeld({ quiet, isHeld }: Carried): boolean {
  return isHeld && quiet >= quietTicks;
}

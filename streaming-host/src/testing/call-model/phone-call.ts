/**
 * A call's life as a state that can be explored: the real call control on a virtual clock, the call as the
 * communication service knows it, and the history so far. A state cannot be copied, so each one is rebuilt by replaying
 * its moves.
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { CallStatus } from "@voice/shared/contracts/calls/call-status";
import { VoiceError } from "@voice/shared/platform/errors";
import type { CallControl } from "../../calls/call-control.ts";
import { startCallRig, type CallRig, type HeardDetails } from "../call-rig.ts";

const connectionId = "connection-call-1";
/** Short, so that a call left alone does not last for an hour. */
const limits = { COMM_CALL_TIMEOUT: "10", COMM_MAX_CALL_DURATION: "20" };

const holdSeconds = 5;
/** Until every host has seen that a hold should be over, and the service has been asked to end it. */
const holdIsOverMs = 12_000;

/** The line's state in the telephone network. */
export type Line = "none" | "rings" | "talks" | "gone";

export class PhoneCall {
  readonly rig: CallRig;
  readonly #hosts: CallControl[];
  readonly #statuses: CallStatus[] = [];
  line: Line = "none";
  /** The service plays music to the far end. */
  hasMusic = false;
  /** The callbacks that the service has sent, so that they can be repeated. */
  readonly told: string[] = [];
  /** The service says that it knows no such call, and the line is there. */
  isDenied = false;
  #letGo: (() => void) | undefined;
  /** The service does what it is asked next, and nobody hears that it did. */
  losesAnswer = false;
  #hasRefused = false;
  #control: CallControl;
  /** Delivers the latest callback once more. */
  #repeat: (() => Promise<void>) | undefined;

  private constructor(rig: CallRig) {
    this.rig = rig;
    this.#control = rig.control;
    this.#hosts = [rig.control];
  }

  static async begin(): Promise<PhoneCall> {
    const rig = await startCallRig(limits);
    const call = new PhoneCall(rig);
    rig.during(async ({ operation }, isRefused) => {
      if (isRefused) return;
      if (call.losesAnswer) rig.failures.push(new VoiceError("upstream_timeout", "no answer", { retryable: true }));
      call.losesAnswer = false;
      if (operation === "place") {
        if (call.line === "none") call.line = "rings"; // asked again under the same id, it says yes and does nothing
        return;
      }
      if (operation === "stateOf") return call.look();
      if (call.isDenied) {
        call.#hasRefused = true;
        throw new VoiceError("call_not_found", "the service denies the call");
      }
      if (call.line === "gone") throw new VoiceError("call_not_found", "the service has forgotten the call");
      if (operation === "hangUp") call.line = "gone";
      call.hasMusic = call.line === "talks" && (operation === "hold" || (call.hasMusic && operation !== "unhold"));
    });
    await rig.create();
    await rig.place();
    await call.look();
    return call;
  }

  async look(): Promise<void> {
    const { status } = await this.rig.record();
    if (status !== this.#statuses.at(-1)) this.#statuses.push(status);
    this.rig.serviceSays(
      this.isDenied || this.line === "gone" || this.line === "none"
        ? "gone"
        : this.line === "rings"
          ? "connecting"
          : "connected",
    );
  }

  async tell(event: string, code = 200): Promise<void> {
    this.told.push(event);
    await this.#hear(event, { code });
  }

  /** The service delivers every callback at least once. */
  get hasTold(): boolean {
    return this.#repeat !== undefined;
  }

  async tellAgain(): Promise<void> {
    await this.#repeat?.();
  }

  async #hear(event: string, details: Omit<HeardDetails, "eventId" | "connectionId">): Promise<void> {
    const eventId = `${event}-${this.told.length}`;
    this.#repeat = () => this.rig.hear(event, { ...details, eventId, connectionId });
    await this.#repeat();
  }

  /** The service reports who is on the line, and whether they hear music. */
  async tellWhoIsThere(): Promise<void> {
    this.told.push("ParticipantsUpdated");
    await this.#hear("ParticipantsUpdated", {
      content: {
        sequenceNumber: this.told.length,
        participants: [
          { number: "+12025550123", rawId: "4:+12025550123", isOnTelephone: true, isOnHold: this.hasMusic },
        ],
      },
    });
  }

  /** The service reports the outcome of the latest request of this kind. */
  async tellOf(asked: "transfer" | "sendDigits" | "hold", event: string, code: number): Promise<void> {
    const context = this.rig.requests.findLast(({ operation }) => operation === asked)?.details["operationContext"];
    this.told.push(event);
    await this.#hear(event, {
      code,
      ...(typeof context === "string" ? { context } : {}),
    });
  }

  refuseOnce(): void {
    this.#hasRefused = true;
    this.rig.failures.push(new VoiceError("upstream_unavailable", "away", { retryable: true }));
  }

  async streamOpens(): Promise<void> {
    await this.#control.recordStream(await this.rig.record(), connectionId);
    await this.rig.settle();
  }

  get isCarried(): boolean {
    return this.#letGo !== undefined;
  }

  /** The call's audio arrives until the line is gone, whatever the service says. */
  async isCarriedNow(): Promise<void> {
    await this.streamOpens();
    this.#letGo = this.#control.carryStream(
      { ...(await this.rig.record()), callConnectionId: connectionId },
      () => this.line === "talks",
    );
    await this.rig.settle();
  }

  async conversationEnds(): Promise<void> {
    this.#letGo?.();
    this.#letGo = undefined;
    await this.#control.hangUp(connectionId, "conversation_ended");
    await this.rig.settle();
  }

  transfer(): void {
    void this.#control.carryOut({ type: "transfer", target: "person", reason: "asked", id: "tool-1" }, connectionId);
  }

  /** Under the same id however often: a host that takes a call over repeats what its predecessor may not have done. */
  pressKeys(): void {
    void this.#control.carryOut({ type: "send-dtmf", digits: "1", id: "tool-2" }, connectionId);
  }

  putOnHold(): void {
    void this.#control.carryOut({ type: "hold", seconds: holdSeconds, id: "tool-3" }, connectionId);
  }

  /** The host loses everything but what is in the state store. */
  async hostIsReplaced(): Promise<void> {
    const next = await this.rig.startAnotherHost();
    this.#letGo?.();
    this.#letGo = undefined;
    const closed = this.#control.close();
    this.#control = next;
    this.#hosts.push(next);
    await this.rig.settle();
    await closed;
  }

  async close(): Promise<void> {
    const closed = Promise.all(this.#hosts.map((host) => host.close()));
    await this.rig.settle();
    await closed;
  }

  /** Two calls with the same key have the same future. */
  async key(): Promise<string> {
    const { rig, line, told, hasMusic } = this;
    const record = { ...(await rig.record()), version: undefined };
    const asked = rig.requests.map(({ operation, details }) => [operation, repetitionOf(details)]);
    const log = await rig.state.calls.events("call-1");
    const effects = log.filter(({ type }) => type.startsWith("effect.")).map(({ details }) => details);
    return JSON.stringify([
      line,
      hasMusic,
      this.isDenied,
      this.isCarried,
      told,
      rig.clock.now(),
      record,
      rig.failures.length,
      this.losesAnswer,
      this.#hasRefused,
      asked,
      effects,
      this.#hosts.length,
    ]);
  }

  /** The broken rule. */
  async broken(): Promise<string | undefined> {
    for (const once of ["place", "transfer", "sendDigits"]) {
      const asked = this.rig.requests.filter(({ operation }) => operation === once);
      const repetitions = new Set(asked.map(({ details }) => repetitionOf(details)));
      if (repetitions.size > 1)
        return `the service is asked to ${once} one call under ${repetitions.size} repetition ids`;
    }
    const held = this.rig.operations().indexOf("hold");
    const takenBack = this.rig.operations().indexOf("unhold", held);
    if (held >= 0 && takenBack >= 0 && this.rig.operations().indexOf("hold", takenBack) >= 0)
      return "a caller who was taken back hears music again";
    const { status, endedByService, hangUpAtMs, failureCode } = await this.rig.record();
    if (
      this.isCarried &&
      this.line === "talks" &&
      hangUpAtMs === undefined &&
      endedByService !== true &&
      isEnded(status)
    )
      return "a call whose audio arrives is closed on a guess";
    const isBusy = this.told.includes("CreateCallFailed") && this.line === "gone" && hangUpAtMs === undefined;
    if (isBusy && (status !== "failed" || failureCode !== "busy"))
      return `a busy line is listed as ${status}, ${failureCode ?? "without a reason"}`;
    const ended = this.#statuses.findIndex(isEnded);
    if (ended >= 0 && ended < this.#statuses.length - 1)
      return `a call goes on after its end: ${this.#statuses.join(", ")}`;
    const log = await this.rig.state.calls.events("call-1");
    if (new Set(log.map(({ eventId }) => eventId)).size < log.length) return "the log says the same thing twice";
    const isToldToHaveFailed = log.some(({ type }) => type === "transfer.failed");
    const isReported = this.told.includes("CallTransferFailed");
    if (isToldToHaveFailed && !isReported && !this.#hasRefused && this.line === "talks")
      return "a caller is told that a transfer has failed, and the service has begun it";
    return undefined;
  }

  /**
   * Nobody does anything from here on: the network drops the line at some time, with or without the service reporting
   * it.
   */
  async leaveAlone(saysSo: boolean): Promise<string | undefined> {
    const { rig } = this;
    await rig.settle(2000);
    // What the service says wrongly passes.
    this.isDenied = false;
    await this.look();
    if (this.hasMusic) await rig.settle(holdIsOverMs);
    if (this.hasMusic && this.line === "talks") return "a caller hears music for ever";
    if (this.line === "talks" || this.line === "rings") this.line = "gone";
    this.#letGo?.();
    this.#letGo = undefined;
    await this.look();
    if (saysSo && (this.told.length > 0 || rig.operations().includes("place"))) await this.tell("CallDisconnected");
    for (let waitedMs = 0; waitedMs < 120_000; waitedMs += 10_000) {
      await rig.settle(10_000);
      await this.look();
      if (isEnded((await rig.record()).status)) break;
    }
    const { status } = await rig.record();
    if (!isEnded(status)) return `left alone, the call has no end: it is ${status} for ever`;
    await rig.settle(70_000);
    await this.look();
    const asked = rig.requests.length;
    await rig.settle(60_000);
    // Where its end was not reported, it is asked a few times more, with growing pauses.
    if (rig.requests.length > asked + 3) return "the service is asked for ever about a call that has ended";
    if ((await rig.state.callPlaces.kept()) > 0) return "a place is kept for a call that has ended";
    return this.broken();
  }
}

function repetitionOf({ repetition }: Readonly<Record<string, unknown>>): unknown {
  return typeof repetition === "object" && repetition !== null && "id" in repetition ? repetition.id : undefined;
}

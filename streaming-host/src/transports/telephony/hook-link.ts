/**
 * The server's side of the hook protocol, version 2: sequence numbers, opening, pings, and closing, which is always done by the platform.
 * It knows nothing about conversations. A peer that violates the protocol gets one `disconnect`, after which only its pings and its `close`
 * are answered (HOOK-5).
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { GuardedSocket } from "../guarded-socket.ts";
import { messageText } from "../message-text.ts";
import type { Socket } from "../socket.ts";
import { nullId, parseEnvelope, parseMessage } from "./platform-messages.ts";
import type { Envelope, OpenParameters, PlatformMessage } from "./platform-messages.ts";

/** The platform's own timers allow it 10 s to respond to our `disconnect`; after that it counts as gone. */
const closeGraceMs = 10_000;
/** The platform hangs up after our `closed`. */
const hangUpGraceMs = 5000;
/** How much audio is buffered between `open` and the first listener: 10 s on two channels. */
const maxEarlyBytes = 160_000;

export type DisconnectReason = "completed" | "unauthorized" | "error";
export type DuringCall = Exclude<PlatformMessage, { type: "open" | "ping" | "close" }>;

export interface HookListener {
  /** Audio in the negotiated format; it may end within a sample. */
  onAudio(bytes: Uint8Array): void;
  onMessage(message: DuringCall): void;
  /** No more messages will come. Called once; the listener calls `end` when it has finished. */
  onOver(reason: string): void;
}

export interface LastWords {
  readonly reason: DisconnectReason;
  /** For people to read; never contains anything about the service or the caller. */
  readonly info?: string;
  /** Variables for the flow with which the platform continues. */
  readonly outputVariables?: Readonly<Record<string, string>>;
}

type State = "opening" | "active" | "closing" | "disconnecting" | "ended";

/** Delivers to the listener, and buffers until there is one. */
class Delivery {
  #listener: HookListener | undefined;
  #early: ((to: HookListener) => void)[] = [];
  #earlyBytes = 0;

  deliver(event: (to: HookListener) => void): void {
    if (this.#listener === undefined) this.#early.push(event);
    else event(this.#listener);
  }

  deliverAudio(bytes: Uint8Array): void {
    if (this.#listener !== undefined) this.#listener.onAudio(bytes);
    else if ((this.#earlyBytes += bytes.length) <= maxEarlyBytes) this.#early.push((to) => to.onAudio(bytes));
  }

  listen(listener: HookListener): void {
    this.#listener = listener;
    for (const event of this.#early.splice(0)) event(listener);
  }
}

export class HookLink {
  readonly #clock: Clock;
  readonly #socket: GuardedSocket;
  readonly #delivery = new Delivery();
  readonly #opening = Promise.withResolvers<OpenParameters | undefined>();
  readonly #gone = Promise.withResolvers<void>();
  #sessionId: string | undefined;
  #state: State = "opening";
  #sent = 0;
  #received = 0;
  #cancelGrace: CancelTimer | undefined;

  constructor(
    socket: Socket,
    clock: Clock,
    /** The id in the upgrade request; if absent, the first message contains it. */
    sessionId: string | undefined,
  ) {
    this.#clock = clock;
    this.#sessionId = sessionId;
    this.#socket = new GuardedSocket(socket, clock, {
      onMessage: (data, isBinary) => {
        if (isBinary) this.#receiveAudio(data);
        else this.#receiveText(messageText(data));
      },
      onTooFrequent: () => this.#fail("Too many messages a second."),
      onClosed: (reason) => this.#onClosed(reason),
    });
    this.#socket.start();
  }

  /** The parameters of the platform's `open`; undefined if it disconnected before that. */
  get opening(): Promise<OpenParameters | undefined> {
    return this.#opening.promise;
  }

  /** Resolves when the socket is closed. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Known once the link is open. */
  get sessionId(): string {
    return this.#sessionId ?? "";
  }

  get #isOver(): boolean {
    return this.#state !== "opening" && this.#state !== "active";
  }

  send(type: "opened" | "updated" | "event", parameters: object): void {
    if (this.#state === "active") this.#send(type, parameters);
  }

  sendAudio(bytes: Uint8Array): void {
    if (this.#state === "active") this.#socket.send(bytes);
  }

  probe(onAnswered: () => void): void {
    this.#socket.probe(onAnswered);
  }

  /** Starts delivery, beginning with what arrived since `open`. */
  listen(listener: HookListener): void {
    this.#delivery.listen(listener);
  }

  /** Answers the platform's `close`, or requests one. Idempotent. */
  end({ reason, info, outputVariables }: LastWords): void {
    if (this.#state === "closing") this.#sayClosed(outputVariables);
    if (this.#isOver) return;
    const about = info === undefined ? {} : { info };
    this.#send("disconnect", { reason, ...about, ...(outputVariables === undefined ? {} : { outputVariables }) });
    this.#state = "disconnecting";
    this.#closeAfter(closeGraceMs);
  }

  #onClosed(reason: string): void {
    this.#cancelGrace?.();
    const wasOver = this.#isOver;
    this.#state = "ended";
    this.#opening.resolve(undefined);
    if (!wasOver) this.#delivery.deliver((to) => to.onOver(reason));
    this.#gone.resolve();
  }

  #receiveAudio(bytes: Uint8Array): void {
    if (this.#state === "opening") this.#fail("Audio came before the session was open.");
    // Audio that arrives after the end was agreed on was already in transit, and is dropped.
    if (this.#state === "active") this.#delivery.deliverAudio(bytes);
  }

  #receiveText(text: string): void {
    const envelope = parseEnvelope(text);
    if (!envelope.ok) {
      this.#fail(envelope.problem);
      return;
    }
    const { seq, id } = envelope.value;
    // A platform that was notified of a wrong number continues from its own number, and must still receive its `closed`.
    if (seq !== this.#received + 1 && !this.#isOver) {
      this.#fail(`seq must be ${this.#received + 1}.`);
      return;
    }
    // From here on the message counts as received, whatever else is wrong with it, so the next one has the next number.
    this.#received = seq;
    this.#sessionId ??= id;
    const problem = this.#problemOf(envelope.value);
    if (problem !== undefined) {
      this.#fail(problem);
      return;
    }
    const message = parseMessage(envelope.value);
    if (message === undefined) return; // a newer platform may send messages that are not known here
    if (message.ok) this.#receive(message.value);
    else this.#fail(message.problem);
  }

  #problemOf({ id, serverseq }: Envelope): string | undefined {
    if (id !== this.#sessionId) return "The id is not that of this session.";
    // A platform that was notified of its mistake may repeat it, but its pings and its `close` are still answered.
    return serverseq > this.#sent && !this.#isOver ? `serverseq is at most ${this.#sent}.` : undefined;
  }

  #receive(message: PlatformMessage): void {
    switch (message.type) {
      case "ping":
        if (this.#state !== "ended") this.#send("pong", {});
        return;
      case "close":
        this.#takeClose();
        return;
      case "open":
        if (this.#state !== "opening") return;
        this.#state = "active";
        this.#opening.resolve(message.parameters);
        return;
      default:
        if (this.#state === "active") this.#delivery.deliver((to) => to.onMessage(message));
        else if (this.#state === "opening") this.#fail(`${message.type} came before the session was open.`);
    }
  }

  #takeClose(): void {
    const before = this.#state;
    if (before === "closing" || before === "ended") return;
    this.#state = "closing";
    this.#opening.resolve(undefined);
    // The listener finishes first; if there is none, nothing has to finish.
    if (before === "active") this.#delivery.deliver((to) => to.onOver("closed by the platform"));
    else this.#sayClosed();
  }

  #sayClosed(outputVariables?: LastWords["outputVariables"]): void {
    this.#send("closed", outputVariables === undefined ? {} : { outputVariables });
    this.#state = "ended";
    this.#closeAfter(hangUpGraceMs);
  }

  #fail(info: string): void {
    if (this.#isOver) return;
    const wasActive = this.#state === "active";
    this.end({ reason: "error", info });
    this.#opening.resolve(undefined);
    if (wasActive) this.#delivery.deliver((to) => to.onOver("the platform broke the protocol"));
  }

  #closeAfter(graceMs: number): void {
    this.#cancelGrace?.();
    this.#cancelGrace = this.#clock.setTimer(graceMs, () => this.#socket.close("finished"));
  }

  /** Numbered at the time of sending, so that no later message can overtake it. */
  #send(type: string, parameters: object): void {
    this.#sent++;
    const id = this.#sessionId ?? nullId;
    this.#socket.send(
      JSON.stringify({ version: "2", type, seq: this.#sent, clientseq: this.#received, id, parameters }),
    );
  }
}

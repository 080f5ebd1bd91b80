/**
 * The hook protocol, version 2, as the server speaks it: sequence numbers, opening, pings, and an end that always is the
 * platform's. Knows nothing of conversations. A peer that breaks the protocol is told so once, in `disconnect`, and from
 * then on only its pings and its `close` are answered (HOOK-5).
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { guardSocket } from "../guarded-socket.ts";
import type { Socket } from "../socket.ts";
import { nullId, parseEnvelope, parseMessage } from "./platform-messages.ts";
import type { Envelope, OpenParameters, PlatformMessage } from "./platform-messages.ts";

/** What the platform answers our `disconnect` within, by its own timers (10 s); after that nobody is there. */
const closeGraceMs = 10_000;
/** The platform hangs up after our `closed`. */
const hangUpGraceMs = 5000;
/** Of audio that comes between `open` and the first listener: 10 s on two channels. */
const maxEarlyBytes = 160_000;

export type DisconnectReason = "completed" | "unauthorized" | "error";
export type DuringCall = Exclude<PlatformMessage, { type: "open" | "ping" | "close" }>;

export interface HookListener {
  /** In the negotiated format; may end within a sample. */
  onAudio(bytes: Uint8Array): void;
  onMessage(message: DuringCall): void;
  /** Nothing more comes. Once; the listener answers with `end` when it has finished. */
  onOver(reason: string): void;
}

export interface LastWords {
  readonly reason: DisconnectReason;
  /** For people; never anything about us or about the caller. */
  readonly info?: string;
  /** What the platform's flow goes on with. */
  readonly outputVariables?: Readonly<Record<string, string>>;
}

export interface HookLink {
  /** What the platform opens with; undefined when it went away instead. */
  readonly opening: Promise<OpenParameters | undefined>;
  /** The socket is closed. */
  readonly gone: Promise<void>;
  /** Known once it has opened. */
  readonly sessionId: string;
  send(type: "opened" | "updated" | "event", parameters: object): void;
  sendAudio(bytes: Uint8Array): void;
  /** From now on; what came since `open` is delivered first. */
  listen(listener: HookListener): void;
  /** Answers the platform's `close`, or asks for one. Idempotent. */
  end(words: LastWords): void;
}

type State = "opening" | "active" | "closing" | "disconnecting" | "ended";

export function createHookLink(options: {
  readonly socket: Socket;
  readonly clock: Clock;
  /** What the request said; absent, the first message says it. */
  readonly sessionId: string | undefined;
}): HookLink {
  const { clock } = options;
  const opening = Promise.withResolvers<OpenParameters | undefined>();
  const gone = Promise.withResolvers<void>();
  let { sessionId } = options;
  let state: State = "opening";
  let sent = 0;
  let received = 0;
  let listener: HookListener | undefined;
  let early: ((to: HookListener) => void)[] = [];
  let earlyBytes = 0;
  let cancelGrace: CancelTimer | undefined;

  const guarded = guardSocket(options.socket, clock, {
    onMessage(data, isBinary) {
      if (isBinary) receiveAudio(data);
      else receiveText(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8"));
    },
    onTooFrequent: () => fail("Too many messages a second."),
    onClosed(reason) {
      cancelGrace?.();
      const wasOver = state !== "opening" && state !== "active";
      state = "ended";
      opening.resolve(undefined);
      if (!wasOver) deliver((to) => to.onOver(reason));
      gone.resolve();
    },
  });

  function deliver(event: (to: HookListener) => void): void {
    if (listener === undefined) early.push(event);
    else event(listener);
  }

  function receiveAudio(bytes: Uint8Array): void {
    if (state === "opening") fail("Audio came before the session was open.");
    if (state !== "active") return; // it was on its way when the end was agreed on
    if (listener !== undefined) listener.onAudio(bytes);
    else if ((earlyBytes += bytes.length) <= maxEarlyBytes) early.push((to) => to.onAudio(bytes));
  }

  function receiveText(text: string): void {
    const envelope = parseEnvelope(text);
    if (!envelope.ok) {
      fail(envelope.problem);
      return;
    }
    const problem = sequenceProblem(envelope.value);
    if (problem !== undefined) {
      fail(problem);
      return;
    }
    received = envelope.value.seq;
    sessionId ??= envelope.value.id;
    if (envelope.value.id !== sessionId) {
      fail("The id is not that of this session.");
      return;
    }
    const message = parseMessage(envelope.value);
    if (message === undefined) return; // the platform may learn to say more than we know
    if (message.ok) receive(message.value);
    else fail(message.problem);
  }

  function sequenceProblem({ seq, serverseq }: Envelope): string | undefined {
    if (seq !== received + 1) return `seq must be ${received + 1}.`;
    return serverseq > sent ? `serverseq is at most ${sent}.` : undefined;
  }

  function receive(message: PlatformMessage): void {
    switch (message.type) {
      case "ping":
        if (state !== "ended") send("pong", {});
        return;
      case "close":
        takeClose();
        return;
      case "open":
        if (state !== "opening") return;
        state = "active";
        opening.resolve(message.parameters);
        return;
      default:
        if (state === "active") deliver((to) => to.onMessage(message));
        else if (state === "opening") fail(`${message.type} came before the session was open.`);
    }
  }

  function takeClose(): void {
    const before = state;
    if (before === "closing" || before === "ended") return;
    state = "closing";
    opening.resolve(undefined);
    // Nobody has to finish anything where nothing had begun, or everything had ended.
    if (before === "active") deliver((to) => to.onOver("closed by the platform"));
    else sayClosed();
  }

  function sayClosed(outputVariables?: LastWords["outputVariables"]): void {
    send("closed", outputVariables === undefined ? {} : { outputVariables });
    state = "ended";
    closeAfter(hangUpGraceMs);
  }

  function fail(info: string): void {
    if (state !== "opening" && state !== "active") return;
    const wasActive = state === "active";
    end({ reason: "error", info });
    opening.resolve(undefined);
    if (wasActive) deliver((to) => to.onOver("the platform broke the protocol"));
  }

  function end({ reason, info, outputVariables }: LastWords): void {
    if (state === "closing") sayClosed(outputVariables);
    if (state !== "opening" && state !== "active") return;
    const about = info === undefined ? {} : { info };
    send("disconnect", { reason, ...about, ...(outputVariables === undefined ? {} : { outputVariables }) });
    state = "disconnecting";
    closeAfter(closeGraceMs);
  }

  function closeAfter(graceMs: number): void {
    cancelGrace?.();
    cancelGrace = clock.setTimer(graceMs, () => guarded.close("finished"));
  }

  /** Numbered when it leaves: nothing that is said later can overtake it. */
  function send(type: string, parameters: object): void {
    sent++;
    guarded.send(
      JSON.stringify({ version: "2", type, seq: sent, clientseq: received, id: sessionId ?? nullId, parameters }),
    );
  }

  guarded.start();
  return {
    opening: opening.promise,
    gone: gone.promise,
    get sessionId() {
      return sessionId ?? "";
    },
    send(type, parameters) {
      if (state === "active") send(type, parameters);
    },
    sendAudio(bytes) {
      if (state === "active") guarded.send(bytes);
    },
    listen(to) {
      listener = to;
      const waiting = early;
      early = [];
      for (const event of waiting) event(to);
    },
    end,
  };
}

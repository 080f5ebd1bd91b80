/**
 * A call that reaches the service through a telephony platform: the platform's side of the hook protocol, version 2,
 * between our socket and somebody's phone. As strict as the vendor's reference client: it answers a mistake with `error`
 * and hangs up, and remembers it in `faults`.
 */
import { randomUUID } from "node:crypto";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { decodeMulaw, encodeMulaw, mulawSilence } from "@voice/streaming-host/audio/mulaw";
import { createChunker } from "@voice/streaming-host/audio/chunker";
import { WebSocket } from "ws";
import type { Ear, Handset } from "../../phone/handset.ts";
import { parseServerHookMessage } from "./server-messages.ts";
import type { ServerHookMessage } from "./server-messages.ts";
import { signRequest } from "./sign-request.ts";
import type { PlatformKey } from "./sign-request.ts";

export interface PlatformCallOptions {
  /** `ws://…/api/v1/telephony/stream`, with what the integration adds to it. */
  readonly url: URL;
  readonly from: string;
  readonly to: string;
  readonly phone: Handset;
  readonly clock: Clock;
  readonly key?: PlatformKey | undefined;
  readonly inputVariables?: Readonly<Record<string, string>>;
  readonly organizationId?: string;
}

export interface PlatformOutcome {
  /** Who ended it: the service's reason for its `disconnect`, or `end` when the phone hung up. */
  readonly reason: string;
  readonly outputVariables: Readonly<Record<string, string>>;
  readonly closeCode: number;
}

export interface PlatformCall {
  readonly sessionId: string;
  readonly ended: Promise<PlatformOutcome>;
  /** What the service did wrong. */
  readonly faults: readonly string[];
  /** Every text message of the service, in order. */
  readonly received: readonly ServerHookMessage[];
  /** The platform's own hold: nothing is sent, nothing is expected. */
  hold(forMs: number): void;
  hangUp(): void;
}

const rateHz = 8000;
/** What the real platform sends: 200 ms at a time. */
const chunkBytes = 1600;
const openTimeoutMs = 5000;
const firstPingMs = 1000;
const pingEveryMs = 5000;
const closeTimeoutMs = 10_000;

export function startPlatformCall(options: PlatformCallOptions): PlatformCall {
  const { clock, phone, url, key } = options;
  const sessionId = randomUUID();
  const organizationId = options.organizationId ?? randomUUID();
  const identity = {
    "audiohook-organization-id": organizationId,
    "audiohook-session-id": sessionId,
    "audiohook-correlation-id": randomUUID(),
  };
  const headers = key === undefined ? identity : signRequest(url, identity, key, clock.wallNow());
  const socket = new WebSocket(url, { headers, perMessageDeflate: false, followRedirects: false });
  const outcome = Promise.withResolvers<PlatformOutcome>();
  const faults: string[] = [];
  const received: ServerHookMessage[] = [];
  const chunker = createChunker(chunkBytes, mulawSilence);
  const startedMs = clock.now();
  let sent = 0;
  let heard = 0;
  let pingSeq: number | undefined;
  let pongs = 0;
  let isOpen = false;
  let isClosing = false;
  let isHeld = false;
  let reason = "end";
  let outputVariables: Readonly<Record<string, string>> = {};
  let ear: Ear | undefined;
  let playsUntilMs = 0;
  let cancelPing: CancelTimer | undefined;
  let cancelWait: CancelTimer | undefined;
  let cancelPlayback: CancelTimer | undefined;

  function send(type: string, parameters: object): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    sent++;
    const position = `PT${((clock.now() - startedMs) / 1000).toFixed(3)}S`;
    socket.send(
      JSON.stringify({ version: "2", id: sessionId, type, seq: sent, serverseq: heard, position, parameters }),
    );
  }

  function fault(code: number, problem: string): void {
    faults.push(problem);
    send("error", { code, message: problem });
    close("error");
  }

  function close(why: string): void {
    if (isClosing) return;
    isClosing = true;
    cancelPing?.();
    cancelWait?.();
    send("close", { reason: why });
    cancelWait = clock.setTimer(closeTimeoutMs, () => {
      faults.push("the service did not answer `close`");
      socket.terminate();
    });
  }

  function ping(): void {
    if (pingSeq !== undefined) {
      fault(408, "a ping was not answered");
      return;
    }
    send("ping", pongs === 0 ? {} : { rtt: "PT0.01S" });
    pingSeq = sent;
    cancelPing = clock.setTimer(pingEveryMs, ping);
  }

  function receiveText(text: string): void {
    let message: ServerHookMessage;
    try {
      message = parseServerHookMessage(text);
    } catch (error) {
      fault(400, `the service sent what nobody can read: ${String(error)}`);
      return;
    }
    received.push(message);
    if (message.seq !== heard + 1) fault(400, `seq ${message.seq} after ${heard}`);
    heard = message.seq;
    if (message.clientseq > sent) fault(400, `clientseq ${message.clientseq}, but only ${sent} were sent`);
    if (message.id !== sessionId) fault(400, "the id is another session's");
    receive(message);
  }

  function receive(message: ServerHookMessage): void {
    switch (message.type) {
      case "opened":
        open(message.parameters.media);
        return;
      case "pong":
        if (message.clientseq !== pingSeq) fault(400, `pong to ${message.clientseq}, not to the ping ${pingSeq}`);
        pingSeq = undefined;
        pongs++;
        // The second ping follows at once and carries what the first has measured.
        if (pongs === 1 && !isClosing) {
          cancelPing?.();
          ping();
        }
        return;
      case "event":
        for (const { type } of message.parameters.entities) if (type === "barge_in") dropPlayback();
        return;
      case "disconnect":
        ({ reason } = message.parameters);
        outputVariables = message.parameters.outputVariables ?? {};
        close("disconnect");
        return;
      case "closed":
        if (!isClosing) fault(409, "closed without being asked");
        outputVariables = { ...outputVariables, ...message.parameters.outputVariables };
        socket.close(1000);
        return;
      case "updated":
    }
  }

  function open(media: readonly unknown[]): void {
    cancelWait?.();
    if (isOpen || media.length !== 1) {
      fault(400, `opened with ${media.length} media`);
      return;
    }
    isOpen = true;
    cancelPing = clock.setTimer(firstPingMs, ping);
    ear = phone.talk({
      sampleRateHz: rateHz,
      speak: (frame) => {
        if (isHeld || isClosing) return;
        chunker.push(encodeMulaw(frame), (chunk) => socket.send(Uint8Array.from(chunk)));
      },
      press: (digit) => send("dtmf", { digit }),
      hangUp: () => close("end"),
    });
  }

  function receiveAudio(bytes: Uint8Array): void {
    if (!isOpen) fault(415, "audio before `opened`");
    if (isClosing) return;
    const now = clock.now();
    if (playsUntilMs <= now) send("playback_started", {});
    playsUntilMs = Math.max(now, playsUntilMs) + (bytes.length * 1000) / rateHz;
    waitForPlayback();
    ear?.onAudio(decodeMulaw(bytes));
  }

  function waitForPlayback(): void {
    cancelPlayback?.();
    cancelPlayback = clock.setTimer(Math.max(0, playsUntilMs - clock.now()), () => send("playback_completed", {}));
  }

  function dropPlayback(): void {
    playsUntilMs = clock.now();
    waitForPlayback();
    ear?.onStopAudio();
  }

  socket.on("open", () => {
    send("open", {
      organizationId,
      conversationId: randomUUID(),
      participant: { id: randomUUID(), ani: options.from, aniName: "", dnis: options.to },
      media: [{ type: "audio", format: "PCMU", channels: ["external"], rate: rateHz }],
      inputVariables: options.inputVariables ?? {},
    });
    cancelWait = clock.setTimer(openTimeoutMs, () => fault(408, "`opened` did not come"));
  });
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) receiveAudio(data);
    else receiveText(data.toString("utf8"));
  });
  socket.on("error", (error) => faults.push(error.message));
  socket.on("close", (closeCode) => {
    cancelPing?.();
    cancelWait?.();
    cancelPlayback?.();
    ear?.onEnded(reason === "end" ? "the phone hung up" : `the service gave the call back: ${reason}`);
    outcome.resolve({ reason, outputVariables, closeCode });
  });

  return {
    sessionId,
    ended: outcome.promise,
    faults,
    received,
    hold(forMs) {
      isHeld = true;
      send("paused", {});
      clock.setTimer(forMs, () => {
        isHeld = false;
        send("resumed", { start: "PT0S", discarded: `PT${forMs / 1000}S` });
      });
    },
    hangUp: () => close("end"),
  };
}

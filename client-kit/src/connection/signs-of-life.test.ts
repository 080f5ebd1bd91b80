import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { ReconnectingSocket } from "./reconnecting-socket.ts";
import type { SocketSurroundings, SocketEvents } from "./reconnecting-socket.ts";

const ping = '{"type":"ping"}';
const pong = '{"type":"pong","session_id":"s","timestamp":"2026-01-01T00:00:00.000Z","payload":{}}';

function open() {
  const clock = new VirtualClock();
  const attempts: { readonly events: SocketEvents; readonly sent: unknown[]; closed: boolean }[] = [];
  const texts: string[] = [];
  const surroundings: SocketSurroundings = {
    clock,
    random: () => 0,
    whenBack: () => () => undefined,
    openSocket: (_url, events) => {
      const attempt = { events, sent: [] as unknown[], closed: false };
      attempts.push(attempt);
      return {
        send: (data) => attempt.sent.push(data),
        close: () => {
          attempt.closed = true;
        },
      };
    },
  };
  const socket = new ReconnectingSocket(surroundings, {
    answersPings: true,
    url: () => "ws://service",
    onState: () => undefined,
    onText: (text) => texts.push(text),
  });
  socket.open();
  const [first] = attempts;
  if (first === undefined) throw new Error("no attempt was made");
  first.events.onOpen();
  return { clock, attempts, texts, socket, first };
}

describe("the signs of life of an open socket", () => {
  it("[FR-10] takes the connection for lost within 12 s after the last of them, and connects again", () => {
    const { clock, first, socket, attempts } = open();
    first.events.onText(pong);
    clock.advance(11_999);
    expect(socket.state.kind).toBe("open");
    clock.advance(1);
    expect(socket.state.kind).toBe("waiting");
    expect(first.closed).toBe(true);
    clock.advance(1000);
    expect(attempts.length).toBe(2);
  });

  it("[FR-10] asks for them, and stays with a service that answers, or that says anything else", () => {
    const { clock, first, socket, texts } = open();
    first.events.onText(pong);
    for (let seconds = 0; seconds < 600; seconds += 8) {
      clock.advance(8000);
      if (seconds < 300) first.events.onText(pong);
      else if (seconds < 400) first.events.onBinary(new ArrayBuffer(2));
      else first.events.onText("words");
    }
    expect(socket.state.kind).toBe("open");
    expect(first.sent.filter((text) => text === ping).length).toBeGreaterThan(100);
    expect(new Set(texts)).toEqual(new Set(["words"]));
  });

  it("[FR-10] expects none of a service that does not know the question, and shows nobody that it does not", () => {
    const { clock, first, socket, texts } = open();
    const payload = { code: "bad_request", message: "Unknown message type. Known types: text, config." };
    first.events.onText(JSON.stringify({ type: "error", session_id: "s", timestamp: "", payload }));
    clock.advance(600_000);
    expect(socket.state.kind).toBe("open");
    expect(first.sent).toEqual([ping]);
    expect(texts).toEqual([]);
  });

  it("[FR-10] asks no more once it is closed", () => {
    const { clock, first, socket } = open();
    first.events.onText(pong);
    socket.close();
    expect(clock.pendingTimers).toBe(0);
    expect(first.sent).toEqual([ping]);
  });
});

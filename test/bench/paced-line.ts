/** A caller's line: a frame goes out every 20 ms, whatever happens, and the answer to one of them can be timed. */
import { WebSocket } from "ws";
import { callerFrame } from "./wire-frames.ts";

const frameMs = 20;
const quiet = callerFrame();

export interface PacedLine {
  /** Sends at once, beside the frames. */
  send(text: string): void;
  /** This is the line's next frame; resolves with the milliseconds from then until a message begins like that. */
  timeTo(mark: string, frame: string): Promise<number>;
  /** Messages with this beginning since it was asked last. */
  count(): number;
  close(): void;
}

interface Question {
  readonly mark: string;
  readonly frame: string;
  readonly resolve: (ms: number) => void;
  sentMs: number;
}

/** Lines begin to send at different moments within 20 ms, as calls do. `counted`: the beginning of what `count` counts. */
export async function connectLines(urls: readonly string[], counted: string): Promise<readonly PacedLine[]> {
  const lines = await Promise.all(urls.map((url) => connectLine(url, counted)));
  const startedMs = performance.now();
  const due = lines.map((_, index) => startedMs + (index * frameMs) / lines.length);
  const timer = setInterval(() => {
    const now = performance.now();
    let isOpen = false;
    for (const [index, line] of lines.entries()) {
      isOpen ||= line.isOpen;
      if ((due[index] ?? now) > now) continue;
      due[index] = (due[index] ?? now) + frameMs;
      line.sendFrame();
    }
    if (!isOpen) clearInterval(timer);
  }, 1);
  return lines;
}

async function connectLine(url: string, counted: string) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let next: Question | undefined;
  let asked: Question | undefined;
  let count = 0;
  // As little client as possible: it shares the machine with what is measured.
  socket.on("message", (data: Buffer) => {
    const head = data.toString("latin1", 0, 60);
    if (head.includes(counted)) count++;
    if (asked === undefined || !head.includes(asked.mark)) return;
    asked.resolve(performance.now() - asked.sentMs);
    asked = undefined;
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    sendFrame() {
      if (next === undefined) {
        socket.send(quiet);
        return;
      }
      asked = next;
      next = undefined;
      asked.sentMs = performance.now();
      socket.send(asked.frame);
    },
    send: (text: string) => socket.send(text),
    timeTo: (mark: string, frame: string) =>
      new Promise<number>((resolve) => {
        next = { mark, frame, resolve, sentMs: 0 };
      }),
    count() {
      const counted = count;
      count = 0;
      return counted;
    },
    close: () => socket.terminate(),
  };
}

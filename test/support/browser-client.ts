/** A browser's end of a conversation: types, listens until the answer was heard, and keeps everything it was sent. */
import { WebSocket } from "ws";
import { z } from "zod";
import { eventually } from "./wait.ts";

const message = z.object({ type: z.string(), session_id: z.string(), payload: z.record(z.string(), z.unknown()) });
type Message = z.infer<typeof message>;

export interface Refused {
  readonly status: number;
  readonly type: string;
}

const problem = z.object({ type: z.string() });

/** What the upgrade was answered with: 101, or the refusal. */
export function knock(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Refused | 101> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    socket.once("open", () => {
      socket.close();
      resolve(101);
    });
    socket.once("unexpected-response", (_request, response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => {
        const { type } = problem.parse(JSON.parse(Buffer.concat(chunks).toString()));
        resolve({ status: response.statusCode ?? 0, type });
      });
      response.once("error", reject);
    });
    socket.once("error", reject);
  });
}

export interface Browser {
  readonly messages: readonly Message[];
  readonly sessionId: string;
  send(input: Readonly<Record<string, unknown>>): void;
  sendAudio(samples: Int16Array): void;
  /** Types a turn and resolves with the answer's words, once it was heard to its end. */
  ask(text: string): Promise<string>;
  of(type: string): readonly Message["payload"][];
  close(): Promise<void>;
}

export async function connectBrowser(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const messages: Message[] = [];
  const socket = new WebSocket(url, { headers });
  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) messages.push(message.parse(JSON.parse(data.toString())));
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const of = (type: string) => messages.filter((entry) => entry.type === type).map(({ payload }) => payload);
  await eventually(() => of("session").length > 0, "the session is open");
  const browser: Browser = {
    messages,
    get sessionId() {
      return messages.findLast(({ type }) => type === "session")?.session_id ?? "";
    },
    send: (input) => socket.send(JSON.stringify(input)),
    sendAudio: (samples) => socket.send(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)),
    async ask(text) {
      const answered = () => of("event").filter(({ name }) => name === "turn_metrics").length;
      const before = answered();
      browser.send({ type: "text", text });
      await eventually(() => answered() > before, `an answer to "${text}"`);
      const last = of("response").findLast(({ is_final: isFinal }) => isFinal === true);
      return String(last?.["text"]);
    },
    of,
    async close() {
      socket.close();
      await closed;
    },
  };
  return browser;
}

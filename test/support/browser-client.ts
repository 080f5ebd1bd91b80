/** A browser's end of a conversation: types, listens until the answer was heard, and keeps everything it was sent. */
import { openSocket, refusalOf, SocketClient } from "./socket-client.ts";

export interface Refused {
  readonly status: number;
  readonly type: string;
}

/** What the upgrade was answered with: 101, or the refusal. */
export async function knock(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Refused | 101> {
  const refusal = await refusalOf(url, headers);
  return refusal === undefined ? 101 : { status: refusal.status, type: String(refusal.body["type"]) };
}

export class Browser extends SocketClient {
  get sessionId(): string {
    return this.messages.findLast(({ type }) => type === "session")?.session_id ?? "";
  }

  /** Types a turn and resolves with the answer's words, once it was heard to its end. */
  async ask(text: string): Promise<string> {
    const answered = (): number => this.events("turn_metrics").length;
    const before = answered();
    this.send({ type: "text", text });
    await this.until(`an answer to "${text}"`, () => (answered() > before ? true : undefined));
    const last = this.of("response").findLast(({ is_final: isFinal }) => isFinal === true);
    return String(last?.["text"]);
  }

  /** The payloads of all messages of this type. */
  of(type: string): readonly Readonly<Record<string, unknown>>[] {
    return this.ofType(type).map(({ payload = {} }) => payload);
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}

export async function connectBrowser(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const browser = await openSocket(url, headers, (socket) => new Browser(socket));
  await browser.next("the session is open", ({ type }) => type === "session");
  return browser;
}

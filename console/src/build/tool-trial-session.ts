/** Tools tried by themselves, over a socket of their own: what tools remember lasts as long as it does. */
import { toolTrialPayloads } from "@voice/shared/contracts/stream/tool-trial";
import type { ToolDescription, ToolTrialOutcome } from "@voice/shared/contracts/stream/tool-trial";
import { ReconnectingSocket } from "@voice/client-kit/connection/reconnecting-socket";
import type { ConnectionState, SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";
import type { Address } from "@voice/client-kit/connection/socket-address";
import { Store } from "@voice/client-kit/store";
import { z } from "zod";

export interface ToolTrialSockets extends SocketSurroundings {
  readonly socketUrl: () => Address | Promise<Address>;
}

export interface TriedTool {
  readonly tool: string;
  readonly agent: string;
}

export interface ToolTrialState {
  readonly connection: ConnectionState;
  readonly description: ToolDescription | undefined;
  readonly problem: string | undefined;
  readonly isRunning: boolean;
  readonly outcome: ToolTrialOutcome | undefined;
  /** What its tools have remembered. */
  readonly memory: Readonly<Record<string, unknown>>;
}

export interface Attempt {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Null for nobody, undefined for the usual one. */
  readonly profileId: string | null | undefined;
  readonly confirmed: boolean;
}

const message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("tool_description"), payload: toolTrialPayloads.tool_description }),
  z.object({ type: z.literal("tool_trial"), payload: toolTrialPayloads.tool_trial }),
  z.object({ type: z.literal("error"), payload: z.object({ message: z.string() }) }),
]);

const nothing = { description: undefined, problem: undefined, isRunning: false, outcome: undefined } as const;

export class ToolTrialSession {
  readonly store = new Store<ToolTrialState>({ ...nothing, connection: { kind: "idle" }, memory: {} });
  readonly #socket: ReconnectingSocket;
  #tried: TriedTool | undefined;
  /** The number of the latest attempt. */
  #attempts = 0;

  constructor(sockets: ToolTrialSockets) {
    this.#socket = new ReconnectingSocket(sockets, {
      answersPings: true,
      url: sockets.socketUrl,
      onState: (connection) => this.#onState(connection),
      onText: (text) => this.#onText(text),
    });
  }

  /** Another tool of the same trial. */
  open(tried: TriedTool): void {
    this.#tried = tried;
    this.store.update({ ...nothing });
    if (!this.#describe()) this.#socket.open();
  }

  attempt({ arguments: given, profileId, confirmed }: Attempt): void {
    if (this.#tried === undefined || this.store.get().isRunning) return;
    this.#attempts += 1;
    const request = { type: "try_tool", id: String(this.#attempts), ...this.#tried, arguments: given, confirmed };
    const isSent = this.#socket.send(JSON.stringify({ ...request, profile_id: profileId }));
    if (isSent) this.store.update({ isRunning: true, outcome: undefined, problem: undefined });
    else this.store.update({ problem: "The service cannot be reached now, so nothing ran." });
  }

  /** Discards what was tried. The next socket begins another trial. */
  forget(): void {
    this.#socket.close();
    this.#socket.open();
  }

  close(): void {
    this.#tried = undefined;
    this.#socket.close();
    this.store.update({ ...nothing });
  }

  #describe(): boolean {
    return this.#tried !== undefined && this.#socket.send(JSON.stringify({ type: "describe_tool", ...this.#tried }));
  }

  #onState(connection: ConnectionState): void {
    this.store.update({ connection });
    if (connection.kind === "open") this.#describe();
    else this.#lost();
  }

  /** What the service was doing when the connection broke is not known here. */
  #lost(): void {
    const { isRunning, description } = this.store.get();
    this.store.update({ memory: {} });
    if (!isRunning) return;
    const mayHave = description?.changes === "nothing" ? "" : " What it changes may have been changed all the same.";
    this.store.update({ isRunning: false, problem: `The connection broke while it ran.${mayHave}` });
  }

  #onText(text: string): void {
    const parsed = message.safeParse(JSON.parse(text));
    if (!parsed.success) return;
    const { type, payload } = parsed.data;
    if (type === "error") this.store.update({ isRunning: false, problem: payload.message });
    else if (type === "tool_trial" && payload.id === String(this.#attempts))
      this.store.update({ isRunning: false, outcome: payload, memory: payload.memory });
    else if (type === "tool_description" && payload.tool === this.#tried?.tool)
      this.store.update({ description: payload, memory: payload.memory });
  }
}

/** How the emulated server behaves: the manners of its row, one after the other, and OpenAI's where it has none. */
import type { AnsweredToolCall } from "./answer.ts";
import type { CompletionRequest } from "./completion-request.ts";
import type { Manner, Refusal, StreamManner } from "./manners/manner.ts";
import { servers } from "./manners/servers.ts";

export type ServerName = (typeof servers)[number]["name"];
export const serverNames: readonly ServerName[] = servers.map(({ name }) => name);

export interface ServerManner {
  readonly stream: StreamManner;
  /** The pieces in which a call is sent. */
  toolCallPieces(call: AnsweredToolCall, index: number): readonly object[];
  /** What is sent before the answer, for the request's effort. */
  thoughts(request: CompletionRequest): readonly object[];
  delta(delta: object): object;
  finish(reason: string): string | null;
  /** What it says to a request that OpenAI would accept. */
  complaintAbout(request: CompletionRequest): Refusal | undefined;
}

const asOpenAi: StreamManner = {
  promptFilter: false,
  countsTokens: true,
  hasEndMark: true,
  comment: "",
  space: " ",
  lineEnd: "\n",
  isWhole: false,
};

function piecesOfOpenAi({ name, argumentsJson, id }: AnsweredToolCall, index: number): readonly object[] {
  const middle = Math.ceil(argumentsJson.length / 2);
  return [
    { index, id: id ?? `call_${index}_${name}`, type: "function", function: { name, arguments: "" } },
    ...[argumentsJson.slice(0, middle), argumentsJson.slice(middle)].map((part) => ({
      index,
      function: { arguments: part },
    })),
  ];
}

function mannerOf(manners: readonly Manner[]): ServerManner {
  const calls = manners.find((manner) => manner.calls !== undefined)?.calls ?? piecesOfOpenAi;
  return {
    stream: Object.assign({}, asOpenAi, ...manners.map(({ stream }) => stream)),
    toolCallPieces: calls,
    thoughts: (request) => manners.flatMap(({ thoughts }) => thoughts?.(request) ?? []),
    delta: (delta) => {
      let piece = delta;
      for (const manner of manners) piece = manner.delta?.({ ...piece }) ?? piece;
      return piece;
    },
    finish: (reason) =>
      manners.reduce<string | null>(
        (word, manner) => (word === null ? null : manner.finish === undefined ? word : manner.finish(word)),
        reason,
      ),
    complaintAbout: (request) =>
      manners.map(({ refuses }) => refuses?.(request)).find((refused) => refused !== undefined),
  };
}

export function serverManner(name: ServerName): ServerManner {
  return mannerOf(servers.find((server) => server.name === name)?.manners ?? []);
}

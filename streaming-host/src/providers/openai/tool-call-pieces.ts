/**
 * Assembles the tool calls of a streamed response. OpenAI numbers them (`index`) and names each in its first chunk; other servers deviate
 * from this (docs/vendors/openai.md), so a call begins with a name, not with a number.
 */
import { createUuid } from "@voice/shared/platform/ids";
import { parseJson } from "@voice/shared/platform/parse-json";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { CallPiece } from "./completion-chunk.ts";

type PartialCall = { readonly order: number; id: string; name: string; argumentsJson: string };
type Piece = { readonly id: string; readonly name: string; readonly argumentsJson: string };

export class ToolCallPieces {
  /** For each index, the call to which further chunks with this index belong. */
  readonly #open = new Map<number, PartialCall>();
  #all: PartialCall[] = [];
  #lastIndex = 0;
  readonly #usedIds: Set<string>;

  /** `usedIds`: the ids of the conversation's earlier calls. */
  constructor(usedIds: Iterable<string> = []) {
    this.#usedIds = new Set(usedIds);
  }

  accept({ index = this.#lastIndex, id, name, arguments: args, function: called }: Partial<CallPiece>): void {
    this.#lastIndex = index;
    const piece = { id: id ?? "", name: called?.name ?? name ?? "", argumentsJson: toJson(called?.arguments ?? args) };
    const call = this.#callFor(index, piece);
    if (call.id === "") call.id = piece.id;
    // If it comes with an id, a name is complete; without one, the name itself may arrive in pieces.
    if (call.name === "" || (piece.id === "" && piece.name !== call.name)) call.name += piece.name;
    call.argumentsJson += piece.argumentsJson;
  }

  get hasAny(): boolean {
    return this.#all.length > 0;
  }

  /** The calls that were completed since the previous call of this method, in order. */
  take(): ToolCall[] {
    const calls = this.#all.filter(({ name }) => name !== "").toSorted((left, right) => left.order - right.order);
    this.#all = [];
    this.#open.clear();
    return calls.map(({ id, name, argumentsJson }) => ({
      id: this.#uniqueId(id),
      name,
      argumentsJson: argumentsJson.trim() === "" ? "{}" : encodedOnce(argumentsJson),
    }));
  }

  /**
   * Ids must be unique in the whole conversation, because results and effects are found by them: a second transfer with the id of the first
   * would be taken for the first. Some servers send no id, or start again with each response ("tool_0_transfer_call").
   */
  #uniqueId(id: string): string {
    const unique = id === "" || this.#usedIds.has(id) ? `call_${createUuid()}` : id;
    this.#usedIds.add(unique);
    return unique;
  }

  #callFor(index: number, piece: Piece): PartialCall {
    const open = this.#open.get(index);
    if (open !== undefined && !beginsAnother(piece, open)) return open;
    const call = { order: index, id: "", name: "", argumentsJson: "" };
    this.#open.set(index, call);
    this.#all.push(call);
    return call;
  }
}

/**
 * A second name begins another call, because Ollama sends all calls with the same index. A new id alone does not: vLLM has sent another one
 * with each chunk. Some servers repeat id and name with each chunk, and some give two calls the same id.
 */
function beginsAnother({ id, name, argumentsJson }: Piece, open: PartialCall): boolean {
  if (open.name === "" || name === "") return false;
  if (argumentsJson !== "" && isObject(open.argumentsJson)) return true;
  return id === "" ? open.argumentsJson !== "" && name !== open.name : id !== open.id || name !== open.name;
}

/** llama.cpp and TGI have sent the object itself. */
function toJson(args: unknown): string {
  if (args === undefined || args === null) return "";
  return typeof args === "string" ? args : JSON.stringify(args);
}

/** Some servers encode the arguments twice: a JSON string that contains the JSON of an object. */
function encodedOnce(json: string): string {
  const value = parseJson(json);
  return typeof value === "string" && isObject(value) ? value : json;
}

function isObject(json: string): boolean {
  const value = parseJson(json);
  return typeof value === "object" && value !== null;
}

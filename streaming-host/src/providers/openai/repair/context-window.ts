/**
 * Keeps a request within the model's context window, which is learnt from a rejection if no setting specifies it. Everything counts:
 * prompt, tools, history and the response. The oldest turns are left out, and a very long tool result is cut. Pure.
 */
import { estimateTokens } from "@voice/shared/conversation/estimate-tokens";
import type { Refusal } from "./refusal.ts";
import { limitNames } from "./wire-request.ts";
import type { WireMessage, WireRequest } from "./wire-request.ts";

export interface ContextWindow {
  readonly tokens: number;
  /** How many tokens the server counts for each estimated token. */
  readonly perEstimate: number;
}

/** For a response without a length limit. */
const answerTokens = 512;
/** The largest share of a small window that is reserved for the response. */
const largestAnswerPart = 0.25;
/** What OpenAI counts for the role and the separators of each message. */
const tokensPerMessage = 4;
/** The share of the available room that is used, because an estimate is not exact. */
const margin = 0.95;

export function estimateRequest({ messages, tools }: WireRequest): number {
  const ofTools = tools === undefined ? 0 : estimateTokens(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + estimateMessage(message), ofTools);
}

function estimateMessage(message: WireMessage): number {
  const calls =
    message.role === "assistant" && message.tool_calls !== undefined ? JSON.stringify(message.tool_calls) : "";
  return tokensPerMessage + estimateTokens(`${message.content ?? ""}${calls}`);
}

/** If a server does not report its limit, each attempt is smaller by this factor. */
const shrink = 0.7;

function limitNameIn(request: WireRequest): string | undefined {
  return limitNames.find((name) => typeof request[name] === "number");
}

export function fitInto(request: WireRequest, { tokens, perEstimate }: ContextWindow): WireRequest {
  const name = limitNameIn(request);
  const asked = name === undefined ? answerTokens : Number(request[name]);
  const reserve = Math.min(asked, Math.floor(tokens * largestAnswerPart));
  const room = ((tokens - reserve) / perEstimate) * margin;
  const messages = newestWithin(request, room);
  const limited =
    name !== undefined && asked > reserve && estimateRequest({ ...request, messages }) * perEstimate + asked > tokens;
  return { ...request, messages, ...(limited && { [name]: reserve }) };
}

/** The prompt, and as many of the newest turns as fit; the last turn is always included. */
function newestWithin(request: WireRequest, room: number): readonly WireMessage[] {
  const { messages } = request;
  let estimate = estimateRequest(request);
  if (estimate <= room) return messages;
  const begin = messages.findIndex(({ role }) => role !== "system");
  const prompt = messages.slice(0, begin === -1 ? messages.length : begin);
  const rest = messages.slice(prompt.length);
  for (const [place, message] of rest.entries()) {
    if (message.role === "user" && estimate <= room) return [...prompt, ...rest.slice(place)];
    estimate -= estimateMessage(message);
  }
  const last = rest.findLastIndex(({ role }) => role === "user");
  return withShortResults({ ...request, messages: [...prompt, ...rest.slice(Math.max(last, 0))] }, room);
}

/** Each result is shortened by half of the excess, until it fits or only the beginnings are left. */
function withShortResults(request: WireRequest, room: number): readonly WireMessage[] {
  let { messages } = request;
  for (let longest = 8_000; longest >= 250 && estimateRequest({ ...request, messages }) > room; longest /= 2) {
    const characters = longest;
    messages = messages.map((message) =>
      message.role === "tool" && message.content.length > characters
        ? { ...message, content: `${message.content.slice(0, characters).toWellFormed()}… (cut: it was too long)` }
        : message,
    );
  }
  return messages;
}

/** What a rejection says about the window, or what follows from it: that this request was too large. */
export function windowFrom(refusal: Refusal, request: WireRequest, known: ContextWindow | undefined): ContextWindow {
  const estimate = estimateRequest(request);
  const limitName = limitNameIn(request);
  const asked = limitName === undefined ? 0 : Number(request[limitName]);
  const named = limitIn(refusal);
  if (named === undefined || named === known?.tokens)
    return { tokens: known?.tokens ?? estimate + asked, perEstimate: (known?.perEstimate ?? 1) / shrink };
  // The request was too large. If it seems small enough, the server counts more tokens than we do.
  const shown = (named - asked) / estimate / margin;
  const counted = (countIn(refusal, named, asked) ?? 0) / estimate;
  return { tokens: named, perEstimate: Math.max(1, shown, counted, known?.perEstimate ?? 0) };
}

const smallestWindow = 256;
const number = String.raw`(\d[\d,_]*)`;
/** A limit beside its number, on either side: "maximum context length is 4096", "215000 tokens > 200000 maximum". */
const limits = [
  new RegExp(String.raw`> ?${number} ?(?:tokens )?max`),
  new RegExp(
    String.raw`(?:max\w*|limit|window|allowed|available|up to|n_ctx|context (?:length|size))[^\d.;]{0,60}${number}`,
  ),
  new RegExp(String.raw`${number}[- ]tokens? (?:context|window|limit|max)`),
  new RegExp(String.raw`> ?${number}`),
];

function limitIn({ numbers, text }: Refusal): number | undefined {
  const field = Object.entries(numbers).find(
    ([name, value]) => /ctx|context|limit|max/.test(name) && value >= smallestWindow,
  );
  if (field !== undefined) return field[1];
  return limits
    .map((limit) => Number(limit.exec(text)?.[1]?.replaceAll(/[,_]/g, "")))
    .find((value) => Number.isFinite(value) && value >= smallestWindow);
}

/** How many tokens the server has counted in the request, excluding the response. */
function countIn({ numbers, text }: Refusal, limit: number, asked: number): number | undefined {
  const field = Object.entries(numbers).find(([name]) => /prompt|request|input/.test(name));
  if (field !== undefined) return field[1];
  const all = [...text.matchAll(/\d[\d,_]*/g)].map(([digits]) => Number(digits.replaceAll(/[,_]/g, "")));
  const larger = all.find((value) => value > limit && value < limit * 100);
  return larger === undefined ? undefined : larger - asked;
}

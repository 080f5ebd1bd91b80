/**
 * Parameters that a server or a model does not have, that exclude each other, or whose value it rejects. The parameter's own name occurs in
 * the rejection's `param` or text, so the sentence around it need not be understood.
 */
import type { Repair } from "../../repair-ladder.ts";
import type { Refusal } from "./refusal.ts";
import { limitNames, optionalParameters } from "./wire-request.ts";
import type { WireRequest } from "./wire-request.ts";

/** Agents choose these values, so one agent's may be rejected while another's is accepted. */
const chosenByAgents = new Set(["temperature", "top_p", "reasoning_effort", "verbosity", ...limitNames]);
/** Of two parameters that exclude each other, the one with less influence on the response is left out. */
const leastFirst = ["top_p", "verbosity", "prompt_cache_key", "stream_options", "tool_choice", "reasoning_effort"];

/** These come before all other repairs, in this order, because they consider the requested values. */
const orderOf = { exclusive: 0, value: 1, name: 2 };

export function parameterRepairs(refusal: Refusal, request: WireRequest): readonly (readonly Repair<WireRequest>[])[] {
  const effort = advisedEffort(refusal, request);
  const named = namedIn(refusal, request);
  const exact = named.find((name) => name === refusal.param);
  const [least, ...others] = (exact === undefined ? named : [exact]).toSorted(
    (left, right) => rank(left) - rank(right),
  );
  if (least === undefined) return effort;
  const exclusive = others.length === 0 ? [] : [[withoutBeside(least, others)]];
  return [...effort, ...exclusive, ...[least, ...others].flatMap((name) => repairsOf(name, refusal, request))];
}

/** Identified by name, or by the quoted value, or by what models do with it. */
function namedIn(refusal: Refusal, request: WireRequest): readonly string[] {
  const optional = optionalParameters(request);
  const named = optional.filter((name) => names(refusal, name));
  if (named.length > 0) return named;
  const { text } = refusal;
  const quoted = optional.filter((name) => {
    const value = request[name];
    return typeof value === "string" && new RegExp(`["'\`]${value.toLowerCase()}\\\\?["'\`]`).test(text);
  });
  if (quoted.length > 0) return quoted;
  return optional.filter((name) => name === "reasoning_effort" && /\b(?:thinking|reasoning)\b/.test(text));
}

/** Everything that can be left out, for a rejection that is not understood. */
export function withoutParameters(request: WireRequest): readonly Repair<WireRequest>[] {
  return optionalParameters(request)
    .filter((name) => !limitNames.includes(name))
    .map(withoutName);
}

/** Whether a refusal names the parameter, in any notation: `top_p`, `topP`, `top-p`; `maxOutputTokens`. */
export function names({ param, text }: Pick<Refusal, "param" | "text">, name: string): boolean {
  if (param === name) return true;
  if (limitNames.includes(name)) return /max[ _-]?(?:new|output|completion)?[ _-]?tokens/.test(text);
  return new RegExp(`(?<![a-z])${name.split("_").join("[ _-]?")}(?![a-z])`).test(text);
}

const rank = (name: string): number => (leastFirst.includes(name) ? leastFirst.indexOf(name) : leastFirst.length);

function repairsOf(name: string, refusal: Refusal, request: WireRequest): readonly (readonly Repair<WireRequest>[])[] {
  if (limitNames.includes(name)) return limitRepairs(name, refusal, request);
  return chosenByAgents.has(name) && !isUnknown(refusal)
    ? [[withoutValue(name, request[name])], [withoutName(name)]]
    : [[withoutName(name)]];
}

/** The limit has an old name and a new one, and may exceed the model's own. */
function limitRepairs(
  name: string,
  refusal: Refusal,
  request: WireRequest,
): readonly (readonly Repair<WireRequest>[])[] {
  const value = Number(request[name]);
  const highest = Math.max(
    0,
    ...[...refusal.text.matchAll(/\d+/g)].map(Number).filter((number) => number >= 16 && number < value),
  );
  const other = limitNames.find((one) => one !== name) ?? name;
  return [...(highest > 0 ? [[atMost(name, highest)]] : []), [renamed(name, other)], [withoutValue(name, value)]];
}

/**
 * OpenAI's models from GPT-5.4 on accept tools only without reasoning. The rejection mentions `none`, and may name an effort that was not
 * sent.
 */
function advisedEffort({ param, text }: Refusal, request: WireRequest): readonly (readonly Repair<WireRequest>[])[] {
  const isAdvised = param === "reasoning_effort" && /to ['"]?none/.test(text) && request["reasoning_effort"] !== "none";
  return isAdvised ? [[effortNone]] : [];
}

const effortNone: Repair<WireRequest> = {
  key: "reasoning_effort",
  description: "reasoning_effort is none",
  order: orderOf.name,
  apply: (request) => ({ ...request, reasoning_effort: "none" }),
};

/** The server says that it does not have the parameter, whatever its value. Otherwise only a value is left out first. */
function isUnknown({ code, text }: Refusal): boolean {
  if (code === "unsupported_parameter") return true;
  return (
    /not permitted|unrecognized|unknown|unexpected|extra_forbidden|does not support|not supported for|not available|deprecated/.test(
      text,
    ) && !/value/.test(text)
  );
}

function withoutName(name: string): Repair<WireRequest> {
  return {
    key: name,
    description: `${name} is left out`,
    order: orderOf.name,
    apply: (request) => ({ ...request, [name]: undefined }),
  };
}

function withoutValue(name: string, value: unknown): Repair<WireRequest> {
  const text = JSON.stringify(value);
  return {
    key: `${name} ${text}`,
    description: `${name} is left out where it is ${text}`,
    order: orderOf.value,
    apply: (request) => (JSON.stringify(request[name]) === text ? { ...request, [name]: undefined } : request),
  };
}

function withoutBeside(name: string, others: readonly string[]): Repair<WireRequest> {
  return {
    key: `${name} beside ${others.join(", ")}`,
    description: `${name} is left out beside ${others.join(", ")}`,
    order: orderOf.exclusive,
    apply: (request) =>
      others.some((other) => request[other] !== undefined) ? { ...request, [name]: undefined } : request,
  };
}

function atMost(name: string, highest: number): Repair<WireRequest> {
  return {
    key: `${name} at most`,
    description: `${name} is ${highest} at most`,
    order: orderOf.value,
    apply: (request) => (Number(request[name]) > highest ? { ...request, [name]: highest } : request),
  };
}

function renamed(name: string, other: string): Repair<WireRequest> {
  return {
    key: "name of the token limit",
    description: `${name} is called ${other}`,
    order: orderOf.name,
    apply: (request) =>
      request[name] === undefined ? request : { ...request, [name]: undefined, [other]: request[name] },
  };
}

/**
 * The ways to change a chat request that was rejected, the likeliest first. A rejection is not interpreted by its sentences, which differ
 * between servers, but by its subject: each repair has the words of its subject, and the repair with the most matches comes first. If no
 * subject is recognised, harmless repairs are made together, and as a last resort only the prompt and the last turns are sent.
 */
import type { Repair } from "../../repair-ladder.ts";
import { fitInto, windowFrom } from "./context-window.ts";
import type { ContextWindow } from "./context-window.ts";
import {
  lastTurnsOf,
  onMessages,
  withCallsAsWords,
  withOneCallEach,
  withoutSystemRole,
  withPlainNames,
  withShortIds,
  withWordsBesideCalls,
} from "./message-repairs.ts";
import { names, parameterRepairs, withoutParameters } from "./parameter-repairs.ts";
import { withoutEmptyParameters, withPlainSchemas } from "./plain-schemas.ts";
import { isSurelyAboutRequest } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { inStrictOrder, withCallerLast } from "./strict-order.ts";
import { withToolsAsText } from "./tools-as-text.ts";
import { optionalParameters } from "./wire-request.ts";
import type { WireRequest } from "./wire-request.ts";

export interface ChatRepair extends Repair<WireRequest> {
  /** Set for the repair that keeps requests within the context window. */
  readonly window?: ContextWindow;
}
type Step = readonly ChatRepair[];

interface SubjectRepair extends ChatRepair {
  readonly subject: readonly RegExp[];
}

const oneCallEach: SubjectRepair = {
  key: "one call",
  description: "each message has one call",
  subject: [
    /single|\bone\b/,
    /multiple|parallel|several|more than/,
    /(?:tool|function)[-_ ]?calls?/,
    /at once|at a time|per (?:turn|message)/,
  ],
  order: 10,
  apply: onMessages(withOneCallEach),
};
const shortIds: SubjectRepair = {
  key: "short ids",
  description: "ids of calls have nine letters and digits",
  subject: [/call[-_ ]?ids?\b|\.id\b/, /length|characters|long/, /a-z|alphanumeric|pattern|format/],
  order: 11,
  apply: onMessages(withShortIds),
};
const plainNames: SubjectRepair = {
  key: "plain names",
  description: "names of tools have letters, digits and underscores only",
  subject: [/\bname\b/, /pattern|match|regex|must start|must begin/, /invalid|character|alphanumeric/],
  order: 12,
  apply: withPlainNames,
};
const wordsBesideCalls: SubjectRepair = {
  key: "words beside calls",
  description: "messages with calls have words, too",
  subject: [
    /empty|blank|whitespace/,
    /content|text/,
    /null|none|missing|required|valid string/,
    /nonetype|undefinederror/,
  ],
  order: 13,
  apply: onMessages(withWordsBesideCalls),
};
const strictOrder: SubjectRepair = {
  key: "strict order",
  description: "messages are in strict order",
  subject: [
    /\broles?\b/,
    /alternat/,
    /system/,
    /begin|start|first/,
    /order|sequence|consecutive|multiple/,
    /\bafter\b|\bturns?\b|follow/,
    /template|jinja/,
  ],
  order: 20,
  apply: onMessages(inStrictOrder),
};
const withoutSystem: SubjectRepair = {
  key: "no system role",
  description: "the prompt is part of the caller's words",
  subject: [/system/, /\broles?\b/, /support|unknown|invalid|unexpected|not (?:allowed|enabled)/, /developer/],
  order: 21,
  apply: onMessages(withoutSystemRole),
};
const callerLast: SubjectRepair = {
  key: "caller last",
  description: "the last message is the caller's",
  subject: [/\blast\b/, /\bend(?:s|ing)?\b|final/, /\buser\b/, /prefill|prefix/, /assistant/, /continu/],
  order: 22,
  apply: onMessages(withCallerLast),
};
const plainSchemas: SubjectRepair = {
  key: "plain schemas",
  description: "tools have plain schemas",
  subject: [
    /schema/,
    /propert(?:y|ies)|parameters|anyof|oneof|\bitems\b|\benum\b|\bformat\b|\$ref|\btype\b/,
    /function_declarations|tools(?:\[|\.|', ?\d)/,
    /strict/,
  ],
  order: 30,
  apply: withPlainSchemas,
};
const noEmptyParameters: SubjectRepair = {
  key: "no empty parameters",
  description: "tools without parameters have no schema",
  subject: [/empty/, /object/, /propert(?:y|ies)|parameters/],
  order: 31,
  apply: withoutEmptyParameters,
};
const wholeAnswer: SubjectRepair = {
  key: "whole answer",
  description: "answers are not streamed",
  subject: [
    /stream/,
    /support|without|disable|unavailable|not allowed|invalid/,
    /tools?\b.*\bstream|\bstream.*\btools?\b/,
  ],
  order: 32,
  apply: (request) => ({ ...request, stream: false, stream_options: undefined }),
};
/** Bedrock and others accept no calls in a conversation unless tools are offered with it. */
const callsAsWords: SubjectRepair = {
  key: "calls as words",
  description: "calls are told in words",
  subject: [
    /(?:tool|function)[-_ ]?(?:use|results?|config|calls?|responses?)/,
    /toolconfig|tools ?=|tools param|`tools`/,
    /must be defined|without|provided|corresponding|preceding|ids/,
  ],
  order: 15,
  isPassing: true,
  apply: onMessages(withCallsAsWords),
};
/** For servers and templates without a tool role: every conversation in which a tool was called needs this. */
const withoutToolRole: SubjectRepair = {
  key: "no tool role",
  description: "results of tools are told in the caller's place",
  subject: [
    /roles?\W{1,4}(?:tool|function)\b|(?:tool|function)\W? (?:role|message)s?\b|"input": ?"tool"|only [^.]{0,60}\broles?\b/,
    /unexpected|invalid|support|unknown|unrecogni[sz]ed|not (?:allowed|permitted)|should be|must be|one of/,
  ],
  order: 18,
  apply: onMessages(withCallsAsWords),
};
/**
 * For Ollama's models without tools, vLLM started without a tool call parser, and providers behind OpenRouter. The text that the model
 * writes is read like every call in text (EAR-5).
 */
const toolsInWords: SubjectRepair = {
  key: "tools in words",
  description: "tools are described in the prompt, and their calls are read from the answer",
  subject: [
    /\btools\b|\bfunctions\b|\b(?:tool|function)[-_ ]?(?:use|call(?:ing|s)?|choice)\b/,
    /support|enabl|requires|capab|available|endpoints|unrecogni[sz]ed|unknown|extra|not (?:allowed|permitted|implemented)/,
  ],
  order: 17,
  apply: withToolsAsText,
};
const lastTurns: ChatRepair = {
  key: "last turns",
  description: "only the prompt and the last turns are sent",
  order: 14,
  isPassing: true,
  apply: onMessages(lastTurnsOf),
};
/** The model has to know this, because it would otherwise promise what it cannot do. */
const withoutTools: ChatRepair = {
  key: "no tools",
  description: "tools are left out",
  order: 16,
  isPassing: true,
  apply: (request) =>
    request.tools === undefined
      ? request
      : {
          ...request,
          tools: undefined,
          tool_choice: undefined,
          messages: [
            ...request.messages,
            {
              role: "user",
              content:
                "(You have no tools in this answer: look nothing up, do nothing, and promise nothing that needs them.)",
            },
          ],
        },
};

const bySubject: readonly SubjectRepair[] = [
  strictOrder,
  callerLast,
  oneCallEach,
  wordsBesideCalls,
  shortIds,
  plainNames,
  plainSchemas,
  noEmptyParameters,
  withoutSystem,
  withoutToolRole,
  callsAsWords,
  wholeAnswer,
  toolsInWords,
];
/** These repairs express the same request in another form. */
const harmless: readonly ChatRepair[] = [oneCallEach, shortIds, plainNames, wordsBesideCalls, strictOrder, callerLast];

/** One word alone says little: nearly every rejection mentions messages, roles or text. */
const leastWords = 2;
/** A caller waits meanwhile; a rejection that is still not understood after this many attempts is given up. */
const mostGuesses = 4;

export function windowRepair(window: ContextWindow): ChatRepair {
  return {
    key: windowKey,
    description: `the context has ${window.tokens} tokens`,
    order: 40,
    isGradual: true,
    window,
    apply: (request) => fitInto(request, window),
  };
}

const windowKey = "context window";

export interface RefusedRequests {
  /** Without the repairs that are on trial. */
  readonly first: WireRequest;
  /** The request in the form that was rejected. */
  readonly current: WireRequest;
}

/** Empty if the rejection may not be about the request. */
export function repairsFor(
  refusal: Refusal,
  { first, current }: RefusedRequests,
  { window, hasAnswered }: { readonly window: ContextWindow | undefined; readonly hasAnswered: boolean },
): readonly Step[] {
  const understood = understoodRepairs(refusal, current, window);
  if (!isSurelyAboutRequest(refusal)) return understood;
  const parameters: Step = [...withoutParameters(first), plainSchemas];
  // A server that has responded before accepts the parameters, so the conversation must be at fault.
  const apart = hasAnswered ? [harmless, parameters] : [parameters, harmless];
  const all: Step = [...parameters, ...harmless];
  const least: Step = [...all, callsAsWords, lastTurns, withoutSystem];
  return [...understood, ...apart, all, least, [...least, noEmptyParameters, withoutTools]];
}

function understoodRepairs(refusal: Refusal, request: WireRequest, window: ContextWindow | undefined): readonly Step[] {
  const ofWindow = isAboutSize(refusal, request) ? [[windowRepair(windowFrom(refusal, request, window))]] : [];
  const words = `${refusal.param ?? ""} ${refusal.text}`.toLowerCase();
  const ofSubject = bySubject
    .map((repair) => ({ repair, score: repair.subject.filter((word) => word.test(words)).length }))
    .filter(({ score }) => score >= leastWords)
    .toSorted((left, right) => right.score - left.score)
    .map(({ repair }) => [repair]);
  const guesses = [...ofWindow, ...parameterRepairs(refusal, request), ...ofSubject].slice(0, mostGuesses);
  // "Only user and assistant roles are supported" concerns two roles at once, and the message stays the same when only one of them is
  // removed.
  const together = ofSubject.slice(0, mostGuesses).flat();
  return together.length > 1 ? [...guesses, together] : guesses;
}

const excess = /too (?:long|large|big|many)|exceed|maximum|limit|reduce|overflow|larger than|longer than/;
const content = /context|tokens?\b|prompt|input|messages|history|request/;

/** About the length of the whole request, and not about a parameter or a tool that is too large. */
function isAboutSize(refusal: Refusal, request: WireRequest): boolean {
  const { status, text, code, param, numbers } = refusal;
  if (status === 413 || Object.keys(numbers).some((name) => name.includes("ctx"))) return true;
  if (/context/.test(text) && excess.test(text)) return true;
  if (code?.includes("context") === true) return true;
  if (!isSurelyAboutRequest(refusal)) return false;
  const isOfPart = /tools(?:\[|\.)/.test(`${param ?? ""} ${text}`);
  const namesParameter = optionalParameters(request).some((name) => names({ param, text }, name));
  return !isOfPart && !namesParameter && excess.test(text) && content.test(text);
}

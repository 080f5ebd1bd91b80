/** What the recogniser should expect: the active agent's sentences and terms, the caller's own name, and what the agent has just asked for. */
import { isDeepStrictEqual } from "node:util";
import { mayAskForOneWord } from "@voice/provider-kit/end-of-turn/expected-answer";
import type { AwaitedAnswer, RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { Conversation } from "../../conversation/conversation.ts";

export class TurnHints {
  readonly #conversation: Conversation;
  readonly #callerName: (() => string | undefined) | undefined;
  #awaited: AwaitedAnswer | undefined;

  constructor(conversation: Conversation, callerName?: () => string | undefined) {
    this.#conversation = conversation;
    this.#callerName = callerName;
    this.#awaited = isOnlyGreeted(conversation) ? { type: "greeting" } : undefined;
  }

  get current(): RecognitionHints {
    return { ...recognitionHints(this.#conversation, this.#callerName), awaits: this.#awaited };
  }

  /** What the agent has just asked for: the same object until that changes. */
  get awaited(): AwaitedAnswer | undefined {
    return this.#awaited;
  }

  /** True if the hints changed and the recogniser needs them; some vendors open another connection for that. */
  expect(answer: AwaitedAnswer | undefined): boolean {
    if (isDeepStrictEqual(answer, this.#awaited)) return false;
    this.#awaited = answer;
    return true;
  }
}

/** The caller has said nothing yet, and the greeting asks for nothing that is as short as a greeting in return. */
function isOnlyGreeted(conversation: Conversation): boolean {
  if (conversation.knownHistory.some(({ role }) => role === "user")) return false;
  return !mayAskForOneWord(conversation.renderGreeting() ?? "", conversation.language);
}

export function recognitionHints(
  { agent, language: pack }: Conversation,
  callerName: (() => string | undefined) | undefined,
): RecognitionHints {
  const { language } = agent.speech;
  return {
    examples: withEverydayWords(agent.examples, pack.turnPhrases.everyday),
    phrases: expectedPhrases(agent, callerName),
    ...(language !== undefined && { language }),
  };
}

/** TURN-14: the agent's names and terms, and the caller's name. */
export function expectedPhrases(
  { speech }: Conversation["agent"],
  callerName: (() => string | undefined) | undefined,
): readonly string[] {
  const name = callerName?.();
  return name === undefined ? speech.phrases : [...speech.phrases, name];
}

/** 8 KB for an agent with many tools: one list serves all sessions. */
const known = new WeakMap<readonly string[], WeakMap<readonly string[], readonly string[]>>();

function withEverydayWords(examples: readonly string[], everyday: readonly string[]): readonly string[] {
  const inLanguage = known.get(everyday) ?? new WeakMap<readonly string[], readonly string[]>();
  known.set(everyday, inLanguage);
  const all = inLanguage.get(examples) ?? [...examples, ...everyday];
  inLanguage.set(examples, all);
  return all;
}

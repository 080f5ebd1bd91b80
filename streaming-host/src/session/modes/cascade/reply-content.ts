/** The source of a cascade reply: a turn that the agent answers, or fixed words. */
import { handedBack } from "@voice/shared/conversation/handed-back";
import { unansweredTurn } from "../../conversation/unanswered-turn.ts";
import type { AgentTurn } from "../../../pipeline/cascade/agent-loop.ts";
import type { ReplyContent } from "./cascade-reply.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { FixedText } from "../../output/fixed-text.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";

export class ReplyContents {
  readonly #conversation: Conversation;
  readonly #fixed: FixedText;
  /** Spoken once, before the first words. */
  #opener: string | undefined;

  constructor(conversation: Conversation, fixedWords: FixedText, opener: string | undefined) {
    this.#conversation = conversation;
    this.#fixed = fixedWords;
    this.#opener = opener;
  }

  contentOf(plan: ReplyPlan): ReplyContent {
    const words = this.#fixed.of(plan);
    if (words !== undefined) {
      const text = [this.#takeOpener() ?? [], words].flat().join(" ");
      return { type: "fixed", text };
    }
    if (plan.kind === "clarification") return this.#answerToGuess(plan.text);
    if (plan.kind === "return") return this.#answer({ userText: handedBack, history: this.#conversation.modelHistory });
    return plan.origin === "taken-over" ? this.#missingAnswer() : this.answerTo(plan.text);
  }

  answerTo(userText: string): ReplyContent {
    return this.#answer({ userText, history: this.#conversation.modelHistory });
  }

  /** The caller was not understood; `guess` is empty if there is none. */
  #answerToGuess(guess: string): ReplyContent {
    const { modelHistory: history } = this.#conversation;
    return this.#answer({ userText: undefined, guess: guess === "" ? undefined : guess, history });
  }

  /** TAKE-2: completed tool calls are not repeated, but the caller has not heard about them. */
  #missingAnswer(): ReplyContent {
    const { modelHistory: history } = this.#conversation;
    return this.#answer(unansweredTurn(history) ?? { userText: "", history });
  }

  #answer(turn: Pick<AgentTurn, "userText" | "guess" | "history" | "since">): ReplyContent {
    const { agent, memory, visitedAgents, arrival } = this.#conversation;
    const { userText, guess, history, since } = turn;
    const opener = this.#takeOpener();
    const greeting = arrival?.unheardGreeting;
    return { type: "agent", opener, turn: { agent, userText, guess, greeting, since, history, memory, visitedAgents } };
  }

  #takeOpener(): string | undefined {
    const opener = this.#opener;
    this.#opener = undefined;
    return opener;
  }
}

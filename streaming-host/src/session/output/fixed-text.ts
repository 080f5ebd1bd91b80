/** The text of replies that need no model. */
import type { Conversation } from "../conversation/conversation.ts";
import type { ReplyPlan } from "../turn/turn-effects.ts";
import { FixedPhrases } from "./fixed-phrases.ts";

export class FixedText {
  readonly #conversation: Conversation;
  readonly #announcement: string;
  readonly #phrases = new FixedPhrases();

  constructor(conversation: Conversation, announcement: string | undefined) {
    this.#conversation = conversation;
    this.#announcement = announcement ?? "";
  }

  /** Undefined if the agent's model has to write the text. */
  of({ kind, text }: ReplyPlan): string | undefined {
    switch (kind) {
      case "answer":
      case "clarification":
      case "return":
        return undefined;
      case "message":
      case "replacement":
      case "line":
        return text;
      case "greeting":
        return this.#conversation.renderGreeting() ?? "";
      case "announcement":
        return this.#announcement;
      case "apology":
        return this.#apology();
      default:
        return this.#phrases.next(kind, this.#conversation.language.sentences);
    }
  }

  nextFiller(): string {
    const { agent, language } = this.#conversation;
    return this.#phrases.nextFiller(agent.speech.fillers ?? [], language.sentences);
  }

  /** TOOL-12. */
  #apology(): string {
    const { sentences } = this.#conversation.language;
    switch (this.#conversation.doneInTurn) {
      case "done":
        return sentences.done;
      case "some":
        return sentences.askAgain;
      case "unknown":
        return sentences.outcomeUnknown;
      case "nothing":
        return this.#phrases.next("apology", sentences);
    }
  }
}

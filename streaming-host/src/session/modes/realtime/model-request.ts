/** The request to a realtime model for a reply: in its own words, or with fixed words. */
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import type { Conversation } from "../../conversation/conversation.ts";
import { FixedWords } from "../../output/fixed-words.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import { realtimeContinuation } from "./realtime-settings.ts";

export class ModelRequests {
  readonly #conversation: Conversation;
  readonly #fixed: FixedWords;

  constructor(conversation: Conversation, announcement: string | undefined) {
    this.#conversation = conversation;
    this.#fixed = new FixedWords(conversation, announcement);
  }

  /** `knowsWords`: the model's history already includes what the caller typed. */
  ask(session: RealtimeSession, plan: ReplyPlan, { knowsWords }: { readonly knowsWords: boolean }): void {
    const say = this.#fixed.of(plan);
    if (say !== undefined) {
      session.respond({ say });
      return;
    }
    if (plan.text !== "" && !knowsWords) session.sendText(plan.text);
    const instructions = plan.origin === "taken-over" ? this.#toolResults() : undefined;
    session.respond(instructions === undefined ? {} : { instructions });
  }

  /** TAKE-2. */
  #toolResults(): string | undefined {
    return realtimeContinuation(this.#conversation.unansweredTurn?.since ?? []);
  }
}

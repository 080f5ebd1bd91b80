/** The request to a realtime model for a reply: in its own words, or with fixed words. */
import { unansweredTurn } from "../../conversation/unanswered-turn.ts";
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import type { Conversation } from "../../conversation/conversation.ts";
import type { FixedWords } from "../../output/fixed-words.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import { realtimeContinuation } from "./realtime-settings.ts";

/** Runs on the open connection. False if there is none. */
export type Link = (action: (session: RealtimeSession) => void) => boolean;

/** BARGE-3. What was not heard has been taken out of the model's own history. */
const afterNoise =
  "A sound without words stopped you. Answer the caller's last words, or go on where you were stopped, and do not mention the sound.";

/** `request`: undefined once it was requested. */
export interface UnaskedReply {
  readonly plan: ReplyPlan;
  readonly request: { readonly knowsWords: boolean } | undefined;
}

export class ModelRequests {
  readonly #conversation: Conversation;
  readonly #fixed: FixedWords;

  constructor(conversation: Conversation, fixedWords: FixedWords) {
    this.#conversation = conversation;
    this.#fixed = fixedWords;
  }

  /** `knowsWords`: the model's history already includes what the caller typed. */
  ask(session: RealtimeSession, plan: ReplyPlan, { knowsWords }: { readonly knowsWords: boolean }): void {
    const say = this.#fixed.of(plan);
    if (say !== undefined) {
      session.respond({ say });
      return;
    }
    if (plan.text !== "" && !knowsWords) session.sendText(plan.text);
    const instructions = this.#instructions(plan);
    session.respond(instructions === undefined ? {} : { instructions });
  }

  /** What the caller typed, where the answer to it is given up before it was requested: the next answer is to know it. */
  tellUnasked(session: RealtimeSession, { plan, request }: UnaskedReply): void {
    if (plan.kind === "answer" && plan.text !== "" && request?.knowsWords === false) session.sendText(plan.text);
  }

  #instructions({ origin }: ReplyPlan): string | undefined {
    const { unheardGreeting } = this.#conversation; // BARGE-12
    const parts = [
      unheardGreeting !== undefined && afterHandoff(unheardGreeting),
      origin === "noise" && afterNoise,
      origin === "taken-over" && this.#toolResults(),
    ].filter((part) => typeof part === "string");
    return parts.length === 0 ? undefined : parts.join("\n\n");
  }

  /** TAKE-2. */
  #toolResults(): string | undefined {
    return realtimeContinuation(unansweredTurn(this.#conversation.modelHistory)?.since ?? []);
  }
}

/** What an agent that has just taken over is told for its first response. Without a greeting the caller is not to notice. */
export function afterHandoff(greeting: string | undefined): string {
  return greeting === undefined
    ? "You have just taken over this call without the caller noticing. Go on with what they asked for."
    : `You have just taken over this call. Begin with these words: "${greeting}" Then go on with what the caller asked for.`;
}

/** The request to a realtime model for a reply: in its own words, or with fixed words. */
import { unansweredTurn } from "../../conversation/unanswered-turn.ts";
import type { RealtimeSession, ResponseRequest } from "@voice/provider-kit/ports/realtime-model";
import type { Conversation } from "../../conversation/conversation.ts";
import { FixedWords } from "../../output/fixed-words.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import type { RealtimeRepliesOptions, RealtimeReply } from "./realtime-reply.ts";
import { realtimeContinuation } from "./realtime-settings.ts";

/** BARGE-3. What was not heard has been taken out of the model's own history. */
const afterNoise =
  "A sound without words stopped you. Answer the caller's last words, or go on where you were stopped, and do not mention the sound.";

export class ModelRequests {
  readonly #conversation: Conversation;
  readonly #fixed: FixedWords;

  constructor(conversation: Conversation, announcement: string | undefined) {
    this.#conversation = conversation;
    this.#fixed = new FixedWords(conversation, announcement);
  }

  /** `knowsWords`: the model's history already includes what the caller typed. */
  ask(session: RealtimeSession, reply: RealtimeReply, { knowsWords }: { readonly knowsWords: boolean }): void {
    const { plan } = reply;
    const say = this.#fixed.of(plan);
    if (say !== undefined) {
      session.respond({ say });
      return;
    }
    if (plan.text !== "" && !knowsWords) session.sendText(plan.text);
    reply.instructions = this.#instructions(plan);
    reply.greeting = this.#conversation.arrival?.unheardGreeting; // BARGE-12
    session.respond(nextRequest(reply));
  }

  /** What the caller typed, where the answer to it is given up before it was requested: the next answer is to know it. */
  tellUnasked(session: RealtimeSession, { plan, isAsked, isTold }: RealtimeReply): void {
    if (plan.kind === "answer" && plan.text !== "" && !isAsked && !isTold) session.sendText(plan.text);
  }

  #instructions({ origin }: ReplyPlan): string | undefined {
    const { unheardGreeting } = this.#conversation.arrival ?? {};
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

/** RT-30: the next agent's greeting is spoken word for word, like that of the first one, and then its model is asked for the answer. */
export function nextRequest({ greeting, instructions, roundsSpent: isSpent }: RealtimeReply): ResponseRequest {
  if (greeting !== undefined) return { say: greeting };
  return { ...(instructions !== undefined && { instructions }), ...(isSpent && { toolChoice: "none" as const }) };
}

/**
 * `answer`: the agent who has taken over has greeted. MODEL-14: `again` where the model had nothing to say; `what-else` where it has nothing
 * after a tool that has succeeded, because an apology would say that what was done has failed.
 */
export function requestMore(
  reply: RealtimeReply,
  what: "answer" | "again" | "what-else",
  { conversation, link }: Pick<RealtimeRepliesOptions, "conversation" | "link">,
): void {
  if (what === "answer") reply.greeting = undefined;
  if (what === "again") reply.isAskedAgain = true;
  if (what === "what-else") reply.owesWords = false;
  const { nothingToAdd: say } = conversation.language.sentences;
  link((session) => session.respond(what === "what-else" ? { say } : nextRequest(reply)));
}

/** What an agent that has just taken over is told for its first answer. Without a greeting the caller is not to notice. */
export function afterHandoff(greeting: string | undefined): string {
  return greeting === undefined
    ? "You have just taken over this call without the caller noticing. Go on with what they asked for."
    : `You have just taken over this call, and have greeted the caller with these words: "${greeting}" Do not greet them again; go on with what they asked for.`;
}

/** What is requested of a realtime model for one reply: its first response, and those that follow it when tools have run or an agent has greeted. */
import { handedBack } from "@voice/shared/conversation/handed-back";
import type { RealtimeSession, ResponseRequest } from "@voice/provider-kit/ports/realtime-model";
import type { ChosenHandoff } from "../../../pipeline/cascade/choose-handoff.ts";
import { roundsSpent } from "../../../pipeline/tool-round.ts";
import { unansweredTurn } from "../../conversation/unanswered-turn.ts";
import type { ReplyContext } from "../../reply/open-reply.ts";
import type { ReplyPlan } from "../../turn/turn-effects.ts";
import { realtimeContinuation } from "./realtime-settings.ts";

/** Runs on the open connection. False if there is none. */
export type Link = (action: (session: RealtimeSession) => void) => boolean;

/** BARGE-3. What was not heard has been taken out of the model's own history. */
const afterNoise =
  "A sound without words stopped you. Answer the caller's last words, or go on where you were stopped, and do not mention the sound.";

export class ModelRequest {
  readonly #context: Pick<ReplyContext, "conversation" | "fixedWords">;
  #greeting: string | undefined;
  #instructions: string | undefined;
  #mayCallNoMore = false;

  constructor(context: Pick<ReplyContext, "conversation" | "fixedWords">) {
    this.#context = context;
  }

  /** What the agent who has taken over says first; undefined once the service has said it. */
  get greeting(): string | undefined {
    return this.#greeting;
  }

  /** TOOL-11. */
  get mayCallNoMore(): boolean {
    return this.#mayCallNoMore;
  }

  /** RT-30: the next agent's greeting is spoken word for word, like that of the first one, and then its model is asked for the answer. */
  get next(): ResponseRequest {
    if (this.#greeting !== undefined) return { say: this.#greeting };
    return {
      ...(this.#instructions !== undefined && { instructions: this.#instructions }),
      ...(this.#mayCallNoMore && { toolChoice: "none" as const }),
    };
  }

  /** The first response, or the one that is still to come. `knowsWords`: the model's history already includes what the caller typed. */
  send(session: RealtimeSession, plan: ReplyPlan, knowsWords: boolean): void {
    if (this.#instructions === undefined) this.sendFirst(session, plan, knowsWords);
    else session.respond(this.next);
  }

  /** Requests the first response of a reply: in the model's own words, or with fixed words. */
  sendFirst(session: RealtimeSession, plan: ReplyPlan, knowsWords: boolean): void {
    const { conversation, fixedWords } = this.#context;
    const say = fixedWords.of(plan);
    if (say !== undefined) return session.respond({ say });
    if (plan.text !== "" && !knowsWords) session.sendText(plan.text);
    const { arrival, modelHistory } = conversation;
    this.#greeting = arrival?.unheardGreeting; // BARGE-12
    this.#instruct(
      this.#greeting !== undefined && afterHandoff(this.#greeting),
      plan.kind === "return" && handedBack,
      plan.origin === "noise" && afterNoise,
      plan.origin === "taken-over" && realtimeContinuation(unansweredTurn(modelHistory)?.since ?? []), // TAKE-2
    );
    session.respond(this.next);
  }

  greeted(): void {
    this.#greeting = undefined;
  }

  /** Tools have run. `isLast`: the model may call no more. */
  afterTools(handoff: ChosenHandoff | undefined, isLast: boolean): void {
    this.#mayCallNoMore ||= isLast;
    if (handoff !== undefined) this.#greeting = handoff.greeting;
    this.#instruct(handoff !== undefined && afterHandoff(handoff.greeting), this.#mayCallNoMore && roundsSpent);
  }

  /** Nothing that the model would know by itself. */
  #instruct(...parts: readonly (string | false | undefined)[]): void {
    const said = parts.filter((part) => typeof part === "string");
    this.#instructions = said.length === 0 ? undefined : said.join("\n\n");
  }
}

/** What an agent that has just taken over is told for its first answer. Without a greeting the caller is not to notice. */
function afterHandoff(greeting: string | undefined): string {
  return greeting === undefined
    ? "You have just taken over this call without the caller noticing. Go on with what they asked for."
    : `You have just taken over this call, and have greeted the caller with these words: "${greeting}" Do not greet them again; go on with what they asked for.`;
}

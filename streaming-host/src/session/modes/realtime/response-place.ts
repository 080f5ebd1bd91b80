/**
 * Where a response goes that begins while a reply is open. A realtime service answers what the caller says unasked, also while another
 * response is requested of it, and makes one at a time. Pure.
 */
import { isLastWords } from "../../turn/turn-effects.ts";
import { awaitsTools } from "./realtime-reply.ts";
import type { RealtimeReply } from "./realtime-reply.ts";
import type { ResponseStart } from "./response-event.ts";

export type ResponsePlace =
  /** It is part of the open reply. */
  | "open-reply"
  /** It is a reply of its own, and waits until the open one was heard (TURN-11). */
  | "early"
  /** Nobody is to hear it: the response that is still to come answers the same and more, or is the last there is. */
  | "refused";

type OpenReply = Pick<
  RealtimeReply,
  "plan" | "responses" | "notice" | "runningTools" | "toolRounds" | "hasActed" | "isComplete"
>;

export function placeOf(
  { isUnasked = false }: ResponseStart,
  open: OpenReply,
  { toolsRun }: { readonly toolsRun: boolean },
): ResponsePlace {
  const { plan, responses, toolRounds, hasActed, isComplete } = open;
  if (isComplete) return "early";
  if (toolsRun && awaitsTools(open)) return "refused";
  // One that the service begins by itself is what the reply waits for only if that was not requested.
  if (!isUnasked || (plan.origin === "service" && responses.size === 0)) return "open-reply";
  // It may not know what the tools gave, and is not the announcement of what they have asked for (TOOL-3, EFFECT-2).
  if (toolRounds > 0 || hasActed || isLastWords(plan.kind)) return "refused";
  return "early";
}

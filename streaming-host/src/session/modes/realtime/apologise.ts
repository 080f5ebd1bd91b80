/** MODEL-1, MODEL-2: what the agent adds to an answer that the model did not complete. */
import { withheldItem } from "@voice/shared/conversation/withheld-words";
import { wordsAfterCut } from "../../../pipeline/cut-answers.ts";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import type { RealtimeRepliesOptions, RealtimeReply } from "./realtime-reply.ts";

export function apologise(
  open: RealtimeReply,
  cut: AnswerCut,
  { conversation, clock, link, onCut }: Pick<RealtimeRepliesOptions, "conversation" | "clock" | "link" | "onCut">,
): void {
  const { turnId } = open.plan;
  open.cut = cut === "length" ? "length" : "content_filter";
  if (cut === "filtered-prompt") {
    conversation.append([withheldItem({ agent: open.words.agent, turnId, timestampMs: clock.wallNow() })]);
    link((session) => session.forgetCaller());
  }
  onCut(turnId, cut);
  link((session) => session.respond({ say: wordsAfterCut(cut, conversation.language.sentences) }));
}

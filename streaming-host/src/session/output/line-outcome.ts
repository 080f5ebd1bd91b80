/** What became of an operator's line, for operators who watch (PERSON-1, PERSON-2). The caller is not notified. */
import type { SessionNotice } from "../../transports/transport.ts";
import type { ReplyContext } from "../reply/open-reply.ts";
import type { HeardWords } from "./finished-reply.ts";
import { isSaidAgain } from "../turn/operator-lines.ts";
import type { HeardPart, LineRefusal, OperatorLine } from "../turn/turn-effects.ts";
import type { ReplyEnding } from "./session-probe.ts";

/** The reply that spoke the line is over. If too little of it was heard, the turn machine decides what follows. */
export function reportLine(
  line: OperatorLine,
  { turnId, ending, words }: { turnId: string; ending: ReplyEnding; words: HeardWords | undefined },
  { notifyWatchers, dispatch }: Pick<ReplyContext, "notifyWatchers" | "dispatch">,
): void {
  const about = { text: line.text, line_id: line.id, turn_id: turnId };
  if (ending === "complete") {
    notifyWatchers(operatorNotice({ ...about, outcome: "said" }));
    return;
  }
  const heard = heardPart(line, words);
  if (!isSaidAgain(line, heard)) notifyWatchers(operatorNotice({ ...about, outcome: "interrupted" }));
  else if (ending === "ended") notifyWatchers(refusedLineNotice(line, "conversation_ended"));
  dispatch({ type: "line-cut", turnId, heard });
}

export function refusedLineNotice({ text, id }: OperatorLine, reason: LineRefusal): SessionNotice {
  return operatorNotice({ outcome: "not_said", reason, text, line_id: id });
}

function heardPart({ text }: OperatorLine, words: HeardWords | undefined): HeardPart {
  const characters = words?.parts.reduce((sum, part) => sum + part.text.length, 0) ?? 0;
  if (characters === 0) return "nothing";
  return characters * 2 < text.length ? "beginning" : "most";
}

function operatorNotice(
  about: Omit<Extract<SessionNotice, { type: "event" }>["payload"] & { name: "operator" }, "name" | "action">,
): SessionNotice {
  return { type: "event", payload: { name: "operator", action: "say", ...about } };
}

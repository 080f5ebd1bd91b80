/** The output of a session in which an agent speaks: what happens to its audio becomes events of the turn machine. */
import type { LiveChanges } from "../conversation/live-changes.ts";
import { causeOf } from "../output/cause-of.ts";
import { openSessionOutput } from "../output/session-output.ts";
import type { SessionOutput } from "../output/session-output.ts";
import type { OpenReply } from "../reply/open-reply.ts";
import type { Replies } from "../reply/replies.ts";
import type { SpeakingSessionOptions } from "./session-options.ts";
import type { TurnState } from "../turn/turn-state.ts";
import type { TurnLoop } from "./turn-loop.ts";

/** Parts of the session that are created after its output. */
export interface LaterParts {
  readonly replies: () => Replies<OpenReply>;
  readonly loop: () => TurnLoop;
  readonly changes: () => LiveChanges;
  readonly onAgentHeard: (frame: Int16Array, playsAtMs: number) => void;
}

export function openSpeakingOutput(
  { conversation, transport, recorder, ticker, clock, publish }: SpeakingSessionOptions,
  { replies, loop, changes, onAgentHeard }: LaterParts,
): SessionOutput {
  const output = openSessionOutput({
    transport,
    recorder,
    ticker,
    clock,
    publish: (notice) => {
      publish(notice);
      if (notice.type === "tool_call" && notice.payload.status === "started" && output.playout.isDry)
        loop().showWaiting(true);
    },
    onError: (told) => conversation.noteFailure({ ...told, timestampMs: clock.wallNow() }),
    onHeard: onAgentHeard,
    waitingSound: () => conversation.agent.speech.waitingSound ?? conversation.catalog.scenario.waitingSound,
    events: {
      onAudible: (turnId) => {
        replies().onAudible();
        loop().dispatch({ type: "reply-audible", turnId });
      },
      onDrained: (turnId, text) => {
        replies().onDrained(text);
        changes().takeFound();
        changes().look("after a reply");
        loop().dispatch({ type: "reply-drained", turnId });
      },
      onDry: (isDry) => {
        loop().showWaiting(isDry && replies().silentPart.part === "tool");
        output.showWaiting(isWaiting(loop().state, isDry));
      },
      onStalled: (turnId) => {
        if (replies().fillPause()) return;
        const cause = causeOf(replies().silentPart);
        loop().dispatch({ type: "reply-failed", turnId, failure: "stalled", cause });
      },
    },
  });
  return output;
}

/** SOUND-1, SOUND-3: nobody speaks, and the agent is to. */
export function isWaiting({ agent, user, onHold, withPerson, isPaused }: TurnState, isDry: boolean): boolean {
  if (user.speech.kind === "speaking" || onHold || withPerson || isPaused) return false;
  return (agent.kind === "thinking" && agent.reply.kind === "answer") || (agent.kind === "speaking" && isDry);
}

/**
 * FAIL-4: what a lost connection leaves to the next one. A realtime service answers what it hears unasked, so what the next connection
 * hears again must not be requested too, or the caller is answered twice; and what it does not hear again, nobody answers unless asked.
 */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { SupervisedRealtime } from "../../../pipeline/realtime/supervised-realtime.ts";
import type { TurnState } from "../../turn/turn-state.ts";
import { causeOf } from "../../output/cause-of.ts";
import type { TurnLoop } from "../turn-loop.ts";
import type { ModelEvents } from "./model-events.ts";
import type { RealtimeReplies } from "./realtime-replies.ts";

export function createReconnection(
  loop: Pick<TurnLoop, "dispatch" | "state">,
  replies: Pick<RealtimeReplies, "requestOnceConnected" | "drop" | "hasEarly">,
  events: Pick<ModelEvents, "forgetOpenSpeech" | "isAnswerToUntranscribed" | "isUntranscribedAnswered">,
  current: () => Pick<SupervisedRealtime, "forgetWords" | "hearsWords" | "use">,
) {
  /** The answer was requested of the connection that had been lost. */
  let isRequested = false;

  /** The words may have been said over words of the agent that may not be interrupted, and are answered after them (TURN-11). */
  function onStepped({ agent, owesAnswer }: TurnState): void {
    if (!owesAnswer) isRequested = false;
    else if (agent.kind === "awaiting" && !isRequested)
      isRequested = current().use((session) => session.respondIfFree());
  }

  return {
    onDropped(error: VoiceError): void {
      const realtime = current();
      const { speech } = loop.state.user;
      const { hasEarly } = replies;
      // Where only something else is heard again, such as a sound that came later, nobody answers the words.
      const areWordsHeardAgain = realtime.hearsWords && events.isAnswerToUntranscribed;
      const isEarlyLost = hasEarly && !areWordsHeardAgain;
      const lost = replies.drop();
      if (lost !== undefined) {
        const answersOpenWords = lost.isUnasked && areWordsHeardAgain;
        // The next connection would run the same tools for them once more.
        if (answersOpenWords && lost.hasRunTools) realtime.forgetWords();
        const isHeardAgain = answersOpenWords && !lost.hasRunTools;
        loop.dispatch({ type: "reply-lost", turnId: lost.turnId, isHeardAgain, cause: causeOf(error) });
      } else if (speech.kind === "quiet" && !hasEarly && events.isUntranscribedAnswered) {
        realtime.forgetWords(); // or they are answered twice (HIST-7)
      }
      events.forgetOpenSpeech({ isAfterWords: areWordsHeardAgain });
      isRequested = false;
      const isUnheard = loop.state.user.speech.kind === "stopped" && !realtime.hearsWords;
      if (isEarlyLost || isUnheard) loop.dispatch({ type: "answer-lost" });
    },

    /** We have left the connection for another one. What the caller has said until then is in the history, or was acted on. */
    onReopened(): void {
      if (loop.state.user.speech.kind === "quiet") current().forgetWords();
      events.forgetOpenSpeech();
      isRequested = false;
    },

    onOpened(): void {
      if (!replies.requestOnceConnected()) onStepped(loop.state);
    },

    onStepped,
  };
}

/**
 * Listens beside a session, in whatever mode it runs, for an answering machine at the other end, and does what the
 * settings say. It hears the call's first half minute and then lets go of everything.
 */
import type { NoPerson, VoicemailAnswer } from "@voice/shared/calls/voicemail";
import type { LiveSession } from "../modes/live-session.ts";
import type { VoicemailEvidence } from "./voicemail-detector.ts";
import { overhear } from "./overhear.ts";
import { createVoicemailListener } from "./voicemail-listener.ts";
import type { VoicemailListenerOptions } from "./voicemail-listener.ts";

export interface VoicemailWatchOptions extends Omit<VoicemailListenerOptions, "awaitsReaction"> {
  readonly answer: VoicemailAnswer;
  /** What is left on the machine. */
  readonly message: () => string;
  /** Of a menu, or a number that is not in service, it is known by words. */
  readonly onFound: (answeredBy: NoPerson, evidence: VoicemailEvidence) => void;
}

export interface VoicemailWatch {
  /** The same session, overheard. */
  over(session: LiveSession): LiveSession;
  /** What the other side was understood to say. */
  read(text: string): void;
}

/** Why such a conversation ends. */
export const hungUp = "voicemail";
export const messageLeft = "voicemail_message_left";
export const notInService = "not_in_service";

export function watchForVoicemail(options: VoicemailWatchOptions): VoicemailWatch {
  const { answer } = options;
  let session: LiveSession | undefined;
  // Who may be about to record a message hears nothing else of the agent, and so cannot react to it.
  const listening = { ...options, awaitsReaction: answer !== "message" };
  const listener = createVoicemailListener(listening, (finding) => {
    switch (finding.type) {
      case "suspected":
        if (answer === "message") session?.handle({ type: "voicemail-answered" });
        return undefined;
      case "acquitted":
        // The words that acquit them reach the session after this, and are answered.
        if (answer === "message") session?.handle({ type: "voicemail-refuted" });
        return undefined;
      case "voicemail":
        options.onFound("machine", finding.evidence);
        return begin();
      case "greeting-over":
        return session?.handle({ type: "last-words", text: options.message(), reason: messageLeft });
      case "menu":
        // The agent presses keys, or says what it wants.
        return options.onFound("menu", "words");
      case "not_in_service":
        options.onFound("not_in_service", "words");
        if (answer !== "ignore") session?.handle({ type: "last-words", text: "", reason: notInService });
        return undefined;
      case "person":
        return undefined;
    }
  });

  function begin(): void {
    if (answer === "message") session?.handle({ type: "voicemail-answered" });
    else listener.stop(); // there is nothing to wait for
    if (answer === "hang-up") session?.handle({ type: "last-words", text: "", reason: hungUp });
  }

  return {
    over(watched) {
      session = watched;
      if (options.isFound) begin();
      return overhear(watched, listener);
    },
    read: (text) => listener.read(text),
  };
}

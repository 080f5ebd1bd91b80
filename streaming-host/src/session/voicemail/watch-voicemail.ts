/**
 * Listens for an answering machine at the other end, beside a session in any mode, and acts as configured. It receives the first half
 * minute of the call and then releases everything.
 */
import type { NoPerson, VoicemailAnswer } from "@voice/shared/calls/voicemail";
import type { LiveSession } from "../modes/live-session.ts";
import type { VoicemailEvidence } from "./voicemail-detector.ts";
import { overhear } from "./overhear.ts";
import { createVoicemailListener } from "./voicemail-listener.ts";
import type { VoicemailListenerOptions } from "./voicemail-listener.ts";

export interface VoicemailWatchOptions extends Omit<VoicemailListenerOptions, "awaitsReaction"> {
  readonly answer: VoicemailAnswer;
  /** The message to be left on the machine. */
  readonly message: () => string;
  /** A menu, or a number that is not in service, is recognised by its words. */
  readonly onFound: (answeredBy: NoPerson, evidence: VoicemailEvidence) => void;
}

export interface VoicemailWatch {
  /** The same session, with its audio and text passed to the detector. */
  over(session: LiveSession): LiveSession;
  /** The transcript of the other party. */
  read(text: string): void;
  /** The telephone service says that a machine has answered. */
  reported(): void;
}

/** The end reason of such a conversation. */
export const hungUp = "voicemail";
export const messageLeft = "voicemail_message_left";
export const notInService = "not_in_service";

export function watchForVoicemail(options: VoicemailWatchOptions): VoicemailWatch {
  const { answer } = options;
  let session: LiveSession | undefined;
  // If a message is to be recorded, the agent says nothing else meanwhile, so the other party cannot react to it.
  const listening = { ...options, awaitsReaction: answer !== "message" };
  const listener = createVoicemailListener(listening, (finding) => {
    switch (finding.type) {
      case "suspected":
        if (answer === "message") session?.handle({ type: "voicemail-answered" });
        return undefined;
      case "acquitted":
        // The words that show a person reach the session after this, and are answered.
        if (answer === "message") session?.handle({ type: "voicemail-refuted" });
        return undefined;
      case "voicemail":
        options.onFound("machine", finding.evidence);
        return begin();
      case "greeting-over":
        return session?.handle({ type: "last-words", text: options.message(), reason: messageLeft });
      case "menu":
        // The agent presses keys, or states its request.
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
    reported: () => listener.reported(),
  };
}

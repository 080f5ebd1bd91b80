/**
 * Listens beside a session, in whatever mode it runs, for an answering machine at the other end, and does what the
 * settings say. It hears the call's first half minute and then lets go of everything.
 */
import type { VoicemailAnswer } from "@voice/shared/calls/voicemail";
import type { LiveSession } from "../modes/live-session.ts";
import type { VoicemailEvidence } from "./voicemail-detector.ts";
import { overhear } from "./overhear.ts";
import { createVoicemailListener } from "./voicemail-listener.ts";
import type { VoicemailListenerOptions } from "./voicemail-listener.ts";

export interface VoicemailWatchOptions extends VoicemailListenerOptions {
  readonly answer: VoicemailAnswer;
  /** What is left on the machine. */
  readonly message: () => string;
  readonly onVoicemail: (evidence: VoicemailEvidence) => void;
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

export function watchForVoicemail(options: VoicemailWatchOptions): VoicemailWatch {
  const { answer } = options;
  let session: LiveSession | undefined;
  const listener = createVoicemailListener(options, (finding) => {
    if (finding.type === "voicemail") {
      options.onVoicemail(finding.evidence);
      begin();
    } else if (finding.type === "greeting-over")
      session?.handle({ type: "last-words", text: options.message(), reason: messageLeft });
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

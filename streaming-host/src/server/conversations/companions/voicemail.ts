/** Handles an answering machine that takes an outbound call: the reaction, and who is told. */
import type { Settings } from "@voice/shared/config/settings";
import { contextOf } from "@voice/shared/conversation/call-context";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CallControl } from "../../../calls/call-control.ts";
import { watchForVoicemail } from "../../../session/voicemail/watch-voicemail.ts";
import type { VoicemailWatch } from "../../../session/voicemail/watch-voicemail.ts";
import type { SessionNotice } from "../../../transports/transport.ts";
import type { ConversationScope } from "../conversation-scope.ts";
import type { SessionCatalogs } from "../open/session-catalogs.ts";

/** Undefined if no machine can be at the other end, or if detecting one would have no effect. */
export function expectVoicemail(
  { transport, request, conversation, providers, logger }: ConversationScope,
  catalogs: SessionCatalogs,
  sensitivity: Settings["vadSensitivity"],
  callControl: Pick<CallControl, "recordAnswer"> | undefined,
  notifyWatchers: (notice: SessionNotice) => void,
): VoicemailWatch | undefined {
  const { voicemail: answer, isMachine = false, callConnectionId, streamingMode } = request;
  if (answer === undefined || callConnectionId === undefined || streamingMode === "TRANSCRIPTION") return undefined;
  return watchForVoicemail({
    answer,
    isFound: isMachine,
    message() {
      const { agent, memory, language } = conversation;
      const { commVoicemailMessage = language.sentences.voicemail } = catalogs.settingsNow();
      const known = { agent_name: agent.name, context: contextOf(memory), memory };
      return catalogs.files.templates.render(commVoicemailMessage, { ...agent.templateVars, ...known });
    },
    phrases: conversation.language,
    inputRateHz: transport.sampleRateHz,
    createVoiceActivityDetector: providers.createVoiceActivityDetector,
    sensitivity,
    onFound(answeredBy, evidence) {
      notifyWatchers({ type: "event", payload: { name: "answered_by", answered_by: answeredBy, evidence } });
      callControl?.recordAnswer(callConnectionId, answeredBy, { evidence, answer }).catch((error: unknown) => {
        logger.warn(
          { error, code: toVoiceError(error).code },
          "the call's record does not say that no person answered",
        );
      });
    },
  });
}

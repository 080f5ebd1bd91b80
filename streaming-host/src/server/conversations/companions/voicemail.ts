/** Handles an answering machine that takes an outbound call: the reaction, and who is told. */
import { contextOf } from "@voice/shared/conversation/call-context";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { Conversation } from "../../../session/conversation/conversation.ts";
import type { ConversationRequest } from "../../../session/conversation/open-conversation.ts";
import { watchForVoicemail } from "../../../session/voicemail/watch-voicemail.ts";
import type { VoicemailWatch } from "../../../session/voicemail/watch-voicemail.ts";
import type { Transport } from "../../../transports/transport.ts";
import type { SharedParts } from "../shared-parts.ts";

interface AnsweredCall {
  readonly transport: Transport;
  readonly request: ConversationRequest;
  readonly conversation: Conversation;
  readonly logger: Logger;
}

/** Undefined if no machine can be at the other end, or if detecting one would have no effect. */
export function expectVoicemail(
  { transport, request, conversation, logger }: AnsweredCall,
  { settingsNow, catalogSettingsNow, catalog, providers, callControl }: SharedParts,
): VoicemailWatch | undefined {
  const { voicemail: answer, isMachine = false, callConnectionId, streamingMode } = request;
  if (answer === undefined || callConnectionId === undefined || streamingMode === "TRANSCRIPTION") return undefined;
  return watchForVoicemail({
    answer,
    isFound: isMachine,
    message() {
      const { agent, memory, language } = conversation;
      const { commVoicemailMessage = language.sentences.voicemail } = catalogSettingsNow();
      const known = { agent_name: agent.name, context: contextOf(memory), memory };
      return catalog.templates.render(commVoicemailMessage, { ...agent.templateVars, ...known });
    },
    phrases: conversation.language,
    inputRateHz: transport.sampleRateHz,
    createVoiceActivityDetector: providers.createVoiceActivityDetector,
    sensitivity: settingsNow().vadSensitivity,
    onFound(answeredBy, evidence) {
      callControl?.recordAnswer(callConnectionId, answeredBy, { evidence, answer }).catch((error: unknown) => {
        logger.warn(
          { error, code: toVoiceError(error).code },
          "the call's record does not say that no person answered",
        );
      });
    },
  });
}

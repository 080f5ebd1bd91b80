/** What listens in a session: to the caller, and to a person who has taken the agent's place. */
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { retryOf } from "@voice/shared/config/retry-of";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Host } from "../../../host/host.ts";
import { Listener } from "../../../pipeline/listening/listener.ts";
import type { CreateSessionListener } from "../../../pipeline/listening/listener.ts";
import { recognitionHints } from "../../../session/modes/cascade/recognition-hints.ts";
import { personRateHz } from "../../../session/person/person-line.ts";
import type { ListenToPerson } from "../../../session/person/person-line.ts";
import type { ConversationScope } from "../conversation-scope.ts";

/** Used if a client asked for no detection: it never detects speech, so turns end with the recogniser's finals. */
const createDeafDetector: CreateVoiceActivityDetector = () => ({ isSpeech: () => false, close: () => undefined });

export function listenerFor(scope: ConversationScope, host: Host): CreateSessionListener {
  const { transport, request, providers } = scope;
  const { detectsVoice = true } = request;
  return (hints, events, longestPauseMs) =>
    new Listener(
      {
        ...listening(scope, host),
        inputRateHz: transport.sampleRateHz,
        createVoiceActivityDetector: detectsVoice ? providers.createVoiceActivityDetector : createDeafDetector,
        voiceModel: providers.voiceModel,
        longestPauseMs: detectsVoice ? longestPauseMs : undefined,
        hints,
        probe: (onAnswered) => transport.probe(onAnswered),
      },
      events,
    );
}

/** PERSON-5. A person's finals come by the recogniser's own judgement of pauses, because no turn of theirs is answered. */
export function personListenerFor(scope: ConversationScope, host: Host): ListenToPerson {
  const { conversation, customer, providers, logger } = scope;
  const warn = (error: VoiceError): void =>
    logger.warn({ error, code: error.code }, "the words of a person who has taken over are not recognised");
  return (onFinal) =>
    new Listener(
      {
        ...listening(scope, host),
        inputRateHz: personRateHz,
        createVoiceActivityDetector: providers.createVoiceActivityDetector,
        hints: recognitionHints(conversation, () => customer.callerName),
        // A person who mutes their microphone in mid-sentence sends nothing more.
        probe: (onAnswered) => onAnswered(),
      },
      {
        onFinal,
        onRecogniserLost: warn,
      },
    );
}

function listening({ conversation, providers, logger }: ConversationScope, host: Host) {
  const { settingsNow, random, clock } = host;
  const { sttLanguage, vadSensitivity, vadSilenceTimeoutMs } = settingsNow();
  return {
    recogniser: providers.recogniser,
    sensitivity: vadSensitivity,
    language: conversation.agent.speech.language ?? sttLanguage,
    candidateLanguages: conversation.agent.speech.candidateLanguages,
    segmentationSilenceMs: vadSilenceTimeoutMs,
    retry: retryOf(host.settings),
    clock,
    logger,
    random,
  };
}

/** How the agent sounds, how it listens, and when it yields to the caller. */
import {
  decimal,
  flag,
  integer,
  languageTag,
  milliseconds,
  oneOf,
  percentage,
  seconds,
  text,
  timeZone,
} from "./kinds.ts";
import { defaulted, optional } from "./setting.ts";

export const segmentations = ["silence", "semantic"] as const;
export type Segmentation = (typeof segmentations)[number];

/** The kinds of noise reduction that realtime services have. */
export const noiseReductions = ["near", "far", "off"] as const;

export const vadSensitivities = ["low", "medium", "high"] as const;

export const speechSettings = {
  ttsVoice: defaulted(
    "TTS_VOICE",
    text,
    "en-US-AvaMultilingualNeural",
    "Voice of agents that do not name one. Where it is of another language than the agent speaks, the language's own voice speaks.",
  ),
  ttsStyle: defaulted("TTS_STYLE", text, "chat", "Speaking style, where the voice has it."),
  ttsRate: defaulted("TTS_RATE", percentage, "+3%", "Speech rate relative to the voice's own."),
  sttLanguage: defaulted(
    "STT_LANGUAGE",
    languageTag,
    "en-US",
    "Language that is heard and spoken where neither an agent nor the caller nor the scenario names one (docs/agents.md).",
  ),
  timeZone: defaulted(
    "TIME_ZONE",
    timeZone,
    "UTC",
    "Where callers are, for what today is; a scenario or a session may name another.",
  ),
  sttModelId: optional(
    "STT_MODEL_ID",
    text,
    "Endpoint id of a custom speech model that recognises in place of the service's own.",
  ),
  sttSegmentation: defaulted(
    "STT_SEGMENTATION",
    oneOf(segmentations),
    "silence",
    "How the speech service decides where a segment ends. silence: after VAD_SILENCE_TIMEOUT. semantic: by the meaning of the words; finals are then whole sentences, and may come after the turn has ended.",
  ),
  vadSilenceTimeoutMs: defaulted(
    "VAD_SILENCE_TIMEOUT",
    milliseconds(100, 5000),
    "500",
    "Silence that ends the caller's turn when nothing indicates whether they have finished. Otherwise the wait is between a third of it and three times it, but at least 150 ms, and at most 1.5 s or the setting itself if that is longer (TURN-2).",
  ),
  endOfTurnModelFile: optional(
    "END_OF_TURN_MODEL_FILE",
    text,
    "An ONNX model that judges by the caller's voice whether they have finished, such as Smart Turn v3 (docs/models.md); `onnxruntime-node` or `onnxruntime-web` has to be installed in its folder.",
  ),
  vadTimeoutMs: defaulted(
    "VAD_TIMEOUT_MS",
    milliseconds(500, 60_000),
    "2000",
    "Silence after which a turn ends even while its final text is outstanding.",
  ),
  vadSensitivity: defaulted(
    "VAD_SENSITIVITY",
    oneOf(vadSensitivities),
    "medium",
    "How readily sound counts as speech; `high` hears more, noise included.",
  ),
  realtimeNoiseReduction: defaulted(
    "REALTIME_NOISE_REDUCTION",
    oneOf(noiseReductions),
    "near",
    "What a realtime model's service takes away of the noise around callers before it listens (VOICE_LIVE): near for telephones and headsets, far for a microphone in the room, off for none. Voice Live has one kind for both.",
  ),
  vadModelEnabled: defaulted(
    "VAD_MODEL_ENABLED",
    flag,
    "true",
    "Whether a model of speech confirms what the detector takes for speech, so that hold music and keyboards are not (SPEECH-21). It costs 0.3 ms of processor time for each second of a session, and more on noisy lines.",
  ),
  bargeInEnabled: defaulted("BARGE_IN_ENABLED", flag, "true", "Whether the caller can interrupt the agent."),
  bargeInThresholdMs: defaulted(
    "BARGE_IN_THRESHOLD_MS",
    milliseconds(0, 2000),
    "10",
    "How long speech over the agent must last before its audio is paused.",
  ),
  fillerDelayMs: defaulted(
    "FILLER_DELAY",
    seconds(0, 9),
    "2",
    "How long a caller waits for the first word of an answer before they hear a filler (`One moment, please.`); 0 turns it off. In VOICE_LIVE only with `CLOUD_SPEECH_*`, whose voices are the same.",
  ),
  answerTimeoutMs: defaulted(
    "ANSWER_TIMEOUT",
    seconds(5, 60),
    "10",
    "How long an answer may take to be heard before it is given up and the caller hears an apology. A model's own time-outs may end it sooner.",
  ),
  localOpenVocabulary: defaulted(
    "LOCAL_OPEN_VOCABULARY",
    flag,
    "true",
    "Whether the local recogniser also knows English words that no example of an agent has. Its model takes 75 MB of memory, once, and up to 150 MB after long sentences.",
  ),
  localSentenceMeaning: defaulted(
    "LOCAL_SENTENCE_MEANING",
    flag,
    "true",
    "Whether the local language model compares what callers say with the agents' examples by meaning as well as by words (EAR-67). Its network takes 45 MB of memory, once, and a fifth of a second of a core for each agent at the start.",
  ),
  localNoiseSuppression: defaulted(
    "LOCAL_NOISE_SUPPRESSION",
    flag,
    "false",
    "Whether noise around callers is taken away before the local recogniser listens (SPEECH-27). For callers in steady noise, of whom fewer are misunderstood with it; among voices it is better left out (docs/benchmarks.md). It costs 18 ms of processor time for each second of a conversation. No other recogniser has it.",
  ),
  voiceModelDir: optional(
    "VOICE_MODEL_DIR",
    text,
    "Folder of a voice model of your own (Kokoro or Piper, as sherpa-onnx offers them), which speaks on this machine in place of any other voice (docs/models.md).",
  ),
  maxSttPoolSize: defaulted("MAX_STT_POOL_SIZE", integer(0, 256), "4", "Recognition clients kept warm."),
  maxTtsPoolSize: defaulted("MAX_TTS_POOL_SIZE", integer(0, 256), "4", "Synthesis clients kept warm."),
  ttsCacheMb: defaulted(
    "TTS_CACHE_MB",
    integer(0, 1024),
    "32",
    "Megabytes of memory for the audio of greetings and other fixed words, which is synthesised once; 32 is 17 minutes.",
  ),
  speechRequestTimeoutMs: defaulted(
    "SPEECH_REQUEST_TIMEOUT",
    seconds(1, 300),
    "30",
    "Longest wait for the speech service in one request.",
  ),
  retryMaxAttempts: defaulted(
    "RETRY_MAX_ATTEMPTS",
    integer(0, 10),
    "3",
    "Retries of a transient failure; 0 turns them off.",
  ),
  retryBackoffFactor: defaulted(
    "RETRY_BACKOFF_FACTOR",
    decimal(1, 10),
    "2.0",
    "Each wait between retries is this many times the one before.",
  ),
  retryJitter: defaulted("RETRY_JITTER", flag, "true", "Randomises the waits, so that clients do not retry in step."),
};

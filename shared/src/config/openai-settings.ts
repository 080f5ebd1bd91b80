/** OpenAI and compatible servers, configured by a key alone, or by an address and the names of models. */
import { hostWithPort, integer, listOf, serverUrl, text } from "./kinds.ts";
import { defaulted, optional, secret } from "./setting.ts";

export const openAiSettings = {
  openaiApiKey: secret(
    "OPENAI_API_KEY",
    text,
    "Key of OpenAI, which alone makes a whole voice agent there: chat, speech recognition, synthesis and the realtime model, where `CLOUD_*` names no others. With OPENAI_BASE_URL it is that server's key.",
  ),
  openaiBaseUrl: defaulted(
    "OPENAI_BASE_URL",
    serverUrl,
    "https://api.openai.com/v1",
    "Base URL of a server that speaks OpenAI's protocol, `/v1` included. A server that is not OpenAI does what a model is named for.",
  ),
  openaiChatModel: optional(
    "OPENAI_CHAT_MODEL",
    text,
    "Chat model of agents that do not name one. If not set: `gpt-6-luna` at OpenAI.",
  ),
  openaiSttModel: optional(
    "OPENAI_STT_MODEL",
    text,
    "Model behind `/audio/transcriptions`. If not set: `gpt-transcribe` at OpenAI.",
  ),
  openaiSttBaseUrl: optional(
    "OPENAI_STT_BASE_URL",
    serverUrl,
    "Base URL of a separate server for speech recognition. If not set: OPENAI_BASE_URL.",
  ),
  openaiSttKey: secret("OPENAI_STT_KEY", text, "Key of that server. OPENAI_API_KEY goes to OPENAI_BASE_URL alone."),
  openaiTtsModel: optional(
    "OPENAI_TTS_MODEL",
    text,
    "Model behind `/audio/speech`, or a realtime model (`gpt-realtime-2.1`), which reads texts out. If not set: `gpt-4o-mini-tts` at OpenAI, and the realtime model once that one is gone.",
  ),
  openaiTtsBaseUrl: optional(
    "OPENAI_TTS_BASE_URL",
    serverUrl,
    "Base URL of a separate server for speech synthesis. If not set: OPENAI_BASE_URL.",
  ),
  openaiTtsKey: secret("OPENAI_TTS_KEY", text, "Key of that server. OPENAI_API_KEY goes to OPENAI_BASE_URL alone."),
  openaiTtsVoice: optional(
    "OPENAI_TTS_VOICE",
    text,
    "Voice in place of those that the server does not have, which includes all of Azure's. If not set: the voice of OpenAI's that sounds most alike.",
  ),
  openaiTtsRawRateHz: defaulted(
    "OPENAI_TTS_RAW_RATE_HZ",
    integer(4000, 192_000),
    "24000",
    "Samples per second of a speech server that sends raw samples and does not say at which rate. OpenAI and most others send 24000; 16000 and 22050 occur. WAV files, and servers that state a rate, go by what they say.",
  ),
  embeddingModel: optional(
    "EMBEDDING_MODEL",
    text,
    "Model behind `/embeddings`, or an Azure deployment of one, at the server of the language model (OPENAI_BASE_URL while the local one answers). With it, agents find passages of their documents by meaning as well as by words.",
  ),
  openaiRealtimeModel: optional(
    "OPENAI_REALTIME_MODEL",
    text,
    "Realtime model behind `/realtime`, for VOICE_LIVE. If not set: `gpt-realtime-2.1` at OpenAI.",
  ),
  openaiRealtimeTranscriptionModel: optional(
    "OPENAI_REALTIME_TRANSCRIPTION_MODEL",
    text,
    "What the realtime model's callers are transcribed with; at Azure OpenAI the name of a deployment. If not set: `gpt-transcribe`, and its predecessors where a server refuses or cannot run it.",
  ),
  modelPrivateHosts: defaulted(
    "MODEL_PRIVATE_HOSTS",
    listOf(hostWithPort),
    "",
    "Hosts of a private network that OPENAI_*_BASE_URL may name with plain http; what callers say goes there unencrypted.",
  ),
};

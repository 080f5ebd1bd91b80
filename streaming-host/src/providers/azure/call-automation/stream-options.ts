/** The vendor's options for the stream that the service sends us. */
import type { MediaStreamingOptions, TranscriptionOptions } from "@azure/communication-call-automation";
import type { CallStreamKind } from "@voice/provider-kit/ports/call-automation";

export function streamOptions(stream: CallStreamKind, transportUrl: string) {
  if (stream.kind === "transcript") {
    const transcriptionOptions: TranscriptionOptions = {
      transportUrl,
      transportType: "websocket",
      locale: stream.language,
      startTranscription: true,
      enableIntermediateResults: true,
    };
    return {
      transcriptionOptions,
      callIntelligenceOptions: { cognitiveServicesEndpoint: stream.cognitiveUrl },
    };
  }
  const mediaStreamingOptions: MediaStreamingOptions = {
    transportUrl,
    transportType: "websocket",
    contentType: "audio",
    // All participants except us in one stream; unmixed streams of several people would arrive interleaved.
    audioChannelType: "mixed",
    startMediaStreaming: true,
    enableBidirectional: true,
    enableDtmfTones: true,
    audioFormat: stream.sampleRateHz === 24_000 ? "Pcm24KMono" : "Pcm16KMono",
  };
  return { mediaStreamingOptions };
}

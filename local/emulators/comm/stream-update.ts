/** What the service writes about a stream into its event. */

export type StreamKind = "MediaStreaming" | "Transcription";
export type StreamNews = "Started" | "Stopped" | "Failed";

export function streamUpdate(kind: StreamKind, news: StreamNews, details: string): Readonly<Record<string, unknown>> {
  if (kind === "Transcription")
    return {
      transcriptionUpdate: { transcriptionStatus: `transcription${news}`, transcriptionStatusDetails: details },
    };
  return {
    mediaStreamingUpdate: {
      contentType: "Audio",
      mediaStreamingStatus: `mediaStreaming${news}`,
      mediaStreamingStatusDetails: details,
    },
  };
}

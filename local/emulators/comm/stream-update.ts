/** The part of an event that describes a stream's state. */

export type StreamKind = "MediaStreaming" | "Transcription";
export type StreamStatus = "Started" | "Stopped" | "Failed";

export function streamUpdate(
  kind: StreamKind,
  status: StreamStatus,
  details: string,
): Readonly<Record<string, unknown>> {
  if (kind === "Transcription")
    return {
      transcriptionUpdate: { transcriptionStatus: `transcription${status}`, transcriptionStatusDetails: details },
    };
  return {
    mediaStreamingUpdate: {
      contentType: "Audio",
      mediaStreamingStatus: `mediaStreaming${status}`,
      mediaStreamingStatusDetails: details,
    },
  };
}

import { recordingUrl } from "../api/service-api.ts";

/** What has been recorded so far; a conversation that goes on is longer the next time it is played. */
export function RecordingPanel({ sessionId }: { readonly sessionId: string }) {
  return (
    <section className="panel" aria-labelledby="recording-title">
      <h2 id="recording-title">Recording</h2>
      <audio className="recording" controls preload="none" src={recordingUrl(sessionId)}>
        <a href={recordingUrl(sessionId)}>Download</a>
      </audio>
      <p className="hint">The caller is on the left, the agent on the right.</p>
    </section>
  );
}

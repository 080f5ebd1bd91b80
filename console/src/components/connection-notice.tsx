import { describeProblem } from "../api/api-problem.ts";
import type { ConnectionState } from "@voice/client-kit/connection/reconnecting-socket";

interface ConnectionNoticeProps {
  readonly connection: ConnectionState;
  readonly onRetry: () => void;
}

/** Says what is wrong with the connection, and shows nothing while it works. */
export function ConnectionNotice({ connection, onRetry }: ConnectionNoticeProps) {
  switch (connection.kind) {
    case "idle":
    case "open":
      return null;
    case "connecting":
      // Where the network is gone, this is what is shown most of the time.
      return connection.attempt === 0 ? null : (
        <p className="banner banner-warning" role="status">
          The connection was lost. Connecting again…
        </p>
      );
    case "waiting":
      return (
        <p className="banner banner-warning" role="status">
          The connection was lost. Trying again (attempt {connection.attempt})…
          <button type="button" className="link" onClick={onRetry}>
            Try now
          </button>
        </p>
      );
    case "closed":
      if (connection.reason === "ended") return null;
      return (
        <p className="banner banner-error" role="alert">
          {connection.reason === "refused" ? refusal(connection.detail) : whyUnreachable(connection.detail)}{" "}
          <button type="button" className="link" onClick={onRetry}>
            Try again
          </button>
        </p>
      );
    default:
      return connection satisfies never;
  }
}

/** If no address could be requested, the API's answer says why. */
function whyUnreachable(detail: string): string {
  return detail.endsWith(".") ? detail : describeProblem(new TypeError("no connection"));
}

/** Close reasons are a few words; a refusal by the API is already a sentence. */
function refusal(detail: string): string {
  if (detail === "replaced by a newer connection") return "This conversation goes on in another tab or window.";
  if (detail === "") return "The service closed the connection.";
  return detail.endsWith(".") ? detail : `The service closed the connection: ${detail}.`;
}

import { CopyButton } from "../components/copy-button.tsx";
import { formatRoute } from "../route.ts";
import { asLines } from "./received-messages.ts";
import type { ReceivedMessage } from "./received-messages.ts";

interface MessagesPanelProps {
  readonly sessionId: string;
  readonly messages: readonly ReceivedMessage[];
  /** Undefined until the page is connected. */
  readonly sinceMs: number | undefined;
  readonly isOver: boolean;
}

/** The service's messages, unchanged, since this page opened the conversation. */
export function MessagesPanel({ sessionId, messages, sinceMs, isOver }: MessagesPanelProps) {
  return (
    <details className="panel fold">
      <summary>Messages ({messages.length})</summary>
      <p className="hint">
        {sinceMs === undefined
          ? "Shown from the moment when the page is connected. "
          : `Since you opened this page, at ${new Date(sinceMs).toLocaleTimeString()}. `}
        {isOver && messages.length === 0 && "The conversation was over by then, so none came. "}
        Earlier ones are not kept: the transcript has what was said, and{" "}
        <a href={formatRoute({ page: "replay", sessionId })}>Replay</a> what was decided.
      </p>
      {messages.length > 0 && (
        <>
          <CopyButton label="Copy all" text={() => asLines(messages)} />
          <ol className="messages" tabIndex={0} aria-label="Messages, the latest first">
            {messages.toReversed().map((message) => (
              <li key={message.id}>
                <details>
                  <summary>
                    <time dateTime={message.at}>{message.at.slice(11, 23)}</time> <code>{message.name}</code>
                  </summary>
                  <pre tabIndex={0} aria-label={message.name}>
                    {JSON.stringify(message.payload, undefined, 2)}
                  </pre>
                  <CopyButton label="Copy" text={() => asLines([message])} />
                </details>
              </li>
            ))}
          </ol>
        </>
      )}
    </details>
  );
}

import { useState } from "react";

import { CopyButton } from "../components/copy-button.tsx";
import { formatRoute } from "../route.ts";
import { asLines } from "./received-messages.ts";
import type { ReceivedMessage } from "./received-messages.ts";

interface MessagesPanelProps {
  readonly sessionId: string;
  readonly messages: readonly ReceivedMessage[];
}

/** The service's messages, unchanged: those that were stored, and those that come. */
export function MessagesPanel({ sessionId, messages }: MessagesPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="panel fold" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Messages ({messages.length})</summary>
      <p className="hint">
        What those who watch are sent, with its times. <a href={formatRoute({ page: "replay", sessionId })}>Replay</a>{" "}
        has what was decided.
      </p>
      {isOpen && messages.length > 0 && (
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

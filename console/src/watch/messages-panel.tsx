import { CopyButton } from "../components/copy-button.tsx";
import { asLines } from "./received-messages.ts";
import type { ReceivedMessage } from "./received-messages.ts";

/** The service's messages since watching began, unchanged. */
export function MessagesPanel({ messages }: { readonly messages: readonly ReceivedMessage[] }) {
  return (
    <details className="panel fold">
      <summary>Messages ({messages.length})</summary>
      {messages.length === 0 ? (
        <p className="hint">Shows what the service sends while you watch.</p>
      ) : (
        <>
          <CopyButton label="Copy all" text={() => asLines(messages)} />
          <ol className="messages" tabIndex={0} aria-label="Messages, the latest first">
            {messages.toReversed().map((message) => (
              <li key={message.id}>
                <details>
                  <summary>
                    <time dateTime={message.at}>{message.at.slice(11, 23)}</time> <code>{message.name}</code>
                  </summary>
                  <pre tabIndex={0}>{JSON.stringify(message.payload, undefined, 2)}</pre>
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

import { useEffect } from "react";

import type { SessionQuery } from "../api/service-api.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import { ConversationPage } from "./conversation-page.tsx";
import type { ConversationParts } from "./conversation-page.tsx";
import { SessionList } from "./session-list.tsx";

interface WatchPageProps {
  readonly console: ConversationParts;
  readonly sessionId: string | undefined;
  readonly query?: SessionQuery;
  readonly isOperator: boolean;
}

const everything: SessionQuery = { page: 1 };

export function WatchPage({ console, sessionId, query = everything, isOperator }: WatchPageProps) {
  const { watch, listen, operator, takeover } = console;
  const state = useStore(watch.store);
  useEffect(() => watch.show(query), [watch, query]);
  useEffect(() => watch.watchList(), [watch]);
  useEffect(() => {
    watch.select(sessionId);
    return () => {
      watch.select(undefined);
      if (takeover.store.get().taken === undefined) listen.stop();
      operator.forget();
      console.liveLevels.forget();
    };
  }, [watch, listen, operator, takeover, console, sessionId]);

  return (
    <main className={sessionId === undefined ? "page page-watch" : "page page-conversation"}>
      {sessionId === undefined && (
        <SessionList
          state={state}
          selected={undefined}
          onQuery={(next) => {
            window.location.hash = formatRoute({ page: "conversations", sessionId, query: next });
          }}
        />
      )}
      {sessionId === undefined ? (
        <section className="stage" aria-label="Conversation">
          <div className="welcome">
            <h2>Watch a conversation</h2>
            <p>
              Pick one from the list to follow what is said, who says it, which tools are called and how long each
              answer takes; while it goes on you can listen in and step in.
            </p>
          </div>
        </section>
      ) : (
        <ConversationPage
          key={sessionId}
          console={console}
          state={state}
          sessionId={sessionId}
          listHref={formatRoute({ page: "conversations", sessionId: undefined, query })}
          isOperator={isOperator}
        />
      )}
    </main>
  );
}

import { useEffect } from "react";

import type { ConversationFilter } from "../conversation/conversation-filter.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import { ConversationPage } from "./conversation-page.tsx";
import type { ConversationParts } from "./conversation-page.tsx";

interface WatchPageProps {
  readonly console: ConversationParts;
  readonly sessionId: string;
  /** The filter of the list that the page links back to. */
  readonly filter: ConversationFilter;
  readonly isOperator: boolean;
}

export function WatchPage({ console, sessionId, filter, isOperator }: WatchPageProps) {
  const { watch, listen, operator, takeover } = console;
  const state = useStore(watch.store);
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
    <main className="page page-conversation">
      <ConversationPage
        key={sessionId}
        console={console}
        state={state}
        sessionId={sessionId}
        listHref={formatRoute({ page: "conversations", sessionId: undefined, filter })}
        isOperator={isOperator}
      />
    </main>
  );
}

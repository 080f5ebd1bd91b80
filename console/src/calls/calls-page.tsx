import { useEffect, useRef } from "react";

import type { CatalogState } from "../catalog/catalog-session.ts";
import type { Console } from "../create-console.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import { CallList } from "./call-list.tsx";
import { PhonePanel } from "./phone-panel.tsx";
import { PlaceForm } from "./place-form.tsx";

interface CallsPageProps {
  readonly console: Pick<Console, "calls" | "phone" | "health">;
  readonly catalog: CatalogState;
  readonly search: string | undefined;
  readonly mayPlaceCalls: boolean;
  readonly isOperator: boolean;
}

export function CallsPage({ console, catalog, search, mayPlaceCalls, isOperator }: CallsPageProps) {
  const { calls, phone } = console;
  const { isBusy, done, problem } = useStore(calls.store);
  const { trouble, isDown } = useStore(console.health.store);
  const { own, phones } = useStore(phone.store);
  useEffect(() => calls.show(search), [calls, search]);
  useEffect(() => () => calls.forget(), [calls]);
  const aside = useRef<HTMLElement>(null);
  return (
    <main className="page page-calls">
      <aside ref={aside} className="side" aria-label="Place a call">
        {mayPlaceCalls ? (
          <PlaceForm
            scenarios={catalog.scenarios}
            defaultScenario={catalog.defaultScenario}
            phones={phones}
            isBusy={isBusy}
            trouble={isDown ? trouble : undefined}
            onPlace={async (request) => {
              const isPlaced = await calls.place(request);
              if (isPlaced) window.location.hash = formatRoute({ page: "calls" });
            }}
          />
        ) : (
          <p className="panel hint">You may not place calls: your account lacks the role for it.</p>
        )}
        {own !== undefined && <PhonePanel phone={phone} />}
      </aside>
      <section className="stage" aria-label="Calls">
        {mayPlaceCalls && (
          <button
            type="button"
            className="link to-place-form"
            onClick={() => aside.current?.querySelector("input")?.focus()}
          >
            Place a call
          </button>
        )}
        <div className="panel-head">
          <h2 className="page-title">{search === undefined ? "Latest calls" : "One call"}</h2>
          <a href={formatRoute({ page: "conversations", sessionId: undefined, filter: { channel: "phone" } })}>
            All calls
          </a>
        </div>
        <div className="call-news" role="status">
          {isBusy ? "Asking…" : done}
        </div>
        {problem !== undefined && (
          <p className="banner banner-error" role="alert">
            {problem}
          </p>
        )}
        <CallList calls={calls} search={search} ownNumber={own} isOperator={isOperator} />
      </section>
    </main>
  );
}

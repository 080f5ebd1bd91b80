import { useEffect, useRef } from "react";

import type { CallQuery } from "../api/calls-api.ts";
import type { CatalogState } from "../catalog/catalog-session.ts";
import type { Console } from "../create-console.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import { CallFilter } from "./call-filter.tsx";
import { CallList } from "./call-list.tsx";
import { PhonePanel } from "./phone-panel.tsx";
import { PlaceForm } from "./place-form.tsx";

interface CallsPageProps {
  readonly console: Pick<Console, "calls" | "phone">;
  readonly catalog: CatalogState;
  readonly query: CallQuery;
  readonly mayPlaceCalls: boolean;
  readonly isOperator: boolean;
}

export function CallsPage({ console, catalog, query, mayPlaceCalls, isOperator }: CallsPageProps) {
  const { calls, phone } = console;
  const { isBusy, done, problem } = useStore(calls.store);
  const { own, phones } = useStore(phone.store);
  useEffect(() => calls.show(query), [calls, query]);
  useEffect(() => () => calls.forget(), [calls]);
  const show = (next: CallQuery): void => {
    window.location.hash = formatRoute({ page: "calls", query: next });
  };
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
            onPlace={async (request) => {
              const isPlaced = await calls.place(request);
              // To the first page, which has the newest call.
              if (isPlaced) show({ page: 1 });
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
        <CallFilter query={query} onChange={show} />
        <div className="call-news" role="status">
          {isBusy ? "Asking…" : done}
        </div>
        {problem !== undefined && (
          <p className="banner banner-error" role="alert">
            {problem}
          </p>
        )}
        <CallList calls={calls} query={query} ownNumber={own} isOperator={isOperator} onPage={show} />
      </section>
    </main>
  );
}

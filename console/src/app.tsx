import { Suspense, useEffect, useMemo, useState } from "react";

import type { CatalogState } from "./catalog/catalog-session.ts";
import { AgentLanguage, languageOfAgents } from "./components/agent-language.tsx";
import { RoutesPanel } from "./build/routes-panel.tsx";
import { CallsPage } from "./calls/calls-page.tsx";
import { ConversationsPage } from "./conversations/conversations-page.tsx";
import { Header } from "./components/header.tsx";
import { onDemand } from "./components/on-demand.tsx";
import { PageBoundary } from "./components/page-boundary.tsx";
import type { Console } from "./create-console.ts";
import { PhoneBar } from "./phone/phone-bar.tsx";
import { formatRoute } from "./route.ts";
import type { Route } from "./route.ts";
import type { Access } from "./sign-in/sign-in-config.ts";
import { useReturnToDocs } from "./sign-in/return-to-docs.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { LivePage } from "./live/live-page.tsx";
import { SystemPage } from "./system/system-page.tsx";
import { useTabMark } from "./tab-mark.ts";
import { ConversationBar } from "./talk/conversation-bar.tsx";
import { TalkPage } from "./talk/talk-page.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";
import { useHashRoute } from "./use-hash-route.ts";
import { useStore } from "./use-store.ts";
import { TakeoverBar } from "./watch/takeover-bar.tsx";
import { WatchPage } from "./watch/watch-page.tsx";

export function App({ console }: { readonly console: Console }) {
  const state = useStore(console.signIn.store);
  const theme = useStore(console.theme.store);
  useEffect(() => console.signIn.start(), [console]);
  const signOut = (): void => void console.signIn.signOut();
  useReturnToDocs(state.kind === "open" || state.kind === "signed-in");
  if (state.kind === "open") return <Pages console={console} access={state.access} />;
  if (state.kind === "signed-in") return <Pages console={console} access={state.access} onSignOut={signOut} />;
  const signInAgain = (): void => void console.signIn.signIn();
  return (
    <>
      <Header
        page={undefined}
        title="Sign in"
        problem={undefined}
        theme={theme}
        onTheme={(chosen) => console.theme.choose(chosen)}
      />
      <SignInPage state={state} onSignIn={signInAgain} onSignOut={signOut} />
    </>
  );
}

const pageNames = {
  talk: "Talk",
  calls: "Calls",
  live: "Live",
  conversations: "Conversations",
  replay: "Replay",
  overview: "Overview",
  build: "Build",
  system: "System",
  unknown: "No such page",
} as const;

/** Pages that few people open are loaded on demand. */
const BuildPage = onDemand(async () => (await import("./build/build-page.tsx")).BuildPage);
const OverviewPage = onDemand(async () => (await import("./overview/overview-page.tsx")).OverviewPage);
const ReplayPage = onDemand(async () => (await import("./replay/replay-page.tsx")).ReplayPage);

interface PagesProps {
  readonly console: Console;
  readonly access: Access;
  readonly onSignOut?: () => void;
}

function Pages({ console, access, onSignOut }: PagesProps) {
  const route = useHashRoute();
  const catalog = useStore(console.catalog.store);
  const [failedPage, setFailedPage] = useState<string>();
  const { trouble } = useStore(console.health.store);
  const theme = useStore(console.theme.store);
  useLeaveGuard(console.phone, console.takeover);
  useEffect(() => console.health.watch(), [console]);
  useEffect(() => console.catalog.load(), [console]);
  // Also after a reload of another page than the one that shows it.
  useEffect(() => void console.talk.open(console.link), [console]);
  const { hasSimulatedPhones, agents } = catalog;
  const languageOf = useMemo(() => languageOfAgents(agents), [agents]);
  useEffect(() => (hasSimulatedPhones ? console.phone.plugIn() : undefined), [console, hasSimulatedPhones]);
  const isRinging = useStore(console.phone.store).call === "ringing";
  useTabMark({ page: pageNames[route.page], isRinging, needyCount: useStore(console.alertSound.needyCount) });
  return (
    <>
      <Header
        page={route.page}
        title={pageNames[route.page]}
        problem={catalog.problem}
        trouble={trouble}
        theme={theme}
        onTheme={(chosen) => console.theme.choose(chosen)}
        account={onSignOut && { name: access.name, role: access.isOperator ? "Operator" : "User", onSignOut }}
      />
      <PhoneBar phone={console.phone} />
      <TakeoverBar takeover={console.takeover} />
      {/* The page of the conversation shows the same itself, unless it has failed. */}
      {(route.page !== "talk" || failedPage === "talk") && <ConversationBar console={console} />}
      <PageBoundary page={route.page} onFailure={setFailedPage}>
        <Suspense
          fallback={
            <p className="page hint" role="status">
              Loading…
            </p>
          }
        >
          <AgentLanguage value={languageOf}>
            <Page route={route} console={console} catalog={catalog} access={access} />
          </AgentLanguage>
        </Suspense>
      </PageBoundary>
    </>
  );
}

interface PageProps {
  readonly route: Route;
  readonly console: Console;
  readonly catalog: CatalogState;
  readonly access: Access;
}

function Page({ route, console, catalog, access }: PageProps) {
  switch (route.page) {
    case "talk":
      return <TalkPage console={console} catalog={catalog} />;
    case "calls":
      return <CallsPage console={console} catalog={catalog} search={route.search} {...access} />;
    case "conversations":
      if (route.sessionId === undefined)
        return <ConversationsPage console={console} catalog={catalog} filter={route.filter ?? {}} />;
      return (
        <WatchPage
          console={console}
          sessionId={route.sessionId}
          filter={route.filter ?? {}}
          isOperator={access.isOperator}
        />
      );
    case "overview":
      return <OverviewPage console={console} days={route.days} isOperator={access.isOperator} />;
    case "build":
      return <BuildPage console={console} catalog={catalog} part={route.part} {...access} />;
    case "replay":
      return <ReplayPage console={console} sessionId={route.sessionId} />;
    case "live":
      return <LivePage console={console} isOperator={access.isOperator} />;
    case "system":
      return (
        <SystemPage
          console={console}
          isOperator={access.runsService}
          showRoutes={(routes) => (
            <RoutesPanel build={console.build} catalog={catalog} routes={routes} mayPublish={access.mayPublish} />
          )}
        />
      );
    case "unknown":
      return <UnknownPage />;
  }
}

function UnknownPage() {
  return (
    <main className="page page-single">
      <section className="panel">
        <h2>No such page</h2>
        <p>
          The address names no page of this console. <a href={formatRoute({ page: "talk" })}>Talk with the agents</a>,
          or choose a page above.
        </p>
      </section>
    </main>
  );
}

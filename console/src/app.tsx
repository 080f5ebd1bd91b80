import { useEffect } from "react";

import { Header } from "./components/header.tsx";
import type { Console } from "./create-console.ts";
import type { Access } from "./sign-in/sign-in-config.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { TalkPage } from "./talk/talk-page.tsx";
import { useHashRoute } from "./use-hash-route.ts";
import { useStore } from "./use-store.ts";
import { WatchPage } from "./watch/watch-page.tsx";

export function App({ console }: { readonly console: Console }) {
  const state = useStore(console.signIn.store);
  useEffect(() => console.signIn.start(), [console]);
  const signOut = (): void => void console.signIn.signOut();
  if (state.kind === "open") return <Pages console={console} access={state.access} />;
  if (state.kind === "signed-in") return <Pages console={console} access={state.access} onSignOut={signOut} />;
  const signInAgain = (): void => void console.signIn.signIn();
  return (
    <>
      <Header page={undefined} problem={undefined} />
      <SignInPage state={state} onSignIn={signInAgain} onSignOut={signOut} />
    </>
  );
}

const pageNames = { talk: "Talk", watch: "Watch" } as const;

interface PagesProps {
  readonly console: Console;
  readonly access: Access;
  readonly onSignOut?: () => void;
}

function Pages({ console, access, onSignOut }: PagesProps) {
  const route = useHashRoute();
  const catalog = useStore(console.catalog.store);
  useEffect(() => console.catalog.load(), [console]);
  useEffect(() => {
    document.title = `${pageNames[route.page]} – Voice agents`;
  }, [route.page]);
  return (
    <>
      <Header page={route.page} problem={catalog.problem} onSignOut={onSignOut} />
      {route.page === "talk" ? (
        <TalkPage console={console} catalog={catalog} />
      ) : (
        <WatchPage console={console} sessionId={route.sessionId} isOperator={access.isOperator} />
      )}
    </>
  );
}

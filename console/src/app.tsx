import { useEffect } from "react";

import { Header } from "./components/header.tsx";
import type { Console } from "./create-console.ts";
import { TalkPage } from "./talk/talk-page.tsx";
import { useHashRoute } from "./use-hash-route.ts";
import { useStore } from "./use-store.ts";
import { WatchPage } from "./watch/watch-page.tsx";

export function App({ console }: { readonly console: Console }) {
  const route = useHashRoute();
  const catalog = useStore(console.catalog.store);
  useEffect(() => console.catalog.load(), [console]);
  return (
    <>
      <Header page={route.page} problem={catalog.problem} />
      {route.page === "talk" ? (
        <TalkPage talk={console.talk} catalog={catalog} levels={console.talkLevels} />
      ) : (
        <WatchPage watch={console.watch} sessionId={route.sessionId} levels={console.watchLevels} />
      )}
    </>
  );
}

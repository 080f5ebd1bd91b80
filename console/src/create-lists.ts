/** Wires the lists of conversations to the browser: those that are stored, their figures, and those that are in progress. */
import { systemClock } from "@voice/shared/platform/clock";

import { createConversationsApi } from "./api/conversations-api.ts";
import { createOverviewApi } from "./api/overview-api.ts";
import type { Http } from "./api/request.ts";
import type { ServiceApi } from "./api/service-api.ts";
import type { SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";
import type { SocketAddress } from "@voice/client-kit/connection/socket-address";
import { ConversationsSession } from "./conversations/conversations-session.ts";
import { SavedFilters, storedFilters } from "./conversations/saved-filters.ts";
import { AlertSound, claimAmongTabs } from "./live/alert-sound.ts";
import { LiveWallSession } from "./live/live-session.ts";
import { OverviewSession } from "./overview/overview-session.ts";
import { StoredValue } from "./stored-value.ts";
import { playTone } from "./tone.ts";

const alertHz = 880;

interface ListParts {
  readonly http: Http;
  readonly api: ServiceApi;
  readonly connection: SocketSurroundings;
  readonly socketAddress: SocketAddress;
}

export function createLists({ http, api, connection, socketAddress }: ListParts) {
  const conversationsApi = createConversationsApi(http);
  const alertSound = new AlertSound(() => {
    const context = new AudioContext();
    return () => playTone(context, alertHz);
  }, claimAmongTabs);
  return {
    conversations: new ConversationsSession({ api: conversationsApi, clock: systemClock }),
    savedFilters: new SavedFilters(new StoredValue(localStorage, "voice.filters", storedFilters)),
    overview: new OverviewSession(
      createOverviewApi(http),
      systemClock,
      () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ),
    alertSound,
    liveWall: new LiveWallSession({
      ...connection,
      api: { session: (id, signal) => api.session(id, signal), page: conversationsApi.page },
      socketUrl: () => socketAddress("watch", {}),
      onNeeds: (needy) => alertSound.follow(needy),
    }),
  };
}

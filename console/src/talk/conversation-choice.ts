/** The user's choices for the next conversation. Pure. */

export const modes = ["REALTIME", "VOICE_LIVE"] as const;
type Mode = (typeof modes)[number];

export interface ConversationChoice {
  readonly scenario: string | undefined;
  readonly agent: string | undefined;
  readonly mode: Mode | undefined;
  readonly profileId: string | undefined;
  /** A session that has not begun, for which agents were created: it begins with them. */
  readonly preparedSessionId?: string | undefined;
}

export const noChoice: ConversationChoice = {
  scenario: undefined,
  agent: undefined,
  mode: undefined,
  profileId: undefined,
};

export interface Link {
  readonly choice: ConversationChoice;
  /** A conversation to resume. */
  readonly sessionId: string | undefined;
}

/** `?scenario=…&agent=…&mode=…&session=…`, before the `#` or after it. */
export function readLink(address: URL): Link {
  const [, behindHash = ""] = address.hash.split("?", 2);
  const query = new URLSearchParams([...address.searchParams, ...new URLSearchParams(behindHash)]);
  const read = (name: string): string | undefined => query.get(name) || undefined;
  const asked = read("mode")?.toUpperCase();
  return {
    choice: {
      scenario: read("scenario"),
      agent: read("agent"),
      mode: modes.find((mode) => mode === asked),
      profileId: read("profile"),
    },
    sessionId: read("session"),
  };
}

/** The query for the service's socket. A resumed conversation keeps its own choices. */
export function toSocketQuery(
  { scenario, agent, mode, profileId, preparedSessionId }: ConversationChoice,
  sessionId: string | undefined,
) {
  if (sessionId !== undefined) return { session_id: sessionId, streaming_mode: mode };
  return {
    ...(preparedSessionId === undefined ? {} : { session_id: preparedSessionId }),
    scenario,
    agent,
    streaming_mode: mode,
    profile_id: profileId,
  };
}

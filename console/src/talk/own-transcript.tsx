import { useMemo } from "react";

import { Transcript } from "../components/transcript.tsx";
import { TurnLatency } from "../components/turn-latency.tsx";
import type { ConversationView } from "../conversation/conversation-view.ts";
import { latenciesByEntry } from "../conversation/latencies-by-entry.ts";
import { toWaterfall } from "../conversation/latency-stages.ts";

/** The user's own conversation: when each line was said, and beside an answer how long it took. */
export function OwnTranscript({ view }: { readonly view: ConversationView }) {
  const { entries, latencies } = view;
  const latencyOf = useMemo(() => latenciesByEntry({ entries, latencies }), [entries, latencies]);
  const longestMs = Math.max(1, ...latencies.map(({ metrics }) => toWaterfall(metrics).totalMs));
  const beganMs = Date.parse(entries[0]?.at ?? "");
  return (
    <Transcript
      view={view}
      callerName="You"
      track={{
        isChat: true,
        startMsOf: ({ at }) => Date.parse(at) - beganMs,
        beside: ({ id }) => {
          const latency = latencyOf.get(id);
          return latency && <TurnLatency latency={latency} longestMs={longestMs} listener="you" />;
        },
      }}
    />
  );
}

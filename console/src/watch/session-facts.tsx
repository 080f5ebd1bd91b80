import { CopyButton } from "../components/copy-button.tsx";
import { displayName } from "../display-name.ts";
import { formatDuration } from "../format-duration.ts";
import { formatMoment } from "../format-moment.ts";
import { CallFacts } from "./call-facts.tsx";
import type { WatchedCall } from "./watched-call.ts";
import type { WatchState } from "./watch-session.ts";

interface SessionFactsProps {
  readonly sessionId: string;
  readonly details: NonNullable<WatchState["details"]>;
  readonly watchedCall: WatchedCall;
}

/** Where a conversation comes from. */
const channels: Readonly<Record<string, string>> = {
  phone: "Phone call",
  browser: "Browser",
  media: "Media socket",
  telephony: "Telephony platform",
};

function describeChannel(channel: string): string {
  return channels[channel] ?? displayName(channel);
}

/** The facts by which people tell this conversation from others. */
export function SessionFacts({ sessionId, details, watchedCall }: SessionFactsProps) {
  const {
    scenario,
    release,
    channel,
    user_email: email,
    created_at: began,
    last_activity_at: latest,
    status,
  } = details;
  const facts = [
    ["Scenario", displayName(scenario)],
    ["Version", release == null ? undefined : release === 0 ? "The catalog’s files" : `Published ${release}`],
    ["Channel", channel && describeChannel(channel)],
    ["E-mail", email],
    ["Began", began && formatMoment(began)],
    ["Lasted", began && latest && status === "ended" ? formatDuration(secondsBetween(began, latest)) : undefined],
  ] as const;
  return (
    <section className="panel" aria-labelledby="facts-title">
      <div className="panel-title">
        <h2 id="facts-title">Details</h2>
        <CopyButton label="Copy id" text={() => sessionId} />
      </div>
      <dl className="facts">
        {channel === "phone" && <CallFacts sessionId={sessionId} watched={watchedCall} />}
        {facts.map(
          ([name, value]) =>
            value != null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}

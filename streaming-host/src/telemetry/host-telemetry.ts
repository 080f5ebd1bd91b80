/** The figures that a streaming host reports whenever its metrics are read. */
import { callEventTypes } from "@voice/shared/contracts/events/call-event";
import { webhookTypes } from "@voice/shared/contracts/webhooks/webhook-event";
import { providerKinds } from "@voice/shared/state/ports/host-registry";
import type { HostHeartbeat, ProviderKind } from "@voice/shared/state/ports/host-registry";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import type { ConnectionCounts } from "../server/accept/live-connections.ts";
import type { Providers } from "../server/conversations/providers.ts";

export interface ObservedHost {
  readonly host: { counts(): ConnectionCounts; readonly isDraining: boolean };
  readonly maxSessions: number;
  readonly providers: Pick<Providers, "recogniser" | "synthesiser">;
  /** The status of the host's providers, in the form of the heartbeat. */
  readonly status: () => HostHeartbeat["providers"];
}

/** Names as in `voice.upstream.errors`. */
const partOf = {
  recogniser: "recogniser",
  synthesiser: "voice",
  languageModel: "model",
  realtimeModel: "realtime-model",
  callControl: "calls",
} as const satisfies Record<ProviderKind, string>;

/**
 * A single one of these is enough for an alert. Prometheus sees a series increase but not start, so without an initial zero the first one
 * of a host would go unnoticed.
 */
function beginAtZero({ count }: Pick<Telemetry, "count">): void {
  for (const outcome of ["late", "given_up"])
    for (const type of webhookTypes) count("voice.webhooks", { type, outcome }, 0);
  for (const type of callEventTypes) count("voice.call_events.given_up", { type }, 0);
  for (const status of ["incomplete", "failed"]) count("voice.recording.ended", { status }, 0);
  count("voice.after_call", { outcome: "given_up" }, 0);
  for (const outcome of ["late", "given_up"]) count("voice.archive", { outcome }, 0);
}

export function observeHost(telemetry: Telemetry, { host, maxSessions, providers, status }: ObservedHost): void {
  beginAtZero(telemetry);
  telemetry.observe("voice.host.part_down", () => {
    const known = status();
    return providerKinds.flatMap((kind) => {
      const { [kind]: now } = known;
      return now === undefined ? [] : [{ value: now.healthy ? 0 : 1, attributes: { part: partOf[kind] } }];
    });
  });
  telemetry.observe("voice.host.sessions", () => {
    const { phone, browser, media, telephony, "media-session": sessions } = host.counts();
    return Object.entries({ phone, browser, media: media + sessions, telephony }).map(([channel, value]) => ({
      value,
      attributes: { channel },
    }));
  });
  telemetry.observe("voice.host.capacity", () => [{ value: maxSessions }]);
  telemetry.observe("voice.host.draining", () => [{ value: host.isDraining ? 1 : 0 }]);
  const pools = () =>
    [
      { kind: "recognition", ...providers.recogniser.pool() },
      { kind: "synthesis", ...providers.synthesiser.pool() },
    ] as const;
  telemetry.observe("voice.speech_pool.warm", () =>
    pools().map(({ kind, warmSize }) => ({ value: warmSize, attributes: { kind } })),
  );
  telemetry.observe("voice.speech_pool.target", () =>
    pools().map(({ kind, warmTarget }) => ({ value: warmTarget, attributes: { kind } })),
  );
  telemetry.observe("voice.speech_pool.cold", () =>
    pools().map(({ kind, allocationsCold }) => ({ value: allocationsCold, attributes: { kind } })),
  );
}

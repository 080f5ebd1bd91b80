/** The figures that a streaming host reports whenever its metrics are read. */
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import type { ConnectionCounts } from "../server/accept/live-connections.ts";
import type { Providers } from "../server/conversations/providers.ts";

export interface ObservedHost {
  readonly host: { counts(): ConnectionCounts; readonly isDraining: boolean };
  readonly maxSessions: number;
  readonly providers: Pick<Providers, "recogniser" | "synthesiser">;
}

export function observeHost(telemetry: Telemetry, { host, maxSessions, providers }: ObservedHost): void {
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

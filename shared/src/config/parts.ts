/** Which parts of the product are the real service and which run on this machine; for the start screen and readiness. */
import type { Settings } from "./settings.ts";

export const partNames = [
  "state",
  "speech",
  "language model",
  "realtime model",
  "calls",
  "live relay",
  "archive",
  "recordings",
] as const;
export type PartName = (typeof partNames)[number];

export interface Part {
  readonly name: PartName;
  /** `off`: there is no local one, or production does without it. */
  readonly kind: "real" | "local" | "off";
  /** What it talks to, without credentials. */
  readonly detail: string;
}

export function describeParts(settings: Settings): readonly Part[] {
  const { openaiEndpoint, openaiDeployment, speechRegion, speechEndpoint, voiceLiveEndpoint, voiceLiveModel } =
    settings;
  const local = settings.environment === "production" ? "off" : "local";
  return [
    settings.cacheHost === undefined
      ? { name: "state", kind: local, detail: "memory of this process" }
      : { name: "state", kind: "real", detail: `Redis at ${settings.cacheHost}:${settings.cachePort}` },
    speechRegion === undefined && speechEndpoint === undefined
      ? { name: "speech", kind: local, detail: "recognition and synthesis on this machine" }
      : { name: "speech", kind: "real", detail: speechEndpoint ?? `region ${speechRegion}` },
    openaiEndpoint === undefined
      ? { name: "language model", kind: local, detail: "the rules in the catalog" }
      : { name: "language model", kind: "real", detail: `${openaiDeployment} at ${openaiEndpoint}` },
    voiceLiveEndpoint === undefined
      ? { name: "realtime model", kind: local, detail: "emulator" }
      : { name: "realtime model", kind: "real", detail: `${voiceLiveModel} at ${voiceLiveEndpoint}` },
    settings.commEndpoint === undefined && settings.commConnectionString === undefined
      ? { name: "calls", kind: local, detail: "emulator with a simulated phone" }
      : { name: "calls", kind: "real", detail: settings.commEndpoint ?? "communication service by connection string" },
    settings.webPubSubEndpoint === undefined && settings.webPubSubConnectionString === undefined
      ? { name: "live relay", kind: "off", detail: "dashboards connect to the service itself" }
      : { name: "live relay", kind: "real", detail: settings.webPubSubEndpoint ?? "Web PubSub by connection string" },
    settings.docstoreEndpoint === undefined
      ? { name: "archive", kind: "off", detail: "conversations end with their life span" }
      : { name: "archive", kind: "real", detail: settings.docstoreEndpoint },
    recordings(settings),
  ];
}

function recordings(settings: Settings): Part {
  const name = "recordings";
  const { recordingContainer, recordingDir, storageConnectionString, storageEndpoint } = settings;
  if (!settings.recordingEnabled) return { name, kind: "off", detail: "only where a call asks for one" };
  if (storageEndpoint === undefined && storageConnectionString === undefined)
    return { name, kind: "local", detail: `folder ${recordingDir}` };
  const account = storageEndpoint ?? "Blob storage by connection string";
  return { name, kind: "real", detail: `${recordingContainer} at ${account}` };
}

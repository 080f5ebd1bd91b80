/** Settings that only make sense together, and what production cannot do without. */
import type { SettingKey, Settings } from "./settings.ts";

type NameOf = (key: SettingKey) => string;

/** Of these, at least one must be set. */
type Row = readonly [SettingKey, ...SettingKey[]];

/** A part of the product that is real only when it is configured as a whole. */
interface Group {
  /** Setting any of these means that the part is wanted. */
  readonly wantedBy: readonly SettingKey[];
  readonly needs: readonly Row[];
}

const groups: readonly Group[] = [
  {
    wantedBy: ["openaiEndpoint", "openaiDeployment", "openaiKey"],
    needs: [["openaiEndpoint"], ["openaiDeployment"]],
  },
  {
    wantedBy: ["speechRegion", "speechEndpoint", "speechKey", "speechResourceId"],
    needs: [
      ["speechRegion", "speechEndpoint"],
      ["speechKey", "speechResourceId"],
    ],
  },
  {
    wantedBy: ["voiceLiveEndpoint", "voiceLiveModel", "voiceLiveKey"],
    needs: [["voiceLiveEndpoint"], ["voiceLiveModel"]],
  },
  {
    wantedBy: ["commEndpoint", "commConnectionString", "commPhoneNumber"],
    needs: [["commEndpoint", "commConnectionString"], ["commPhoneNumber"], ["baseUrl"]],
  },
  { wantedBy: ["cacheUsername", "cachePassword", "cacheTls"], needs: [["cacheHost"]] },
  { wantedBy: ["docstoreEndpoint", "docstoreDatabase"], needs: [["docstoreEndpoint"], ["docstoreDatabase"]] },
  { wantedBy: ["cloudClientSecret"], needs: [["cloudClientId"], ["cloudTenantId"]] },
  { wantedBy: ["telephonyClientSecret"], needs: [["telephonyApiKey"]] },
  { wantedBy: ["appConfigLabel"], needs: [["appConfigEndpoint"]] },
];

export interface Incomplete {
  readonly missing: string;
  readonly reason: string;
}

export function halfConfigured(settings: Settings, nameOf: NameOf): Incomplete[] {
  return groups.flatMap(({ wantedBy, needs }) => {
    const cause = wantedBy.find((key) => settings[key] !== undefined);
    if (cause === undefined) return [];
    return needs
      .filter((row) => row.every((key) => settings[key] === undefined))
      .map((row) => ({ missing: row.map(nameOf).join(" or "), reason: `${nameOf(cause)} is set and needs it` }));
  });
}

/** Production has no local parts to fall back to. */
export function missingInProduction(settings: Settings, nameOf: NameOf): Incomplete[] {
  if (settings.environment !== "production") return [];
  return productionNeeds(settings)
    .filter((row) => row.every((key) => settings[key] === undefined))
    .map((row) => ({ missing: row.map(nameOf).join(" or "), reason: "ENVIRONMENT is production" }));
}

function productionNeeds(settings: Settings): readonly Row[] {
  const always: readonly Row[] = [
    ["baseUrl"],
    ["commEndpoint", "commConnectionString"],
    ["commPhoneNumber"],
    ["commResourceId"],
    ["openaiEndpoint"],
    ["openaiDeployment"],
    ["speechRegion", "speechEndpoint"],
    ["speechKey", "speechResourceId"],
    ["cacheHost"],
  ];
  const realtime: readonly Row[] = [["voiceLiveEndpoint"], ["voiceLiveModel"]];
  const recording: readonly Row[] = [["storageEndpoint", "storageConnectionString"]];
  return [
    ...always,
    ...(settings.streamingMode === "VOICE_LIVE" || settings.telephonyApiKey !== undefined ? realtime : []),
    ...(settings.recordingEnabled ? recording : []),
  ];
}

/** The table of sizes, from which the templates, the check of quotas and the docs are made. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { infra } from "./templates.ts";

const size = z.strictObject({
  environment: z.string(),
  calls: z.number(),
  fallbackCalls: z.number(),
  hosts: z.strictObject({
    minReplicas: z.number(),
    maxReplicas: z.number(),
    cpu: z.string(),
    memory: z.string(),
    maxSessions: z.number(),
    sessionsPerReplica: z.number(),
  }),
  functions: z.strictObject({ alwaysReady: z.number(), maxInstances: z.number() }),
  redis: z.strictObject({ sku: z.string(), highAvailability: z.string() }),
  zoneRedundant: z.boolean(),
  archiveThroughput: z.number(),
  webPubSubSku: z.string(),
  configurationSku: z.string(),
  registrySku: z.string(),
  frontDoorSku: z.string(),
  logRetentionDays: z.number(),
  logGigabytesPerDay: z.number(),
  purgeProtection: z.boolean(),
});
const table = z.strictObject({
  perCall: z.strictObject({ turnsPerMinute: z.number(), tokensPerTurn: z.number() }),
  grantedByDefault: z.strictObject({
    recognitions: z.number(),
    voiceLiveTokensPerMinute: z.number(),
    outboundCallsPerNumber: z.number(),
  }),
  development: size,
  production: size,
});

export type Size = z.infer<typeof size>;

export const readSizes = (): z.infer<typeof table> =>
  table.parse(JSON.parse(readFileSync(path.join(infra, "sizes.json"), "utf8")));

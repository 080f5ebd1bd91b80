/**
 * What this release keeps in Redis, and how it reads it: run when a release is made, and kept as the fixture that the next
 * version is held against (docs/operations.md, "Two versions side by side"). Argument: the file to write.
 */
import { writeFile } from "node:fs/promises";
import { callEvent } from "@voice/shared/contracts/events/call-event";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { callLogEntry } from "@voice/shared/state/ports/call-store";
import { hostHeartbeat } from "@voice/shared/state/ports/host-registry";
import { mediaSession } from "@voice/shared/state/ports/media-session-store";
import { historyItem, sessionRecord, turnMetrics } from "@voice/shared/state/ports/session-store";
import { agentOverride } from "@voice/shared/state/records/agent-store";
import { storedProfile } from "@voice/shared/state/records/profile-store";
import { sessionDocument } from "@voice/shared/state/records/session-documents";
import { ticketGrant } from "@voice/shared/state/records/ticket-store";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { storedCall } from "@voice/shared/state/redis/stored-call";
import { z } from "zod";
import { startRedisServer } from "../support/redis-server.ts";
import { writeSampleState } from "./sample-state.ts";
import { readKeys } from "./stored-keys.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("name the file to write");
const redis = await startRedisServer();
const writtenAtMs = systemClock.wallNow();
const state = await openRedisState(redis.endpoint, { clock: systemClock, logger: silentLogger });
await writeSampleState(state);
const keys = await readKeys(redis.admin());
await state.close();
await redis.stop();

/** What a reader demands; what it does not know it leaves alone. */
const schemas = Object.fromEntries(
  Object.entries({
    sessionRecord,
    historyItem,
    turnMetrics,
    callRecord: storedCall,
    callLogEntry,
    mediaSession,
    hostHeartbeat,
    agentOverride,
    sessionDocument,
    storedProfile,
    ticketGrant,
    domainEvent: callEvent,
  }).map(([name, schema]) => [name, z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })]),
);
await writeFile(file, `${JSON.stringify({ writtenAtMs, keys, schemas }, undefined, 1)}\n`);

import type { Clock } from "../../platform/clock.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { AgentOverride, AgentStore } from "../ports/agent-store.ts";
import type { JsonDocument } from "../ports/session-documents.ts";
import type { RedisConnections } from "./connection.ts";
import { jsonOf } from "./hash-record.ts";
import { agentOverride } from "./records.ts";
import { defineScript } from "./script.ts";
import { RedisSessionDocuments } from "./session-documents.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** Fields are `<version>:<override as JSON>`. ARGV: name in lower case, expected version (0: none), new field, life span. */
const putOverride = defineScript(`
local current = redis.call('HGET', KEYS[1], ARGV[1])
local version = current and string.match(current, '^(%d+):') or '0'
if version ~= ARGV[2] then return 'conflict' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 'written'
`);

const stored = jsonOf(agentOverride);

export class RedisAgentStore extends RedisSessionDocuments implements AgentStore {
  readonly #connections: RedisConnections;
  readonly #clock: Clock;
  readonly #key: string;
  readonly #lifeSpanMs: number;

  constructor(options: RedisStoreOptions) {
    super(options, "agents");
    this.#connections = options.connections;
    this.#clock = options.clock;
    this.#key = options.keys.agentOverrides;
    this.#lifeSpanMs = options.lifeSpans.overrideMs;
  }

  async overrides(): Promise<readonly AgentOverride[]> {
    const fields = await this.#connections.run((redis) => redis.hgetall(this.#key));
    return Object.values(fields).map(toOverride);
  }

  async override(agentName: string): Promise<AgentOverride | undefined> {
    const field = await this.#connections.run((redis) => redis.hget(this.#key, agentName.toLowerCase()));
    return field === null ? undefined : toOverride(field);
  }

  async putOverride(agentName: string, version: number, document: JsonDocument): Promise<AgentOverride> {
    const written = { agentName, document, updatedAtMs: this.#clock.wallNow(), version: version + 1 };
    const field = `${written.version}:${JSON.stringify(written)}`;
    const args = [agentName.toLowerCase(), version, field, this.#lifeSpanMs];
    const outcome = await this.#connections.run((redis) => putOverride(redis, [this.#key], args));
    if (outcome === "conflict") throw new VoiceError("conflict", "the agent was changed by someone else");
    return written;
  }
}

function toOverride(field: string): AgentOverride {
  return stored.parse(field.slice(field.indexOf(":") + 1));
}

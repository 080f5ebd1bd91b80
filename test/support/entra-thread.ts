/**
 * Microsoft's library chooses this machine's identity once for a process, from the environment of that moment (`identitySource` is static
 * in msal-node's ManagedIdentityClient, and so are its tokens). A test whose identity answers therefore requests tokens in a thread of its
 * own, whose modules and environment are its own. Everywhere else nobody answers (`vitest.config.ts`).
 */
import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
import { createEntraCredential } from "@voice/shared/platform/entra-credential";
import { toVoiceError } from "@voice/shared/platform/errors";
import { createLogger } from "@voice/shared/platform/logger";
import { z } from "zod";

const requestsSchema = z.object({
  purpose: z.literal("requests of a machine's identity"),
  scope: z.string(),
  /** Requests for a token, one after the other, with one credential. */
  tokens: z.number(),
  /** A document store whose archive is read with a token of that credential. */
  archive: z.object({ endpoint: z.string(), database: z.string(), sessionId: z.string() }).optional(),
});
type Requests = Omit<z.infer<typeof requestsSchema>, "purpose">;

const outcomeSchema = z.object({
  tokens: z.array(z.string()),
  /** What is logged of the requests that fail. */
  lines: z.array(z.string()),
});
type Outcome = z.infer<typeof outcomeSchema>;

export async function requestAs(
  identity: Readonly<Record<"IDENTITY_ENDPOINT" | "IDENTITY_HEADER", string>>,
  requests: Requests,
): Promise<Outcome> {
  const thread = new Worker(new URL(import.meta.url), {
    env: { ...process.env, ...identity },
    workerData: { purpose: "requests of a machine's identity", ...requests },
  });
  try {
    const [outcome] = await once(thread, "message");
    return outcomeSchema.parse(outcome);
  } finally {
    await thread.terminate();
  }
}

async function outcomeOf({ scope, tokens: times, archive }: Requests): Promise<Outcome> {
  const outcome: Outcome = { tokens: [], lines: [] };
  const destination = { write: (line: string) => void outcome.lines.push(line) };
  const logger = createLogger({ level: "debug", name: "test", destination });
  const { tokenFor } = createEntraCredential({ isDevelopment: false });
  const attempt = async (request: () => Promise<unknown>, failure: string) => {
    try {
      await request();
    } catch (error) {
      logger.error({ error, code: toVoiceError(error).code }, failure);
    }
  };
  const token = tokenFor(scope);
  for (let request = 0; request < times; request += 1)
    await attempt(async () => outcome.tokens.push(await token()), "nobody proves who we are");
  if (archive !== undefined) {
    const { endpoint, database, sessionId } = archive;
    const documents = createCosmosArchive({ endpoint, database, tokens: tokenFor, scope });
    await attempt(() => documents.conversationsOf(sessionId), "nobody proves who we are to the document store");
  }
  return outcome;
}

const requests = requestsSchema.safeParse(workerData);
if (requests.success) parentPort?.postMessage(await outcomeOf(requests.data), []);

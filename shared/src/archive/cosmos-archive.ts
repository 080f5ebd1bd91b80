/** The archive in Azure Cosmos DB (API for NoSQL): a container `conversations`, partitioned by `/session_id`. */
import { CosmosClient, ErrorResponse } from "@azure/cosmos";
import type { ItemDefinition } from "@azure/cosmos";
import { VoiceError } from "../platform/errors.ts";
import type { TokenSource } from "../platform/access-token.ts";
import { archivedConversation } from "./conversation-archive.ts";
import type { ConversationArchive } from "./conversation-archive.ts";

export interface CosmosArchiveOptions {
  readonly endpoint: string;
  readonly database: string;
  readonly tokens: TokenSource;
  /** What the tokens are for. */
  readonly scope: string;
}

/** Made with the infrastructure: the data plane's roles may write documents and make no containers. */
const containerName = "conversations";
const requestTimeoutMs = 5000;

export function createCosmosArchive({ endpoint, database, tokens, scope }: CosmosArchiveOptions): ConversationArchive {
  const token = tokens(scope);
  const client = new CosmosClient({
    endpoint,
    // The client's own way with credentials refuses a loopback address without TLS.
    tokenProvider: async () => `type=aad&ver=1.0&sig=${await token()}`,
    connectionPolicy: {
      requestTimeout: requestTimeoutMs,
      // One endpoint, no timers: a process that ends is not held up.
      enableEndpointDiscovery: false,
      enableBackgroundEndpointRefreshing: false,
      // The archiver tries again for longer than the client would.
      retryOptions: { maxRetryAttemptCount: 1, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 2 },
    },
  });
  const container = client.database(database).container(containerName);

  return {
    async keep(conversation, abortSignal) {
      await translated(async () => {
        await container.items.upsert({ ...conversation, id: conversation.session_id }, { abortSignal });
      });
    },
    async find(sessionId) {
      const { resource } = await translated(() => container.item(sessionId, sessionId).read<ItemDefinition>());
      return resource === undefined ? undefined : archivedConversation.parse(resource);
    },
    async forget(sessionId) {
      return translated(async () => {
        try {
          await container.item(sessionId, sessionId).delete();
          return true;
        } catch (error) {
          if (statusOf(error) === 404) return false;
          throw error;
        }
      });
    },
  };
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The SDK's own message would carry the request.
    throw new VoiceError("upstream_unavailable", `the document store answered ${statusOf(error) ?? "nothing"}`);
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof ErrorResponse && typeof error.code === "number" ? error.code : undefined;
}

/** Access to a container of Azure Blob storage, with limits for every request. */
import { BlobServiceClient, type ContainerClient } from "@azure/storage-blob";
import type { EntraCredential } from "../platform/entra-credential.ts";

export type BlobAccess =
  | { readonly connectionString: string }
  | { readonly endpoint: string; readonly credential: Pick<EntraCredential, "getToken"> };

/** Limits the request to which it is passed. */
export type Limit = () => { readonly abortSignal: AbortSignal };

/** The storage client's own retries. */
const retryOptions = { maxTries: 3, retryDelayInMs: 250, maxRetryDelayInMs: 2000 };

export function openContainer(access: BlobAccess, name: string): ContainerClient {
  const service =
    "connectionString" in access
      ? BlobServiceClient.fromConnectionString(access.connectionString, { retryOptions })
      : new BlobServiceClient(access.endpoint, access.credential, { retryOptions });
  return service.getContainerClient(name);
}

/**
 * `timeoutMs`: for a request, all its attempts together. The client's own `tryTimeoutInMs` is only a parameter that asks the service to give
 * up, and does not end the wait.
 */
export function limitOf(timeoutMs = 10_000): Limit {
  return () => ({ abortSignal: AbortSignal.timeout(timeoutMs) });
}

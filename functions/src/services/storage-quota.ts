/** ACCESS-27: how much a client may have stored before anybody talks. */
import type { Dependencies } from "../dependencies.ts";

export async function requireStorage(
  client: string,
  document: object,
  { storageQuota }: Pick<Dependencies, "storageQuota">,
): Promise<void> {
  const problem = "This client has stored as many bytes as it may in an hour (MAX_STORED_BYTES_PER_HOUR).";
  await storageQuota.require(client, problem, Buffer.byteLength(JSON.stringify(document)));
}

/** The archive that the settings mean. Its client is large and imported only where it is configured. */
import type { Settings } from "../config/settings.ts";
import type { EntraCredential } from "../platform/entra-credential.ts";
import type { ConversationArchive } from "./conversation-archive.ts";
import type { CosmosArchiveOptions } from "./cosmos-archive.ts";

export interface ArchiveModule {
  readonly createCosmosArchive: (options: CosmosArchiveOptions) => ConversationArchive;
}

/** Undefined where nothing is archived. */
export async function createArchive(
  { docstoreEndpoint: endpoint, docstoreDatabase: database }: Settings,
  { tokenFor: tokens }: Pick<EntraCredential, "tokenFor">,
  load: () => Promise<ArchiveModule>,
): Promise<ConversationArchive | undefined> {
  if (endpoint === undefined || database === undefined) return undefined;
  return (await load()).createCosmosArchive({ endpoint, database, tokens });
}

/** Creates the configured archive. Its client is large, so it is imported only if needed. */
import { identitiesOf } from "../config/cloud-environment.ts";
import { partsOf } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import type { EntraCredential } from "../platform/entra-credential.ts";
import type { ConversationArchive } from "./conversation-archive.ts";
import type { CosmosArchiveOptions } from "./cosmos-archive.ts";

export interface ArchiveModule {
  readonly createCosmosArchive: (options: CosmosArchiveOptions) => ConversationArchive;
}

/** Undefined if nothing is archived. */
export async function createArchive(
  settings: Settings,
  identity: Pick<EntraCredential, "tokenFor">,
  load: () => Promise<ArchiveModule>,
): Promise<ConversationArchive | undefined> {
  const { archive } = partsOf(settings);
  if (archive.kind === "none") return undefined;
  const { endpoint, database } = archive;
  const { documentsScope } = identitiesOf(settings.cloudEnvironment);
  // If the cloud defines no audience for the service, the account's own address is the audience.
  const scope = documentsScope ?? `${new URL(endpoint).origin}/.default`;
  return (await load()).createCosmosArchive({ endpoint, database, tokens: identity.tokenFor, scope });
}

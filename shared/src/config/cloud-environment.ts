/**
 * Azure's public and sovereign clouds, which differ in token authorities and scopes. The addresses of services are
 * settings anyway.
 */
export const cloudEnvironments = ["public", "usgovernment", "china"] as const;
export type CloudEnvironment = (typeof cloudEnvironments)[number];

export interface CloudIdentities {
  /** The authority that issues tokens. */
  readonly authority: string;
  /** The token scope for language models and speech. */
  readonly cognitiveScope: string;
  /** The token scope for Voice Live. */
  readonly realtimeScope: string;
  /** Azure AI Search. */
  readonly searchScope: string;
  /** The token scope for Azure Managed Redis. */
  readonly cacheScope: string;
  /** The token scope for Cosmos DB; if undefined, the account's own address is the audience. */
  readonly documentsScope: string | undefined;
}

/** The application id of the cache service, which is the same in every cloud. */
const cacheApplication = "acca5fbb-b7e4-4009-81f1-37e38fd66d78/.default";

const identities: Readonly<Record<CloudEnvironment, CloudIdentities>> = {
  public: {
    authority: "https://login.microsoftonline.com",
    cognitiveScope: "https://cognitiveservices.azure.com/.default",
    realtimeScope: "https://ai.azure.com/.default",
    searchScope: "https://search.azure.com/.default",
    cacheScope: "https://redis.azure.com/.default",
    documentsScope: "https://cosmos.azure.com/.default",
  },
  usgovernment: {
    authority: "https://login.microsoftonline.us",
    cognitiveScope: "https://cognitiveservices.azure.us/.default",
    realtimeScope: "https://ai.azure.us/.default",
    searchScope: "https://search.azure.us/.default",
    cacheScope: cacheApplication,
    documentsScope: undefined,
  },
  china: {
    authority: "https://login.partner.microsoftonline.cn",
    cognitiveScope: "https://cognitiveservices.azure.cn/.default",
    realtimeScope: "https://ai.azure.cn/.default",
    searchScope: "https://search.azure.cn/.default",
    cacheScope: cacheApplication,
    documentsScope: undefined,
  },
};

export function identitiesOf(environment: CloudEnvironment): CloudIdentities {
  return identities[environment];
}

/**
 * Vendors' usual names for our settings. The canonical name has no priority: two names with different values are an
 * error.
 */

const prefixes: Readonly<Record<string, string>> = { COMM_: "ACS_", CLOUD_: "AZURE_", CACHE_: "REDIS_" };

const further: Readonly<Record<string, readonly string[]>> = {
  CACHE_HOST: ["CACHE_HOSTNAME", "REDIS_HOSTNAME"],
  CACHE_USERNAME: ["REDIS_USER"],
  CACHE_PASSWORD: ["REDIS_ACCESS_KEY"],
  CLOUD_OPENAI_DEPLOYMENT: ["AZURE_OPENAI_CHAT_DEPLOYMENT_ID"],
  CLOUD_OPENAI_KEY: ["AZURE_OPENAI_API_KEY"],
  CLOUD_VOICELIVE_KEY: ["AZURE_VOICELIVE_API_KEY"],
  CLOUD_WEBPUBSUB_CONNECTION_STRING: ["WEBPUBSUB_CONNECTION_STRING"],
  CLOUD_DOCSTORE_ENDPOINT: ["AZURE_COSMOS_ENDPOINT"],
  CLOUD_DOCSTORE_DATABASE: ["AZURE_COSMOS_DATABASE_NAME"],
  COMM_PHONE_NUMBER: ["ACS_SOURCE_PHONE_NUMBER", "TWILIO_PHONE_NUMBER"],
  COMM_RESOURCE_ID: ["ACS_IMMUTABLE_ID"],
};

/** Every name under which a setting may be given, the canonical one first. */
export function namesOf(canonical: string): readonly string[] {
  const names = [canonical];
  for (const [prefix, vendorPrefix] of Object.entries(prefixes))
    if (canonical.startsWith(prefix)) names.push(vendorPrefix + canonical.slice(prefix.length));
  return [...names, ...(further[canonical] ?? [])];
}

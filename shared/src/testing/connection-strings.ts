/** Connection strings that are accepted, and some that are not. */
import { guid } from "./completing-settings.ts";

export const serviceKey = {
  good: same("endpoint=https://c.example/;accesskey=c2VjcmV0", "Endpoint=https://c.example; AccessKey=k;Version=1.0;"),
  bad: ["some text", "https://c.example", "accesskey=k", "endpoint=https://c.example", "endpoint=;accesskey=k"],
};

export const storageKey = {
  good: same(
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=k==;EndpointSuffix=core.windows.net",
    "BlobEndpoint=https://a.example;SharedAccessSignature=sv=1&sig=s",
    "UseDevelopmentStorage=true",
  ),
  bad: ["some text", "AccountKey=k", "AccountName=a;AccountKey=", "https://a.example"],
};

export const insightsKey = {
  good: same(`InstrumentationKey=${guid};IngestionEndpoint=https://i.example/`),
  bad: ["some text", guid, "https://i.example/", "InstrumentationKey="],
};

/** Their text is their value. */
function same(...texts: readonly string[]): (readonly [string, string])[] {
  return texts.map((text) => [text, text] as const);
}

/**
 * Asks an index of Azure AI Search. Source of the request and the answer: "Documents - Search Post" of the service's REST API, version
 * 2024-07-01.
 */
import type { Passage, SearchIndex } from "@voice/shared/knowledge/knowledge-source";
import { VoiceError } from "@voice/shared/platform/errors";
import { z } from "zod";

const apiVersion = "2024-07-01";
const mostDocuments = 4;
/** The field may hold a whole document, where the index is not cut into chunks. */
const longestText = 1500;

const answer = z.object({ value: z.array(z.record(z.string(), z.unknown())) });

export function createAzureSearch(
  endpoint: string,
  credential: { readonly key: string } | { readonly token: () => Promise<string> },
) {
  return async (
    { index, fields, semanticConfiguration, filter }: SearchIndex,
    question: string,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> => {
    const url = `${endpoint}/indexes/${encodeURIComponent(index)}/docs/search?api-version=${apiVersion}`;
    const select = [fields.text, fields.title, fields.source].filter((field) => field !== undefined).join(",");
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...("key" in credential
          ? { "api-key": credential.key }
          : { authorization: `Bearer ${await credential.token()}` }),
      },
      body: JSON.stringify({
        search: question,
        top: mostDocuments,
        select,
        ...(filter !== undefined && { filter }),
        ...(semanticConfiguration !== undefined && { queryType: "semantic", semanticConfiguration }),
        ...(fields.vector !== undefined && {
          vectorQueries: [{ kind: "text", text: question, fields: fields.vector, k: mostDocuments }],
        }),
      }),
      signal,
      redirect: "error",
    }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new VoiceError("upstream_unavailable", "the search service could not be reached", { cause: error });
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new VoiceError(
        "upstream_unavailable",
        `the search service answered ${response.status}${hints[response.status] ?? ""}`,
      );
    }
    const read = answer.safeParse(await response.json().catch(() => undefined));
    if (!read.success)
      throw new VoiceError("upstream_unavailable", "the answer of the search service could not be read");
    return read.data.value.flatMap((document) => {
      const text = textIn(document, fields.text);
      if (text === "") return [];
      const title = textIn(document, fields.title);
      return [
        {
          text: text.slice(0, longestText),
          title: title === "" ? index : title,
          source: textIn(document, fields.source) || index,
        },
      ];
    });
  };
}

const hints: Readonly<Record<number, string>> = {
  400: ": the index has no such field, or its semantic configuration has another name",
  401: ": it does not accept the key",
  403: ": this identity lacks the role Search Index Data Reader, or keys are switched off",
  404: ": there is no such index",
};

/** Nested fields are written with slashes, as the service writes them. */
function textIn(document: Readonly<Record<string, unknown>>, field: string | undefined): string {
  let value: unknown = document;
  for (const name of field?.split("/") ?? ["", ""])
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof value === "string" ? value.trim() : "";
}

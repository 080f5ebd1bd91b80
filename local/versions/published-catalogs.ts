/** Published versions of a running service over the catalog of the files, to hold the same conversations with each of them. */
import { acceptDocuments } from "@voice/shared/catalog/stored-documents";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { KnownTools } from "@voice/shared/catalog/known-tools";
import { withDocuments } from "@voice/shared/catalog/released-catalogs";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { getRelease } from "@voice/shared/contracts/http/releases";
import { apiPrefix } from "@voice/shared/contracts/http/endpoint";
import { parseJson } from "@voice/shared/platform/parse-json";
import { atOnce } from "@voice/shared/platform/steps";
import { z } from "zod";

export interface PublishedVersions {
  /** Numbers with commas between them; 0 is the files alone. */
  readonly names: string;
  /** The service that has them. */
  readonly url: string;
  /** An operator's token; undefined if authentication is off. */
  readonly token: string | undefined;
}

export interface VersionCatalog {
  readonly version: number;
  readonly catalog: Catalog;
}

const mostVersions = 4;
const document = z.looseObject({ name: z.string() });
const details = z.object({ agent_documents: z.array(document), scenario_documents: z.array(document) });
const problem = z.object({ detail: z.string() });

/** Rejects with what is wrong in a sentence. */
export async function publishedCatalogs(
  { names, url, token }: PublishedVersions,
  files: Catalog,
  known: KnownTools,
): Promise<readonly VersionCatalog[]> {
  const versions = [...new Set(names.split(",").map((name) => name.trim()))];
  if (versions.length < 2 || versions.length > mostVersions || !versions.every((name) => /^\d{1,6}$/.test(name)))
    throw refused(
      `--versions expects two to ${mostVersions} numbers with commas between them, such as 0,3; 0 is the files`,
    );
  if (!URL.canParse(url)) throw refused("--url expects an address such as http://localhost:8080");
  return Promise.all(
    versions.map(async (name) => {
      const version = Number(name);
      if (version === 0) return { version, catalog: files };
      const { agent_documents: agents, scenario_documents: scenarios } = await fetchRelease(version, url, token);
      const named = (documents: readonly z.infer<typeof document>[]) =>
        documents.map((one) => ({ name: one.name, document: one }));
      const accepted = atOnce(acceptDocuments({ agents: named(agents), scenarios: named(scenarios) }, files, known));
      const [leftOut] = accepted.leftOut;
      if (leftOut !== undefined)
        throw refused(`version ${version} has the ${leftOut.kind} ${leftOut.name}, which does not pass the check here`);
      return { version, catalog: withDocuments(files, accepted.agents, accepted.scenarios) };
    }),
  );
}

async function fetchRelease(version: number, url: string, token: string | undefined): Promise<z.infer<typeof details>> {
  const target = new URL(`${apiPrefix}${getRelease.path.replace("{version}", String(version))}`, url);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(target, { headers }).catch(() => {
    throw refused(`no service at ${url} that could have version ${version}: --url names one`);
  });
  const body = parseJson(await response.text());
  const parsed = details.safeParse(body);
  if (response.ok && parsed.success) return parsed.data;
  throw refused(
    `version ${version}: ${problem.safeParse(body).data?.detail ?? `${target.href} says ${response.status}`}`,
  );
}

function refused(sentence: string): ConfigurationError {
  return new ConfigurationError([sentence]);
}

/** Copies of the state in Redis, each with one of its files changed. All run in this process, beside each other and beside the original. */
import { registerHooks } from "node:module";
import type * as createRedisState from "@voice/shared/state/redis/create-redis-state";

const folder = new URL("../../shared/src/state/redis/", import.meta.url);
const sources = new Map<string, { readonly url: string; readonly source: string }>();

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const copy = copyOf(context.parentURL);
    if (copy === undefined || !resolved.url.startsWith(folder.href)) return resolved;
    return { ...resolved, url: asOf(resolved.url, copy) };
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const changed = sources.get(copyOf(url) ?? "");
    return changed !== undefined && url.startsWith(changed.url) ? { ...loaded, source: changed.source } : loaded;
  },
});

const asOf = (url: string, copy: string): string => `${url}?copy=${copy}`;
const copyOf = (url: string | undefined): string | undefined => url?.split("?copy=")[1];

/** From now on, what is imported by a name of this copy gets the file with another text. */
export function defineCopy(copy: string, file: string, source: string): void {
  sources.set(copy, { url: asOf(new URL(file, folder).href, copy), source });
}

/** The module that opens the state. */
export async function importState(copy: string): Promise<typeof createRedisState> {
  const module: typeof createRedisState = await import(asOf(new URL("create-redis-state.ts", folder).href, copy));
  return module;
}

/** Declares the tests of a file. They open the state of the changed copy. */
export async function importTests(copy: string, path: string): Promise<void> {
  await import(asOf(new URL(`../${path}.test.ts`, import.meta.url).href, copy));
}

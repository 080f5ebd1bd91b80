/**
 * Lets a folder of code outside the service import the tool kit and zod without installing them: packages missing from
 * the folder's own node_modules are resolved here. A bundle has no node_modules, so it carries both packages as
 * separate files.
 */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";

/**
 * The packages that a folder may take from the service. It must install all others itself, so that an update here
 * cannot break it.
 */
export const hostPackages = ["@voice/tool-kit", "@voice/provider-kit", "zod"] as const;

/** The folder in a bundle, and the file of each package in that folder. */
export const hostPackagesFolder = "for-own-code";
export const fileOfHostPackage = (name: string): string => `${name.replaceAll(/[@/]+/g, "-").replace(/^-/, "")}.mjs`;

let isRegistered = false;

/** Takes effect from now on in the whole process. Idempotent. */
export function offerHostPackages(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (!isHostPackage(specifier)) return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // Resolved without `require`, which would take the address for a path.
        return { url: placeOf(specifier), shortCircuit: true };
      }
    },
  });
}

function isHostPackage(specifier: string): boolean {
  return hostPackages.some((name) => name === specifier);
}

function placeOf(name: string): string {
  const beside = new URL(`${hostPackagesFolder}/${fileOfHostPackage(name)}`, import.meta.url);
  return existsSync(beside) ? beside.href : import.meta.resolve(name);
}

/** `import` and `require` have codes of their own for it. */
const notFound: ReadonlySet<unknown> = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && notFound.has(error.code);
}

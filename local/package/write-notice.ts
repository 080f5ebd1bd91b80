/**
 * Writes NOTICE into a package: whose code it contains, under which terms. It is made from the bundler's own list of files, so
 * it is never out of date. A licence that is not on the list of permitted ones stops the packaging.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Metafile } from "esbuild";
import { z } from "zod";
import { pathOf } from "./build-options.ts";

/** These licences require that their text is passed on, and nothing else. */
const permissive = new Set([
  "MIT",
  "Apache-2.0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSD-4-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "Zlib",
]);

/** Packages that state their licence in their README only. */
const saidElsewhere = new Map([["semaphore", "MIT"]]);

const manifest = z
  .object({
    name: z.string(),
    version: z.string(),
    license: z.string().optional(),
  })
  .transform(({ name, version, license = saidElsewhere.get(name) ?? "unknown" }) => ({ name, version, license }));

/** Their sources want to be named. */
const trainedWeights = pathOf("provider-kit/src/end-of-turn/weights");

interface Part extends z.output<typeof manifest> {
  readonly texts: readonly string[];
}

/** `copied`: packages that are copied as they are, in addition to those in the bundle. */
export async function writeNotice(out: string, { inputs }: Metafile, copied: readonly string[] = []): Promise<void> {
  const bundled = Object.keys(inputs).flatMap((file) => packageFolder(path.resolve(file)) ?? []);
  const folders = new Set([...bundled, ...copied.map((name) => path.join(pathOf("node_modules"), name))]);
  const parts = (await Promise.all([...folders].map(readPart))).toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  const refused = parts.filter(({ license }) => !isPermissive(license));
  if (refused.length > 0)
    throw new Error(
      `licences to look at first: ${refused.map(({ name, license }) => `${name} (${license})`).join(", ")}`,
    );
  const sections = parts.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join("\n\n"),
  );
  const isTrained = Object.keys(inputs).some((file) => path.resolve(file).startsWith(trainedWeights));
  if (isTrained) sections.push((await readFile(path.join(trainedWeights, "SOURCES.md"), "utf8")).trim());
  const head = "This software holds the following packages, each under its own terms.";
  await writeFile(path.join(out, "NOTICE"), `${[head, ...sections].join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}

/** The folder of the package that a file belongs to; undefined for our own. */
function packageFolder(file: string): string | undefined {
  const separator = `${path.sep}node_modules${path.sep}`;
  const at = file.lastIndexOf(separator);
  if (at === -1) return undefined;
  const [scope = "", name = ""] = file.slice(at + separator.length).split(path.sep);
  return path.join(file.slice(0, at + separator.length), scope, scope.startsWith("@") ? name : "");
}

async function readPart(folder: string): Promise<Part> {
  const about = manifest.parse(JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")));
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).toSorted();
  return { ...about, texts: await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8"))) };
}

/** `MIT AND Apache-2.0` needs both, `MIT OR GPL-3.0` one of them. */
function isPermissive(license: string): boolean {
  const choices = license.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((name) => permissive.has(name)));
}

/** The types of a kit that is packaged, with those of the service that they need, so that the package needs nothing else. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { pathOf } from "./build-options.ts";

/** `@voice/shared/platform/errors` in a declaration is a file of that package. */
const ownPackages = ["shared", "provider-kit", "client-kit"] as const;
const ownPackage = new RegExp(`^@voice/(${ownPackages.join("|")})/(.+)$`);
const specifiers = /(?<=\bfrom "|\bimport\(")[^"]+(?=")/g;

/** Resolves to how many there are. */
export async function copyDeclarations(kit: string, files: readonly string[], to: string): Promise<number> {
  const copied = new Set<string>();
  const from = await mkdtemp(path.join(tmpdir(), "declarations-"));
  try {
    await writeDeclarations(from, kit, files);
    for (const file of files) await copyDeclaration(`${kit}/${file}`, { from, to, copied });
  } finally {
    await rm(from, { recursive: true });
  }
  return copied.size;
}

/** What every package of this repository says of itself. */
export async function readManifest(): Promise<{ readonly version: string; readonly license: string }> {
  const text = await readFile(pathOf("package.json"), "utf8");
  return z.object({ version: z.string(), license: z.string() }).parse(JSON.parse(text));
}

/**
 * Writes the declarations of the entries and of all that they import, into a folder of their own: whoever checks the types of the tree at
 * the same time writes `out/types`. Nothing is checked here, which takes a twentieth of the time.
 */
async function writeDeclarations(folder: string, kit: string, files: readonly string[]): Promise<void> {
  const config = {
    extends: pathOf("tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      declaration: true,
      noCheck: true,
      lib: ["es2024", "esnext.disposable", "dom", "dom.iterable"],
      rootDir: pathOf("."),
      outDir: folder,
      typeRoots: [pathOf("node_modules/@types")],
      paths: Object.fromEntries(ownPackages.map((name) => [`@voice/${name}/*`, [pathOf(`${name}/src/*.ts`)]])),
    },
    files: files.map((file) => pathOf(`${kit}/src/${file}.ts`)),
  };
  const project = path.join(folder, "tsconfig.json");
  await writeFile(project, JSON.stringify(config));
  await promisify(execFile)(pathOf("node_modules/.bin/tsc"), ["--project", project]);
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly copied: Set<string>;
}

/** `name` is `package/path`. Copies the declaration and all that it imports, with paths in place of package names. */
async function copyDeclaration(name: string, { from, to, copied }: Copying): Promise<void> {
  if (copied.has(name)) return;
  copied.add(name);
  const text = await readFile(path.join(from, name.replace("/", "/src/").concat(".d.ts")), "utf8");
  const wanted: string[] = [];
  const rewritten = text.replaceAll(specifiers, (specifier) => {
    const found = declarationOf(specifier, name);
    if (found === undefined) return specifier;
    wanted.push(found);
    const relative = path.posix.relative(path.posix.dirname(name), found);
    return `${relative.startsWith(".") ? "" : "./"}${relative}.js`;
  });
  const file = path.join(to, `${name}.d.ts`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, rewritten);
  for (const next of wanted) await copyDeclaration(next, { from, to, copied });
}

/** Undefined for a package of somebody else. */
function declarationOf(specifier: string, from: string): string | undefined {
  const [, ownName, inside] = ownPackage.exec(specifier) ?? [];
  if (ownName !== undefined) return `${ownName}/${inside}`;
  if (!specifier.startsWith(".")) return undefined;
  return path.posix.join(path.posix.dirname(from), specifier).replace(/\.ts$/, "");
}

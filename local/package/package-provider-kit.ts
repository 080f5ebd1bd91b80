/**
 * The provider kit as a package that `npm pack` takes: what providers are written with, and the suites of tests that
 * they have to pass. Everything of the service that it uses is in it, so that it needs nothing else to run.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { z } from "zod";
import { pathOf } from "./build-options.ts";

/** What is imported from the package, and the file that it is. */
const entries = { index: "index", contracts: "contracts/published.contract" } as const;
/** `@voice/shared/platform/errors` in a declaration is a file of that package. */
const ownPackages = ["shared", "provider-kit"] as const;
const ownPackage = new RegExp(`^@voice/(${ownPackages.join("|")})/(.+)$`);
const specifiers = /(?<=\bfrom "|\bimport\(")[^"]+(?=")/g;

/** Resolves to a description of its content. */
export async function packageProviderKit(out: string): Promise<string> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, pathOf(`provider-kit/src/${file}.ts`)]),
    ),
    outdir: out,
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: ["vitest"],
    logLevel: "warning",
  });
  const copied = new Set<string>();
  const declarations = await mkdtemp(path.join(tmpdir(), "declarations-"));
  try {
    await writeDeclarations(declarations);
    for (const file of Object.values(entries))
      await copyDeclaration(`provider-kit/${file}`, { from: declarations, to: path.join(out, "types"), copied });
  } finally {
    await rm(declarations, { recursive: true });
  }
  const { version, license } = await manifest();
  const described = {
    name: "@voice/provider-kit",
    version,
    description: "What speech and model providers of your own are written with, outside the voice agent service.",
    license,
    type: "module",
    exports: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [
        name === "index" ? "." : `./${name}`,
        { types: `./types/provider-kit/${file}.d.ts`, default: `./${name}.js` },
      ]),
    ),
    // zod: for types of what agents and tools are.
    peerDependencies: { vitest: ">=3", zod: "^4.0.0" },
    peerDependenciesMeta: { vitest: { optional: true }, zod: { optional: true } },
  };
  await writeFile(path.join(out, "package.json"), `${JSON.stringify(described, undefined, 2)}\n`);
  await cp(pathOf("LICENSE"), path.join(out, "LICENSE"));
  return `${Object.keys(entries).length} entry points, ${copied.size} declarations`;
}

async function manifest(): Promise<{ readonly version: string; readonly license: string }> {
  const text = await readFile(pathOf("package.json"), "utf8");
  return z.object({ version: z.string(), license: z.string() }).parse(JSON.parse(text));
}

/**
 * Writes the declarations of the entries and of all that they import, into a folder of their own: whoever checks the types of the tree at
 * the same time writes `out/types`. Nothing is checked here, which takes a twentieth of the time.
 */
async function writeDeclarations(folder: string): Promise<void> {
  const config = {
    extends: pathOf("tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      declaration: true,
      noCheck: true,
      rootDir: pathOf("."),
      outDir: folder,
      typeRoots: [pathOf("node_modules/@types")],
      paths: Object.fromEntries(ownPackages.map((name) => [`@voice/${name}/*`, [pathOf(`${name}/src/*.ts`)]])),
    },
    files: Object.values(entries).map((file) => pathOf(`provider-kit/src/${file}.ts`)),
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

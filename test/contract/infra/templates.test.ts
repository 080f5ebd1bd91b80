/** The templates fit together: what a compiler would say about names, and that nothing is made that nobody uses. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { BicepSource } from "./bicep-source.ts";
import type { Value } from "./bicep-value.ts";
import { readSizes } from "./sizes.ts";
import { infra, parameterFiles, templateAt, templates } from "./templates.ts";

const main = templateAt("main.bicep");

/** What is wrong in each file, with the file's name. */
function problems(files: readonly BicepSource[], find: (file: BicepSource) => readonly string[]): string[] {
  return files.flatMap((file) => find(file).map((problem) => `${file.path}: ${problem}`));
}

const without = (names: readonly string[], known: Iterable<string>): string[] => {
  const all = new Set(known);
  return names.filter((name) => !all.has(name));
};

const namesOf = (declared: readonly { readonly name: string }[]): string[] => declared.map(({ name }) => name);
const symbolsOf = ({ resources, modules }: BicepSource): string[] =>
  [...resources, ...modules].map(({ symbol }) => symbol);
const requiredBy = ({ parameters }: BicepSource): string[] =>
  namesOf(parameters.filter(({ isRequired }) => isRequired));

describe("the templates", () => {
  it("are all read", () => {
    expect(templates.length).toBeGreaterThan(18);
    expect(templates.flatMap(({ resources }) => resources).length).toBeGreaterThan(50);
  });

  it("can be parsed, and so can the files of parameters", () => {
    expect(problems([...templates, ...parameterFiles], ({ errors }) => errors)).toEqual([]);
  });

  it("use each parameter and variable that they declare", () => {
    const unused = problems(templates, (file) => {
      // The sizes are for others to import.
      const variables = file.path === "sizes.bicep" ? [] : Object.keys(file.variables);
      return without([...namesOf(file.parameters), ...variables], file.references);
    });
    expect(unused).toEqual([]);
  });

  it("use each existing resource that they name", () => {
    const unused = problems(templates, ({ resources, references }) => {
      const existing = resources.filter(({ isExisting }) => isExisting).map(({ symbol }) => symbol);
      return without(existing, references);
    });
    expect(unused).toEqual([]);
  });

  it("refer to nothing that is not declared", () => {
    const unknown = problems(templates, (file) =>
      without(
        [...file.references],
        [...file.imports, ...namesOf(file.parameters), ...Object.keys(file.variables), ...symbolsOf(file)],
      ),
    );
    expect(unknown).toEqual([]);
  });

  it("declare no name twice", () => {
    const twice = problems(templates, (file) => {
      const names = [...symbolsOf(file), ...namesOf(file.parameters), ...Object.keys(file.variables)];
      return names.filter((name, index) => names.indexOf(name) !== index);
    });
    expect(twice).toEqual([]);
  });

  it("give their modules what those want, and nothing else", () => {
    const wrong = problems(templates, (file) =>
      file.modules.flatMap(({ symbol, source, params }) => {
        const module = templateAt(path.join(path.dirname(file.path), source));
        const given = Object.keys(params);
        return [
          ...without(given, namesOf(module.parameters)).map((name) => `${symbol} does not know ${name}`),
          ...without(requiredBy(module), given).map((name) => `${symbol} wants ${name}`),
          ...module.parameters.flatMap(({ name, properties }) =>
            misshapen(params[name], properties).map((at) => `${symbol}.${name}: ${at}`),
          ),
        ];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("name one version of each kind of resource", () => {
    const versions = new Map<string, Set<string>>();
    for (const { type, apiVersion } of templates.flatMap(({ resources }) => resources))
      versions.set(type, (versions.get(type) ?? new Set()).add(apiVersion));
    expect([...versions].filter(([, found]) => found.size > 1 || found.has(""))).toEqual([]);
  });
});

describe("the outputs", () => {
  /** As `symbol.output`. */
  const used = new Set(
    [...main.text.matchAll(/(\w+)\.\??outputs\.(\w+)/g)].map(([, symbol, name]) => `${symbol}.${name}`),
  );
  /** Two modules may be one file, so each output is known under all of its names. */
  const declared = [...new Set(main.modules.map(({ source }) => source))].flatMap((source) => {
    const symbols = main.modules.filter((module) => module.source === source).map(({ symbol }) => symbol);
    return templateAt(source).outputs.map((name) => symbols.map((symbol) => `${symbol}.${name}`));
  });

  it("of the modules are all used", () => {
    expect(declared.length).toBeGreaterThan(30);
    expect(declared.filter((names) => !names.some((name) => used.has(name)))).toEqual([]);
  });

  it("that are used are there", () => {
    expect(without([...used], declared.flat())).toEqual([]);
  });

  it("of the deployment are all read by the next template, a hook or azd itself", () => {
    const hooks = globSync("hooks/*", { cwd: infra }).map((name) => readFileSync(path.join(infra, name), "utf8"));
    const readers = [...parameterFiles.map(({ text }) => text), ...hooks].join("\n");
    // azd looks for these to know what it deploys to.
    const readByAzd = ["AZURE_CONTAINER_REGISTRY_ENDPOINT", "AZURE_RESOURCE_GROUP", "SERVICE_FUNCTIONS_NAME"];
    expect(without(main.outputs, readByAzd).filter((name) => !readers.includes(name))).toEqual([]);
  });

  it("that the next template reads are all made", () => {
    const read = parameterFiles
      .filter(({ text }) => !text.includes("using 'main.bicep'"))
      .flatMap(({ text }) => [...text.matchAll(/readEnvironmentVariable\('(\w+)'/g)].map(([, name]) => name ?? ""));
    // azd's own, and the image that it has just built.
    const madeByAzd = ["AZURE_SUBSCRIPTION_ID", "SERVICE_STREAMING_HOST_IMAGE_NAME"];
    expect(read.length).toBeGreaterThan(10);
    expect(without(read, [...main.outputs, ...madeByAzd])).toEqual([]);
  });
});

describe("the files of parameters", () => {
  it("give their templates what those want, and nothing else", () => {
    const wrong = problems(parameterFiles, ({ text, variables }) => {
      const template = templateAt(/^using '(.+)'$/m.exec(text)?.[1] ?? "");
      const given = Object.keys(variables);
      return [...without(given, namesOf(template.parameters)), ...without(requiredBy(template), given)];
    });
    expect(wrong).toEqual([]);
    expect(parameterFiles.length).toBe(5);
  });

  it("choose between two sizes of the same shape", () => {
    const { development, production } = readSizes();
    expect(shapeOf(production)).toEqual(shapeOf(development));
  });
});

/** What an object lacks or has too much of, beside the shape that is wanted. What is computed has no shape that can be read. */
function misshapen(value: Value | undefined, wanted: readonly string[] | undefined): string[] {
  if (wanted === undefined || wanted.length === 0 || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => misshapen(item, wanted));
  const given = Object.keys(value);
  return [...without(given, wanted), ...without(wanted, given)];
}

/** Every path in an object. */
function shapeOf(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [at];
  return Object.entries(value).flatMap(([key, inner]) => shapeOf(inner, `${at}.${key}`));
}

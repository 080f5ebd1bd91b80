/** What `npm ci` installs is what was looked at: checked without a network at every change of the lock file. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const entry = z.object({
  link: z.boolean().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
});
const file = path.join(import.meta.dirname, "../../package-lock.json");
const { lockfileVersion, packages } = z
  .object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), entry) })
  .parse(JSON.parse(readFileSync(file, "utf8")));
const installed = Object.entries(packages).filter(
  ([name, { link }]) => name.includes("node_modules/") && link !== true,
);

describe(`the lock file (version ${lockfileVersion})`, () => {
  it("has the hash of every package that is installed", () => {
    expect(installed.length).toBeGreaterThan(100);
    const unhashed = installed.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));
    expect(unhashed.map(([name]) => name)).toEqual([]);
  });

  it("takes packages from one registry and from nowhere else", () => {
    // npm can be told to leave the addresses out: then it is the registry that it is set to.
    const addresses = installed.flatMap(([, { resolved }]) => (resolved === undefined ? [] : new URL(resolved)));
    expect(addresses.filter(({ protocol, pathname }) => protocol !== "https:" || !pathname.endsWith(".tgz"))).toEqual(
      [],
    );
    expect(new Set(addresses.map(({ host }) => host)).size).toBeLessThanOrEqual(1);
  });

  it("runs nobody's install scripts", () => {
    expect(readFileSync(path.join(path.dirname(file), ".npmrc"), "utf8")).toContain("\nignore-scripts=true\n");
  });
});

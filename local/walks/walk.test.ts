import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { API } from "typescript/unstable/sync";
import { afterAll, expect, it } from "vitest";
import { Walk } from "./walk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "walks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = {
  "tsconfig.json": JSON.stringify({ include: ["*.ts"], compilerOptions: { module: "nodenext", strict: true } }),
  "parts.ts": `
    export interface Clock { now(): number }
    export interface Parts { readonly clock: Clock; readonly name: string; readonly state: { readonly calls: Clock } }
  `,
  "begin.ts": `
    import type { Clock, Parts } from "./parts.js";
    import { Holder, passOn, readName, together } from "./further.js";
    export function begin(parts: Parts): void {
      const { state, name } = parts;
      passOn({ calls: state.calls, title: name });
      readName(parts.name);
      new Holder(parts.clock);
      const bag = together(parts.clock);
      later(() => unrelated(bag));
    }
    function later(act: () => void): void { act(); }
    function unrelated(given: { readonly clock: Clock }): void { void given; }
  `,
  "further.ts": `
    import type { Clock } from "./parts.js";
    import { last } from "./last.js";
    export function passOn({ calls, title }: { readonly calls: Clock; readonly title: string }): void { last(calls); void title; }
    export function readName(name: string): void { void name; }
    export function together(clock: Clock) { return { clock }; }
    export class Holder {
      readonly #clock: Clock;
      constructor(clock: Clock) { this.#clock = clock; }
      tell(): void { last(this.#clock); }
    }
  `,
  "last.ts": `
    import type { Clock } from "./parts.js";
    export function last(clock: Clock): void { void clock; }
  `,
};

it("follows a value and its parts through calls, under each name, until they are stored", () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const config = path.join(folder, "tsconfig.json");
  const api = new API({ cwd: folder });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error("the project cannot be read");
    const walk = new Walk(project);
    walk.begin(path.join(folder, "begin.ts"), "begin", "parts");
    const rooms = [...walk.rooms].map(([room, names]) => [path.basename(room), [...names].toSorted()]);
    expect(Object.fromEntries(rooms)).toEqual({
      "begin.ts": ["bag", "given", "parts", "state"],
      "further.ts": ["calls", "clock"],
      "last.ts": ["clock"],
    });
  } finally {
    api.close();
  }
});

/** The client kit as it is installed: what docs/clients.md writes with it compiles, and it talks to a service in Node. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { packageClientKit } from "@voice/local/package/package-client-kit";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { startTestService } from "../support/test-service.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "client-kit-"));
const installed = path.join(folder, "node_modules/@voice/client-kit");

/** The part that is used here; the whole has the browser's types, which this program has not. */
interface Client {
  readonly state: {
    get(): {
      readonly transcript: readonly { readonly speaker: string }[];
      readonly session: { readonly sample_rate: number } | undefined;
      readonly connection: object;
    };
  };
  on(type: "response", listener: (payload: { readonly text: string; readonly is_final: boolean }) => void): void;
  sendText(text: string): void;
  end(): void;
}
const kitSchema = z.object({
  VoiceAgent: z.custom<new (options: { readonly service: string }) => Client>((value) => typeof value === "function"),
});

beforeAll(async () => {
  const kit = path.join(folder, "kit");
  await packageClientKit(kit);
  const packed = execFileSync("npm", ["pack", kit, "--silent"], { cwd: folder }).toString().trim();
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", packed, "--strip-components=1", "-C", installed], { cwd: folder });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("[CLIENT-7] brings types that the compiler accepts, also of the hooks and the element, and depends on nothing", () => {
  const manifest = z.looseObject({}).parse(JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest["peerDependenciesMeta"]).toEqual({ react: { optional: true } });
  const guide = readFileSync(path.join(root, "docs/clients.md"), "utf8");
  const component = /```tsx\n(.*?)```/s.exec(guide)?.[1] ?? "";
  const program = /## In Node\n\n```js\n(.*?)```/s.exec(guide)?.[1] ?? "";
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(path.join(folder, "component.tsx"), component);
  writeFileSync(path.join(folder, "program.ts"), program);
  writeFileSync(
    path.join(folder, "wrong.ts"),
    'import type { VoiceAgentElement } from "@voice/client-kit/element";\n' +
      "export const talk = (element: VoiceAgentElement) => element.client.sendText(7);\n",
  );
  mkdirSync(path.join(folder, "node_modules/@types"));
  symlinkSync(path.join(root, "node_modules/@types/react"), path.join(folder, "node_modules/@types/react"));
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--jsx", "react-jsx", "--types", "react"];
  const how = [...options, "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom,dom.iterable"];
  const compiler = path.join(root, "node_modules/.bin/tsc");
  const checked = spawnSync(compiler, [...how, "component.tsx", "program.ts", "wrong.ts"], {
    cwd: folder,
    encoding: "utf8",
  });
  const complaints = checked.stdout.split("\n").filter((line) => line.includes("): error "));
  expect(complaints).toEqual([expect.stringMatching(/^wrong\.ts.*number/)]);
});

it("[CLIENT-7] holds a conversation in Node, as somebody who types", async () => {
  const settings = loadSettings({ PORT: "0", HOST: "127.0.0.1" });
  const service = await startTestService({ settings, logger: silentLogger });
  const { VoiceAgent } = kitSchema.parse(await import(path.join(installed, "index.js")));
  const agent = new VoiceAgent({ service: `http://127.0.0.1:${service.port}` });
  const answers: string[] = [];
  agent.on("response", ({ text, is_final: isFinal }) => void (isFinal && answers.push(text)));
  agent.sendText("I want to check my balance");
  await expect.poll(() => answers.join(" ")).toMatch(/checking or savings/i);
  const { transcript, session } = agent.state.get();
  expect(transcript.map(({ speaker }) => speaker)).toContain("user");
  expect(session?.sample_rate).toBe(16_000);
  agent.end();
  expect(agent.state.get().connection).toMatchObject({ kind: "closed", reason: "ended" });
  await service.close(0);
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { heapFlags } from "./heap-flags.ts";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

it("starts a streaming host with the same heap everywhere", () => {
  const asArguments = heapFlags.map((flag) => `"${flag}"`).join(", ");
  expect(read("Dockerfile")).toContain(`ENTRYPOINT ["node", ${asArguments}, "main.mjs"]`);
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
  const flags = heapFlags.join(" ");
  expect(scripts["start"]).toContain(` node ${flags} local/quick-start.ts`);
  expect(scripts["start:host"]).toContain(` node ${flags} --import`);
});

it("has the C library give large pieces back everywhere", () => {
  expect(read("Dockerfile")).toContain("ENV MALLOC_MMAP_THRESHOLD_=131072\n");
  expect(read("local/on-node.cjs")).toContain('process.env.MALLOC_MMAP_THRESHOLD_ ??= "131072";');
});

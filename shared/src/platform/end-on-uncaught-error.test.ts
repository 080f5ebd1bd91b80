import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const paths = ["./end-on-uncaught-error.ts", "./logger.ts"].map((path) =>
  JSON.stringify(new URL(path, import.meta.url).href),
);

/** A process that breaks as `how` says, with an error that a library has made. */
async function broken(how: string) {
  const script = `
    const [{ endOnUncaughtError }, { createLogger }] = await Promise.all([import(${paths[0]}), import(${paths[1]})]);
    const flush = async () => process.stdout.write("flushed\\n");
    endOnUncaughtError(createLogger({ level: "info", name: "host" }), flush);
    const error = Object.assign(new Error("WRONGPASS invalid password"), { command: { args: ["AUTH", "topsecret"] } });
    setTimeout(() => console.log("still here"), 30_000);
    ${how};`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
  });
  const [code, output, complaints] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output, complaints };
}

it.each([
  ["is thrown", "setTimeout(() => { throw error })", "uncaughtException"],
  ["is a rejection", "void Promise.reject(error)", "unhandledRejection"],
  [
    "comes with another one",
    "setTimeout(() => { throw error }); setTimeout(() => { throw error })",
    "uncaughtException",
  ],
])(
  "ends with one log line for an error that %s, and with nothing that a library attached to it",
  async (_what, how, origin) => {
    const { code, output, complaints } = await broken(how);
    expect(code).toBe(1);
    const line = output.split("\n").find((written) => written.startsWith("{")) ?? "";
    expect(JSON.parse(line)).toMatchObject({ level: 50, origin, error: { code: "WRONGPASS" } });
    expect(output).toContain("flushed");
    expect(output + complaints).not.toContain("topsecret");
  },
);

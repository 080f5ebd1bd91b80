/**
 * Programs of the machine that some tests need. Where one is missing, one line says so before the tests (`say-what-is-missing.ts`), and
 * the others run; in CI it is a failure, because nobody would read the line.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The first is the same engine without a window, which takes less than half of the processor time. */
const chromiumPaths = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export function isRedisAvailable(): boolean {
  return hasRedis() || isMissing(redis);
}

export function isOpensslAvailable(): boolean {
  return hasOpenssl() || isMissing(openssl);
}

export function isPythonAvailable(): boolean {
  return hasPython() || isMissing(python);
}

export function isChromiumAvailable(): boolean {
  return findChromium() !== undefined || isMissing(chromium);
}

export function missingPrograms(): readonly string[] {
  return [
    ...(hasRedis() ? [] : [redis]),
    ...(hasOpenssl() ? [] : [openssl]),
    ...(hasPython() ? [] : [python]),
    ...(findChromium() === undefined ? [chromium] : []),
  ];
}

const redis = "redis-server";
const openssl = "openssl";
const python = "python3";
const chromium = "chromium (or another one: set CHROMIUM_PATH)";

const hasRedis = (): boolean => runs(redis, "--version");
const hasPython = (): boolean => runs(python, "--version");
const hasOpenssl = (): boolean => runs(openssl, "version");

export function findChromium(): string | undefined {
  const chosen = process.env["CHROMIUM_PATH"];
  return [...(chosen === undefined ? [] : [chosen]), ...chromiumPaths].find((path) => existsSync(path));
}

function runs(program: string, argument: string): boolean {
  try {
    execFileSync(program, [argument], { stdio: "ignore" });
    return true;
  } catch {
    return false; // it is not there, or does not start; either way it cannot be tested with
  }
}

function isMissing(program: string): false {
  if (process.env["CI"] !== undefined) throw new Error(`these tests need ${program}, which is not installed`);
  return false;
}

/** The findings as a person reads them: a line for each, and what to do under those that are wrong. Pure. */
import type { Finding } from "./check.ts";

export function toLines(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(({ name, ok, detail, advice, tookMs }) => {
    const line = `${ok ? "ok   " : "WRONG"}  ${name.padEnd(width)}  ${detail} (${tookMs} ms)`;
    return advice === undefined ? line : `${line}\n${" ".repeat(width + 9)}→ ${advice}`;
  });
  const wrong = findings.filter(({ ok }) => !ok).length;
  const verdict = wrong === 0 ? "Every check passed." : `${wrong} of ${findings.length} checks found something wrong.`;
  return [...lines, "", verdict].join("\n");
}

export function toJson(findings: readonly Finding[]): string {
  return JSON.stringify({ ok: findings.every(({ ok }) => ok), checks: findings }, undefined, 2);
}

/** Reads an answer through the gate for the ear, cut into pieces in every way: what passes may not depend on it (EAR-6). */
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import { expect } from "vitest";
import { EarGate } from "../pipeline/ear/ear-gate.ts";
import type { EarGateOptions } from "../pipeline/ear/ear-gate.ts";

export const earTools: readonly ModelTool[] = [
  {
    name: "get_weather",
    description: "",
    parameters: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
  },
  { name: "book_table", description: "", parameters: { type: "object", properties: {} } },
  { name: "get-hours", description: "", parameters: { type: "object", properties: {} } },
];

interface Read {
  /** The text as it came. */
  readonly written: string;
  readonly text: string;
  readonly calls: readonly string[];
  readonly withheld: readonly string[];
}

export function read(pieces: readonly string[], options: Partial<EarGateOptions> = {}, isCut = false): Read {
  const gate = new EarGate({ tools: earTools, ...options });
  const text = [...pieces.map((piece) => gate.push(piece)), gate.end(isCut)].join("");
  return {
    written: text,
    text: text
      .replaceAll(/[ \t]+/g, " ")
      .replaceAll(/\s*\n\s*/g, "\n")
      .trim(),
    calls: gate.calls.map(({ name, argumentsJson }) => `${name} ${argumentsJson}`),
    withheld: gate.withheld.map(({ what }) => what),
  };
}

/** Whole, in single characters, and cut in two at every place. */
export function readEveryWay(text: string, options: Partial<EarGateOptions> = {}, isCut = false): Read {
  const whole = read([text], options, isCut);
  expect(
    read(
      Array.from({ length: text.length }, (_, at) => text.charAt(at)),
      options,
      isCut,
    ),
  ).toEqual(whole);
  for (let at = 1; at < text.length; at++)
    expect(read([text.slice(0, at), text.slice(at)], options, isCut)).toEqual(whole);
  return whole;
}

import { isPlainObject } from "@voice/shared/platform/plain-object";
import { describe, expect, it } from "vitest";
import type { WireObject } from "./wire-object.ts";
import { at, LearntSettings, SettingsNegotiation } from "./session-settings.ts";
import type { SettingsRefusal } from "./session-settings.ts";

const full = {
  instructions: "Be brief.",
  tools: [
    { type: "function", name: "find_order" },
    { type: "function", name: "ünknown" },
  ],
  audio: {
    input: {
      format: "pcm",
      detection: { type: "semantic", threshold: 0.5 },
      transcription: { model: "first", language: "en", phrases: ["Ms Miller"] },
      noise: { type: "near" },
    },
    output: { format: "pcm", voice: "ava", speed: 1.2 },
  },
  temperature: 2,
};
const terms = {
  essential: ["instructions", "tools", "audio.input.format", "audio.output.format"],
  instead: (part: string, value: unknown) => {
    if (part === "audio.input.transcription" && isPlainObject(value) && value["model"] === "first")
      return { model: "second", language: value["language"] };
    if (part === "audio.input.detection" && isPlainObject(value) && value["type"] === "semantic")
      return { type: "server" };
    return undefined;
  },
};

/** A service that refuses what `refuse` says, one thing at a time. */
function negotiate(refuse: (session: WireObject) => SettingsRefusal | undefined, learnt = new LearntSettings(terms)) {
  const negotiation = new SettingsNegotiation(learnt, full);
  for (let sent = 1; sent <= 40; sent++) {
    const refusal = refuse(negotiation.toSend);
    if (refusal === undefined ? negotiation.accepted() : !negotiation.refused(refusal))
      return { session: refusal === undefined ? negotiation.toSend : undefined, sent, learnt, negotiation };
  }
  throw new Error("it never ends");
}

const has = (session: WireObject, path: string): boolean => at(session, path.split(".")) !== undefined;
const parts = ["temperature", "audio.input.noise", "audio.input.detection", "audio.output.speed", "audio.output.voice"];

describe("settings of which a service refuses a part", () => {
  it.each([
    ["by its path", (path: string) => ({ code: "invalid_value", param: `session.${path}` })],
    ["without the word session", (path: string) => ({ code: "invalid_value", param: path })],
    ["within the whole message", (path: string) => ({ code: "bad", param: `body.session.${path}` })],
    ["as a pointer", (path: string) => ({ code: "bad", param: `/session/${path.replaceAll(".", "/")}` })],
    ["with brackets", (path: string) => ({ code: "bad", param: `$.session['${path.split(".").join("']['")}']` })],
    ["in the names of the beta", (path: string) => ({ code: "bad", param: `session.${path.replaceAll(".", "_")}` })],
    [
      "in camel case",
      (path: string) => ({ code: "bad", param: path.replaceAll(/[._](.)/g, (_, next: string) => next.toUpperCase()) }),
    ],
    ["by its last name alone", (path: string) => ({ code: "invalid_value", param: path.split(".").at(-1) })],
    ["in the message alone", (path: string) => ({ code: "bad", message: `Unknown parameter: '${path}'.` })],
    ["in no way", () => ({ code: "bad", message: "Something is wrong with it, Ms Miller." })],
  ])("[RT-1] are accepted without it where the refusal names it %s", (_how, refusalOf) => {
    for (const part of ["temperature", "audio.input.noise", "audio.output.speed"]) {
      const { session, learnt, sent } = negotiate((sentNow) => (has(sentNow, part) ? refusalOf(part) : undefined));
      if (session === undefined) throw new Error("they were not accepted");
      expect(has(session, part)).toBe(false);
      expect(parts.filter((other) => other !== part && !has(session, other))).toEqual([]);
      expect(sent).toBeLessThan(9);
      expect(learnt.notes).toEqual([]); // only who logs a repair notes it
      expect(negotiate((again) => (has(again, part) ? refusalOf(part) : undefined), learnt).sent).toBe(1);
    }
  });

  it("[RT-40] are accepted with another kind where the refusal quotes only the value, and for all agents then", () => {
    const refuse = (session: WireObject) =>
      at(session, ["audio", "input", "transcription", "model"]) === "first"
        ? { code: "invalid_model", message: 'Model "first" is not supported in this mode.' }
        : undefined;
    const { session, sent, learnt } = negotiate(refuse);
    expect(session).toMatchObject({ audio: { input: { transcription: { model: "second" } } } });
    expect(sent).toBe(2);
    const others = { audio: { input: { transcription: { model: "first", language: "fr" } } } };
    expect(learnt.apply(others)).toEqual({ audio: { input: { transcription: { model: "second", language: "fr" } } } });
  });

  it("[RT-1] are accepted without all of several parts, named or not", () => {
    const refused = ["audio.input.noise", "temperature", "audio.output.voice"];
    const { session = {} } = negotiate((sent) =>
      refused.some((part) => has(sent, part)) ? { code: "bad" } : undefined,
    );
    expect(parts.filter((part) => has(session, part))).toEqual(["audio.input.detection", "audio.output.speed"]);
  });

  it("keep one of two parts that exclude each other", () => {
    const { session = {} } = negotiate((sent) =>
      has(sent, "temperature") && has(sent, "audio.output.speed") ? { code: "bad" } : undefined,
    );
    expect(has(session, "temperature")).not.toBe(has(session, "audio.output.speed"));
  });

  it("[RT-1] have another kind in its place where there is one, and nothing after the last", () => {
    const modelOf = (session: WireObject | undefined): unknown => at(session, ["audio", "input", "transcription"]);
    const param = "session.audio.input.transcription.model";
    const refusing =
      (...models: readonly string[]) =>
      (session: WireObject) => {
        const found = modelOf(session);
        const model = isPlainObject(found) ? found["model"] : undefined;
        return typeof model === "string" && models.includes(model) ? { code: "invalid_value", param } : undefined;
      };
    expect(modelOf(negotiate(refusing("first")).session)).toEqual({ model: "second", language: "en" });
    expect(modelOf(negotiate(refusing("first", "second")).session)).toBeUndefined();
    const unnamed = negotiate((session) => refusing("first")(session) && { code: "bad" });
    expect(modelOf(unnamed.session)).toEqual({ model: "second", language: "en" });
    expect(unnamed.negotiation.repairs).toEqual([
      {
        part: "audio.input.transcription",
        how: "replaced",
        note: "audio.input.transcription first was refused (bad) and is replaced by second",
      },
    ]);
  });

  it("lose a tool that is refused, and no other", () => {
    const { session = {} } = negotiate(({ tools }) => {
      const index = Array.isArray(tools)
        ? tools.findIndex((tool) => isPlainObject(tool) && tool["name"] === "ünknown")
        : -1;
      return index === -1 ? undefined : { code: "invalid_value", param: `session.tools[${index}].name` };
    });
    expect(session["tools"]).toEqual([{ type: "function", name: "find_order" }]);
  });

  it("keep for others the value of a part of which another was refused, unless the part is not known at all", () => {
    const refuse = (code: string) => (session: WireObject) =>
      session["temperature"] === 2 ? { code, param: "session.temperature" } : undefined;
    for (const [code, expected] of [
      ["invalid_value", 1],
      ["unknown_parameter", undefined],
    ] as const) {
      const { learnt } = negotiate(refuse(code));
      expect(learnt.apply({ ...full, temperature: 1 })["temperature"]).toBe(expected);
    }
  });

  it("have the refusal forgotten that was not met for the longest, however much is refused", () => {
    const learnt = new LearntSettings(terms);
    const refuse = (session: WireObject, refusal: SettingsRefusal): void => {
      const negotiation = new SettingsNegotiation(learnt, session);
      negotiation.refused(refusal);
      negotiation.accepted();
    };
    const phrases = (of: number) => [String(of).repeat(1_000)];
    refuse({ effort: "low" }, { code: "unknown_parameter", param: "session.effort" });
    for (let list = 0; list < 200; list += 1) {
      refuse({ phrases: phrases(list) }, { code: "invalid_value", param: "session.phrases" });
      learnt.apply({ effort: "low" });
    }
    expect(learnt.apply({ phrases: phrases(0) })).toHaveProperty("phrases");
    expect(learnt.apply({ phrases: phrases(199) })).not.toHaveProperty("phrases");
    expect(learnt.apply({ effort: "low" })).not.toHaveProperty("effort");
  });

  it("are given up where what is essential is refused", () => {
    expect(negotiate(() => ({ code: "bad", param: "session.instructions" })).session).toBeUndefined();
    expect(negotiate(() => ({ code: "bad" })).session).toBeUndefined();
    const { learnt } = negotiate(() => ({ code: "bad", param: "session.temperature" }));
    expect(learnt.apply(full)).toEqual(full);
  });

  it("name no value in what is noted for people but models and kinds", () => {
    const { negotiation } = negotiate((session) =>
      has(session, "audio.input.transcription.phrases")
        ? { code: "invalid_value", param: "session.audio.input.transcription.phrases" }
        : undefined,
    );
    expect(negotiation.repairs.map(({ note }) => note)).toEqual([
      "audio.input.transcription.phrases was refused (invalid_value) and is left out",
    ]);
  });
});

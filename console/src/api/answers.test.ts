import { describe, expect, it } from "vitest";

import { Answers } from "./answers.ts";
import { createHttp } from "./request.ts";

const nobody = { token: async () => undefined, refused: () => undefined };

function rig() {
  const answers = new Answers();
  let answer: () => Promise<Response> = () => Promise.reject(new TypeError("Failed to fetch"));
  const http = createHttp(() => answer(), nobody, answers.came);
  const told: string[] = [];
  const ask = async (name: string): Promise<void> => {
    try {
      await http.send("/agents");
    } catch (error) {
      answers.onceItAnswers(error, () => told.push(name));
    }
  };
  return { ask, told, answerWith: (next: () => Promise<Response>) => (answer = next) };
}

describe("a service that did not answer", () => {
  it("is noticed when it answers again, once, and even if it refuses", async () => {
    const { ask, told, answerWith } = rig();
    await ask("first");
    await ask("second");
    expect(told).toEqual([]);
    answerWith(async () => Response.json({ detail: "Not now." }, { status: 503 }));
    await ask("third");
    expect(told).toEqual(["first", "second"]);
    answerWith(async () => Response.json({}));
    await ask("fourth");
    expect(told).toEqual(["first", "second"]);
  });

  it("is not thought to be back for a request that took too long, which may have been carried out", async () => {
    const { ask, told, answerWith } = rig();
    answerWith(() => Promise.reject(Object.assign(new Error("too long"), { name: "TimeoutError" })));
    await ask("first");
    answerWith(async () => Response.json({}));
    await ask("second");
    expect(told).toEqual([]);
  });
});

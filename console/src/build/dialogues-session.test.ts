import { describe, expect, it } from "vitest";

import { DialoguesSession } from "./dialogues-session.ts";

const passed = { name: "a lost card", passed: true, taken: 4, steps: 4, deviations: [] };
const failed = {
  name: "a stolen card",
  passed: false,
  taken: 1,
  steps: 3,
  deviations: [{ did: "my card was stolen", expected: "block_card", got: "nothing" }],
};

const answering =
  (answer: () => Response): typeof fetch =>
  () =>
    Promise.resolve(answer());

describe("[BUILD-5] the dialogues", () => {
  it("are shown as they were held, wherever the network cuts their lines", async () => {
    const text = [passed, failed].map((one) => `${JSON.stringify(one)}\n`).join("");
    const pieces = [text.slice(0, 10), text.slice(10, 100), text.slice(100)].map((piece) =>
      new TextEncoder().encode(piece),
    );
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(stream) {
        const piece = pieces.shift();
        if (piece === undefined) stream.close();
        else stream.enqueue(piece);
      },
    });
    const session = new DialoguesSession(answering(() => new Response(body)));
    const holding = session.hold("bank");
    expect(session.store.get().kind).toBe("holding");
    await holding;
    expect(session.store.get()).toEqual({ kind: "over", held: [passed, failed], problem: undefined });
  });

  it("[PUBLISH-21] are held with two published versions, and each result says with which", async () => {
    const asked: string[] = [];
    const lines = [
      { ...passed, version: 2 },
      { ...passed, version: 3, passed: false },
    ];
    const session = new DialoguesSession((url) => {
      if (typeof url === "string") asked.push(url);
      return Promise.resolve(new Response(lines.map((one) => `${JSON.stringify(one)}\n`).join("")));
    });
    await session.hold("bank", [2, 3]);
    expect(asked).toEqual(["/dialogues?scenario=bank&versions=2%2C3"]);
    expect(session.store.get().held).toEqual(lines);
  });

  it("are absent where nobody serves them, and that is said", async () => {
    const session = new DialoguesSession(answering(() => new Response(undefined, { status: 404 })));
    await session.hold("bank");
    expect(session.store.get().problem).toContain("npm run dialogues");
  });

  it("are not guessed at when something else answers", async () => {
    const session = new DialoguesSession(answering(() => new Response("<!doctype html>\n<p>Sign in</p>\n")));
    await session.hold("bank");
    expect(session.store.get()).toMatchObject({ kind: "over", problem: expect.stringContaining("Reload the page") });
  });

  it("say why they cannot be held now", async () => {
    const busy = () => Response.json({ detail: "Wait until they are over." }, { status: 409 });
    const session = new DialoguesSession(answering(busy));
    await session.hold("bank");
    expect(session.store.get()).toMatchObject({ kind: "over", problem: "Wait until they are over." });
    session.forget();
    expect(session.store.get().kind).toBe("none");
  });
});

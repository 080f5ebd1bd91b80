import { describe, expect, it } from "vitest";
import { ConversationDirectory } from "./directory.ts";
import type { HeldSession } from "./directory.ts";

/** A session that takes as long to close as the test says. */
class FakeSession implements HeldSession {
  readonly conversation: { readonly sessionId: string };
  readonly #end = Promise.withResolvers<string>();
  readonly ended = this.#end.promise;
  readonly closedWith: string[] = [];
  closing = Promise.resolve();

  constructor(sessionId: string) {
    this.conversation = { sessionId };
  }

  async close(reason: string): Promise<void> {
    this.closedWith.push(reason);
    await this.closing;
    this.#end.resolve(reason);
  }
}

const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe("the directory of sessions on this host", () => {
  it("[HS-9] gives a session to the newer socket once the older one has let go of it", async () => {
    const directory = new ConversationDirectory<FakeSession>();
    const older = await directory.claim("session-1", async () => new FakeSession("session-1"));
    const letsGo = Promise.withResolvers<void>();
    older.closing = letsGo.promise;
    let isOpened = false;
    const claim = directory.claim("session-1", async () => {
      isOpened = true;
      return new FakeSession("session-1");
    });
    await settle();
    expect(older.closedWith).toEqual(["replaced"]);
    expect(isOpened).toBe(false); // its last words are still being stored
    letsGo.resolve();
    expect((await claim).closedWith).toEqual([]);
  });

  it("[HS-9] lets sockets that ask at the same time take turns, in the order in which they asked", async () => {
    const directory = new ConversationDirectory<FakeSession>();
    const opened: string[] = [];
    const open = (name: string) => async () => {
      opened.push(`${name} begins`);
      await settle();
      opened.push(`${name} is open`);
      return new FakeSession("session-1");
    };
    const sessions = await Promise.all(["a", "b", "c"].map((name) => directory.claim("session-1", open(name))));
    expect(opened).toEqual(["a begins", "a is open", "b begins", "b is open", "c begins", "c is open"]);
    expect(sessions.map(({ closedWith }) => closedWith)).toEqual([["replaced"], ["replaced"], []]);
  });

  it("leaves the sessions of others alone", async () => {
    const directory = new ConversationDirectory<FakeSession>();
    const other = await directory.claim("session-1", async () => new FakeSession("session-1"));
    await directory.claim("session-2", async () => new FakeSession("session-2"));
    await directory.claim(undefined, async () => new FakeSession("session-3"));
    expect(other.closedWith).toEqual([]);
  });

  it("knows a session that had no id when it was asked for", async () => {
    const directory = new ConversationDirectory<FakeSession>();
    const first = await directory.claim(undefined, async () => new FakeSession("session-new"));
    await directory.claim("session-new", async () => new FakeSession("session-new"));
    expect(first.closedWith).toEqual(["replaced"]);
  });

  it("opens a session for the next socket when it could not be opened for the one before", async () => {
    const directory = new ConversationDirectory<FakeSession>();
    const failing = directory.claim("session-1", async () => {
      throw new Error("the store is away");
    });
    const next = directory.claim("session-1", async () => new FakeSession("session-1"));
    await expect(failing).rejects.toThrow("the store is away");
    expect((await next).closedWith).toEqual([]);
  });

  it("forgets a session that has ended", async () => {
    const directory = new ConversationDirectory<FakeSession>();
    const over = await directory.claim("session-1", async () => new FakeSession("session-1"));
    await over.close("finished");
    await settle();
    await directory.claim("session-1", async () => new FakeSession("session-1"));
    expect(over.closedWith).toEqual(["finished"]);
  });
});

import { expect, it } from "vitest";
import { loadSettings } from "../config/load.ts";
import { silentLogger } from "../platform/logger.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createState } from "./create-state.ts";
import { newSession } from "./ports/session-store.contract.ts";

const docstore = {
  CLOUD_DOCSTORE_ENDPOINT: "https://voice.documents.azure.com/",
  CLOUD_DOCSTORE_DATABASE: "voice",
};

it.each([
  ["is put in the queue of the archive, where the settings name one", docstore, ["session-1"]],
  ["is put nowhere where they name none", {}, []],
])("the end of a conversation %s", async (_, environment, expected) => {
  const clock = new VirtualClock();
  const identity = { getToken: () => Promise.reject(new Error("nobody asks for a token here")) };
  const state = await createState(loadSettings(environment), { clock, logger: silentLogger, identity });
  const { sessionId, version } = await state.sessions.create({ ...newSession("session-1", 0), status: "active" });
  await state.sessions.update(sessionId, version, { status: "ended" });
  clock.advance(5000);
  const taken = await state.toArchive.take(10, 60_000);
  expect(taken.map((delivery) => delivery.sessionId)).toEqual(expected);
  await state.close();
});

import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { useLevels, useVoiceAgent } from "./use-voice-agent.ts";

it("draws what a component says of a conversation, also on a server, where there is none yet", () => {
  function Agent() {
    const { client, connection, microphone, transcript } = useVoiceAgent({ service: "https://voice.example" });
    const levels = useLevels(client);
    return createElement("p", null, [connection.kind, microphone, transcript.length, levels.agent].join(" "));
  }
  expect(renderToString(createElement(Agent))).toBe("<p>idle off 0 0</p>");
});

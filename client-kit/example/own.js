import { VoiceAgent } from "http://localhost:8080/voice-agent.js";

const agent = new VoiceAgent({ service: "http://localhost:8080" });
const find = (id) => document.getElementById(id);

agent.state.subscribe(() => {
  const { connection, agentState, microphone, transcript, problem } = agent.state.get();
  find("status").textContent = problem ?? agentState ?? connection.kind;
  find("talk").textContent = microphone === "on" ? "Mute" : "Talk";
  find("transcript").replaceChildren(
    ...transcript.map(({ speaker, text }) =>
      Object.assign(document.createElement("li"), { textContent: `${speaker}: ${text}` }),
    ),
  );
});
// Whatever the service sends has its type: docs/clients.md.
agent.on("event", (event) => {
  if (event.name === "tool_call") console.log(event.tool, event.args, event.result);
});

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  agent.sendText(find("message").value);
  find("message").value = "";
});
find("talk").addEventListener("click", () => (agent.state.get().microphone === "on" ? agent.mute() : agent.talk()));
find("end").addEventListener("click", () => agent.end());

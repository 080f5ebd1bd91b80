import { describe, expect, it } from "vitest";
import { readEveryWay } from "../../testing/read-every-way.ts";

const answer = "Your order is on its way.";

describe("[EAR-20] labels at the beginning of a line", () => {
  const args = '{"city": "Paris"}';
  const city = 'get_weather {"city":"Paris"}';
  it.each([
    [`Thought: I look.\nAction: get_weather\nAction Input: ${args}`, "", city],
    [
      `Thought: I look.\nAction: get_weather\nAction Input: ${args}\nObservation: sunny\nFinal Answer: Sunny.`,
      "",
      city,
    ],
    [`**Thought:** I look.\n**Action:** get_weather\n**Action Input:** ${args}`, "", city],
    ['Thought: I look.\nAction: get_weather(city="Paris")', "", city],
    [`Action:\n\`\`\`json\n{"action": "get_weather", "action_input": ${args}}\n\`\`\``, "", city],
    ["Action: book_table\nAction Input: None", "", "book_table {}"],
    [`Action: launch_rocket\nAction Input: ${args}`, "", ""],
    [`✿FUNCTION✿: get_weather\n✿ARGS✿: ${args}\n✿RESULT✿: sunny\n✿RETURN✿: Sunny.`, "", city],
    [`✿FUNCTION✿: get_weather\n✿ARGS✿: ${args}\n✿RESULT✿`, "", city],
    [`✿RETURN✿: ${answer}`, answer, ""],
    [`Tool call: get_weather\nArguments: ${args}`, "", city],
    [`Function call: get_weather(${args})`, "", city],
    [`tool_calls: [{"name": "get_weather", "arguments": ${args}}]`, "", city],
    [`Thought: I now know the final answer.\nFinal Answer: ${answer}`, answer, ""],
    [`**Thinking:** I look.\n\n**Answer:** ${answer}`, answer, ""],
    [`**Reasoning**\nI look.\n\n**Response**\n${answer}`, answer, ""],
    [`### Thinking\nI look.\n### Response\n${answer}`, answer, ""],
    [`Reasoning: I look.\n\n${answer}`, answer, ""],
    ["Thought: I look.", "", ""],
    [`Thinking...\nI look.\n...done thinking.\n\n${answer}`, answer, ""],
    [`Assistant: ${answer}`, answer, ""],
    [`assistant\n\n${answer}`, answer, ""],
    [`assistantfinal${answer}`, answer, ""],
    [`${answer}\n\nUser: And on Sunday?\nAssistant: Closed.`, answer, ""],
  ])("say what follows: %j", (written, spoken, calls) => {
    const found = readEveryWay(written);
    expect([found.text, found.calls.join("|")]).toEqual([spoken, calls]);
  });

  it.each([
    "Action: we send somebody.",
    "Tool: a hammer.",
    "Function: it heats the water.",
    "Observation: it is cold.",
    "We have two.\nResult: five to three.",
    "Your name:\nAda",
    "Thinking of you.",
    "Assistants are here.\nFinally, we close.",
    "finally we close",
  ])("are words where they are none: %j", (text) => {
    expect(readEveryWay(text)).toMatchObject({ text, calls: [], withheld: [] });
  });
});

describe("[EAR-21] escaped marks", () => {
  it.each([
    [`&lt;think&gt;hm&lt;/think&gt;${answer}`, answer, ""],
    [`\\u003cthink\\u003ehm\\u003c/think\\u003e${answer}`, answer, ""],
    [`&#60;think&#x3e;hm&#x3c;/think&#62;${answer}`, answer, ""],
    ['&lt;tool_call&gt;{"name": "get_weather", "arguments": {}}&lt;/tool_call&gt;', "", "get_weather {}"],
    [
      "&lt;tool_call&gt;{&quot;name&quot;: &quot;get_weather&quot;, &quot;arguments&quot;: {}}&lt;/tool_call&gt;",
      "",
      "get_weather {}",
    ],
    ["5 &lt; 6 &amp; R&D &l", "5 < 6 &amp; R&D &l", ""],
  ])("are marks: %j", (written, spoken, calls) => {
    const found = readEveryWay(written);
    expect([found.text, found.calls.join("|")]).toEqual([spoken, calls]);
  });
});

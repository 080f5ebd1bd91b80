/** Agents of the largest permitted size, and conversations with them in the words that take the longest to compare. */
import { connectBrowser } from "../support/browser-client.ts";
import { eventually } from "../support/wait.ts";
import { largestRules, textsForLargestRules } from "./corpus.ts";
import type { Figures } from "./figures.ts";
import type { Target } from "./target.ts";

export async function attackWithAgents(target: Target, figures: Figures, count: number): Promise<void> {
  for (const [at, rules] of largestRules.slice(0, count).entries()) {
    const session = `large-agent-${figures.inputs}-${at}`;
    figures.inputs += 1;
    const answer = await fetch(`${target.url}/api/v1/agents?session_id=${session}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Large", prompt: "You are large.", greeting: "Yes?", rules }),
    });
    const refusal = await answer.text();
    if (!answer.ok) figures.unforeseen.push(`an agent within the limits was refused: ${refusal.slice(0, 200)}`);
    const browser = await connectBrowser(`${target.socketUrl}/api/v1/browser/conversation?session_id=${session}`);
    for (const text of textsForLargestRules) {
      figures.inputs += 1;
      const answers = browser.of("response").length;
      browser.send({ type: "text", text });
      await eventually(() => browser.of("response").length > answers, "the large agent answers");
    }
    await browser.close();
  }
}

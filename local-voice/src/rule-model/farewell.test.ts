/** Which words end a call with the built-in agents, and which only sound like a goodbye. */
import { describe, expect, it } from "vitest";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { catalogLanguage } from "../rules/catalog-language.ts";
import { rulesOf } from "../rules/rule-set.ts";
import { agent, talkTo, user } from "./rule-conversation.ts";

const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] }, { language: catalogLanguage });
const agents = [...catalog.agents.values()].filter(({ tools }) => tools.includes("end_call"));

/** The agents who hang up when the caller says this after an answer. */
async function whoHangsUp(said: string): Promise<readonly string[]> {
  const heard = await Promise.all(
    agents.map(async (found) => {
      const conversation = talkTo(rulesOf(found), { tools: ["end_call"] });
      const words = [agent("I have written that down. Is there anything else?"), user(said)];
      return { name: found.name, answer: await conversation.answer(...words) };
    }),
  );
  return heard.flatMap(({ name, answer }) => (answer.includes("[end_call") ? [name] : []));
}

describe("a goodbye", () => {
  it.each([
    "no thank you that is all i had on me",
    "that's all i have on me",
    "that is all i have with me",
    "that's all i can pay",
    "no thank you that is all i can pay right now",
    "no thank you that was all i could get",
    "that is all the cash i had on me",
    "that is all i know",
    "that's all i know about it",
    "that is all i remember",
    "that is all i can tell you",
    "that is all they told me",
    "that's all that is written on the card",
    "that is all of it",
    "that is everything i own",
    "that's all i wanted to pay",
    "that is all very confusing",
    "nothing else happened",
    "nothing else was stolen",
    "there is nothing else on the card",
    "i have nothing else on me",
    "i am done with this bank",
    "i am done waiting",
    "i gave you the wrong number",
    "no that is the wrong number",
    "i have the wrong number on my card",
    "no thank you i want my money back",
    "no thank you what about my savings",
    "goodbye to that account",
    "did you hang up",
    "thanks for nothing",
  ])("is not meant by: %s", async (said) => {
    expect(await whoHangsUp(said)).toEqual([]);
  });

  it.each([
    "goodbye",
    "okay bye",
    "bye bye",
    "no",
    "nope",
    "nah",
    "no thanks",
    "that's all",
    "no that's all",
    "no thanks that's all",
    "no thank you that is all for today",
    "that is all i need",
    "that is all i wanted",
    "that's all i needed thank you",
    "no that was all i wanted to know",
    "that's all i had to ask",
    "that will be all for today thank you",
    "that's it thank you",
    "that was all thank you",
    "no that is everything thank you",
    "no i have everything i need",
    "no i do not need anything else",
    "nothing more thank you",
    "nothing else for now",
    "i am done for today",
    "i'm good thank you",
    "no i'm all set thank you",
    "i have no more questions thank you",
    "i think that is all",
    "well that answers my question goodbye",
    "have a nice day",
    "thank you very much for your help have a great day goodbye",
    "see you later",
    "sorry i have the wrong number",
    "i dialed the wrong number",
  ])("is meant by: %s", async (said) => {
    expect(await whoHangsUp(said)).toEqual(agents.map(({ name }) => name));
  });
});

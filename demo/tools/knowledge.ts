import { z } from "zod";
import { defineTool, failed } from "@voice/tool-kit";

const articles = [
  {
    topic: "hours",
    words: "hours open close opening branch today weekend saturday sunday",
    answer:
      "Branches are open from nine to five, Monday to Friday, and from ten to two on Saturday. This line is always open.",
  },
  {
    topic: "fees",
    words: "fee fees charge overdraft monthly cost",
    answer:
      "There is no monthly fee when you keep five hundred dollars in checking. An overdraft costs thirty five dollars.",
  },
  {
    topic: "transfers",
    words: "wire transfer transfers send money abroad international domestic",
    answer:
      "A wire inside the country costs twenty five dollars and arrives the same day. Abroad it costs forty five dollars and takes two days.",
  },
  {
    topic: "rates",
    words: "interest rate rates savings loan mortgage",
    answer: "Savings earn four percent a year at the moment.",
  },
  {
    topic: "deposit",
    words: "deposit check mobile phone cash",
    answer: "You can deposit a check with the camera of your phone. It is there the next business day.",
  },
  {
    topic: "travel",
    words: "travel abroad trip foreign country vacation notice",
    answer: "Tell us before you travel, and your cards will work abroad. There is no foreign fee on the travel card.",
  },
  {
    topic: "claims",
    words: "claim long process paid deductible adjuster repair shop",
    answer: "An adjuster calls within one business day. Most claims are paid within two weeks.",
  },
  {
    topic: "roadside",
    words: "roadside towing tow flat tire battery stuck",
    answer: "Roadside help is part of your auto policy. A truck is usually there within an hour.",
  },
] as const;
/** At least this many words of the question must be among the article's words. */
const minimumHits = 1;

export const searchKnowledge = defineTool({
  name: "search_knowledge",
  description: "General questions about hours, fees, rates, transfers, deposits, travel, claims and roadside help.",
  parameters: z.object({ question: z.string().min(1) }),
  slowNotice: "Let me look that up.",
  run: ({ question }) => {
    const asked = new Set(question.toLowerCase().match(/[a-z]+/g));
    const ranked = articles
      .map((article) => ({ article, hits: article.words.split(" ").filter((word) => asked.has(word)).length }))
      .toSorted((left, right) => right.hits - left.hits);
    const best = ranked[0];
    if (best === undefined || best.hits < minimumHits) return failed("nothing_found", "I have no answer to that.");
    return { topic: best.article.topic, answer: best.article.answer };
  },
});

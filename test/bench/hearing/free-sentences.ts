/**
 * What callers mean and no agent has as an example: wishes in other words, two sets of thirty to different agents. The failures of the first
 * have been read; the second was written before anything was tried because of them, and only its counts have been looked at.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { WishSentence } from "./sentences.ts";

export const freeSets = ["free", "free-held-out"] as const;
type FreeSet = (typeof freeSets)[number];
type SentencesOfAgents = Readonly<Record<string, readonly (readonly [intent: string, text: string])[]>>;

const free: SentencesOfAgents = {
  "banking-concierge": [
    ["check_balance", "could you tell me how much there is left on my checking account"],
    ["check_balance", "I just want to know whether I still have money in my savings"],
    ["recent_transactions", "what did I spend money on during the last few days"],
    ["recent_transactions", "can you read me the latest payments on my account"],
    ["refund_fee", "you charged me an overdraft fee and I would like it back"],
    ["move_money", "please put two hundred dollars from checking into my savings"],
    ["mortgage", "my wife and I are thinking about buying a house"],
    ["investment_help", "I have some money left over and would like to put it into stocks"],
    ["close_account", "I do not need this account any more so please shut it down"],
    ["card_help", "I think I dropped my debit card somewhere in town"],
    ["fraud_help", "there is a payment on my statement that is not mine"],
    ["fees_question", "what does it cost me to have an account with you"],
  ],
  "card-specialist": [
    ["block_card", "somebody took my credit card out of my bag this morning"],
    ["block_card", "my debit card is gone and I want nobody to use it"],
    ["replace_card", "could you mail me another card because mine is broken"],
    ["card_details", "how much can I still spend with my credit card"],
    ["card_offer", "which of your cards would suit somebody who travels a lot"],
    ["card_apply", "that one sounds good so sign me up for it please"],
    ["fraud", "somebody used my card to buy something I never ordered"],
  ],
  "insurance-desk": [
    ["new_claim", "another driver hit my car in a parking lot yesterday"],
    ["new_claim", "a pipe burst and there is water all over my kitchen"],
    ["policy_question", "I would like to know what exactly my insurance pays for"],
    ["roadside", "my engine died and I am stuck on the highway"],
    ["emergency", "my husband is bleeding and we need an ambulance"],
    ["cancel_policy", "I found something cheaper and want to leave your company"],
  ],
  "policy-advisor": [
    ["list_policies", "can you tell me which contracts I have with you"],
    ["policy_details", "how much do I have to pay myself if something happens to my car"],
    ["coverage", "would you pay if a storm damaged my roof"],
    ["claim_status", "I reported a damage weeks ago and have not heard anything since"],
    ["claim_note", "there is one more thing that belongs in my report"],
  ],
};

const freeHeldOut: SentencesOfAgents = {
  "front-desk": [
    ["check_balance", "I need to know what I have left to spend in my checking"],
    ["check_balance", "is there still enough money in there to pay my rent"],
    ["opening_hours", "can I come by on saturday morning or are you closed then"],
    ["opening_hours", "until when can I visit you this evening"],
    ["card_help", "I cannot find my credit card anywhere in the house"],
    ["card_help", "the machine swallowed my card and did not give it back"],
    ["move_money", "could you send some money over to my sister for me"],
    ["colleague", "I would like to become a customer and get a checking account"],
    ["colleague", "money was taken from my account and I have no idea by whom"],
    ["complain", "the way I was treated yesterday was terrible and I want somebody to hear about it"],
    ["call_me_back", "I have no time right now so could you ring me tomorrow"],
    ["talk_to_person", "is there somebody real there I could speak to"],
  ],
  "fraud-specialist": [
    ["suspicious_activity", "I think that somebody got into my account"],
    ["suspicious_activity", "there are purchases on my card that I know nothing about"],
    ["suspicious_activity", "could you look whether anything odd has happened on my account"],
    ["dispute", "that purchase is not mine and I want my money back"],
    ["block_card", "please make sure that nobody can use my card any more"],
    ["block_card", "my purse was taken on the bus with all my cards in it"],
    ["open_case", "I want you to investigate this properly"],
    ["other_business", "I also wanted to ask how much money is in my account"],
  ],
  "claims-intake": [
    ["report_claim", "I backed into a fence with my car this morning"],
    ["report_claim", "burglars got into my house last night and took the television"],
    ["report_claim", "the storm has torn half of the roof off my house"],
    ["somebody_hurt", "my passenger hit her head and needs a doctor right away"],
    ["claim_number", "under which number did you write down my claim"],
    ["policy_question", "before that I want to know whether my policy pays for such a thing"],
  ],
  "investment-advisor": [
    ["retirement_accounts", "how much have I put aside for when I retire"],
    ["rollover", "I work for another company now and my old plan is still with the last one"],
    ["withdrawal_tax", "how much would the government take if I got ten thousand dollars out"],
    ["routing_number", "my employer wants to know where to send my salary"],
  ],
};

export function freeSentences({ agents }: Catalog, set: FreeSet): readonly WishSentence[] {
  return Object.entries(set === "free" ? free : freeHeldOut).flatMap(([name, sentences]) => {
    const agent = agents.get(name);
    if (agent === undefined) throw new Error(`no agent is called ${name}`);
    return sentences.map(([intent, text]) => ({ agent, intent, text }));
  });
}

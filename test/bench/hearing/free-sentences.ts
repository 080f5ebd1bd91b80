/** What callers mean and no agent has as an example: thirty wishes in other words. They are held out; nothing is chosen by them. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { WishSentence } from "./sentences.ts";

const free: Readonly<Record<string, readonly (readonly [intent: string, text: string])[]>> = {
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

export function freeSentences({ agents }: Catalog): readonly WishSentence[] {
  return Object.entries(free).flatMap(([name, sentences]) => {
    const agent = agents.get(name);
    if (agent === undefined) throw new Error(`no agent is called ${name}`);
    return sentences.map(([intent, text]) => ({ agent, intent, text }));
  });
}

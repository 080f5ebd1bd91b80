import { expect, it } from "vitest";
import { readTwiml } from "./read-twiml.ts";

const dial = (headers: string): string =>
  `<Response><Dial><Sip>sip:desk@pbx.example?${headers}</Sip></Dial></Response>`;

it("dials no SIP address whose headers have 1,024 characters together, as Twilio does not", () => {
  expect(readTwiml(dial(`X-Reason=${"a".repeat(1014)}`))).toHaveLength(1);
  expect(() => readTwiml(dial(`X-Reason=${"a".repeat(1015)}`))).toThrow("21227");
});

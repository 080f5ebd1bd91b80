/** What the settings of the number and of Twilio take, and what they refuse. */
import { httpsUrl, onOff } from "./setting-values.ts";

export const telephoneRows = [
  {
    name: "COMM_PHONE_NUMBER",
    key: "commPhoneNumber",
    good: [["+14255550100", "+14255550100"]],
    bad: ["14255550100", "+04255550100", "+1", "+1425555010012345678"],
  },
  {
    name: "TWILIO_ACCOUNT_SID",
    key: "twilioAccountSid",
    good: [[`AC${"0a".repeat(16)}`, `AC${"0a".repeat(16)}`]],
    bad: ["AC", "0a".repeat(17), `SK${"0a".repeat(16)}`],
  },
  {
    name: "TWILIO_AUTH_TOKEN",
    key: "twilioAuthTokens",
    good: [["one,two", ["one", "two"]]],
    bad: ["one,two,three"],
  },
  { name: "TWILIO_API_URL", key: "twilioApiUrl", without: "https://api.twilio.com", ...httpsUrl },
  { name: "TWILIO_MACHINE_DETECTION", key: "twilioMachineDetection", ...onOff, without: true },
] as const;

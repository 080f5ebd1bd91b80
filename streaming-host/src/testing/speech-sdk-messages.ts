/** How many messages the Speech SDK tries to send, those for a socket that is closing among them: no service sees those. */
import { WebsocketMessageAdapter } from "microsoft-cognitiveservices-speech-sdk/distrib/lib/src/common.browser/WebsocketMessageAdapter.js";
import { vi } from "vitest";

export interface SpeechSdkMessages {
  tried(): number;
  stopCounting(): void;
}

export function countSpeechSdkMessages(): SpeechSdkMessages {
  const sending = vi.spyOn(WebsocketMessageAdapter.prototype, "sendRawMessage");
  return { tried: () => sending.mock.calls.length, stopCounting: () => sending.mockRestore() };
}

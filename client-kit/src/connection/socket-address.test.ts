import { describe, expect, it } from "vitest";

import { createSocketAddress } from "./socket-address.ts";
import type { TicketRequest } from "./socket-address.ts";

function rig(needsTicket: boolean) {
  const asked: TicketRequest[] = [];
  const requestTicket = async (request: TicketRequest) => {
    asked.push(request);
    return {
      websocket_url: "wss://media.example/api/v1/realtime/conversation?ticket=t&session_id=s-1",
      ticket: "t",
      access_expires_in: 600,
    };
  };
  const service = "https://voice.example/?x=1#talk";
  return {
    asked,
    address: createSocketAddress(() => (needsTicket ? requestTicket : undefined), service),
  };
}

describe("the address of a socket", () => {
  it("is the page's own origin where nobody has to say who they are", () => {
    const { address } = rig(false);
    expect(address("converse", { scenario: "bank", session_id: undefined })).toBe(
      "wss://voice.example/api/v1/browser/conversation?scenario=bank",
    );
    expect(address("watch", { session_id: "s-1" })).toBe(
      "wss://voice.example/api/v1/browser/dashboard/relay?session_id=s-1",
    );
  });

  it("comes with a ticket for this session and purpose elsewhere, and keeps what was asked for", async () => {
    const { address, asked } = rig(true);
    expect(await address("converse", { scenario: "bank", session_id: "s-1" })).toEqual({
      url: "wss://media.example/api/v1/realtime/conversation?ticket=t&session_id=s-1&scenario=bank",
      ticket: "t",
      endsInMs: 600_000,
    });
    expect(asked).toEqual([{ purpose: "converse", session_id: "s-1" }]);
  });
});

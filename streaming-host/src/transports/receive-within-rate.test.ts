import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { FakeSocket } from "../testing/fake-socket.ts";
import { receiveWithinRate } from "./receive-within-rate.ts";

function listening() {
  const socket = new FakeSocket();
  const received: string[] = [];
  receiveWithinRate(
    socket,
    new VirtualClock(),
    (text) => received.push(text),
    (bytes) => received.push(`${bytes.length} bytes`),
  );
  return { socket, received };
}

describe("a socket whose peer mostly listens", () => {
  it("has texts and bytes passed on apart", () => {
    const { socket, received } = listening();
    socket.deliver(Uint8Array.of(1, 2));
    socket.deliver("renewal");
    expect(received).toEqual(["2 bytes", "renewal"]);
    expect(socket.closedWith).toBeUndefined();
  });

  it("[FR-4] is closed where it sends too fast, and not read any more", () => {
    const { socket, received } = listening();
    const isOpen = (): boolean => socket.closedWith === undefined;
    for (let sent = 0; sent < 100_000 && isOpen(); sent += 1) socket.deliver("again");
    expect(socket.closedWith).toBe(1008);
    const before = received.length;
    socket.deliver("once more");
    expect(received).toHaveLength(before);
  });
});

/** The phones in browsers, all with one number: the page that was used last rings. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { BrowserPhone } from "./browser-phone.ts";
import type { Dialled } from "./browser-phone.ts";
import type { Handset } from "./handset.ts";
import { phoneNumbers, specialPhones } from "./phone-book.ts";

const browserPhonePath = "/phone/browser";

export interface BrowserPhones {
  /** False for a connection that is not for phones. */
  handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean;
  /** Undefined while nobody has the page open. */
  latest(): Handset | undefined;
  close(): void;
}

export function createBrowserPhones(
  dial: (from: string, to: string, phone: Handset) => Promise<Dialled>,
): BrowserPhones {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 64 * 1024 });
  const phones: BrowserPhone[] = [];
  const { browser: own, service } = phoneNumbers;
  return {
    handleUpgrade(request, stream, head) {
      if (new URL(request.url ?? "/", "http://phone").pathname !== browserPhonePath) return false;
      server.handleUpgrade(request, stream, head, (socket) => {
        socket.on("error", () => socket.terminate());
        const remove = (): unknown => phones.splice(phones.indexOf(phone), 1);
        const phone = new BrowserPhone(
          socket,
          (handset) => dial(own, service, handset),
          () => {
            remove();
            phones.push(phone);
          },
        );
        phones.push(phone);
        socket.on("close", remove);
        phone.tell({ kind: "at-home", own, phones: specialPhones });
      });
      return true;
    },
    latest: () => phones.at(-1),
    close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

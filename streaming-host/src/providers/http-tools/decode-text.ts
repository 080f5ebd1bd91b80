/** Decodes a response's body in the character set that its headers name. Pure. */
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "./read-answer.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export function decodeText(bytes: Uint8Array, headers: Headers): Pick<HttpAnswer, "body" | "unread"> {
  const encoding = one(headers["content-encoding"]).trim().toLowerCase();
  // The request accepts no compression, so a service that compresses has not read it.
  if (encoding !== "" && encoding !== "identity" && bytes.length > 0)
    return { body: "", unread: `is compressed (${encoding})` };
  const charset = markedCharset(bytes) ?? namedCharset(one(headers["content-type"]));
  try {
    // Without a charset it is UTF-8 (RFC 8259) if it is valid UTF-8, and otherwise the encoding of older Western services.
    return { body: new TextDecoder(charset ?? (isUtf8(bytes) ? "utf-8" : "windows-1252")).decode(bytes) };
  } catch (error) {
    if (error instanceof RangeError) return { body: "", unread: "is in an unknown character set" };
    throw error;
  }
}

/** The byte order mark, which some services put before their JSON, takes precedence over the header (WHATWG Encoding, 6.1). */
function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

function namedCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
}

function one(header: string | readonly string[] | undefined): string {
  return typeof header === "string" ? header : (header?.[0] ?? "");
}

import { describe, expect, it } from "vitest";
import { decodeText } from "./decode-text.ts";

const json = (charset: string) => ({ "content-type": `application/json; charset=${charset}` });

describe("the text of an answer", () => {
  it.each([
    ["its headers' character set", Buffer.from("Müller", "latin1"), json("iso-8859-1")],
    ["a quoted one", Buffer.from("Müller", "latin1"), json('"ISO-8859-15"')],
    ["two bytes for each character", Buffer.from("Müller", "utf16le"), json("utf-16le")],
    ["UTF-8, where nothing is said", Buffer.from("Müller"), {}],
    ["the bytes of the West, where nothing is said and it is no UTF-8", Buffer.from("Müller", "latin1"), {}],
    ["its byte order mark, whatever is said", Buffer.from("\u{FEFF}Müller"), json("iso-8859-1")],
  ])("[TOOL-5] is read by %s", (_how, bytes, headers) => {
    expect(decodeText(bytes, headers)).toEqual({ body: "Müller" });
  });

  it("[TOOL-5] is not read where it cannot be", () => {
    expect(decodeText(Buffer.from("x"), json("klingon")).unread).toBe("is in an unknown character set");
    expect(decodeText(Buffer.from("x"), { "content-encoding": "gzip" }).unread).toBe("is compressed (gzip)");
  });
});

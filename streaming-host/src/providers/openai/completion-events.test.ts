import { describe, expect, it } from "vitest";
import { endMark, readCompletionEvents } from "./completion-events.ts";

const delta = (content: string): string => JSON.stringify({ choices: [{ delta: { content } }] });

/** `cut`: the bytes come in pieces of this many. */
async function read(text: string, cut = 1_000_000): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let from = 0; from < bytes.length; from += cut) controller.enqueue(bytes.slice(from, from + cut));
      controller.close();
    },
  });
  const values: unknown[] = [];
  for await (const value of readCompletionEvents(new Response(body))) values.push(value === endMark ? "end" : value);
  return values;
}

const one = JSON.parse(delta("Grüße"));

describe("[MODEL-13] [MODEL-41] the events of an answer", () => {
  it.each<[form: string, text: string]>([
    ["as OpenAI sends them", `data: ${delta("Grüße")}\n\ndata: [DONE]\n\n`],
    ["with CR LF and no space", `data:${delta("Grüße")}\r\n\r\ndata:[DONE]\r\n\r\n`],
    ["with CR alone", `data: ${delta("Grüße")}\r\rdata: [DONE]\r\r`],
    [
      "after comments and retry lines",
      `: keep-alive\n\nretry: 10\nid: 1\ndata: ${delta("Grüße")}\n\n: OPENROUTER PROCESSING\n\ndata: [DONE]\n\n`,
    ],
    [
      "between events of the server's own",
      `event: tool.progress\ndata: {"step":1}\n\nevent: ping\ndata: not json\n\ndata: ${delta("Grüße")}\n\ndata: [DONE]\n\n`,
    ],
    ["without the last empty line", `data: ${delta("Grüße")}\n\ndata: [DONE]`],
    ["as one document", delta("Grüße")],
    ["as one document that is laid out in lines", JSON.stringify(one, null, 2)],
    ["as one document with an end mark after it", `${delta("Grüße")}\n\ndata: [DONE]\n\n`],
    ["as a document for each line", `${delta("Grüße")}\n`],
    ["without empty lines between them", `data: ${delta("Grüße")}\ndata: [DONE]\n`],
    ["behind another data: of a relay", `data: data: ${delta("Grüße")}\n\ndata: data: [DONE]\n\n`],
    ["with all of these at once", `data: ping\n\ndata: data: ${delta("Grüße")}\ndata: ping\n\n data: data: [DONE]`],
    ["with a space before each line", ` data: ${delta("Grüße")}\n\n data: [DONE]\n\n`],
    ["after a byte order mark", `\uFEFFdata: ${delta("Grüße")}\n\ndata: [DONE]\n\n`],
    ["with another end mark", `data: ${delta("Grüße")}\n\ndata: "[done]"\n\n`],
    ["in a list", `[${delta("Grüße")}]`],
    ["named messages", `event: message\ndata: ${delta("Grüße")}\n\ndata: [DONE]\n\n`],
  ])("are the same %s, however they are cut", async (_form, text) => {
    for (const cut of [1, 2, 7, 1_000])
      expect(
        (await read(text, cut)).filter((value, place, all) => value !== "end" || all.indexOf(value) === place),
      ).toEqual([one, "end"]);
  });

  it.each(["ping", ": keep-alive", "", "{}", '{"type":"ping"}', "null"])(
    "go on after a sign of life that is no chunk: %j",
    async (sign) => {
      const values = await read(`data: ${sign}\n\ndata: ${delta("Grüße")}\n\ndata: ${sign}\n\ndata: [DONE]\n\n`);
      expect(values.filter((value) => value === "end" || JSON.stringify(value).includes("choices"))).toEqual([
        one,
        "end",
      ]);
    },
  );

  it("are read one by one where a relay has put several behind each other", async () => {
    expect(await read(`data: ${delta("Grüße")}${delta("Grüße")}\n\ndata: [DONE]\n\n`)).toEqual([one, one, "end"]);
  });

  it.each(["null", '""', "{}", "false"])("are no error where their error is %s", async (error) => {
    const [value] = await read(`data: {"error":${error},${delta("Grüße").slice(1)}\n\ndata: [DONE]\n\n`);
    expect(value).toMatchObject(one);
  });

  it.each(["<!DOCTYPE html>\n<html><p>Sign in, ada@example.com", "\n<html>502"])(
    "[MODEL-42] are no web page, which says that its address or something in between is the cause: %j",
    async (page) => {
      const reason = expect.stringMatching(/answered with a web page: its address is wrong, or .* sign-in$/);
      await expect(read(page)).rejects.toMatchObject({ code: "upstream_unavailable", reason });
    },
  );

  it("have no end where the server did not say so", async () => {
    expect(await read(`data: ${delta("Grüße")}\n\n`)).toEqual([one]);
  });

  it.each([
    `data: ${delta("Grüße")}\n\ndata: {"error":{"message":"overloaded","code":503}}\n\n`,
    `data: ${delta("Grüße")}\n\nevent: error\ndata: {"message":"overloaded"}\n\n`,
    `data: ${delta("Grüße")}\n\ndata: {"error":"overloaded","choices":[]}\n\n`,
    '{"error":{"message":"overloaded"}}',
    "data: <html>\n\n",
    'data: {"object":"error","message":"overloaded","code":400}\n\n',
    '{"detail":"overloaded"}',
    '{"message":"overloaded","code":"1234"}',
    '[{"error":{"message":"overloaded"}}]',
    "event: error\ndata: overloaded\n\n",
  ])("end with the server's error: %s", async (text) => {
    await expect(read(text)).rejects.toThrow(/overloaded|not JSON/);
  });
});

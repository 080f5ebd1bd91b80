/** Compresses an answer for clients that take it compressed. The documents of the API become a tenth of their size. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Reply } from "./route.ts";

/** A smaller one fits into one packet anyway. */
const worthwhileCharacters = 1400;
/** Above this, brotli takes several times as long for a few percent. */
const brotliQuality = 5;

const codings = {
  br: (text: string) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (text: string) => promisify(gzip)(text),
};

export async function compress(reply: Reply, accepted: string | undefined): Promise<Reply> {
  const text = reply.body === undefined ? reply.text : JSON.stringify(reply.body);
  if (text === undefined || text.length < worthwhileCharacters) return reply;
  const { body, text: _text, ...rest } = reply;
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...type, ...reply.headers, vary: "Accept-Encoding" };
  const coding = preferredCoding(accepted ?? "");
  if (coding === undefined) return { ...reply, headers };
  return { ...rest, headers: { ...headers, "content-encoding": coding }, bytes: await codings[coding](text) };
}

/** RFC 9110, section 12.5.3: a weight of zero excludes a coding. */
function preferredCoding(accepted: string): keyof typeof codings | undefined {
  const offers = accepted.split(",").flatMap((offer) => {
    const [name = "", ...parameters] = offer.split(";").map((part) => part.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
  const offered = new Set(offers);
  return (["br", "gzip"] as const).find((coding) => offered.has(coding));
}

/** Recordings of conversations. */
import { getCaptions, getRecording, getTranscript } from "@voice/shared/contracts/http/recordings";
import { toWebVtt } from "@voice/shared/recordings/captions";
import { rangeUnsatisfiable } from "../http/problems.ts";
import { answer, route, type Route } from "../http/route.ts";
import { parseByteRange } from "../services/byte-range.ts";
import { findRecording, readRecording, readTranscript, streamRecording } from "../services/session-recording.ts";

/** More than a player buffers, less than the memory of a small instance: two minutes of stereo at 16 kHz. */
const maxRangeBytes = 8 * 1024 * 1024;

export const recordingRoutes: readonly Route[] = [
  route(getRecording)(async ({ params, query, request }, dependencies) => {
    const found = await findRecording({ ...params, ...query, caller: request.caller }, dependencies);
    const { fileBytes } = found.joined;
    const range = parseByteRange(request.header("range"), fileBytes);
    const accept = { "accept-ranges": "bytes" };
    if (range === "unsatisfiable") throw rangeUnsatisfiable(fileBytes);
    if (range === "whole") {
      const headers = { ...accept, "content-length": String(fileBytes) };
      return { status: 200, headers, bytes: await streamRecording(found, dependencies.logger) };
    }
    const { start } = range;
    const end = Math.min(range.end, start + maxRangeBytes);
    return {
      status: 206,
      headers: { ...accept, "content-range": `bytes ${start}-${end - 1}/${fileBytes}` },
      bytes: await readRecording(found, start, end),
    };
  }),

  answer(getTranscript)(
    async ({ params, query, request }, dependencies) =>
      await readTranscript(await findRecording({ ...params, ...query, caller: request.caller }, dependencies)),
  ),

  route(getCaptions)(async ({ params, query, request }, dependencies) => {
    const found = await findRecording({ ...params, ...query, caller: request.caller }, dependencies);
    return { status: 200, text: toWebVtt((await readTranscript(found)).entries) };
  }),
];

/** A provider of one's own (docs/models.md) that understands marked words at no cost. */
import { defineRecogniser, emptyPool } from "@voice/provider-kit";
import { readMark } from "./marked-speech.ts";

const frameMs = 20;
/** Of a sentence whose beginning went to another host, the last words are heard: one for each of these stretches. */
const wordMs = 200;
const loud = 500;

export default defineRecogniser({
  name: "marks",
  create: () => ({
    async open({ language }, events) {
      let endMs = 0;
      let begunMs: number | undefined;
      /** Of the sentence that is being said. */
      let voicedMs = 0;
      return {
        write(frame) {
          const mark = readMark(frame);
          const startMs = begunMs ?? endMs;
          endMs += frameMs;
          if (mark === undefined) {
            voicedMs = frame.some((sample) => Math.abs(sample) > loud) ? voicedMs + frameMs : voicedMs;
            return;
          }
          const said = { startMs, endMs, language };
          if (mark.place === "begins") {
            begunMs = startMs;
            events.onPartial({ ...said, text: mark.sentence });
            return;
          }
          const words = mark.sentence.split(" ");
          const heard = begunMs === undefined ? Math.floor(voicedMs / wordMs) : words.length;
          events.onFinal({ ...said, text: words.slice(words.length - heard).join(" ") });
          voicedMs = 0;
          begunMs = undefined;
        },
        flush: () => undefined,
        setHints: () => true,
        close: () => undefined,
      };
    },
    pool: () => emptyPool,
    close: async () => undefined,
  }),
});

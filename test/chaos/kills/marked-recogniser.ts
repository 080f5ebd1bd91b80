/** A provider of one's own (docs/providers.md) that understands marked words at no cost. */
import { defineRecogniser, emptyPool } from "@voice/provider-kit";
import { readMark } from "./marked-words.ts";

const frameMs = 20;

export default defineRecogniser({
  name: "marks",
  create: () => ({
    async open({ language }, events) {
      let endMs = 0;
      let begunMs: number | undefined;
      return {
        write(frame) {
          const mark = readMark(frame);
          const startMs = begunMs ?? endMs;
          endMs += frameMs;
          if (mark === undefined) return;
          const words = { startMs, endMs, language };
          if (mark.place === "begins") {
            begunMs = startMs;
            events.onPartial({ ...words, text: mark.sentence });
            return;
          }
          // Of a sentence whose beginning went to another host, the end is all that there is.
          const isWhole = begunMs !== undefined;
          events.onFinal({ ...words, text: isWhole ? mark.sentence : mark.sentence.split(" ").slice(-2).join(" ") });
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

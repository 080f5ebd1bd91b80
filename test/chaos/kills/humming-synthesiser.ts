/** A provider of one's own (docs/models.md) that speaks in tones: audible, and at no cost. */
import { defineSynthesiser } from "@voice/provider-kit";
import { createToneSynthesiser } from "../../../local/emulators/tone-synthesiser.ts";

export default defineSynthesiser({ name: "tones", create: () => createToneSynthesiser() });

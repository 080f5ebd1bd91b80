/** The generator of demo customers. It brings a large library of names and places: imported at the first request. */
export { generateProfile } from "@voice/shared/profiles/generate";

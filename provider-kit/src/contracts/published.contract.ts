/* oxlint-disable oxc/no-barrel-file -- it is what a package of its own exports */
/** The published test suites that a provider has to pass, for Vitest (docs/models.md). */
export * from "./language-model.contract.ts";
export * from "./realtime-log.ts";
export * from "./realtime-model.contract.ts";
export * from "./recogniser.contract.ts";
export type * from "./scripted-answer.ts";
export * from "./synthesiser.contract.ts";

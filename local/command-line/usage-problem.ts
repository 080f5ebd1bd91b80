/** Something about the command line or the settings that its user can change. */
export class UsageProblem extends Error {}

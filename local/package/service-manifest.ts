/** What the package of the whole service says of itself, and the commands that it brings. */

export const servicePackage = "voice-agent-service";

/** Maps the name of a command to the file of this repository that it runs. The commands have the names that the documents use. */
export const serviceCommands = {
  new: "local/new-project/new-package-cli.ts",
  start: "local/start.ts",
  dialogues: "local/dialogues/dialogues-cli.ts",
  simulate: "local/simulate/simulate-cli.ts",
  "catalog:check": "local/catalog-check.ts",
  schemas: "local/schemas/schemas-cli.ts",
  doctor: "local/doctor/main.ts",
  phone: "local/phone/phone-cli.ts",
  caller: "local/caller/caller-cli.ts",
} as const;

/** A colon may not stand in a file's name everywhere. */
export const fileOfCommand = (name: string): string => name.replace(":", "-");

/** The scripts of a project's package.json: what is typed in this repository works there as well. */
export const projectScripts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.keys(serviceCommands).flatMap((name) => (name === "new" ? [] : [[name, `voice-agents ${name}`]])),
  ),
  test: "voice-agents catalog:check && voice-agents dialogues",
};

/** `npm start`, with the settings of local.settings.json: what its bundle is made from, and what runs where there is none. */
await import("./use-settings-file.ts");
await import("./start.ts");

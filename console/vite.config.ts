import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** `vite dev` needs a service to talk to: the local start at its default address. */
const service = { target: "http://127.0.0.1:8080", ws: true };

export default defineConfig({
  plugins: [react()],
  server: { proxy: { "/api": service, "/docs": service } },
  build: {
    outDir: "../out/console",
    emptyOutDir: true,
    // Worklets and pictures inlined as data: URLs would need a weaker content security policy.
    assetsInlineLimit: 0,
    // A schema that is made before zod is set up breaks that policy, too: so both are in one file, which is loaded before every schema.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "zod", test: /\/(?:node_modules\/zod\/|zod-without-eval)/ }] } },
    },
  },
  worker: { format: "es" },
});

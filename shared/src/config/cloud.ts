/** The cloud's identity and configuration clients. Large, and not needed by most processes: imported when configured. */
export { createAppConfigurationLoader } from "./app-configuration.ts";
export { createEntraCredential } from "../platform/entra-credential.ts";

/** The cloud's identity and configuration clients. Large, and not needed by most processes: imported when configured. */
export { createAppConfigurationLoader, createEntraCredential } from "@voice/shared/config/cloud";

/** The cloud's identity and configuration clients. Large, and not needed by most processes: imported when configured. */
export { createAppConfigurationLoader } from "@voice/shared/config/app-configuration";
export { createEntraCredential } from "@voice/shared/platform/entra-credential";

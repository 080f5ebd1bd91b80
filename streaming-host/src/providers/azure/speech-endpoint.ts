/** The Speech resource and our credentials: the one place where the SDK's configuration objects are created. */
import { PropertyId, SpeechConfig } from "microsoft-cognitiveservices-speech-sdk";

export type SpeechCredential =
  | { readonly kind: "key"; readonly key: string }
  /**
   * Entra. The regional hosts also need the resource's ARM id, because the host name does not identify the resource.
   */
  | { readonly kind: "token"; readonly token: () => Promise<string>; readonly resourceId?: string | undefined };

export type SpeechEndpoint = {
  readonly location:
    | { readonly kind: "region"; readonly region: string }
    /** A resource's own domain (`https://name.cognitiveservices.azure.com`), or any server that speaks the protocol. */
    | { readonly kind: "host"; readonly url: string };
  readonly credential: SpeechCredential;
};

/**
 * Two immediate attempts, after which our own retries take over; the SDK's default is five attempts without a pause.
 */
const sdkRetries = 1;

export async function createSpeechConfig({ location, credential }: SpeechEndpoint): Promise<SpeechConfig> {
  const config = await forLocation(location, credential);
  config.setProperty("SPEECH-Error-MaxRetryCount", String(sdkRetries));
  return config;
}

async function forLocation(location: SpeechEndpoint["location"], credential: SpeechCredential): Promise<SpeechConfig> {
  if (location.kind === "region") {
    return credential.kind === "key"
      ? SpeechConfig.fromSubscription(credential.key, location.region)
      : SpeechConfig.fromAuthorizationToken(await readAuthorization(credential), location.region);
  }
  // Given a bare host, `fromEndpoint` would ask that host, over HTTPS on port 443, for a redirect before each connection.
  const url = new URL(location.url.replace(/^http/, "ws"));
  const config = SpeechConfig.fromHost(url, credential.kind === "key" ? credential.key : undefined);
  // The first version has a path per mode, and a connection opened ahead of time would use the wrong one.
  config.setProperty(PropertyId.SpeechServiceConnection_RecognitionEndpointVersion, "2");
  if (credential.kind === "token") config.authorizationToken = await readAuthorization(credential);
  return config;
}

export async function readAuthorization({
  token,
  resourceId,
}: Extract<SpeechCredential, { kind: "token" }>): Promise<string> {
  const value = await token();
  return resourceId === undefined ? value : `aad#${resourceId}#${value}`;
}

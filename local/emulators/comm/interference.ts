/** Responses that something else gives in the service's place, or that the service gives wrongly; the call is not affected. */

export interface Interference {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly text: string;
}

/** What the service answers about a call that it does not know. */
export const noSuchCall: Interference = {
  status: 404,
  text: JSON.stringify({ error: { code: "8522", message: "Call not found." } }),
};

/** What a gateway answered to valid requests (azure-sdk-for-python#38974). */
export const noSuchResource: Interference = {
  status: 404,
  text: JSON.stringify({ message: "No HTTP resource was found that matches the request URI." }),
};

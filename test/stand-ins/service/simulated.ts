// What tests have of the simulated service: its first client, a browser that approves, its control calls, and what it was asked.
import type { Simulator } from '../../../simulator/src/partner-server.ts';

/** `partner` of the platform block. */
export function partnerOptions({ authUrl, baseUrl, clients }: Simulator) {
  const [client] = clients;
  return {
    authUrl,
    baseUrl,
    clientId: client?.clientId,
    clientSecret: client?.clientSecret,
    subscriptionKeys: client?.subscriptionKeys,
    redirectUri: client?.redirectUris[0],
    allowInsecureLoopback: true,
  };
}

/** What the browser does: the service approves by itself, and sends it to the redirect URI with a code. */
export async function consent(authorizeUrl: string): Promise<string> {
  const response = await fetch(authorizeUrl, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (response.status !== 302 || location === null) {
    throw new Error(
      `The authorize page answered ${String(response.status)} instead of sending the browser back`,
    );
  }
  return location;
}

/** One call of the simulator's control API. */
export async function control(controlUrl: string, path: string, details: object = {}): Promise<unknown> {
  const response = await fetch(`${controlUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(details),
  });
  if (!response.ok) {
    throw new Error(`The simulator refused ${path}: ${await response.text()}`);
  }
  return response.json();
}

/** A request as the simulator recorded it, with its answer. */
export interface SentRequest {
  /** When it came, as ISO 8601 by the service's clock. */
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  readonly answer: string | null;
}

/** Every request so far, oldest first. */
export async function requestsAt(controlUrl: string): Promise<readonly SentRequest[]> {
  const answer = await fetch(`${controlUrl}/requests`);
  return (await answer.json()) as readonly SentRequest[];
}

// What a person has of a simulated service: the options of its first client, and a browser in which it approves.
import type { Simulator } from '../../src/simulator/partner-server.ts';

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

// Reads what the simulated service of the demo prints of itself: what a person writes of a partner in config.json.
import { z } from 'zod';
import type { PartnerConfig } from './config.ts';

const client = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  redirectUris: z.tuple([z.string()], z.string()),
  subscriptionKeys: z.array(z.string()),
});

const introduction = z.object({
  url: z.url(),
  authUrl: z.url(),
  baseUrl: z.url(),
  productSegment: z.string(),
  clients: z.tuple([client], client),
});

export interface DemoService {
  /** Where its locks are turned by hand. */
  readonly url: string;
  readonly partner: PartnerConfig;
}

/** Throws a `ZodError` or a `SyntaxError` when it is the line of another program. */
export function readDemoService(line: string): DemoService {
  const { url, authUrl, baseUrl, productSegment, clients } = introduction.parse(JSON.parse(line));
  const [{ clientId, clientSecret, redirectUris, subscriptionKeys }] = clients;
  return {
    url,
    partner: {
      authUrl,
      baseUrl,
      // The demo is of locks; the credentialing interface is another agreement.
      credentialsUrl: null,
      credentialsLogin: null,
      productSegment,
      redirectUri: redirectUris[0],
      commandStyle: 'commands',
      pkce: true,
      allowInsecureLoopback: true,
      credentials: { clientId, clientSecret, subscriptionKeys },
    },
  };
}

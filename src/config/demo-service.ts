// Reads the introduction that the simulated service of the demo prints: the values that a person writes for a partner in config.json.
import { z } from 'zod';
import type { PartnerConfig } from './config.ts';

const client = () =>
  z.object({
    clientId: z.string(),
    clientSecret: z.string(),
    redirectUris: z.tuple([z.string()], z.string()),
    subscriptionKeys: z.array(z.string()),
  });

const calendar = () => z.object({ name: z.string(), url: z.url() });

const introduction = () =>
  z.object({
    url: z.url(),
    authUrl: z.url(),
    baseUrl: z.url(),
    productSegment: z.string(),
    clients: z.tuple([client()], client()),
    calendars: z.tuple([calendar()], calendar()),
  });

/** `url`: a secret like that of a real calendar. */
export type DemoCalendar = z.infer<ReturnType<typeof calendar>>;

export interface DemoService {
  /** Where its locks are turned by hand. */
  readonly url: string;
  readonly partner: PartnerConfig;
  readonly calendar: DemoCalendar;
}

/** Throws a `ZodError` or a `SyntaxError` when it is the line of another program. */
export function readDemoService(line: string): DemoService {
  const { url, authUrl, baseUrl, productSegment, clients, calendars } = introduction().parse(
    JSON.parse(line),
  );
  const [{ clientId, clientSecret, redirectUris, subscriptionKeys }] = clients;
  return {
    url,
    calendar: calendars[0],
    partner: {
      authUrl,
      baseUrl,
      productSegment,
      redirectUri: redirectUris[0],
      commandStyle: 'commands',
      pkce: true,
      allowInsecureLoopback: true,
      credentials: { clientId, clientSecret, subscriptionKeys },
      features: {},
    },
  };
}

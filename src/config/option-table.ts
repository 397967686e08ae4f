// Every option a person can write: its form, default, bounds and meaning. config.schema.json and docs/options.md follow it.
import { z } from 'zod';

/** A whole number that a person writes, with its bounds. */
function whole(least: number, most: number): z.ZodInt {
  return z.int().min(least).max(most);
}

/** Longest text and longest key set an option takes, in characters (a choice: generous for both, too short for a mistake). */
const LONGEST_TEXT = 2_048;
const LONGEST_KEY_SET = 16_384;

function text(longest = LONGEST_TEXT): z.ZodString {
  return z.string().trim().max(longest);
}

/** `writeOnly` is JSON Schema's word for a secret: shown nowhere, a password field in the form. */
const SECRET = { writeOnly: true } as const;

const host = (): z.ZodString =>
  text(253).regex(
    /^[\w.:-]+$/,
    'is not a host name or address; write it without scheme and port, such as 127.0.0.1',
  );

const port = (): z.ZodInt => whole(1, 65_535);

const percent = (): z.ZodInt => whole(1, 95);

/** The service, and what proves us to it: addresses by config.json only, credentials by a page, too. */
export const partnerOptions = z.strictObject({
  authUrl: text().optional().meta({
    description: 'Address of the authorization server, as the partner agreement names it. `https:` only.',
  }),
  baseUrl: text().optional().meta({ description: 'Address of the device interface. `https:` only.' }),
  credentialsUrl: text().optional().meta({
    description: 'Address of the BLE credentialing interface, if the agreement includes it. `https:` only.',
  }),
  productSegment: text(64)
    .regex(/^[\w-]+$/, 'may hold letters, digits, - and _ only; write the one word without slashes')
    .default('locks')
    .meta({ description: 'The product segment of the paths of the device interface.' }),
  clientId: text().optional().meta({ description: 'Client id of the OAuth client registration.' }),
  clientSecret: text()
    .optional()
    .meta({
      ...SECRET,
      description: 'Client secret of the OAuth client registration.',
    }),
  subscriptionKeys: z.array(text().meta(SECRET)).max(2).default([]).meta({
    description: 'The subscription keys, one or both: the second is tried when the first is refused.',
  }),
  redirectUri: text().optional().meta({
    description:
      'The redirect URI, letter by letter as it is registered. `http:` is allowed for this machine.',
  }),
  commandStyle: z.enum(['commands', 'rest']).default('commands').meta({
    description:
      'How commands are sent: to the commands endpoint, or to the REST aliases that some services still have.',
  }),
  pkce: z.boolean().default(true).meta({
    description:
      'Protect linking with PKCE. Switch it off only if the service refuses the authorize page with it.',
  }),
  allowInsecureLoopback: z.boolean().default(false).meta({
    description: 'Allow `http:` addresses on this machine: for the simulator, never for a real service.',
  }),
  allowPrivateHosts: z.boolean().default(false).meta({
    description: 'Allow addresses in private networks, for a service that you run at home.',
  }),
});

const webhooks = z.strictObject({
  enabled: z.boolean().default(false).meta({
    description: 'Listen for webhooks. Without them the state is polled, and everything still works.',
  }),
  host: host().default('127.0.0.1').meta({
    description: 'Address the listener binds to. A reverse proxy or tunnel on this machine stands before it.',
  }),
  port: port().default(18_581).meta({ description: 'Port of the listener.' }),
  path: text(200)
    .regex(/^(\/[\w.~-]+)+$/, 'must begin with / and hold letters, digits, - . _ ~ and / only')
    .optional()
    .meta({ description: 'Path of the webhook. Left out, an unguessable one is made once and kept.' }),
  publicUrl: text().optional().meta({
    description:
      'Public `https:` address of the listener; the path is appended. Needed to register by itself.',
  }),
  tls: z
    .strictObject({
      certFile: text()
        .optional()
        .meta({ description: 'Certificate (PEM file), if no proxy speaks TLS for us.' }),
      keyFile: text().optional().meta({ description: 'Private key (PEM file) of that certificate.' }),
    })
    .prefault({}),
  signature: z.enum(['pss-sha256', 'pkcs1-sha256', 'jws-detached', 'none']).default('pss-sha256').meta({
    description: 'How the service signs. With `none` an event is only a reason to read, never a state.',
  }),
  jwsAlgorithm: z.enum(['PS256', 'RS256']).default('PS256').meta({
    description: 'Algorithm of a detached JWS. It is never taken from the message.',
  }),
  signatureHeader: text(64)
    .regex(/^[A-Za-z0-9-]+$/, 'is not the name of a header; it may hold letters, digits and - only')
    .default('WebHook-Signature')
    .meta({ description: 'Header that carries the signature.' }),
  keys: z.array(text(LONGEST_KEY_SET)).max(8).default([]).meta({
    description:
      "The service's public keys: PEM, JWK or JWKS, as text or as absolute file path. Left out, they are asked of the service.",
  }),
});

const panel = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .meta({ description: 'Serve the pages (link, locks, dashboard) on an address of their own.' }),
  host: host().default('127.0.0.1').meta({
    description: 'Address the pages bind to. Anything but this machine asks for a login token.',
  }),
  port: port().default(18_582).meta({ description: 'Port of the pages.' }),
});

const polling = z.strictObject({
  idleSeconds: whole(5, 3_600).default(30).meta({
    description:
      'Seconds between two readings of all locks while nothing happens and webhooks are absent or doubted.',
  }),
  healthySeconds: whole(30, 3_600).default(300).meta({
    description: 'Seconds between two readings of all locks while webhooks are proven to arrive.',
  }),
});

const alerts = z.strictObject({
  wrongCode: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .meta({ description: 'Alert after several wrong codes at a keypad.' }),
      count: whole(1, 20).default(3).meta({ description: 'That many wrong codes ...' }),
      minutes: whole(1, 60).default(5).meta({ description: '... within that many minutes.' }),
    })
    .prefault({}),
  keypadLockedOut: z.boolean().default(false).meta({ description: 'Alert when a keypad locks itself.' }),
  activityAlarm: z
    .boolean()
    .default(false)
    .meta({ description: "Alert when a lock's activity alarm sounds." }),
  jam: z.boolean().default(false).meta({ description: 'Alert when a bolt is jammed.' }),
  lowBattery: z.boolean().default(false).meta({ description: 'Alert when a battery is low.' }),
  unlockedByCode: z.array(text(24)).max(20).default([]).meta({
    description: 'A trigger for each of these access code names when it unlocks a door.',
  }),
  movedBy: z
    .array(z.enum(['keypad', 'inside', 'outside', 'remote', 'autoRelock', 'nfc']))
    .max(6)
    .default([])
    .meta({ description: 'A trigger for each of these ways of moving the bolt.' }),
  boltSensor: z.enum(['none', 'occupancy', 'contact']).default('none').meta({
    description:
      'A sensor that follows the bolt, for automations that may not use locks. Home reads `contact` as a door.',
  }),
  automationSwitch: z.enum(['off', 'lockOnly', 'bothWays']).default('off').meta({
    description:
      'A switch that moves the bolt without Home asking first. `bothWays` lets any automation unlock; a lock with `remoteUnlock` off stays lock-only.',
  }),
});

/** Settings a page may store too. No default acts here: what is left out may come from the page. */
export const lockSettings = z.strictObject({
  name: text(64)
    .optional()
    .meta({ description: 'Name in Home when the lock first appears. Default: its name in the account.' }),
  hide: z.boolean().optional().meta({ description: 'Keep this lock out of Home. Default: false.' }),
  remoteUnlock: z.boolean().optional().meta({
    description: 'Whether anything but a hand, a code or a key at the door may unlock. Default: true.',
  }),
  adminOnly: z.boolean().optional().meta({
    description: 'Only administrators of the home may move the bolt from Home. Default: false.',
  }),
  timeZone: text(64).optional().meta({
    description:
      'IANA name of the zone the door stands in, such as `Europe/Paris`. Default: the offset the service gives.',
  }),
  lowBattery: percent().optional().meta({
    description: 'Low from this percentage down, for this lock. Default: `lowBattery.threshold`.',
  }),
});

/** Where locks are shown. */
const matter = z.enum(['off', 'both', 'only']);

const lockRow = z.strictObject({
  id: text(200)
    .optional()
    .meta({ description: "The lock's id in the account. Rows without one are ignored." }),
  matter: matter.optional().meta({
    description: 'Where this lock is shown, as `matter` says for all. Default: `matter`.',
  }),
  ...lockSettings.shape,
});

/** The options of one platform block, as a person writes them. Homebridge's own keys are not among them. */
export const optionTable = z.strictObject({
  name: text(64).default('Latchkey').meta({
    description:
      'Name of the account in the log and of its folder. Give each account one of its own, and keep it.',
  }),
  partner: partnerOptions.prefault({}),
  webhooks: webhooks.prefault({}),
  panel: panel.prefault({}),
  polling: polling.prefault({}),
  evidenceAgeSeconds: whole(10, 86_400).default(900).meta({
    description: 'A state that nothing has confirmed for so many seconds is shown as unknown.',
  }),
  offline: z.enum(['unknown', 'noResponse', 'lastKnown']).default('unknown').meta({
    description:
      'What Home shows of a lock that the service cannot reach. `lastKnown` may be wrong: someone may have turned the bolt.',
  }),
  lowBattery: z
    .strictObject({
      threshold: percent().default(20).meta({ description: 'Low from this percentage down.' }),
      clear: whole(1, 100).default(25).meta({ description: 'No longer low from this percentage up.' }),
    })
    .prefault({}),
  connectivitySensor: z.enum(['occupancy', 'contact', 'none']).default('occupancy').meta({
    description: "Kind of the sensor that shows a lock's connection. Home reads `contact` as a door.",
  }),
  forceCommands: z.boolean().default(false).meta({
    description: 'Send a command even when the lock is already where it should be.',
  }),
  alerts: alerts.prefault({}),
  matter: matter.default('off').meta({
    description:
      'Show the locks over Matter as well as in HomeKit (`both`), or over Matter alone (`only`). Needs a child bridge with Matter turned on.',
  }),
  matterPin: text(8)
    .regex(/^\d{4,8}$/, 'must be 4 to 8 digits')
    .optional()
    .meta({
      ...SECRET,
      description:
        'A PIN of 4 to 8 digits that Matter controllers must send to unlock, so that a voice assistant asks for it. Not a code of the lock.',
    }),
  fastEvents: z.boolean().default(false).meta({
    description: 'Experimental: bring changes to Home without the hold of a quarter second.',
  }),
  locks: z.array(lockRow).max(500).default([]).meta({
    description: 'Options of single locks. They win over what a page stored.',
  }),
  storage: z
    .strictObject({
      path: text().optional().meta({
        description:
          'Absolute folder of the database. Default: `latchkey` in the storage path of Homebridge.',
      }),
    })
    .prefault({}),
  debug: z.boolean().default(false).meta({ description: 'Log what happens between loss and return, too.' }),
});

/** The options after parsing: every default filled in, nothing converted yet. */
export type Options = z.output<typeof optionTable>;

/** What can be set for one lock, by config.json or by a page. */
export type LockSettings = z.output<typeof lockSettings>;

/** What config.json may say of one lock. */
export type LockRow = Omit<z.output<typeof lockRow>, 'id'>;

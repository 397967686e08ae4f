// The option table: schema, default, bounds and meaning of every option. config.schema.json and docs/options.md follow it.

import { z } from 'zod';
import { message } from '../../domain/language/message.ts';
import { eachSetting, LOCK_SETTINGS, type LockSettings } from '../../domain/locks/settings.ts';
import { alerts, history } from './alert-options.ts';
import { featureLockRows, featureRows } from './feature-options.ts';
import { absolutePath, host, percent, port, text, timeZone, whole } from './option-forms.ts';
import { partnerOptions } from './partner-options.ts';
import { carried } from './problem-line.ts';
import { webhookOptions } from './webhook-options.ts';

const panel = () =>
  z.strictObject({
    enabled: z
      .boolean()
      .default(false)
      .meta({ description: 'Serve the dashboard (account, locks, activity) at its own address.' }),
    host: host().default('127.0.0.1').meta({
      description:
        'Address that the dashboard binds to. The default accepts connections from this computer only.',
    }),
    port: port().default(18_582).meta({ description: 'Port of the dashboard.' }),
    origin: text().optional().meta({
      description:
        'Address under which a proxy in front serves the dashboard, such as `https://locks.example`. It may then be opened there, too.',
    }),
    tls: z
      .strictObject({
        certFile: absolutePath().optional().meta({
          description: 'Absolute path of the certificate (PEM), if the dashboard itself is to speak https.',
        }),
        keyFile: absolutePath().optional().meta({ description: 'Absolute path of its private key (PEM).' }),
      })
      .prefault({}),
  });

const polling = () =>
  z.strictObject({
    idleSeconds: whole(5, 3_600).default(30).meta({
      description:
        'Polling interval in seconds without working webhooks. With them it is a minute, or this if longer.',
    }),
  });

const FORMS = {
  switch: () => z.boolean(),
  text: () => text(64),
  zone: timeZone,
  percent,
} as const;

type LockSettingShape = {
  readonly [Name in keyof LockSettings]-?: z.ZodOptional<z.ZodType<NonNullable<LockSettings[Name]>>>;
};

/** Settings that a page may store, too. They have no default here, because a missing one may come from the page. */
export const lockSettings = () =>
  z.strictObject(
    eachSetting<LockSettingShape>((name) => {
      const { kind, title, description } = LOCK_SETTINGS[name];
      return FORMS[kind]().optional().meta({ title, description });
    }),
  );

export const lockRow = () =>
  z.strictObject({
    id: text(200)
      .optional()
      .meta({ description: "The lock's ID in the account. Rows without an ID are ignored." }),
    ...featureLockRows(),
    ...lockSettings().shape,
  });

/** A configuration is read once; the table takes half a megabyte. */
export const optionTable = forgettable(
  // oxlint-disable-next-line eslint/max-lines-per-function -- a table: a row an option
  () =>
    z.strictObject({
      name: text(64).default('Latchkey').meta({
        description:
          'Name of the account in the log and of its folder. Use a different name for each account, and do not change it later.',
      }),
      demo: z.boolean().default(false).meta({
        description:
          'Try everything with three simulated locks, without an account. Not beside the addresses or credentials of a partner account.',
      }),
      partner: partnerOptions().prefault({}),
      webhooks: webhookOptions().prefault({}),
      panel: panel().prefault({}),
      polling: polling().prefault({}),
      offline: z.enum(['unknown', 'noResponse', 'lastKnown']).default('unknown').meta({
        description:
          'What Home shows while a lock is offline. `lastKnown` can be wrong: the lock may have been operated by hand.',
      }),
      lowBattery: z
        .strictObject({
          threshold: percent().default(20).meta({
            description: 'Low at or below this percentage, until it is five percent above.',
          }),
        })
        .prefault({}),
      connectivitySensor: z.enum(['occupancy', 'contact', 'none']).default('occupancy').meta({
        description:
          'Type of the sensor that shows whether a lock is online. Home shows `contact` as a door.',
      }),
      alerts: alerts().prefault({}),
      history: history().prefault({}),
      remotePin: text(8)
        .regex(/^\d{4,8}$/, { error: carried(message('must be 4 to 8 digits')) })
        .optional()
        .meta({
          writeOnly: true,
          description:
            'A PIN of 4 to 8 digits that must come with every unlock over Matter and MQTT, so that a voice assistant or Home Assistant asks for it. Not a code of the lock.',
        }),
      ...featureRows(),
      fastEvents: z.boolean().default(false).meta({
        description: 'Experimental: notify Home of changes without its usual quarter-second delay.',
      }),
      appleHomeCodes: z.boolean().default(false).meta({
        description:
          'Experimental: manage access codes in the Home app. Only codes made in Home are listed there.',
      }),
      locks: z.array(lockRow()).max(500).default([]).meta({
        description: 'Options for single locks. They override what is set on a page.',
      }),
      storage: z
        .strictObject({
          path: absolutePath().optional().meta({
            description:
              'Absolute path of the database folder. Default: `latchkey` in the Homebridge storage folder.',
          }),
        })
        .prefault({}),
      debug: z
        .boolean()
        .default(false)
        .meta({ description: 'Write debug messages to the log without starting Homebridge in debug mode.' }),
    }),
);

/** The options after parsing, with every default filled in. */
export type Options = z.output<ReturnType<typeof optionTable>>;

export type LockRow = Omit<z.output<ReturnType<typeof lockRow>>, 'id'>;

/** Gives the same value again for as long as it is still in memory. */
function forgettable<Value extends object>(build: () => Value): () => Value {
  let kept: WeakRef<Value> | null = null;
  return () => {
    const value = kept?.deref() ?? build();
    kept = new WeakRef(value);
    return value;
  };
}

// Options of MQTT: the broker, the credentials for it, and the shown locks and accepted commands.
import { z } from 'zod';
import { absolutePath, SECRET, text } from '../../../config/options/option-forms.ts';
import { carried } from '../../../config/options/problem-line.ts';
import { message } from '../../../domain/language/message.ts';

const topic = (): z.ZodString =>
  text(128).regex(/^[^\s/+#$\0][^/+#\0]*(?:\/[^/+#\0]+)*$/u, {
    error: carried(
      message(
        'is no beginning of a topic; enter one such as {example}, without + and #, and without / at its ends',
        { example: 'home/latchkey' },
      ),
    ),
  });

const mqttOptions = () =>
  z.strictObject({
    url: text().optional().meta({
      description:
        'Address of an MQTT 5 broker, such as `mqtts://broker.example:8883`. Leave empty for no MQTT.',
    }),
    username: text(256).optional().meta({
      description: 'User name at the broker. Leave empty to use the one saved on the MQTT page.',
    }),
    password: text(1_024)
      .optional()
      .meta({ ...SECRET, description: 'Password of that user at the broker.' }),
    ca: absolutePath().optional().meta({
      description:
        "Absolute path of the authority that signed the broker's certificate (PEM), if it is not a public one.",
    }),
    certFile: absolutePath().optional().meta({
      description: 'Absolute path of a client certificate (PEM), if the broker asks for one.',
    }),
    keyFile: absolutePath().optional().meta({ description: 'Absolute path of its private key (PEM).' }),
    homeAssistant: z.boolean().default(false).meta({
      description: 'Announce the locks to Home Assistant, one device each (MQTT discovery).',
    }),
    commands: z.enum(['none', 'lockOnly', 'both']).default('both').meta({
      description:
        'Commands accepted over MQTT. With `both`, everyone with rights at the broker can unlock; locks with `remoteUnlock` off or `adminOnly` can only be locked.',
    }),
    accessCodes: z.boolean().default(false).meta({
      description:
        'Accept commands on access codes and guests over MQTT, and report them there. Their digits are never published, but travel to the plugin through the broker.',
    }),
    baseTopic: topic().optional().meta({
      description: 'First part of every topic. Default: `latchkey`.',
    }),
    discoveryPrefix: topic().optional().meta({
      description: "Home Assistant's prefix of discovery topics. Default: `homeassistant`.",
    }),
    clientId: text(128)
      .regex(/^[\w.:@-]+$/u, { error: carried(message('may hold letters, digits and . _ : @ - only')) })
      .optional()
      .meta({
        description:
          'Client ID at the broker, if its rules ask for one. Default: `latchkey-`, the account and the process.',
      }),
  });

export const mqttOptionNames = () => Object.keys(mqttOptions().shape);

export const mqttRow = () => mqttOptions().prefault({});

export type MqttOptions = z.output<ReturnType<typeof mqttRow>>;

declare module '../../../config/options/feature-options.ts' {
  interface FeatureRows {
    readonly mqtt: ReturnType<typeof mqttRow>;
  }
}

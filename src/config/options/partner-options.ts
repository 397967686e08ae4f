// Options of the partner account: addresses come from config.json alone, credentials also from a page.
import { z } from 'zod';
import { message } from '../../domain/language/message.ts';
import { featurePartnerRows } from './feature-options.ts';
import { SECRET, text } from './option-forms.ts';
import { carried } from './problem-line.ts';

export const partnerOptions = () =>
  z.strictObject({
    authUrl: text().optional().meta({
      description:
        'Where you sign in and approve access. Required; you find it in your partner agreement. `https:` only.',
    }),
    baseUrl: text().optional().meta({
      description:
        'Where the locks are read and operated. Required; you find it in your partner agreement. `https:` only.',
    }),
    ...featurePartnerRows(),
    productSegment: text(64)
      .regex(/^[\w-]+$/, {
        error: carried(
          message('may contain only letters, digits, - and _; enter the one word without slashes'),
        ),
      })
      .default('locks')
      .meta({ description: 'Product segment in the paths of the device interface.' }),
    clientId: text().optional().meta({ description: 'Client ID from your OAuth client registration.' }),
    clientSecret: text()
      .optional()
      .meta({
        ...SECRET,
        description: 'Client secret from your OAuth client registration.',
      }),
    subscriptionKeys: z.array(text().meta(SECRET)).max(2).default([]).meta({
      description:
        'One or two subscription keys. The second is used if the first is rejected, so you can rotate keys without downtime.',
    }),
    redirectUri: text().optional().meta({
      description:
        'Where the service returns your browser after you sign in. It must match the registered address character for character. `http:` is allowed only for this computer.',
    }),
    commandStyle: z.enum(['commands', 'rest']).default('commands').meta({
      description:
        'Send commands to the commands endpoint, or to the REST aliases that some services still offer.',
    }),
    pkce: z.boolean().default(true).meta({
      description:
        'Protect signing in with PKCE. Turn it off only if the service rejects the sign-in page because of it.',
    }),
    allowInsecureLoopback: z.boolean().default(false).meta({
      description: 'Allow `http:` addresses on this computer. For the simulator only.',
    }),
    allowPrivateHosts: z.boolean().default(false).meta({
      description: 'Allow addresses in private networks, for a service that you host yourself.',
    }),
  });

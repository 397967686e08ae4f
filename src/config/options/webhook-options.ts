// Options of webhooks: where they arrive, and how they are verified.
import { z } from 'zod';
import { message } from '../../domain/language/message.ts';
import { absolutePath, host, port, SECRET, text, verificationKey } from './option-forms.ts';
import { carried } from './problem-line.ts';
import { LONGEST_LINE } from './relay-enrolment.ts';

export const webhookOptions = () =>
  z.strictObject({
    enabled: z.boolean().default(false).meta({
      description: 'Receive changes instantly through webhooks. Without webhooks, the locks are polled.',
    }),
    via: z.enum(['direct', 'relay']).default('direct').meta({
      description:
        'Receive webhooks at a public address of your own, or through a relay, which needs no open port. A relay needs `enrolment`.',
    }),
    enrolment: text(LONGEST_LINE)
      .optional()
      .meta({ ...SECRET, description: 'The enrolment line of the relay, as its operator gave it to you.' }),
    host: host().default('127.0.0.1').meta({
      description:
        'Address that the webhook listener binds to. Keep the default behind a tunnel or reverse proxy on this computer.',
    }),
    port: port().default(18_581).meta({ description: 'Port of the webhook listener.' }),
    path: text(200)
      .regex(/^(\/[\w.~-]+)+$/, {
        error: carried(
          message('must start with {start} and contain only letters, digits, {signs} and {start}', {
            start: '/',
            signs: '- . _ ~',
          }),
        ),
      })
      .optional()
      .meta({ description: 'Path of the webhook. Leave empty to generate one that cannot be guessed.' }),
    publicUrl: text().optional().meta({
      description:
        'Public `https:` address of the listener, without the path. Required for automatic registration.',
    }),
    tls: z
      .strictObject({
        certFile: absolutePath()
          .optional()
          .meta({ description: 'Absolute path of the certificate (PEM), if no proxy handles TLS.' }),
        keyFile: absolutePath().optional().meta({ description: 'Absolute path of its private key (PEM).' }),
      })
      .prefault({}),
    signature: z.enum(['pss-sha256', 'pkcs1-sha256', 'jws-detached', 'none']).default('pss-sha256').meta({
      description:
        'How the service signs webhooks. With `none`, an event only triggers a poll; its content is ignored.',
    }),
    jwsAlgorithm: z.enum(['PS256', 'RS256']).default('PS256').meta({
      description: 'Algorithm of a detached JWS. The algorithm named in a message is never used.',
    }),
    signatureHeader: text(64)
      .regex(/^[A-Za-z0-9-]+$/, {
        error: carried(message('is not a header name; use only letters, digits and -')),
      })
      .default('WebHook-Signature')
      .meta({ description: 'Name of the header that holds the signature.' }),
    keys: z.array(verificationKey()).max(8).default([]).meta({
      description:
        "The service's public keys as PEM, JWK or JWKS: the text itself or an absolute file path. Leave empty to fetch them from the service.",
    }),
  });

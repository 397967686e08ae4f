// The panel's operations on credentials.
import { z } from 'zod';
import type {
  CredentialListView,
  CredentialsApi,
  CredentialsView,
  ImportPlanView,
  IssuedView,
} from './credentials-view.ts';
import { nothing, operation } from './operation.ts';

/** Longest text of one field, and of a file, in characters. A longer file is imported by the command line. */
const MAX_TEXT = 2_048;
const MAX_FILE = 900_000;

const text = z.string().max(MAX_TEXT);

const login = z.object({ username: text, password: text });

const draft = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('card'),
    userId: text,
    mobileNumber: text,
    cardFormat: text,
    facilityCode: z.number(),
    issueCode: z.number(),
    cardNumber: z.number().nullable(),
    attributes: z.record(z.string().max(MAX_TEXT), text),
  }),
  z.object({
    kind: z.literal('raw'),
    userId: text,
    mobileNumber: text,
    rawCredential: text,
    bitLength: z.number(),
  }),
]);

const file = z.object({
  file: z.string().max(MAX_FILE),
  replace: z.boolean().default(false),
  removeMissing: z.boolean().default(false),
  site: text.nullable().default(null),
});

export function credentialsOperations({ credentialing }: { readonly credentialing: CredentialsApi }) {
  return {
    'credentials.show': operation(nothing, async (): Promise<CredentialsView> => credentialing.show()),
    'credentials.login': operation(
      login,
      async (pair): Promise<CredentialsView> => credentialing.login(pair),
    ),
    'credentials.list': operation(nothing, async (): Promise<CredentialListView> => credentialing.list()),
    'credentials.create': operation(
      draft,
      async (wanted): Promise<IssuedView> => credentialing.create(wanted),
    ),
    'credentials.delete': operation(z.object({ id: text }), async ({ id }) => {
      await credentialing.delete(id);
      return { deleted: id };
    }),
    'credentials.plan': operation(
      file,
      async ({ file: content, ...choices }): Promise<ImportPlanView> => credentialing.plan(content, choices),
    ),
    'credentials.import': operation(
      file,
      async ({ file: content, ...choices }): Promise<CredentialsView> =>
        credentialing.startImport(content, choices),
    ),
    'credentials.stop-import': operation(
      nothing,
      async (): Promise<CredentialsView> => credentialing.stopImport(),
    ),
  };
}

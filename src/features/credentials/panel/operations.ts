// The panel's operations on credentials.
import { z } from 'zod';
import type { FeatureParts } from '../../../panel/operations/feature-operations.ts';
import { nothing, pageRows } from '../../../panel/operations/operation.ts';
import type { CredentialsApi } from './views.ts';

/** Longest text of one field, and of a file, in characters. A longer file is imported by the command line. */
const MAX_TEXT = 2_048;
const MAX_FILE = 900_000;

const text = () => z.string().max(MAX_TEXT);

const login = () => z.object({ username: text(), password: text() });

const draft = () =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('card'),
      userId: text(),
      mobileNumber: text(),
      cardFormat: text(),
      facilityCode: z.number(),
      issueCode: z.number(),
      cardNumber: z.number().nullable(),
      attributes: z.record(text(), text()),
    }),
    z.object({
      kind: z.literal('raw'),
      userId: text(),
      mobileNumber: text(),
      rawCredential: text(),
      bitLength: z.number(),
    }),
  ]);

const file = () =>
  z.object({
    file: z.string().max(MAX_FILE),
    replace: z.boolean().default(false),
    removeMissing: z.boolean().default(false),
    site: text().nullable().default(null),
  });

/** The name of the feature. */
export const FEATURE = 'credentials';

const row = pageRows(({ features }: FeatureParts) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the feature itself has opened under its name
  return features.get(FEATURE) as CredentialsApi;
});

export const CREDENTIAL_OPERATIONS = {
  'credentials.show': row('reads', nothing, async (api) => api.show()),
  'credentials.login': row('gives-secrets', login, async (api, pair) => api.login(pair)),
  'credentials.list': row('reads', nothing, async (api) => api.list()),
  'credentials.create': row('changes', draft, async (api, wanted) => api.create(wanted)),
  'credentials.delete': row(
    'changes',
    () => z.object({ id: text() }),
    async (api, { id }) => {
      await api.delete(id);
      return { deleted: id };
    },
  ),
  'credentials.plan': row('reads', file, async (api, { file: content, ...choices }) =>
    api.plan(content, choices),
  ),
  'credentials.import': row('changes', file, async (api, { file: content, ...choices }) =>
    api.startImport(content, choices),
  ),
  'credentials.stop-import': row('changes', nothing, async (api) => api.stopImport()),
};

type CredentialOperations = typeof CREDENTIAL_OPERATIONS;

declare module '../../../panel/operations/feature-operations.ts' {
  interface FeatureOperations extends CredentialOperations {}
}

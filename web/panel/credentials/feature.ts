// What phone credentials bring to the pages.
import { message } from '../../../src/domain/language/message.ts';
import type { CREDENTIAL_OPERATIONS } from '../../../src/features/credentials/panel/operations.ts';
import type { PartnerView } from '../../../src/panel/views/partner.ts';
import type { FeaturePage } from '../parts/feature-page.ts';
import { laterPage } from '../parts/later.tsx';
import { CredentialingCheck } from './credentialing-check.tsx';

declare module '../state/views.ts' {
  interface FeatureViews {
    readonly credentials: true;
  }
}

const addressIn = (partner: PartnerView | null): string | null => partner?.credentialsUrl ?? null;

const NEEDED: keyof typeof CREDENTIAL_OPERATIONS = 'credentials.show';

export const CREDENTIALS: FeaturePage = {
  name: 'credentials',
  tab: {
    view: 'credentials',
    after: 'alerts',
    title: message('Credentials'),
    needed: NEEDED,
    isThere: (state) => addressIn(state['partner.show']) !== null,
    Page: laterPage(async () => (await import('./credentials-page.tsx')).CredentialsPage),
  },
  Check: CredentialingCheck,
  addresses: [{ label: message('Credentialing interface'), of: addressIn }],
};

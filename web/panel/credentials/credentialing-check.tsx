// Whether the credentialing interface answers and takes its login: a line of the check, where one is configured.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { Notice } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import type { PageResults } from '../state/transport.ts';

export function CredentialingCheck(): VNode | null {
  const { state, call } = usePageContext();
  const [check, setCheck] = useState<PageResults['checkup'] | null>(null);
  const checking = useAction();
  const isConfigured = (state['partner.show']?.credentialsUrl ?? null) !== null;
  useEffect(() => {
    if (isConfigured) {
      void checking.run(async () => setCheck(await call('checkup')));
    }
  }, [isConfigured]);
  const verdict = check?.credentialing;
  if (verdict === undefined) {
    return null;
  }
  return (
    <Notice tone={verdict.ok ? 'good' : 'warning'}>
      <p>
        {verdict.ok
          ? 'The credentialing interface answers and takes the login.'
          : `Credentialing interface: ${t(verdict.message)}`}
      </p>
    </Notice>
  );
}

// A stand for the running test: closed with it.
import { onTestFinished } from 'vitest';
import { CredentialingStand } from '../../support/credentialing-stand.ts';

/** `settings`: switches of the credentialing interface. */
export async function openStand(
  settings: Readonly<Record<string, unknown>> = {},
): Promise<CredentialingStand> {
  const stand = await CredentialingStand.open(settings);
  onTestFinished(async () => stand.close());
  return stand;
}

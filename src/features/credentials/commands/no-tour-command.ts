// `latchkey credentials no-tour`: payloads that open locks without a tour to each lock.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { CommonFlags } from '../../../cli/account/account-command.ts';
import { type DefineVerb, grouped } from '../../../cli/account/verb.ts';
import { EXIT_STATUS } from '../../../cli/terminal/exit-status.ts';
import { FinalError } from '../../../support/errors.ts';
import { t } from '../../../words/translate.ts';
import { credentialId, type NoTourPayload } from '../policy/credential.ts';
import { type CredentialingContext, type CredentialingRun, collected } from './context.ts';

interface NoTourFlags extends CommonFlags {
  readonly lock?: readonly string[] | string;
}

export function noTourCommand(define: DefineVerb<CommonFlags, CredentialingContext>): Command {
  const id = ['<id>', t('id of the credential')] as const;
  const group = new Command('no-tour').description(
    t('save and delete the payloads that open locks without a tour to each of them'),
  );
  return grouped(group, [
    define(
      'save',
      t('save payloads of a credential; one for the same lock is replaced'),
      [id],
      saveNoTour,
    ).requiredOption(
      '--lock <serial=file>',
      t('serial number of a lock and the file with its payload in base64; may be repeated'),
      collected,
    ),
    define('delete', t('delete the payloads of a credential'), [id], deleteNoTour).option(
      '--lock <serial>',
      t('only the payload of this lock'),
    ),
  ]);
}

const saveNoTour: CredentialingRun<NoTourFlags> = async (
  { credentialing, output, options },
  { lock = [] },
  [id = ''],
) => {
  const payloads = [lock].flat().map(payloadIn);
  const saved = await credentialing.client.saveNoTour(credentialId(id), payloads, options);
  const serials = (saved ?? payloads).map(({ deviceSerialNumber }) => deviceSerialNumber);
  output.answer({ locks: serials }, [
    t('Saved. The credential now has payloads for: {serials}.', { serials: serials.join(', ') }),
  ]);
  return EXIT_STATUS.ok;
};

const deleteNoTour: CredentialingRun<NoTourFlags> = async (
  { credentialing, output, options },
  { lock },
  [id = ''],
) => {
  const { client } = credentialing;
  await (typeof lock === 'string'
    ? client.deleteNoTourOfLock(credentialId(id), lock, options)
    : client.deleteNoTour(credentialId(id), options));
  output.answer({ deleted: true }, [t('Deleted.')]);
  return EXIT_STATUS.ok;
};

/** Payloads open locks: reading them from files keeps them out of the process list. */
function payloadIn(text: string): NoTourPayload {
  const [deviceSerialNumber = '', file = ''] = text.split(/=(.*)/s, 2);
  if (file === '') {
    throw new FinalError(
      'bad-request',
      t('Nothing was sent: {option} takes {form}.', { option: '--lock', form: 'SERIAL=FILE' }),
    );
  }
  try {
    return { deviceSerialNumber, payload: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    const message = t('Nothing was sent: the file of {option} cannot be read.', { option: '--lock' });
    throw new FinalError('bad-request', message, { cause: error });
  }
}

// `latchkey credentials`: logs in to the credentialing interface, and shows and deletes credentials.
import { Command } from 'commander';
import type { CommonFlags, End } from '../../../cli/account/account-command.ts';
import { grouped } from '../../../cli/account/verb.ts';
import { EXIT_STATUS } from '../../../cli/terminal/exit-status.ts';
import { ask } from '../../../cli/terminal/hidden-typing.ts';
import type { Terminal } from '../../../cli/terminal/terminal.ts';
import { FinalError } from '../../../support/errors.ts';
import { t } from '../../../words/translate.ts';
import { credentialId, isOfSite } from '../policy/credential.ts';
import { type CredentialingRun, credentialingVerbs } from './context.ts';
import { createCommands } from './create-command.ts';
import { fileCommands } from './import-command.ts';
import { credentialDetails, credentialLines, credentialValue } from './lines.ts';
import { noTourCommand } from './no-tour-command.ts';

interface ListFlags extends CommonFlags {
  readonly site?: string;
  readonly search?: string;
}

interface OneFlags extends CommonFlags {
  readonly user?: string;
}

function afterword(): string {
  const words = t(
    'The service allows 10 logins and 100 calls of each other kind a minute. Commands wait for their turn, also when several\nrun at once, and say until when; Ctrl-C ends the wait. {page} says more.',
    { page: 'docs/operate/credentials.md' },
  );
  return `\n${words}`;
}

export function credentialsCommand(terminal: Terminal, end: End): Command {
  const define = credentialingVerbs(terminal, end);
  const group = new Command('credentials')
    .description(t('issue and manage phone credentials of the BLE credentialing interface'))
    .addHelpText('after', afterword());
  const one = (name: string, description: string, run: CredentialingRun<OneFlags>): Command =>
    define(
      name,
      description,
      [['[id]', t('id of the credential, as "{command}" prints it', { command: 'list' })]],
      run,
    ).option('--user <id>', t('the credential of this user instead'));
  return grouped(group, [
    define(
      'login',
      t('log in to the interface, and keep the login for the other commands and the pages'),
      [],
      login,
    ).option(
      '--username <name>',
      t('the user name; asked for if left out. The password is always asked for'),
    ),
    ...createCommands(define),
    define('list', t('list the credentials'), [], list)
      .option('--site <id>', t('those of one site'))
      .option('--search <text>', t('those with this text in user, mobile number, site or card number')),
    one('get', t('show one credential'), get),
    one('delete', t('delete one credential; its phone opens no door any more'), remove),
    noTourCommand(define),
    ...fileCommands(define),
  ]);
}

const login: CredentialingRun<CommonFlags & { readonly username?: string }> = async (
  { credentialing, output, terminal, options },
  { username },
) => {
  if (credentialing.loginFrom === 'config') {
    await credentialing.login(null, options);
  } else {
    const name = username ?? (await ask(terminal, output, t('User name:')));
    await credentialing.login(
      { username: name, password: await ask(terminal, output, t('Password:'), true) },
      options,
    );
  }
  output.answer({ loggedIn: true }, [
    t('Logged in. The login is kept for the other commands and the pages.'),
  ]);
  return EXIT_STATUS.ok;
};

const list: CredentialingRun<ListFlags> = async ({ credentialing, output, options }, { site, search }) => {
  const { credentials, unreadable } = await credentialing.client.list(options);
  const needle = search?.toLowerCase() ?? '';
  const shown = credentials.filter(
    (credential) =>
      isOfSite(credential, site ?? null) &&
      [
        credential.userId,
        credential.mobileNumber,
        String(credential.cardNumber ?? ''),
        ...Object.values(credential.attributes),
      ].some((text) => text.toLowerCase().includes(needle)),
  );
  output.answer(shown.map(credentialValue), credentialLines(shown));
  if (unreadable > 0) {
    output.error(t('{count} credentials of the list could not be read.', { count: String(unreadable) }));
  }
  output.progress(t('{shown} of {all} credentials.', { shown: shown.length, all: credentials.length }));
  return EXIT_STATUS.ok;
};

const get: CredentialingRun<OneFlags> = async ({ credentialing, output, options }, { user }, [id]) => {
  const { client } = credentialing;
  assertOne(id, user);
  const credential =
    user === undefined
      ? await client.get(credentialId(id ?? ''), options)
      : await client.getByUser(user, options);
  output.answer(credentialValue(credential), credentialDetails(credential));
  return EXIT_STATUS.ok;
};

const remove: CredentialingRun<OneFlags> = async ({ credentialing, output, options }, { user }, [id]) => {
  const { client } = credentialing;
  assertOne(id, user);
  await (user === undefined
    ? client.delete(credentialId(id ?? ''), options)
    : client.deleteByUser(user, options));
  output.answer({ deleted: true }, [t('Deleted.')]);
  return EXIT_STATUS.ok;
};

function assertOne(id: string | undefined, user: string | undefined): void {
  if ((id === undefined) === (user === undefined)) {
    throw new FinalError(
      'bad-request',
      t('Nothing was sent: name the id of a credential, or a user with {option}.', { option: '--user' }),
    );
  }
}

// `latchkey credentials`: logs in to the credentialing interface, and shows and deletes credentials.
import { Command } from 'commander';
import { credentialId, isOfSite } from '../../domain/credentials/credential.ts';
import { FinalError } from '../../support/errors.ts';
import type { CommonFlags, End } from '../account/account-command.ts';
import { EXIT_STATUS } from '../terminal/exit-status.ts';
import { ask } from '../terminal/hidden-typing.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CredentialingRun, credentialingCommand } from './context.ts';
import { createCommand, createRawCommand } from './create-command.ts';
import { exportCommand, importCommand, planCommand } from './import-command.ts';
import { credentialDetails, credentialLines, credentialValue } from './lines.ts';
import { noTourCommand } from './no-tour-command.ts';

interface ListFlags extends CommonFlags {
  readonly site?: string;
  readonly search?: string;
}

interface OneFlags extends CommonFlags {
  readonly user?: string;
}

const AFTERWORD = `
The service allows 10 logins and 100 calls of each other kind a minute. Commands wait for their turn, also when several
run at once, and say until when; Ctrl-C ends the wait. docs/credentials.md says more.`;

export function credentialsCommand(terminal: Terminal, end: End): Command {
  const add = <Flags extends CommonFlags>(command: Command, run: CredentialingRun<Flags>): Command =>
    credentialingCommand(terminal, end, command, run);
  return new Command('credentials')
    .description('issue and manage phone credentials of the BLE credentialing interface')
    .addHelpText('after', AFTERWORD)
    .addCommand(add(loginCommand(), login))
    .addCommand(createCommand(terminal, end))
    .addCommand(createRawCommand(terminal, end))
    .addCommand(add(listCommand(), list))
    .addCommand(add(oneCommand('get', 'show one credential'), get))
    .addCommand(add(oneCommand('delete', 'delete one credential; its phone opens no door any more'), remove))
    .addCommand(noTourCommand(terminal, end))
    .addCommand(importCommand(terminal, end))
    .addCommand(planCommand(terminal, end))
    .addCommand(exportCommand(terminal, end));
}

function loginCommand(): Command {
  return new Command('login')
    .description('log in to the interface, and keep the login for the other commands and the pages')
    .option('--username <name>', 'the user name; asked for if left out. The password is always asked for');
}

function listCommand(): Command {
  return new Command('list')
    .description('list the credentials')
    .option('--site <id>', 'those of one site')
    .option('--search <text>', 'those with this text in user, mobile number, site or card number');
}

function oneCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('[id]', 'id of the credential, as "list" prints it')
    .option('--user <id>', 'the credential of this user instead');
}

const login: CredentialingRun<CommonFlags & { readonly username?: string }> = async (
  { credentialing, output, terminal, options },
  { username },
) => {
  if (credentialing.loginFrom === 'config') {
    await credentialing.login(null, options);
  } else {
    const name = username ?? (await ask(terminal, output, 'User name:'));
    await credentialing.login(
      { username: name, password: await ask(terminal, output, 'Password:', true) },
      options,
    );
  }
  output.answer({ loggedIn: true }, ['Logged in. The login is kept for the other commands and the pages.']);
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
    output.error(`${unreadable} credentials of the list could not be read.`);
  }
  output.progress(`${shown.length} of ${credentials.length} credentials.`);
  return EXIT_STATUS.ok;
};

const get: CredentialingRun<OneFlags> = async ({ credentialing, output, options }, { user }, id) => {
  const { client } = credentialing;
  assertOne(id, user);
  const credential =
    user === undefined
      ? await client.get(credentialId(id ?? ''), options)
      : await client.getByUser(user, options);
  output.answer(credentialValue(credential), credentialDetails(credential));
  return EXIT_STATUS.ok;
};

const remove: CredentialingRun<OneFlags> = async ({ credentialing, output, options }, { user }, id) => {
  const { client } = credentialing;
  assertOne(id, user);
  await (user === undefined
    ? client.delete(credentialId(id ?? ''), options)
    : client.deleteByUser(user, options));
  output.answer({ deleted: true }, ['Deleted.']);
  return EXIT_STATUS.ok;
};

function assertOne(id: string | undefined, user: string | undefined): void {
  if ((id === undefined) === (user === undefined)) {
    throw new FinalError(
      'bad-request',
      'Nothing was sent: name the id of a credential, or a user with --user.',
    );
  }
}

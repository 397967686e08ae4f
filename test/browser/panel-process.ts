// A panel in a process of its own, which can be killed: `node test/browser/panel-process.ts PORT`. Prints a login token.
import { aLock, StandInAccount } from '../stand-ins/account/operations.ts';
import { AccountPanel } from './account-panel.ts';

const [port = '0'] = process.argv.slice(2);
const account = new StandInAccount();
account.saveCredentials();
account.link = { ...account.link, state: 'linked' };
account.hold(aLock('Front door'), aLock('Back door'));
const panel = await AccountPanel.start(account, { port: Number(port) });
console.log(panel.server.mintLogin().token);

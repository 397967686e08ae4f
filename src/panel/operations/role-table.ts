// Which operations a login with less than all rights may call, and which events it receives: every one has a row.
import { Additions, joined } from '../../support/additions.ts';
import { isOwn, type OwnEvent, type PanelEvent } from '../panel-event.ts';
import type { Role } from '../sessions/role.ts';
import type { FeatureOperations } from './feature-operations.ts';
import type { PageOperation } from './panel-api.ts';

type LimitedRole = Exclude<Role, 'all'>;

const NONE: readonly LimitedRole[] = [];
const LOOK: readonly LimitedRole[] = ['look'];
const CODES: readonly LimitedRole[] = ['codes'];
const BOTH: readonly LimitedRole[] = ['look', 'codes'];

/** Features name those of theirs that are not for a login with all rights alone. */
export const featureRoles = new Additions<Readonly<Record<string, readonly LimitedRole[]>>>();

type OwnOperation = Exclude<PageOperation, keyof FeatureOperations>;

/** The compiler asks for a row of each. `LOOK` may stand only at what changes nothing, and shows and compares no digits. */
const OPERATIONS: Readonly<Record<OwnOperation, readonly LimitedRole[]>> = {
  status: BOTH,
  watch: BOTH,
  locks: BOTH,
  'link.show': BOTH,
  'locks.battery': LOOK,
  activity: LOOK,
  history: LOOK,
  'history.page': LOOK,
  'history.look': LOOK,
  'history.people': LOOK,
  'history.refresh': LOOK,
  'history.export': LOOK,
  'history.count': NONE,
  'history.erase': NONE,
  'codes.list': BOTH,
  'codes.operations': BOTH,
  'codes.rules': CODES,
  'codes.proposals': CODES,
  'codes.confirm': CODES,
  'codes.reveal': CODES,
  'codes.check': CODES,
  'codes.plan': CODES,
  'codes.carry-out': CODES,
  'codes.add': CODES,
  'codes.update': CODES,
  'codes.remove': CODES,
  'codes.clear': CODES,
  'guests.list': BOTH,
  'guests.look': CODES,
  'guests.reveal': CODES,
  'guests.message': CODES,
  'guests.add': CODES,
  'guests.update': CODES,
  'guests.remove': CODES,
  'guests.settle': CODES,
  lock: NONE,
  refresh: NONE,
  forget: NONE,
  'alerts.show': LOOK,
  'locks.settings': NONE,
  'locks.configure': NONE,
  'locks.replaced': NONE,
  'locks.replace': NONE,
  'partner.show': NONE,
  'partner.save': NONE,
  'link.start': NONE,
  'link.finish': NONE,
  'link.confirm': NONE,
  unlink: NONE,
  'webhooks.status': NONE,
  'webhooks.list': NONE,
  'webhooks.register': NONE,
  'webhooks.remove': NONE,
  'webhooks.test': NONE,
  'panel.logins': NONE,
  'panel.end-login': NONE,
  'ending.show': NONE,
  'ending.begin': NONE,
  'ending.finish': NONE,
  'demo.turn': NONE,
  checkup: NONE,
  'try-now': NONE,
  diagnostics: NONE,
};

const EVENTS: Readonly<Record<OwnEvent['type'], readonly LimitedRole[]>> = {
  lock: BOTH,
  'lock-removed': BOTH,
  link: BOTH,
  codes: BOTH,
  guests: BOTH,
  'code-operation': BOTH,
  alert: LOOK,
  activity: LOOK,
  'command-ended': LOOK,
  stays: LOOK,
  'lock-settings': NONE,
  webhooks: NONE,
  linking: NONE,
  'account-change': NONE,
};

function rolesOf(): Readonly<Record<string, readonly LimitedRole[]>> {
  return joined<Readonly<Record<string, readonly LimitedRole[]>>>(OPERATIONS, featureRoles.all);
}

export function mayCall(role: Role, operation: PageOperation): boolean {
  return role === 'all' || allowedTo(role)?.includes(operation) === true;
}

/** What a page may ask for, so that it offers nothing else; null: everything. */
export function allowedTo(role: Role): readonly string[] | null {
  const names = Object.entries(rolesOf()).flatMap(([name, roles]) =>
    role !== 'all' && roles.includes(role) ? [name] : [],
  );
  return role === 'all' ? null : names;
}

export function mayHear(role: Role, event: PanelEvent['type']): boolean {
  return role === 'all' || (isOwn(event) && EVENTS[event].includes(role));
}

// Operations on the pages themselves: their addresses, an address to log in by, and the logins. No page makes a login.
import { z } from 'zod';
import type { Message } from '../../domain/language/message.ts';
import { ROLES, type Role } from '../sessions/role.ts';
import type { LoginView } from '../sessions/store.ts';
import { nothing, rows } from './operation.ts';

export type { LoginView } from '../sessions/store.ts';

export interface DashboardPlaceView {
  /** Whether the pages are served right now. */
  readonly open: boolean;
  /** Addresses to open them at, the best first. */
  readonly urls: readonly string[];
  /** Why the pages are not served, in words; null when they are. */
  readonly trouble: Message | null;
}

export interface DashboardLogin {
  /** Valid once. Its last part is a secret: shown only to the person that requested it. */
  readonly url: string;
  readonly expiresInMs: number;
}

/**
 * Throws `bad-configuration` when the configuration wants no pages, `not-permitted` in a process that serves none,
 * such as a command line that owns the account for a moment.
 */
export interface DashboardApi {
  show(): DashboardPlaceView;
  /** Throws retry (`unreachable`), too, while the pages cannot be served. */
  login(role: Role): DashboardLogin;
  /** The living logins, the last used first; none while the pages are not served. */
  logins(): readonly LoginView[];
  /** Ends a login, with everything that it has open. */
  endLogin(id: string): void;
}

const asked = () => z.object({ role: z.enum(ROLES).default('all') }).default({ role: 'all' });
const one = () => z.object({ id: z.string().max(100) });

const { pages, processes } = rows((parts: { readonly panel: DashboardApi }) => parts.panel);

export const DASHBOARD_OPERATIONS = {
  'panel.show': processes('reads', nothing, (panel) => panel.show()),
  'panel.login': processes('changes', asked, (panel, { role }) => panel.login(role)),
  'panel.logins': pages('reads', nothing, (panel) => panel.logins()),
  'panel.end-login': pages('changes', one, (panel, { id }) => {
    panel.endLogin(id);
    return { ended: id };
  }),
};

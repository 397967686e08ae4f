// Operations on the pages themselves: their addresses, and an address to log in by. Never called by a page.
import type { Message } from '../../domain/language/message.ts';
import { nothing, operation } from './operation.ts';

export interface PanelPlaceView {
  /** Whether the pages are served right now. */
  readonly open: boolean;
  /** Addresses to open them at, the best first. */
  readonly urls: readonly string[];
  /** Why the pages are not served, in words; null when they are. */
  readonly trouble: Message | null;
}

export interface PanelLogin {
  /** Valid once. Its last part is a secret: shown only to the person that requested it. */
  readonly url: string;
  readonly expiresInMs: number;
}

/**
 * Throws `bad-configuration` when the configuration wants no pages, `not-permitted` in a process that serves none,
 * such as a command line that owns the account for a moment.
 */
export interface DashboardApi {
  show(): PanelPlaceView;
  /** Throws retry (`unreachable`), too, while the pages cannot be served. */
  login(): PanelLogin;
}

interface DashboardParts {
  readonly panel: DashboardApi;
}

export const DASHBOARD_OPERATIONS = {
  'panel.show': operation('processes', 'reads', nothing, ({ panel }: DashboardParts) => panel.show()),
  'panel.login': operation('processes', 'changes', nothing, ({ panel }: DashboardParts) => panel.login()),
};

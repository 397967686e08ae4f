// The operations open to a page: fewer than for the command line, and never unlocking.

/** By the names of the panel's operations. Every server of pages passes on these alone. */
export const PAGE_OPERATIONS = [
  'status',
  'watch',
  'partner.show',
  'partner.save',
  'link.show',
  'link.start',
  'link.finish',
  'link.confirm',
  'unlink',
  'locks',
  'locks.settings',
  'locks.configure',
  'lock',
  'refresh',
  'forget',
  'activity',
  'history',
  'webhooks.status',
  'webhooks.list',
  'webhooks.register',
  'webhooks.remove',
  'webhooks.test',
  'credentials.show',
  'credentials.login',
  'credentials.list',
  'credentials.create',
  'credentials.delete',
  'credentials.plan',
  'credentials.import',
  'credentials.stop-import',
  'checkup',
  'diagnostics',
] as const;

export type PageOperation = (typeof PAGE_OPERATIONS)[number];

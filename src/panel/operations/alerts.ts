// The panel's operation on alerts: pages show them, and config.json alone sets them.
import type { AlertsApi } from '../views/alerts.ts';
import { nothing, pageRows } from './operation.ts';

const row = pageRows(({ alerts }: { readonly alerts: AlertsApi }) => alerts);

export const ALERT_OPERATIONS = {
  'alerts.show': row('reads', nothing, (alerts) => alerts.show()),
};

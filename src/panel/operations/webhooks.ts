// The panel's operations on webhooks.
import { z } from 'zod';
import type { WebhookApi } from '../views/webhooks.ts';
import { nothing, pageRows } from './operation.ts';

const statusInput = () => z.object({ address: z.boolean().optional() }).loose().optional();
const oneSubscription = () => z.object({ id: z.string().min(1) });

const row = pageRows(({ webhooks }: { readonly webhooks: WebhookApi }) => webhooks);

export const WEBHOOK_OPERATIONS = {
  'webhooks.status': row('reads', statusInput, async (webhooks, target) =>
    webhooks.status(target?.address ?? false),
  ),
  'webhooks.list': row('reads', nothing, async (webhooks) => webhooks.list()),
  'webhooks.register': row('changes', nothing, async (webhooks) => webhooks.register()),
  'webhooks.remove': row('changes', oneSubscription, async (webhooks, { id }) => {
    await webhooks.remove(id);
    return { removed: id };
  }),
  'webhooks.test': row('changes', nothing, async (webhooks) => webhooks.test()),
};

// The panel's operations on the partner's credentials and the account's link.
import { z } from 'zod';
import type { LinkApi } from '../../linking/link-api.ts';
import type { PartnerApi } from '../views/partner.ts';
import { nothing, pageRows } from './operation.ts';

/** A redirected address holds a code and a state; no service sends a longer one. */
const LONGEST_ADDRESS = 16_384;

const credentials = () => z.record(z.string(), z.unknown());
const redirected = () => z.object({ redirectedUrl: z.string().min(1).max(LONGEST_ADDRESS) });
const answer = () => z.object({ keep: z.boolean() });

const partner = pageRows((parts: { readonly partner: PartnerApi }) => parts.partner);
const link = pageRows((parts: { readonly linking: LinkApi }) => parts.linking);

export const LINK_OPERATIONS = {
  'partner.show': partner('reads', nothing, (api) => api.show()),
  'partner.save': partner('gives-secrets', credentials, (api, change) => api.save(change)),
  'link.show': link('reads', nothing, (linking) => linking.show()),
  'link.start': link('gives-secrets', nothing, async (linking) => linking.start()),
  'link.finish': link('gives-secrets', redirected, async (linking, { redirectedUrl }) =>
    linking.finish(redirectedUrl),
  ),
  'link.confirm': link('changes', answer, async (linking, { keep }) => linking.confirm(keep)),
  unlink: link('changes', nothing, async (linking) => {
    await linking.unlink();
    return { link: linking.show().state };
  }),
};

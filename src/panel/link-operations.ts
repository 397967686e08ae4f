// The panel's operations on the partner's credentials and the account's link.
import { z } from 'zod';
import type { RuntimeLinkState } from '../domain/account.ts';
import type { LinkApi, LinkFinishView, LinkStartView, LinkView } from './link-view.ts';
import { nothing, operation } from './operation.ts';
import type { PartnerApi, PartnerView } from './partner-view.ts';

export interface LinkOperationParts {
  readonly partner: PartnerApi;
  readonly linking: LinkApi;
}

/** A redirected address holds a code and a state; none that is longer comes from a service. */
const LONGEST_ADDRESS = 16_384;

const credentials = z.record(z.string(), z.unknown());
const redirected = z.object({ redirectedUrl: z.string().min(1).max(LONGEST_ADDRESS) });
const answer = z.object({ keep: z.boolean() });

export function linkOperations({ partner, linking }: LinkOperationParts) {
  return {
    'partner.show': operation(nothing, async (): Promise<PartnerView> => partner.show()),
    'partner.save': operation(credentials, async (change): Promise<PartnerView> => partner.save(change)),
    'link.show': operation(nothing, async (): Promise<LinkView> => linking.show()),
    'link.start': operation(nothing, async (): Promise<LinkStartView> => linking.start()),
    'link.finish': operation(
      redirected,
      async ({ redirectedUrl }): Promise<LinkFinishView> => linking.finish(redirectedUrl),
    ),
    'link.confirm': operation(answer, async ({ keep }): Promise<LinkView> => linking.confirm(keep)),
    unlink: operation(nothing, async (): Promise<{ readonly link: RuntimeLinkState }> => {
      await linking.unlink();
      return { link: linking.show().state };
    }),
  };
}

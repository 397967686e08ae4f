// What a feature brings to the pages: a page with its tab, a line of the check, and addresses beside those of the service.
import type { ComponentType, VNode } from 'preact';
import type { Message } from '../../../src/domain/language/message.ts';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import type { PartnerView } from '../../../src/panel/views/partner.ts';
import type { AccountState } from '../state/account-state.ts';
import type { View } from '../state/views.ts';

export interface FeaturePage {
  readonly name: string;
  readonly tab?: FeatureTab;
  /** At the end of the setup. */
  readonly Check?: () => VNode | null;
  readonly addresses?: readonly {
    readonly label: Message;
    readonly of: (partner: PartnerView) => string | null;
  }[];
}

export interface FeatureTab {
  readonly view: View;
  /** The tab that stands before its own. */
  readonly after: View;
  readonly title: Message;
  /** What a login has to be allowed to ask for. */
  readonly needed: PageOperation;
  readonly isThere: (state: AccountState) => boolean;
  readonly Page: ComponentType & { readonly load: () => Promise<void> };
}

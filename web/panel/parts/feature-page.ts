// What a feature brings to the pages: a page with its tab, lines of the overview and of the check, forms of guests, and addresses beside those of the service.
import type { ComponentType, VNode } from 'preact';
import type { Message } from '../../../src/domain/language/message.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import type { PartnerView } from '../../../src/panel/views/partner.ts';
import type { AccountState } from '../state/account-state.ts';
import type { View } from '../state/views.ts';

export interface FeaturePage {
  readonly name: string;
  readonly tab?: FeatureTab;
  /** On the overview, above the locks. */
  readonly Alarms?: () => VNode | null;
  readonly guests?: FeatureGuests;
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
  /** Left out: always. Else a later answer may bring the page. */
  readonly isThere?: (state: AccountState) => boolean;
  /** In the bar at the foot of a phone; left out: the page is among the others there. */
  readonly Icon?: () => VNode;
  readonly Page: ComponentType & { readonly load: () => Promise<void> };
}

/** What it has for its guests on the page of codes. */
export interface FeatureGuests {
  /** To where those of bookings are changed. */
  readonly way: { readonly title: Message; readonly view: View; readonly needed: PageOperation };
  /** Of those who come in between bookings. */
  readonly BetweenForm: ComponentType<{ readonly guest: GuestView; readonly onClose: () => void }>;
}

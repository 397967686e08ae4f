// Passes what happens in an account on to pages and other processes.
import { type PanelEvent, panelEventsOf } from '../panel/panel-event.ts';
import type { Emitter } from '../support/emitter.ts';
import type { AccountRuntime } from '../sync/account-runtime.ts';

export function describeService(runtime: AccountRuntime, events: Emitter<PanelEvent>): void {
  runtime.subscribe((runtimeEvent) => {
    for (const event of panelEventsOf(runtimeEvent)) {
      events.emit(event);
    }
  });
  runtime.webhooks.subscribe(() => {
    events.emit({ type: 'webhooks' });
  });
  for (const type of ['guests', 'stays'] as const) {
    runtime[type].subscribe(() => {
      events.emit({ type });
    });
  }
}

// Where an option is set that has no page of its own, in the same words everywhere.
import type { VNode } from 'preact';
import { usePageContext } from './page-context.ts';

export function OptionPlace(): VNode {
  const { place } = usePageContext();
  return <>{place === 'panel' ? 'in config.json' : 'under “All settings”'}</>;
}

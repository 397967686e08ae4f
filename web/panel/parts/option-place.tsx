// How an option is named and where it is set that has no page of its own, in the same words everywhere.
import type { VNode } from 'preact';
import { t } from '../../../src/words/translate.ts';
import { usePageContext } from '../state/page-context.ts';

export function OptionPlace(): VNode {
  const { place, state } = usePageContext();
  if (place === 'homebridge-ui') {
    return <>{t('under “{settings}”', { settings: t('All settings') })}</>;
  }
  return <>{t(state.status?.host === 'service' ? 'in config.json' : 'in the plugin’s settings')}</>;
}

/** Named by the label of the form; without Homebridge there is no form, and the file has another name for it. */
export function OptionName(props: { readonly option: string; readonly label: string }): VNode {
  const { state } = usePageContext();
  return state.status?.host === 'service' ? <code>{props.option}</code> : <>“{props.label}”</>;
}

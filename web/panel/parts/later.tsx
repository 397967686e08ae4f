// A page or a form with a script of its own, which is loaded when it is opened, so that what is seen first is drawn soon.
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { usePageContext } from '../state/page-context.ts';
import { Button, Notice } from './pieces.tsx';

interface LaterPage<Props extends object> {
  (props: Props): VNode;
  /** Loads the script once; after a failure, once more. */
  readonly load: () => Promise<void>;
}

/** `fetchPage`: imports the module, and resolves with its page. */
export function laterPage<Props extends object>(
  fetchPage: () => Promise<ComponentType<Props>>,
): LaterPage<Props> {
  let Page: ComponentType<Props> | null = null;
  let loading: Promise<void> | null = null;
  const fetchOnce = async (): Promise<void> => {
    try {
      Page = await fetchPage();
    } catch (thrown) {
      loading = null;
      throw thrown;
    }
  };
  const load = async (): Promise<void> => {
    loading ??= fetchOnce();
    return loading;
  };
  const Later = (props: Props): VNode => {
    const [standing, setStanding] = useState<'loading' | 'here' | 'failed'>('loading');
    const fetchAndShow = async (): Promise<void> => {
      try {
        await load();
        setStanding('here');
      } catch {
        setStanding('failed');
      }
    };
    useEffect(() => {
      if (Page === null) {
        void fetchAndShow();
      }
    }, []);
    if (Page !== null) {
      return <Page {...props} />;
    }
    return standing === 'failed' ? <NotLoaded /> : <p class="quiet">{t('Loading …')}</p>;
  };
  return Object.assign(Later, { load });
}

/** The plugin is gone, or was updated: then its files have other names, which only a new page knows. */
function NotLoaded(): VNode {
  const { place } = usePageContext();
  return (
    <div role="alert">
      <Notice tone="warning">
        <p>
          {t(
            place === 'panel'
              ? 'This page couldn’t be loaded. Reload once the plugin answers.'
              : 'This page couldn’t be loaded. Close this window and open it again.',
          )}
        </p>
        {place === 'panel' && (
          <div class="pushes">
            <Button onPress={() => location.reload()}>{t('Reload')}</Button>
          </div>
        )}
      </Notice>
    </div>
  );
}

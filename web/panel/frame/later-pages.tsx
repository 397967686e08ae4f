// The pages beside the overview, each with a script of its own, so that the first one is drawn soon.
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { after } from '../../shared/browser-clock.ts';
import { Button, Notice } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';

interface LaterPage<Props extends object> {
  (props: Props): VNode;
  /** Loads the script once; after a failure, once more. */
  readonly load: () => Promise<void>;
}

/** `fetchPage`: imports the module, and resolves with its page. */
function laterPage<Props extends object>(fetchPage: () => Promise<ComponentType<Props>>): LaterPage<Props> {
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

export const Guide = laterPage(async () => (await import('./guide.tsx')).Guide);
export const LockPage = laterPage(async () => (await import('../lock/lock-page.tsx')).LockPage);
export const LocksPage = laterPage(async () => (await import('../settings/locks-page.tsx')).LocksPage);
export const HistoryPage = laterPage(async () => (await import('../history/history-page.tsx')).HistoryPage);
export const CodesPage = laterPage(async () => (await import('../codes/codes-page.tsx')).CodesPage);
export const StaysPage = laterPage(async () => (await import('../stays/stays-page.tsx')).StaysPage);
export const CredentialsPage = laterPage(
  async () => (await import('../credentials/credentials-page.tsx')).CredentialsPage,
);
export const WebhooksPage = laterPage(
  async () => (await import('../settings/webhooks-page.tsx')).WebhooksPage,
);
export const MqttPage = laterPage(async () => (await import('../settings/mqtt-page.tsx')).MqttPage);
export const LinkPage = laterPage(async () => (await import('../setup/link-page.tsx')).LinkPage);

/** By this time the first page has been drawn and has read its data, in milliseconds (our choice). */
const LOADED_AFTER_MS = 1_500;

/** Loads the scripts one after the other, so that each is there when its page is chosen, even without the plugin. */
export function loadBeforehand(): () => void {
  return after(LOADED_AFTER_MS, () => void loadAll());
}

async function loadAll(): Promise<void> {
  for (const page of [
    LockPage,
    LocksPage,
    HistoryPage,
    CodesPage,
    StaysPage,
    LinkPage,
    WebhooksPage,
    MqttPage,
    CredentialsPage,
  ]) {
    // A failed load is repeated, and reported, when the page is chosen.
    await page.load().catch(() => undefined);
  }
}

// The dashboard's own frame: logs in where that is asked for, then shows the account.
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { after } from '../../shared/browser-clock.ts';
import { Form } from '../../shared/form.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Failure, Notice, PRODUCT } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { useAction } from '../state/page-context.ts';
import { type PanelTransport, panelTransport } from '../state/panel-transport.ts';
import { openStream } from '../state/shared-stream.ts';
import { type CallError, shownError } from '../state/transport.ts';
import { AccountPages } from './account-pages.tsx';

/** A panel without an answer is asked again after this many milliseconds. */
const AGAIN_AFTER_MS = 2_000;

type Standing = 'beginning' | 'stranger' | 'known';

/** `loginToken`: of the address that this page was opened with; null without one. */
export function PanelPage({ loginToken }: { readonly loginToken: string | null }): VNode {
  const [standing, setStanding] = useState<Standing>('beginning');
  const [failure, setFailure] = useState<CallError | null>(null);
  const transport = useMemo(
    () => panelTransport(() => setStanding('stranger'), { open: openStream, after }),
    [],
  );
  useEffect(() => {
    let callOff = (): void => undefined;
    const begin = async (): Promise<void> => {
      try {
        setStanding((await transport.begin()) ? 'known' : await welcomed(transport, loginToken, setFailure));
      } catch (thrown) {
        setFailure(shownError(thrown));
        callOff = after(AGAIN_AFTER_MS, () => void begin());
      }
    };
    void begin();
    return () => callOff();
  }, []);
  if (standing === 'known') {
    return <AccountPages transport={transport} file={null} />;
  }
  return (
    <main class="door-step">
      <h1>{PRODUCT}</h1>
      {standing === 'stranger' ? (
        <Login transport={transport} failure={failure} onKnown={() => setStanding('known')} />
      ) : (
        failure !== null && (navigator.onLine ? <Failure failure={failure} /> : <Offline />)
      )}
    </main>
  );
}

/** An installed page without a network: nothing is known of any lock. */
function Offline(): VNode {
  return (
    <div role="alert">
      <Notice tone="warning">
        <p>
          {t(
            'This device is offline, so nothing is known of your locks. The page goes on by itself once it is back.',
          )}
        </p>
      </Notice>
    </div>
  );
}

async function welcomed(
  transport: PanelTransport,
  token: string | null,
  report: (failure: CallError) => void,
): Promise<Standing> {
  if (token === null) {
    return 'stranger';
  }
  try {
    await transport.logIn(token);
    return 'known';
  } catch (thrown) {
    report(shownError(thrown));
    return 'stranger';
  }
}

function Login(props: {
  readonly transport: PanelTransport;
  readonly failure: CallError | null;
  readonly onKnown: () => void;
}): VNode {
  const { transport, failure, onKnown } = props;
  const [address, setAddress] = useState('');
  const entering = useAction();
  const enter = async (): Promise<void> => {
    if (await entering.run(async () => transport.logIn(address))) {
      onKnown();
    }
  };
  return (
    <Form noValidate onSubmit={() => void enter()}>
      <Notice tone="plain">
        <p>
          {tRich(
            'Log in. Run <code>{command}</code> on the machine of the plugin or, with Homebridge, open the plugin’s settings in the Homebridge UI and choose <em>{button}</em>. Either gives you a one-time address, valid for five minutes.',
            { command: 'npx homebridge-latchkey panel --login', button: t('Open the dashboard') },
          )}
        </p>
      </Notice>
      <Field label={t('Login address')} value={address} isSecret onInput={setAddress} />
      <Failure failure={entering.failure ?? failure} />
      <div class="pushes">
        <Button kind="main" isBusy={entering.isBusy} onPress="submit">
          {t('Log in')}
        </Button>
      </div>
    </Form>
  );
}

// Handles the three requests of a Homebridge UI window: checks their input, and converts failures into the pages' form.
import { RequestError } from '@homebridge/plugin-ui-utils';
import { errorViewOf, reportableError } from '../panel/views/error.ts';
import { FinalError, messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { memberOf } from '../support/text/foreign-json.ts';
import type { AccountService } from './account-service.ts';

/** Takes the requests of the window; `HomebridgePluginUiServer` has this form. */
export interface RequestIntake {
  onRequest(path: string, answer: (body: unknown) => Promise<object>): void;
}

/** Answers the window's requests. Every failure reaches it as a `RequestError` with an `ErrorView`. */
export function answerRequests(intake: RequestIntake, api: AccountService, log: Log): void {
  const answer = (path: string, respond: (body: unknown) => Promise<unknown>): void => {
    intake.onRequest(path, async (body) => {
      try {
        return objectOf(await respond(body));
      } catch (error) {
        throw requestErrorOf(error, log);
      }
    });
  };
  answer('/accounts', async () => api.accounts());
  answer('/call', async (body) =>
    api.call(textOf(body, 'account'), textOf(body, 'operation'), memberOf(body, 'input')),
  );
  answer('/panel-login', async (body) => api.panelLogin(textOf(body, 'account')));
}

function requestErrorOf(error: unknown, log: Log): RequestError {
  const shown = reportableError(error);
  if (shown !== error) {
    log.error(`A request of the page failed unexpectedly: ${messageOf(error)}`);
  }
  return new RequestError(shown.message, errorViewOf(shown));
}

/** Every operation resolves with an object or a list; any other result is sent as an empty object. */
function objectOf(result: unknown): object {
  return typeof result === 'object' && result !== null ? result : {};
}

function textOf(body: unknown, name: string): string {
  const value = memberOf(body, name);
  if (typeof value !== 'string') {
    throw new FinalError('bad-request', `The request is not as it should be: ${name}.`);
  }
  return value;
}

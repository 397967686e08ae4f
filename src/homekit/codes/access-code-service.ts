// Experimental: HAP's AccessCode service, so that codes can be made, changed and removed in Home.
import type { Characteristic, CharacteristicSetCallback, HAP, PlatformAccessory, Service } from 'homebridge';
import { LONGEST_PIN, MOST_CODES, SHORTEST_PIN } from '../../domain/codes/access-code-policy.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { LockCodes } from '../../engine/codes/access-codes.ts';
import { withTimeout } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';
import {
  type AnsweredCode,
  CODE_OPERATION,
  CODE_STATUS,
  type ControlRequest,
  decodeControlRequest,
  encodeConfiguration,
  encodeControlResponse,
} from '../hap/access-code-tlv.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { ACCESS, HAP_STATUS, type HapStatus } from '../hap/characteristic-values.ts';
import { linkOnce, putInactive, serviceOf } from '../hap/hap-service.ts';
import { homeCodeTableIn } from '../hap/home-code-table.ts';
import { HomeCodes } from './home-codes.ts';

export interface AccessCodeServiceParts extends AccessoryParts {
  readonly primary: Service;
  readonly lockId: LockId;
  readonly warn: (text: string) => void;
}

/** HAP warns about a write after 3 s; the rest of 2.5 s is for the way (our choice), in milliseconds. */
const ANSWER_WITHIN_MS = 2_300;

/** What a lock takes, as far as is known before its codes were listed. */
const ANY_LOCK = { shortest: SHORTEST_PIN, longest: LONGEST_PIN, mostCodes: MOST_CODES };

export class AccessCodeService {
  readonly #parts: AccessCodeServiceParts;
  readonly #homeCodes: HomeCodes;
  readonly #point: Characteristic;
  readonly #state: Characteristic;
  readonly #configuration: Characteristic;
  readonly #unsubscribe: () => void;
  #isBusy = false;

  constructor(parts: AccessCodeServiceParts) {
    const { api, accessory, primary, lockId, values } = parts;
    const { hap } = api;
    const { AccessCodeControlPoint, AccessCodeSupportedConfiguration, ConfigurationState } =
      hap.Characteristic;
    const service = serviceOf(accessory, hap.Service.AccessCode);
    linkOnce(primary, service);
    this.#parts = parts;
    this.#point = service.getCharacteristic(AccessCodeControlPoint);
    this.#state = service.getCharacteristic(ConfigurationState);
    this.#configuration = service.getCharacteristic(AccessCodeSupportedConfiguration);
    this.#homeCodes = new HomeCodes({
      lockId,
      codes: parts.runtime.codes,
      guests: parts.runtime.guests,
      onListed: (listed) => this.#describe(listed),
      table: () => homeCodeTableIn(accessory.context['homeCodes']),
      save: (table) => {
        accessory.context['homeCodes'] = table;
        values.put(this.#state, table.state);
        api.updatePlatformAccessories([accessory]);
      },
    });
    values.put(this.#state, homeCodeTableIn(accessory.context['homeCodes']).state);
    values.put(this.#configuration, encodeConfiguration(hap, ANY_LOCK));
    // The value never holds a request or a response: HAP would write both to the cache of accessories.
    this.#point.setProps({ adminOnlyAccess: [ACCESS.READ, ACCESS.WRITE] });
    putInactive(this.#point, '');
    this.#point.removeAllListeners('set');
    this.#point.on('set', (value, callback) => void this.#respond(value, callback));
    this.#unsubscribe = parts.runtime.guests.subscribe(() => {
      if (this.#homeCodes.haveChanged()) {
        void this.#refresh();
      }
    });
  }

  /** The codes of the lock have changed. */
  receive(): void {
    void this.#refresh();
  }

  dispose(): void {
    this.#unsubscribe();
  }

  async #respond(value: unknown, callback: CharacteristicSetCallback): Promise<void> {
    const answer = await this.#parts.values.duringWrite(async () => this.#answer(value));
    if (typeof answer === 'string') {
      callback(null, answer);
    } else {
      callback(answer);
    }
    putInactive(this.#point, '');
  }

  /** The response, or the status of a failure. Never rejects. */
  async #answer(value: unknown): Promise<string | HapStatus> {
    const { hap } = this.#parts.api;
    const request = decodeControlRequest(hap, value);
    if (request === null) {
      return HAP_STATUS.INVALID_VALUE_IN_REQUEST;
    }
    if (this.#isBusy) {
      return HAP_STATUS.RESOURCE_BUSY;
    }
    this.#isBusy = true;
    try {
      return encodeControlResponse(hap, request.operation, await this.#itemsFor(request));
    } catch (error) {
      this.#parts.warn(t('Home did not get the access codes: {why}', { why: messageOf(error) }));
      return HAP_STATUS.SERVICE_COMMUNICATION_FAILURE;
    } finally {
      this.#isBusy = false;
    }
  }

  async #itemsFor({ operation, items }: ControlRequest): Promise<readonly AnsweredCode[]> {
    const { clock } = this.#parts;
    const endsAt = clock.monotonic() + ANSWER_WITHIN_MS;
    const left = (): number => Math.max(0, endsAt - clock.monotonic());
    if (operation === CODE_OPERATION.LIST) {
      const listed = await withTimeout(clock, left(), this.#homeCodes.list());
      if (listed === null) {
        throw new Error('the service did not answer in time');
      }
      return listed;
    }
    const answers: AnsweredCode[] = [];
    for (const item of items) {
      const answer = this.#homeCodes.answer(operation, item, () => left() === 0);
      answers.push((await withTimeout(clock, left(), answer)) ?? { ...item, status: CODE_STATUS.UNKNOWN });
    }
    return answers;
  }

  #describe({ pinLength, mostCodes }: LockCodes): void {
    const { shortest, longest } = ANY_LOCK;
    const taken = { shortest: pinLength ?? shortest, longest: pinLength ?? longest, mostCodes };
    this.#parts.values.put(this.#configuration, encodeConfiguration(this.#parts.api.hap, taken));
  }

  async #refresh(): Promise<void> {
    try {
      await this.#homeCodes.refresh();
    } catch (error) {
      this.#parts.warn(t('Home still shows the access codes of before: {why}', { why: messageOf(error) }));
    }
  }
}

/** The service; null where the option is off, and then an earlier one is removed. */
export function accessCodesOf(parts: AccessCodeServiceParts): AccessCodeService | null {
  if (parts.options.appleHomeCodes) {
    return new AccessCodeService(parts);
  }
  const { api, accessory } = parts;
  const service = accessory.getService(api.hap.Service.AccessCode);
  if (service !== undefined) {
    accessory.removeService(service);
  }
  return null;
}

/** Call it in `configureAccessory`, before Homebridge publishes: nothing is taken until a lock takes the accessory over. */
export function closeCachedAccessCodes(hap: HAP, accessory: PlatformAccessory): void {
  const point = accessory
    .getService(hap.Service.AccessCode)
    ?.getCharacteristic(hap.Characteristic.AccessCodeControlPoint);
  if (point !== undefined) {
    point.setProps({ adminOnlyAccess: [ACCESS.READ, ACCESS.WRITE] });
    putInactive(point, '');
    point.on('set', (_, callback) => callback(HAP_STATUS.SERVICE_COMMUNICATION_FAILURE));
  }
}

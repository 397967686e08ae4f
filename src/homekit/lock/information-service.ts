// The AccessoryInformation service: manufacturer, model, serial number and firmware in HomeKit's form.
import type { HAP, Service } from 'homebridge';
import type { LockDescription } from '../../domain/locks/lock.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { serviceOf } from '../hap/hap-service.ts';
import { hapFirmware, hapText } from '../hap/hap-text.ts';
import type { ShownValues } from '../hap/shown-values.ts';

const MANUFACTURER = 'Latchkey';
const MODEL_UNKNOWN = 'Lock';
const FIRMWARE_UNKNOWN = '0.0.0';

/** Leaves the name alone: Homebridge sets it once, and it can be changed in Home. */
export class InformationService {
  readonly #hap: HAP;
  readonly #service: Service;
  readonly #values: ShownValues;
  #shown: LockDescription | null = null;

  /** Homebridge resets the firmware of a cached accessory at every start. */
  constructor({ api, accessory, isNew, values }: AccessoryParts) {
    const { hap } = api;
    this.#hap = hap;
    this.#values = values;
    this.#service = serviceOf(accessory, hap.Service.AccessoryInformation);
    const { Characteristic } = hap;
    values.put(this.#service.getCharacteristic(Characteristic.Manufacturer), MANUFACTURER);
    values.put(this.#service.getCharacteristic(Characteristic.FirmwareRevision), FIRMWARE_UNKNOWN);
    if (isNew) {
      values.put(this.#service.getCharacteristic(Characteristic.Model), MODEL_UNKNOWN);
      values.put(this.#service.getCharacteristic(Characteristic.SerialNumber), accessory.UUID);
    }
  }

  /** Missing texts stay as they were. */
  show(description: LockDescription): void {
    if (description === this.#shown) {
      return;
    }
    this.#shown = description;
    const { model, serial, firmware } = description;
    const { Characteristic } = this.#hap;
    const texts = [
      [Characteristic.Model, hapText(model)],
      [Characteristic.SerialNumber, hapText(serial)],
      [Characteristic.FirmwareRevision, hapFirmware(firmware)],
    ] as const;
    for (const [kind, text] of texts) {
      if (text !== null) {
        this.#values.put(this.#service.getCharacteristic(kind), text);
      }
    }
  }
}

// The AccessoryInformation service: manufacturer, model, serial number and firmware in HomeKit's form.
import type { HAP, Service } from 'homebridge';
import type { LockDescription } from '../../domain/locks/lock.ts';
import type { AccessoryParts } from '../hap/accessory-parts.ts';
import { put, serviceOf } from '../hap/hap-service.ts';
import { hapFirmware, hapText } from '../hap/hap-text.ts';

const MANUFACTURER = 'Latchkey';
const MODEL_UNKNOWN = 'Lock';
const FIRMWARE_UNKNOWN = '0.0.0';

/** Leaves the name alone: Homebridge sets it once, and it can be changed in Home. */
export class InformationService {
  readonly #hap: HAP;
  readonly #service: Service;
  #shown: LockDescription | null = null;

  /** Homebridge resets the firmware of a cached accessory at every start. */
  constructor({ api, accessory, isNew }: AccessoryParts) {
    const { hap } = api;
    this.#hap = hap;
    this.#service = serviceOf(accessory, hap.Service.AccessoryInformation);
    const { Characteristic } = hap;
    put(this.#service.getCharacteristic(Characteristic.Manufacturer), MANUFACTURER);
    put(this.#service.getCharacteristic(Characteristic.FirmwareRevision), FIRMWARE_UNKNOWN);
    if (isNew) {
      put(this.#service.getCharacteristic(Characteristic.Model), MODEL_UNKNOWN);
      put(this.#service.getCharacteristic(Characteristic.SerialNumber), accessory.UUID);
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
        put(this.#service.getCharacteristic(kind), text);
      }
    }
  }
}

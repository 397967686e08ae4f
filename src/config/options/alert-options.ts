// The options of alerts and of the history, as part of the option table.
import { z } from 'zod';
import {
  ALERT_ROWS,
  type AlertName,
  LONGEST_NAME,
  MOST_MINUTES,
  MOST_NAMES,
  WAYS,
} from '../../domain/locks/alert-options.ts';
import { text, whole } from './option-forms.ts';

export const history = () =>
  z.strictObject({
    keepDays: whole(7, 3_660)
      .default(730)
      .meta({ description: 'Days for which the history of each lock is kept on this computer.' }),
  });

export const alerts = () =>
  z.strictObject({
    wrongCode: z.strictObject({ enabled: z.boolean().default(false).meta(about('wrongCode')) }).prefault({}),
    keypadLockedOut: z.boolean().default(false).meta(about('keypadLockedOut')),
    activityAlarm: z.boolean().default(false).meta(about('activityAlarm')),
    guestArrived: z.boolean().default(false).meta(about('guestArrived')),
    stayNotReady: z.boolean().default(false).meta(about('stayNotReady')),
    jam: z.boolean().default(false).meta(about('jam')),
    lowBattery: z.boolean().default(false).meta(about('lowBattery')),
    leftUnlocked: whole(0, MOST_MINUTES).default(0).meta(about('leftUnlocked')),
    autoLockMinutes: whole(0, MOST_MINUTES).default(0).meta(about('autoLockMinutes')),
    unlockedByCode: z.array(text(LONGEST_NAME)).max(MOST_NAMES).default([]).meta(about('unlockedByCode')),
    movedBy: z.array(z.enum(WAYS)).max(WAYS.length).default([]).meta(about('movedBy')),
    boltSensor: z.enum(['none', 'occupancy', 'contact']).default('none').meta(about('boltSensor')),
    automationSwitch: z.enum(['off', 'lockOnly', 'bothWays']).default('off').meta(about('automationSwitch')),
  });

function about(name: AlertName): { readonly title: string; readonly description: string } {
  const { title, description } = ALERT_ROWS[name];
  return { title: title.text, description: description.text };
}

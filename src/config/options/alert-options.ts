// The options of alerts and of the history, as part of the option table.
import { z } from 'zod';
import { text, whole } from './option-forms.ts';

export const history = () =>
  z.strictObject({
    keepDays: whole(7, 3_660)
      .default(730)
      .meta({ description: 'Days for which the history of each lock is kept on this computer.' }),
  });

export const alerts = () =>
  z.strictObject({
    wrongCode: z
      .strictObject({
        enabled: z
          .boolean()
          .default(false)
          .meta({ description: 'Alert after three wrong codes at the keypad within five minutes.' }),
      })
      .prefault({}),
    keypadLockedOut: z
      .boolean()
      .default(false)
      .meta({ description: 'Alert when a keypad locks itself after wrong codes.' }),
    activityAlarm: z
      .boolean()
      .default(false)
      .meta({ description: "Alert when a lock's activity alarm goes off." }),
    guestArrived: z.boolean().default(false).meta({
      description:
        'Alert when the guest of a booked stay uses their code for the first time, at the lock where they do.',
    }),
    stayNotReady: z.boolean().default(false).meta({
      description:
        'Alert when the code of a booked stay is not on the lock 24 hours, and again 2 hours, before the check-in.',
    }),
    jam: z.boolean().default(false).meta({ description: 'Alert while the bolt is jammed.' }),
    lowBattery: z.boolean().default(false).meta({ description: 'Alert while the battery is low.' }),
    leftUnlocked: whole(0, 1_440).default(0).meta({
      description: 'Alert while a lock has been unlocked for so many minutes. 0 turns it off.',
    }),
    autoLockMinutes: whole(0, 1_440).default(0).meta({
      description:
        'Lock by itself what has been unlocked for so many minutes: once, after a fresh reading, and not again soon after a person unlocks. 0 turns it off. It cannot see whether the door is closed.',
    }),
    unlockedByCode: z.array(text(24)).max(20).default([]).meta({
      description:
        'Add a sensor for each of these access codes, by its name in the account. It is triggered when the code unlocks a lock.',
    }),
    movedBy: z
      .array(z.enum(['keypad', 'inside', 'outside', 'remote', 'autoRelock', 'nfc']))
      .max(6)
      .default([])
      .meta({
        description:
          'Add a sensor for each of these methods. It is triggered when a lock is locked or unlocked that way.',
      }),
    boltSensor: z.enum(['none', 'occupancy', 'contact']).default('none').meta({
      description:
        'Add a sensor that follows the bolt, for automations that cannot use locks. Home shows `contact` as a door.',
    }),
    automationSwitch: z.enum(['off', 'lockOnly', 'bothWays']).default('off').meta({
      description:
        'Add a switch that operates the lock without confirmation in Home. `bothWays` lets any automation unlock; locks with `remoteUnlock` off can only be locked.',
    }),
  });

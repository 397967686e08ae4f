// What is said of commands from a broker that are refused before the account is asked.
import { message } from '../../../domain/language/message.ts';

const UNLOCK = '{"action": "unlock", "at": <time>}';

export const SET_REFUSALS = {
  'not-understood': message('The command was not understood. Send {lock} or {unlock}.', {
    lock: '{"action": "lock"}',
    unlock: UNLOCK,
  }),
  retained: message(
    'The command was retained, so the broker would repeat it. Publish it without the retain flag.',
  ),
  'too-early': message(
    'The connection to the broker has just begun, so the command may be an old one. Ask again.',
  ),
  'no-time': message('An unlock needs the time at which it was asked: {unlock}.', { unlock: UNLOCK }),
  'time-unknown': message('The time of the lock service is not known yet. Ask again in a few seconds.'),
  'before-start': message('The command was asked before the plugin started. Ask again.'),
  'too-old': message(
    'The command was asked too long ago. If it was not, set the clock of the machine that asked.',
  ),
  'clock-ahead': message('The command comes from the future. Set the clock of the machine that asked.'),
  'not-newer': message('The same or a newer command was already received.'),
  'commands-off': message('Commands over MQTT are turned off ({option}).', { option: 'mqtt.commands' }),
  'unlock-off': message('This lock cannot be unlocked over MQTT.'),
  'no-pin': message('An unlock needs the PIN: {unlock}.', {
    unlock: '{"action": "unlock", "at": <time>, "code": "<PIN>"}',
  }),
  'wrong-pin': message('The PIN is wrong.'),
  'pin-closed': message('There were too many wrong PINs. Wait a minute.'),
} as const;

/** The same of a command on access codes or guests, whose PIN has a member of its own: `code` are the digits of the new one. */
export const ACCESS_REFUSALS = {
  ...SET_REFUSALS,
  'not-understood': message('The command was not understood. Send it as {document} shows.', {
    document: 'docs/operate/mqtt.md',
  }),
  'no-time': message('Adding or removing a code needs the time at which it was asked: {member}.', {
    member: '"at": <time>',
  }),
  'no-pin': message('Adding or removing a code needs the PIN: {member}.', { member: '"pin": "<PIN>"' }),
} as const;

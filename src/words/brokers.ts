// What is said of commands from a broker that are refused before the account is asked.

export const SET_REFUSALS = {
  'not-understood':
    'The command was not understood. Send {"action": "lock"} or {"action": "unlock", "at": <time>}.',
  retained: 'The command was retained, so the broker would repeat it. Publish it without the retain flag.',
  'no-time': 'An unlock needs the time at which it was asked: {"action": "unlock", "at": <time>}.',
  'time-unknown': "The lock service's time is not known yet. Ask again in a few seconds.",
  'before-start': 'The command was asked before the plugin started. Ask again.',
  'too-old': 'The command was asked too long ago. If it was not, set the clock of the machine that asked.',
  'clock-ahead': 'The command comes from the future. Set the clock of the machine that asked.',
  'not-newer': 'The same or a newer command was already received.',
  'commands-off': 'Commands over MQTT are turned off (mqtt.commands).',
  'unlock-off': 'This lock cannot be unlocked over MQTT.',
  'no-pin': 'An unlock needs the PIN: {"action": "unlock", "at": <time>, "code": "<PIN>"}.',
  'wrong-pin': 'The PIN is wrong.',
  'pin-closed': 'There were too many wrong PINs. Wait a minute.',
} as const;
